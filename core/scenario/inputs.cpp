// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/inputs.h"

#include "core/scenario/contradictions.h"
#include "core/scenario/input_place.h"
#include "core/text/text.h"

#include <algorithm>
#include <array>

namespace core {

namespace {

template <typename Row> std::vector<std::string> idsOf(std::span<const Row> rows)
{
    std::vector<std::string> ids;
    for (const Row& row : rows)
        ids.emplace_back(row.id);
    return ids;
}

constexpr InputWords kCacheFormats{
    "cache format", [] { return idsOf(kvFormats()); },
    KV_TEXT("core", "In {0}, \"{1}\" is {2}, which is no cache format; nothing was changed; write one like fp16, fp8 "
                    "or q8_0.")};
constexpr InputWords kWeightFormats{
    "weight format", [] { return idsOf(weightFormats()); },
    KV_TEXT("core", "In {0}, \"{1}\" is {2}, which is no weight format; nothing was changed; write one like bf16, fp8 "
                    "or awq-4bit.")};
constexpr InputWords kEngines{
    "engine", [] { return std::vector<std::string>(engineIds().begin(), engineIds().end()); },
    KV_TEXT("core", "In {0}, \"{1}\" is {2}, which is no engine that is known; nothing was changed; write one like "
                    "ideal or paged, or use a newer KV Horizon.")};
constexpr InputWords kMemoryBases{
    "memory basis",
    [] {
        return std::vector<std::string>{"label", "driver", "usable"};
    },
    KV_TEXT("core", "In {0}, \"{1}\" is {2}, but it must be label, driver, usable or typed; nothing was changed; "
                    "correct it there.")};

using input_places::at;

constexpr std::string_view kRanksOutOfRange = KV_TEXT("core", "There are {0} ranks; use {1} to {2}.");
constexpr std::int64_t kAnySize = Bytes::tooMany().count();

constexpr EngineSet kVersionedEngines{EngineId::LlamaCpp, EngineId::Vllm, EngineId::Sglang, EngineId::TensorRtLlm};
constexpr EngineSet kReservingEngines{EngineId::Contiguous, EngineId::LlamaCpp, EngineId::Vllm, EngineId::Sglang,
                                      EngineId::TensorRtLlm};

/// Ranks are of interest where there are several GPUs and the engine does not divide the layers by rules of its own.
bool spreadsOverRanks(const Scenario& scenario)
{
    const Hardware& hardware = scenario.hardware;
    return hardware.parallel.isTyped() || (hardware.count > 1 && scenario.engine != EngineId::LlamaCpp);
}

/// In the order of `Field`.
constexpr std::array kInputs{
    Input{.field = Field::Model, .id = "model", .label = KV_TEXT("core", "Model")},
    Input{.field = Field::Context,
          .id = "context",
          .group = kWorkloadInputs,
          .place = at<&Scenario::workload, &Workload::context>(),
          .section = "workload",
          .key = "context",
          .least = 1,
          .most = kMaxContext,
          .outOfRange = KV_TEXT("core", "Context is {0} tokens; use {1} to {2}."),
          .help = "tokens that each request holds; default 8K",
          .label = KV_TEXT("core", "Context, tokens")},
    Input{.field = Field::Batch,
          .id = "batch",
          .group = kWorkloadInputs,
          .place = at<&Scenario::workload, &Workload::batch>(),
          .section = "workload",
          .key = "batch",
          .least = 1,
          .most = kMaxBatch,
          .outOfRange = KV_TEXT("core", "Batch is {0} requests; use {1} to {2}."),
          .help = "concurrent requests; default 1",
          .label = KV_TEXT("core", "Batch, requests")},
    Input{.field = Field::EncoderTokens,
          .id = "encoder-tokens",
          .group = kWorkloadInputs,
          .place = at<&Scenario::workload, &Workload::encoderTokens>(),
          .section = "workload",
          .key = "encoder_tokens",
          .least = 0,
          .most = kMaxContext,
          .outOfRange = KV_TEXT("core", "Encoder tokens are {0}; use {1} to {2}."),
          .help = "tokens of the encoder, for cross attention; default 0"},
    Input{.field = Field::SharedPrefix,
          .id = "shared-prefix",
          .group = kWorkloadInputs,
          .place = at<&Scenario::workload, &Workload::sharedPrefix>(),
          .section = "workload",
          .key = "shared_prefix",
          .onlyWrittenWhereGiven = true,
          .least = 0,
          .most = kMaxContext,
          .outOfRange = KV_TEXT("core", "The shared prefix is {0} tokens; use {1} to {2}."),
          .contradiction = contradictions::ofSharedPrefix,
          .help = "paged, vllm, sglang: tokens at the beginning of all requests\n"
                  "that are the same, as a system prompt is; whole blocks of\n"
                  "them are kept once; default 0",
          .label = KV_TEXT("core", "Shared prefix, tokens"),
          .tip = KV_TEXT("core", "Tokens that all requests have in common at their beginning, such as a system prompt"),
          .engines = {EngineId::Paged, EngineId::Vllm, EngineId::Sglang}},
    Input{.field = Field::SpareTokens,
          .id = "spare-tokens",
          .place = at<&Scenario::workload, &Workload::spareTokens>(),
          .section = "workload",
          .key = "spare_tokens",
          .onlyWrittenWhereGiven = true},
    Input{.field = Field::KvHeads,
          .id = "kv-heads",
          .group = kCacheInputs,
          .place = at<&Scenario::kvHeads>(),
          .section = "cache",
          .key = "kv_heads",
          .contradiction = contradictions::ofKvHeads,
          .help = "KV heads in place of the model's own: as many as query\n"
                  "heads is MHA, 1 is MQA; of a custom model, by default as\n"
                  "many as its heads",
          .label = KV_TEXT("core", "KV heads")},
    Input{.field = Field::KFormat,
          .id = "k-format",
          .group = kCacheInputs,
          .place = at<&Scenario::kFormat>(),
          .words = &kCacheFormats,
          .section = "cache",
          .key = "k_format",
          .placeholder = "F",
          .help = "format of K alone",
          .label = KV_TEXT("core", "Format")},
    Input{.field = Field::VFormat,
          .id = "v-format",
          .group = kCacheInputs,
          .place = at<&Scenario::vFormat>(),
          .words = &kCacheFormats,
          .section = "cache",
          .key = "v_format",
          .placeholder = "F",
          .help = "format of V alone",
          .label = KV_TEXT("core", "V format")},
    Input{.field = Field::Engine,
          .id = "engine",
          .group = kCacheInputs,
          .place = at<&Scenario::engine>(),
          .words = &kEngines,
          .section = "engine",
          .key = "id",
          .placeholder = "E",
          .help = "how the cache is reserved: ideal (what is used), contiguous\n"
                  "(the maximum length of every request), paged (whole\n"
                  "blocks), llama.cpp, vllm, sglang or tensorrt-llm; default\n"
                  "ideal",
          .label = KV_TEXT("core", "Reserved by")},
    Input{.field = Field::EngineVersion,
          .id = "engine-version",
          .group = kCacheInputs,
          .place = at<&Scenario::engineVersion>(),
          .section = "engine",
          .key = "version",
          .onlyWrittenWhereGiven = true,
          .placeholder = "V",
          .help = "llama.cpp: build, by its month: 2025-10, or ik-2025-05 for\n"
                  "ik_llama.cpp; vllm: release, as 0.20, or V0; sglang: release\n"
                  "or month; tensorrt-llm: release; default: the newest that is\n"
                  "known",
          .label = KV_TEXT("core", "Version"),
          .tip = KV_TEXT("core", "The version whose rules count; empty: the newest that is known"),
          .engines = kVersionedEngines},
    Input{.field = Field::Waste,
          .id = "waste",
          .group = kCacheInputs,
          .place = at<&Scenario::waste>(),
          .section = "engine",
          .key = "waste_percent",
          .least = 0,
          .most = kMaxWaste.hundredths,
          .outOfRange = KV_TEXT("core", "Waste is {0} of the reserved cache; use 0 to 95 %."),
          .contradiction = contradictions::ofWaste,
          .help = "ideal: share of the reserved cache that is empty; default 0",
          .label = KV_TEXT("core", "Waste, % of reserved"),
          .engines = {EngineId::Ideal}},
    Input{.field = Field::MaxContext,
          .id = "max-context",
          .aliases = "--max-model-len,--context-length,--max-seq-len",
          .group = kCacheInputs,
          .place = at<&Scenario::workload, &Workload::maxContext>(),
          .section = "workload",
          .key = "max_context",
          .least = 1,
          .most = kMaxContext,
          .outOfRange = KV_TEXT("core", "The longest request is {0} tokens; use {1} to {2}."),
          .contradiction = contradictions::ofMaxContext,
          .help = "tokens reserved for each request (contiguous, llama.cpp), or\n"
                  "of the longest one (other engines); auto: the model's own;\n"
                  "default: the context",
          .label = KV_TEXT("core", "Reserved tokens"),
          .labelWithPool = KV_TEXT("core", "Longest request"),
          .engines = kReservingEngines},
    Input{.field = Field::BlockTokens,
          .id = "block-size",
          .group = kCacheInputs,
          .place = at<&Scenario::blockTokens>(),
          .section = "engine",
          .key = "block_tokens",
          .least = 1,
          .most = kMaxBlockTokens,
          .outOfRange = KV_TEXT("core", "The block size is {0} tokens; use {1} to {2}."),
          .help = "tokens of one block, also of vllm, sglang and tensorrt-llm;\ndefault 16, or the engine's own",
          .label = KV_TEXT("core", "Tokens of a block"),
          .engines = {EngineId::Paged}},
    Input{.field = Field::WeightFormat,
          .id = "weights-format",
          .group = kWeightInputs,
          .place = at<&Scenario::weightFormat>(),
          .words = &kWeightFormats,
          .section = "weights",
          .key = "format",
          .contradiction = contradictions::ofWeightFormat,
          .placeholder = "F",
          .help = "fp32 bf16 fp16 fp8 int8 awq-4bit gptq-4bit nvfp4 mxfp4\n"
                  "bnb-4bit mlx-4bit mlx-6bit mlx-8bit, or\n"
                  "a GGUF mixture, whose size is about right: q8_0 q6_k\n"
                  "q5_k_m q4_k_m q3_k_m q2_k iq4_xs; default: as the model\n"
                  "was published, or as its weight file stores them",
          .label = KV_TEXT("core", "Weights")},
    Input{.field = Field::WeightBytes,
          .id = "weights-bytes",
          .group = kWeightInputs,
          .place = at<&Scenario::weightBytes>(),
          .section = "weights",
          .key = "bytes",
          .least = 0,
          .most = kAnySize,
          .outOfRange = KV_TEXT("core", "The weights' size is negative; use 0 bytes or more."),
          .help = "size of the weights, given instead of a format",
          .label = KV_TEXT("core", "Weights' size"),
          .isShown = [](const Scenario& scenario) { return scenario.weightBytes.has_value(); }},
    Input{.field = Field::Gpu,
          .id = "gpu",
          .group = kHardwareInputs,
          .section = "hardware",
          .key = "gpu",
          .placeholder = "ID",
          .help = "one of \"kvhorizon gpus\", such as rtx-4090; ID:SIZE as in\n"
                  "apple-m2-ultra:128 chooses one of the sizes it is sold with",
          .label = KV_TEXT("core", "GPU")},
    Input{.field = Field::GpuCount,
          .id = "gpus",
          .group = kHardwareInputs,
          .place = at<&Scenario::hardware, &Hardware::count>(),
          .section = "hardware",
          .key = "count",
          .least = 1,
          .most = kMaxGpus,
          .outOfRange = KV_TEXT("core", "There are {0} GPUs; use {1} to {2}."),
          .help = "how many; default 1, or as many as there are ranks",
          .label = KV_TEXT("core", "Number of GPUs")},
    Input{.field = Field::Tensor,
          .id = "tp",
          .aliases = "--tensor-parallel-size,--tp-size",
          .group = kHardwareInputs,
          .place = at<&Scenario::hardware, &Hardware::parallel, &Parallelism::tensor>(),
          .section = "hardware",
          .key = "tensor_parallel",
          .onlyWrittenWhereGiven = true,
          .least = 1,
          .most = kMaxGpus,
          .outOfRange = kRanksOutOfRange,
          .help = "ranks that divide the heads of each layer; default: all GPUs\n"
                  "(vllm, sglang, tensorrt-llm), or their memory is pooled",
          .label = KV_TEXT("core", "Tensor parallel"),
          .tip = KV_TEXT("core", "GPUs that divide the heads of every layer"),
          .isShown = spreadsOverRanks},
    Input{.field = Field::Pipeline,
          .id = "pp",
          .aliases = "--pipeline-parallel-size,--pp-size",
          .group = kHardwareInputs,
          .place = at<&Scenario::hardware, &Hardware::parallel, &Parallelism::pipeline>(),
          .section = "hardware",
          .key = "pipeline_parallel",
          .onlyWrittenWhereGiven = true,
          .least = 1,
          .most = kMaxGpus,
          .outOfRange = kRanksOutOfRange,
          .help = "stages that divide the layers; default 1",
          .label = KV_TEXT("core", "Pipeline parallel"),
          .tip = KV_TEXT("core", "Stages that divide the layers"),
          .isShown = spreadsOverRanks},
    Input{.field = Field::Data,
          .id = "dp",
          .aliases = "--data-parallel-size,--dp-size",
          .group = kHardwareInputs,
          .place = at<&Scenario::hardware, &Hardware::parallel, &Parallelism::data>(),
          .section = "hardware",
          .key = "data_parallel",
          .onlyWrittenWhereGiven = true,
          .least = 1,
          .most = kMaxGpus,
          .outOfRange = kRanksOutOfRange,
          .help = "copies of the model that divide the requests; default 1",
          .label = KV_TEXT("core", "Data parallel"),
          .tip = KV_TEXT("core", "Copies of the model that divide the requests"),
          .isShown = spreadsOverRanks},
    Input{.field = Field::MemoryBasis,
          .id = "memory-basis",
          .group = kHardwareInputs,
          .place = at<&Scenario::hardware, &Hardware::basis>(),
          .words = &kMemoryBases,
          .section = "hardware",
          .key = "memory_basis",
          .placeholder = "B",
          .help = "which figure counts: label (on the box), driver (what it\n"
                  "reports) or usable (what a runtime can allocate); default\n"
                  "usable",
          .label = KV_TEXT("core", "Memory")},
    Input{.field = Field::Memory,
          .id = "vram",
          .group = kHardwareInputs,
          .place = at<&Scenario::hardware, &Hardware::typed>(),
          .section = "hardware",
          .key = "typed_bytes",
          .least = 1,
          .most = kAnySize,
          .outOfRange = KV_TEXT("core", "The memory of a GPU must be more than 0 bytes."),
          .contradiction = contradictions::ofMemory,
          .help = "memory of each GPU, instead of the catalogue's",
          .label = KV_TEXT("core", "Memory of a GPU"),
          .isShown = [](const Scenario& scenario) { return scenario.hardware.basis == MemoryBasis::Typed; }},
    Input{
        .field = Field::CacheMemory,
        .id = "kv-memory",
        .aliases = "--kv-cache-memory-bytes,--kv-cache-memory",
        .group = kHardwareInputs,
        .place = at<&Scenario::cacheMemory>(),
        .section = "engine",
        .key = "cache_memory_bytes",
        .onlyWrittenWhereGiven = true,
        .least = 0,
        .most = kAnySize,
        .outOfRange = KV_TEXT("core", "The memory for the cache is negative; use 0 bytes or more."),
        .contradiction = contradictions::ofCacheMemory,
        .help = "vllm, sglang, tensorrt-llm: memory of each GPU for the cache,\n"
                "given instead of derived",
        .label = KV_TEXT("core", "Cache pool of each GPU"),
        .tip = KV_TEXT("core", "Memory of each GPU for the cache; empty: what the engine leaves for it"),
        .engines = kPoolEngines,
        .isShown = [](const Scenario& scenario) { return kPoolEngines.has(scenario.engine) || scenario.cacheMemory; }},
    Input{.field = Field::Reserve,
          .id = "reserve",
          .group = kHardwareInputs,
          .place = at<&Scenario::reserve>(),
          .key = "reserve_percent",
          .least = 0,
          .most = Percent::whole(100).hundredths - 1,
          .outOfRange = KV_TEXT("core", "The reserve is {0} of each device; use 0 to 99 %."),
          .contradiction = contradictions::ofReserve,
          .help = "share of each GPU that is kept free; default 0",
          .label = KV_TEXT("core", "Keep free, % of each GPU"),
          .isShown =
              [](const Scenario& scenario) {
                  return !kPoolEngines.has(scenario.engine) || scenario.reserve != Percent{};
              }},
    Input{.field = Field::Overhead,
          .id = "overhead",
          .group = kHardwareInputs,
          .place = at<&Scenario::overhead>(),
          .key = "overhead_bytes",
          .least = 0,
          .most = kAnySize,
          .outOfRange = KV_TEXT("core", "The overhead is negative; use 0 bytes or more."),
          .help = "memory of each GPU that the runtime takes; default 0",
          .label = KV_TEXT("core", "Overhead of each GPU")},
    Input{.field = Field::Setting, .id = "setting", .section = "engine", .key = "settings"},
};

static_assert(std::ranges::all_of(kInputs,
                                  [](const Input& row) {
                                      return &row == &kInputs.at(static_cast<std::size_t>(row.field));
                                  }),
              "The rows must stand in the order of Field.");

} // namespace

std::span<const Input> inputs()
{
    return kInputs;
}

const Input& input(Field field)
{
    return kInputs.at(static_cast<std::size_t>(field));
}

std::string_view id(Field field)
{
    return input(field).id;
}

std::optional<Field> field(std::string_view id)
{
    const auto* const found = std::ranges::find(kInputs, id, &Input::id);
    return found == kInputs.end() ? std::nullopt : std::optional(found->field);
}

bool uses(EngineId engine, const Input& input)
{
    return input.engines.empty() || input.engines.has(engine);
}

bool isShown(const Input& input, const Scenario& scenario)
{
    return input.isShown != nullptr ? input.isShown(scenario) : uses(scenario.engine, input);
}

Result<Value> parseInput(const Input& input, std::string_view text)
{
    const auto asValue = [](const auto& value) { return Value(value); };
    switch (input.place.type) {
    case InputType::Count:
        return parseCount(text).map(asValue);
    case InputType::Size:
        return parseSize(text).map(asValue);
    case InputType::Share:
        return parsePercent(text).map(asValue);
    case InputType::Word:
        return Value(toLower(text));
    default:
        return Value(std::string(text));
    }
}

Message label(const Input& input, const Scenario& scenario)
{
    const bool other = !input.labelWithPool.empty() && kPoolEngines.has(scenario.engine);
    return {other ? input.labelWithPool : input.label, {}};
}

} // namespace core
