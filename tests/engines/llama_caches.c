// SPDX-License-Identifier: GPL-3.0-or-later
// llama_caches BACKENDS KEYS FILE: what the real llama.cpp says of the caches of a model.
//
// KEYS is a GGUF file of keys, and of the names of tensors that llama.cpp would do without. llama.cpp itself says which
// tensors a model of these keys has; FILE becomes the whole model, its weights a hole in the file, and is loaded in the
// ordinary way. Then each line of the input is one
// context: its tokens, sequences, batch, ubatch, flash attention (1, 0), unified cells, whole windows, types of K and V
// by name, and rows to roll back to. Before the log of each stands a line "context".
#include "gguf.h"
#include "llama.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int64_t g_tensors = 0; ///< that a model without tensors would have

static void print(enum ggml_log_level level, const char* text, void* data)
{
    const char* place = strstr(text, "too many tensors created");
    (void)data;
    if (place != NULL) {
        g_tensors = atoll(strstr(place, "got ") + strlen("got "));
        return;
    }
    if (level != GGML_LOG_LEVEL_DEBUG)
        fputs(text, stdout);
}

/// Adds a tensor that llama.cpp asks for to the file, once where two parts of the model share it, and small.
static void add(struct ggml_tensor* tensor, void* file)
{
    if (gguf_find_tensor(file, tensor->name) >= 0)
        return;
    gguf_add_tensor(file, tensor);
    if (ggml_nelements(tensor) >= 1 << 20 && tensor->ne[0] % 32 == 0)
        gguf_set_tensor_type(file, tensor->name, GGML_TYPE_Q4_0);
}

/// Tensors of other names until there are as many as it takes: node-llama-cpp's build compares the number.
static void addPlaceholders(struct gguf_context* keys)
{
    for (int64_t i = gguf_get_n_tensors(keys); i < g_tensors; ++i) {
        struct ggml_tensor tensor = {.type = GGML_TYPE_F32, .ne = {1, 1, 1, 1}, .nb = {4, 4, 4, 4}};
        snprintf(tensor.name, sizeof tensor.name, "placeholder.%lld", (long long)i);
        gguf_add_tensor(keys, &tensor);
    }
}

/// Lets the last layers be like the others: those that draft are asked for only where the file has them.
static void withoutDrafts(struct gguf_context* keys)
{
    static const char words[] = ".nextn_predict_layers";
    for (int64_t i = 0; i < gguf_get_n_kv(keys); ++i) {
        const char* key = gguf_get_key(keys, i);
        const char* place = strstr(key, words);
        if (place != NULL && strlen(place) == strlen(words))
            gguf_set_val_u32(keys, key, 0);
    }
}

static struct gguf_context* complete(const char* keys, struct llama_model_params params)
{
    struct gguf_init_params alone = {.no_alloc = true, .ctx = NULL};
    struct gguf_context* given = gguf_init_from_file(keys, alone);
    struct gguf_context* file = gguf_init_empty();
    if (given == NULL)
        return NULL;
    gguf_set_kv(file, given);
    withoutDrafts(given);
    struct llama_model* model = llama_model_init_from_user(given, add, file, params);
    if (model == NULL && g_tensors > 0) {
        addPlaceholders(given);
        model = llama_model_init_from_user(given, add, file, params);
    }
    gguf_free(given);
    if (model == NULL)
        return NULL;
    llama_model_free(model);
    return file;
}

static bool writeWhole(const struct gguf_context* file, const char* path)
{
    const int64_t last = gguf_get_n_tensors(file) - 1;
    const size_t header = gguf_get_meta_size(file);
    const size_t end = gguf_get_tensor_offset(file, last) + gguf_get_tensor_size(file, last);
    const size_t padded = (end + GGUF_DEFAULT_ALIGNMENT - 1) / GGUF_DEFAULT_ALIGNMENT * GGUF_DEFAULT_ALIGNMENT;
    return gguf_write_to_file(file, path, true) && truncate(path, (off_t)(header + padded)) == 0;
}

static enum ggml_type typeOf(const char* name)
{
    for (int type = 0; type < GGML_TYPE_COUNT; ++type) {
        if (strcmp(ggml_type_name(type), name) == 0)
            return type;
    }
    return GGML_TYPE_COUNT;
}

static bool readContext(struct llama_context_params* params)
{
    char k[16];
    char v[16];
    unsigned flash;
    unsigned unified;
    unsigned whole;
    if (scanf("%u %u %u %u %u %u %u %15s %15s %u", &params->n_ctx, &params->n_seq_max, &params->n_batch,
              &params->n_ubatch, &flash, &unified, &whole, k, v, &params->n_rs_seq) != 10)
        return false;
    params->flash_attn_type = flash ? LLAMA_FLASH_ATTN_TYPE_ENABLED : LLAMA_FLASH_ATTN_TYPE_DISABLED;
    params->kv_unified = unified;
    params->swa_full = whole;
    params->type_k = typeOf(k);
    params->type_v = typeOf(v);
    return true;
}

int main(int count, char** arguments)
{
    if (count != 4)
        return 2;
    setvbuf(stdout, NULL, _IOLBF, 0); // what was said before a crash is seen
    llama_log_set(print, NULL);
    ggml_backend_load_all_from_path(arguments[1]);
    struct llama_model_params params = llama_model_default_params();
    params.use_extra_bufts = false; // no second copy of the weights
    struct gguf_context* file = complete(arguments[2], params);
    if (file == NULL || !writeWhole(file, arguments[3]))
        return 1;
    struct llama_model* model = llama_model_load_from_file(arguments[3], params);
    if (model == NULL)
        return 1;
    struct llama_context_params context = llama_context_default_params();
    while (readContext(&context)) {
        puts("context");
        struct llama_context* made = llama_init_from_model(model, context);
        if (made == NULL)
            puts("refused");
        llama_free(made);
    }
    llama_model_free(model);
    gguf_free(file);
    return 0;
}
