// SPDX-License-Identifier: GPL-3.0-or-later
/// Headers of weight files, from file to model, as ratios: a GGUF header of 8 MB to reading and adding up its bytes, a
/// safetensors index and header of 100,000 tensors to nlohmann_json parsing them.
#include "core/files/model_file.h"
#include "core/readers/safetensors/safetensors_weights.h"
#include "tests/bench/ratio.h"
#include "tests/core/readers/weight_files.h"

#include <QTemporaryDir>

#include <nlohmann/json.hpp>

#include <limits>
#include <numeric>
#include <string>

namespace {

using bench::require;

constexpr int kRuns = 15;

/// A header like that of Llama 3.1 8B: 128,256 tokens, 280,147 merges, 292 tensors; 8 MB.
tests::SparseFile largeGguf()
{
    tests::GgufWriter writer;
    writer.text("general.architecture", "llama").text("general.name", "Large");
    for (const auto& [key, value] :
         {std::pair("block_count", 32U), std::pair("context_length", 131'072U), std::pair("embedding_length", 4'096U),
          std::pair("attention.head_count", 32U), std::pair("attention.head_count_kv", 8U)})
        writer.number(std::string("llama.") + key, value);
    std::vector<std::string> tokens;
    std::vector<std::string> merges;
    for (int i = 0; i < 128'256; ++i)
        tokens.push_back("tok" + std::to_string(i % 7'919));
    for (int i = 0; i < 280'147; ++i)
        merges.push_back(tokens[static_cast<std::size_t>(i % 5'000)] + " merge");
    writer.texts("tokenizer.ggml.tokens", tokens);
    writer.list("tokenizer.ggml.token_type", std::vector<int>(128'256, 1));
    writer.texts("tokenizer.ggml.merges", merges);
    writer.text("tokenizer.chat_template", std::string(4'700, 't'));
    writer.tensor("token_embd.weight", {4'096, 128'256}, "Q4_K").tensor("output.weight", {4'096, 128'256}, "Q6_K");
    writer.tensor("output_norm.weight", {4'096}, "F32").tensor("rope_freqs.weight", {64}, "F32");
    for (int layer = 0; layer < 32; ++layer) {
        const std::string block = "blk." + std::to_string(layer) + ".";
        writer.tensor(block + "attn_norm.weight", {4'096}, "F32").tensor(block + "ffn_norm.weight", {4'096}, "F32");
        writer.tensor(block + "attn_q.weight", {4'096, 4'096}, "Q4_K");
        writer.tensor(block + "attn_k.weight", {4'096, 1'024}, "Q4_K");
        writer.tensor(block + "attn_v.weight", {4'096, 1'024}, "Q6_K");
        writer.tensor(block + "attn_output.weight", {4'096, 4'096}, "Q4_K");
        writer.tensor(block + "ffn_gate.weight", {4'096, 14'336}, "Q4_K");
        writer.tensor(block + "ffn_up.weight", {4'096, 14'336}, "Q4_K");
        writer.tensor(block + "ffn_down.weight", {14'336, 4'096}, "Q6_K");
    }
    return writer.file();
}

void compareGguf(bench::Ratios& ratios, const std::string& folder)
{
    const std::string path = folder + "/large.gguf";
    const tests::SparseFile file = largeGguf();
    tests::writeSparse(path, file);
    std::printf("GGUF header of %.1f MB\n", static_cast<double>(file.bytes.size()) / 1e6);
    std::vector<char> buffer(1U << 18U);
    std::uint64_t sum = 0;
    const auto ours = [&] {
        const auto model = core::readers::readModelFile(path);
        require(model && model->weights.parameters() == 8'030'261'248, "The GGUF file is not read.");
    };
    const auto floor = [&] {
        std::ifstream stream;
        stream.rdbuf()->pubsetbuf(nullptr, 0);
        stream.open(path, std::ios::binary);
        for (std::size_t left = file.bytes.size(); left > 0;) {
            stream.read(buffer.data(), static_cast<std::streamsize>(std::min(left, buffer.size())));
            const auto count = static_cast<std::size_t>(stream.gcount());
            for (std::size_t i = 0; i < count; ++i)
                sum += static_cast<unsigned char>(buffer[i]);
            left -= count;
        }
        require(sum > 0, "Nothing was read.");
    };
    ratios.compareWork("GGUF header to model / reading and adding its bytes", 3, kRuns, ours, floor);
}

std::string tensorName(int i)
{
    return "model.layers." + std::to_string(i / 1'600) + ".mlp.experts." + std::to_string(i % 1'600) +
           ".down_proj.weight";
}

void compareIndex(bench::Ratios& ratios)
{
    nlohmann::json index{{"metadata", {{"total_size", 1}}}};
    for (int i = 0; i < 100'000; ++i)
        index["weight_map"][tensorName(i)] = "model-00" + std::to_string(100 + i / 800) + "-of-00225.safetensors";
    const std::string text = index.dump(2);
    const auto ours = [&] {
        const auto read = core::readers::readSafetensorsIndex(text, "index.json");
        require(read && *read && (*read)->tensors.size() == 100'000, "The index is not read.");
    };
    const auto floor = [&] { require(nlohmann::json::parse(text).size() == 2, "The index is not parsed."); };
    ratios.compareWork("safetensors index of 100,000 / nlohmann_json", 2, kRuns, ours, floor);
}

void compareHeader(bench::Ratios& ratios)
{
    constexpr const char* kConfig =
        R"({"model_type":"llama","hidden_size":256,"num_attention_heads":4,"num_hidden_layers":100,)"
        R"("intermediate_size":512,"vocab_size":1000})";
    const nlohmann::json config = nlohmann::json::parse(kConfig);
    const core::Model fresh = core::readers::readModelText(kConfig, "config.json").value();
    tests::SafetensorsWriter writer;
    for (int i = 0; i < 100'000; ++i)
        writer.bf16(tensorName(i), {2'048, 7'168});
    const tests::SparseFile file = writer.file();
    const auto ours = [&] {
        tests::SparseSource source(file);
        auto tensors = core::readers::readSafetensorsHeader(source, "a.safetensors");
        require(tensors && tensors->size() == 100'000, "The header is not read.");
        core::Model model = fresh;
        require(core::readers::joinTensors(model, config, {std::move(*tensors), "a.safetensors", {}}).has_value(),
                "The tensors are not joined.");
    };
    const auto floor = [&] {
        require(nlohmann::json::parse(file.bytes.substr(8)).size() == 100'000, "The header is not parsed.");
    };
    ratios.compareWork("safetensors header of 100,000 / nlohmann_json", 2, kRuns, ours, floor);
}

/// Writes the large GGUF file to `path` and prints the milliseconds of reading it, for tests/bench/compare_node.
int writeAndTime(const std::string& path)
{
    tests::writeSparse(path, largeGguf());
    double best = std::numeric_limits<double>::max();
    for (int i = 0; i < kRuns; ++i)
        best = std::min(best, bench::milliseconds([&] {
                            require(core::readers::readModelFile(path).has_value(), "The GGUF file is not read.");
                        }));
    std::printf("%.3f\n", best);
    return 0;
}

} // namespace

int main(int argc, char** argv)
{
    if (argc == 3 && std::string(argv[1]) == "--write")
        return writeAndTime(argv[2]);
    const QTemporaryDir folder;
    bench::Ratios ratios;
    compareGguf(ratios, folder.path().toStdString());
    compareIndex(ratios);
    compareHeader(ratios);
    return ratios.exitCode();
}
