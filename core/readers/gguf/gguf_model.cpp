// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/gguf/gguf_model.h"

#include "core/readers/gguf/gguf_layout.h"
#include "core/readers/gguf/gguf_shards.h"
#include "core/readers/read_error.h"
#include "core/readers/tensor_names.h"
#include "core/readers/tensor_sums.h"
#include "core/text/format.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace core::readers {

namespace {

/// "block_count = 32, embedding_length = 4096": what can be read of an architecture that nobody knows.
std::string whatItSays(const GgufValues& values)
{
    std::string result;
    for (const std::string_view key :
         {"block_count", "embedding_length", "attention.head_count", "attention.head_count_kv", "attention.key_length",
          "attention.sliding_window", "ssm.state_size", "context_length"}) {
        const auto number = asResult([&] { return values.number(key, {0, kGgufTokens.max}); });
        if (number && *number)
            result += fmt::format("{}{} = {}", result.empty() ? "" : ", ", key, **number);
    }
    return result.empty() ? "nothing more" : result;
}

/// The architecture of the file; refuses what is no model with a cache.
const GgufArchitecture* architectureOf(const GgufValues& values)
{
    const std::string& name = values.architecture();
    if (const RefusedArchitecture* refused = refusedArchitecture(name))
        refuse(refused->message, {values.file(), name});
    const GgufArchitecture* row = ggufArchitecture(name);
    if (row == nullptr)
        refuse(KV_TEXT("core", "{0} has the architecture \"{1}\", whose cache is not known; it says {2}; nothing "
                               "was changed; edit what \"inspect --json\" prints of a similar model and choose "
                               "that, or choose a catalogue model."),
               {values.file(), name, whatItSays(values)});
    return row;
}

std::string architectureName(const GgufFiles& files)
{
    const JsonFields values(*files.first.values, files.firstName, {}, UnknownKeys::Ignore);
    const std::optional<std::string> type = values.optionalText("general.type");
    const std::optional<std::string> name = values.optionalText("general.architecture");
    if (type && (*type == "adapter" || *type == "imatrix"))
        refuse(KV_TEXT("core", "{0} is of the type \"{1}\" and no model; nothing was changed; choose the GGUF file "
                               "of the model."),
               {files.firstName, *type});
    if (!name || name->empty())
        refuse(KV_TEXT("core", "{0} has no \"general.architecture\", so its cache is not known; nothing was "
                               "changed; convert the model again."),
               {files.firstName});
    return *name;
}

/// Adds up the tensors; blocks from `layers` on are drafts.
TensorSums sumOf(const std::vector<GgufTensor>& tensors, std::int64_t layers)
{
    std::vector<std::string_view> names;
    for (const GgmlType& type : ggmlTypes())
        names.push_back(type.name);
    TensorSums sums(std::move(names));
    for (const GgufTensor& tensor : tensors) {
        const bool draft = ggufBlock(tensor.name).value_or(0) >= layers;
        const auto type = static_cast<std::size_t>(tensor.type - ggmlTypes().data());
        sums.add(draft ? WeightPart::Draft : ggufPart(tensor.name), type,
                 isGgufTable(tensor.name) ? 0 : tensor.elements, tensor.bytes);
    }
    return sums;
}

/// Remarks on weights that llama.cpp keeps twice or on the host, and on those it does not load.
void noteWeights(GgufValues& values, const GgufFiles& files, const TensorSums& sums)
{
    const auto find = [&](std::string_view name) { return std::ranges::find(files.tensors, name, &GgufTensor::name); };
    const auto embedding = find("token_embd.weight");
    if (embedding != files.tensors.end() && find("output.weight") == files.tensors.end())
        values.note(
            fmt::format("the output head is the embedding (tied): llama.cpp keeps it a second time on the host, "
                        "{} more, where the head is on a GPU",
                        formatBytes(Bytes(embedding->bytes))));
    const auto perLayer = find("per_layer_token_embd.weight");
    if (perLayer != files.tensors.end())
        values.note(fmt::format("the per-layer embeddings, {} of the weights, stay on the host in llama.cpp",
                                formatBytes(Bytes(perLayer->bytes))));
    if (sums.parameters(WeightPart::Draft) > 0)
        values.note(
            fmt::format("not counted: {} parameters ({}) for multi-token prediction, which are loaded only with "
                        "speculation",
                        formatCount(sums.parameters(WeightPart::Draft)), formatBytes(sums.bytes(WeightPart::Draft))));
}

/// Of the routed experts, what one token reads.
void setActive(GgufValues& values, Weights& weights)
{
    constexpr Range kExperts{0, 65'535};
    const auto experts = values.find("experts", "expert_count", kExperts);
    const auto used = values.find("experts_per_token", "expert_used_count", kExperts);
    const std::int64_t all = experts.value_or(0);
    for (WeightCount& count : weights.parts) {
        if (count.part == WeightPart::Experts && all > 0 && used.value_or(all) <= all)
            count.active = count.parameters / all * used.value_or(all);
    }
}

Weights weightsOf(GgufValues& values, const GgufFiles& files, std::int64_t layers)
{
    if (files.tensors.empty()) {
        values.note("the file has no tensors, so the size of the weights is unknown");
        return Weights{};
    }
    const TensorSums sums = sumOf(files.tensors, layers);
    Weights weights = sums.weights(values.file());
    setActive(values, weights);
    weights.source = files.count == 1
                         ? fmt::format("counted from the tensors of {}", values.file())
                         : fmt::format("counted from the tensors of {} files, {} and on", files.count, values.file());
    values.derived("parameters", std::to_string(weights.parameters()),
                   fmt::format("sum over {} tensors", files.tensors.size()));
    if (weights.activeParameters() != weights.parameters())
        values.derived("active_parameters", std::to_string(weights.activeParameters()),
                       "of the experts, those that a token uses");
    noteWeights(values, files, sums);
    return weights;
}

/// What the file says besides layout and weights.
void recordLabels(GgufValues& values, const GgufHeader& header)
{
    const nlohmann::json& all = *header.values;
    const auto type = all.find("general.file_type");
    const std::optional<std::int64_t> number = type == all.end() ? std::nullopt : wholeNumber(*type);
    if (number && !ggmlFileType(*number).empty())
        values.provenance().push_back(
            {"file_type", std::string(ggmlFileType(*number)), How::Read, values.file(), "general.file_type", {}});
}

/// Tokens that the output head knows; nothing where the file does not say.
std::optional<std::int64_t> vocabularyOf(GgufValues& values, const GgufHeader& header)
{
    const auto stated = asResult([&] { return values.find("vocabulary", "vocab_size", {0, 1'000'000'000}); });
    if (stated && stated->value_or(0) > 0)
        return **stated;
    if (header.tokens < 1)
        return std::nullopt;
    values.provenance().push_back({"vocabulary", std::to_string(header.tokens), How::Derived, values.file(),
                                   "tokenizer.ggml.tokens", "entries of the list"});
    return header.tokens;
}

Model readModel(ByteSource& source, std::string_view name, const FileSet& beside)
{
    const GgufFiles files = readGgufFiles(source, name, beside);
    const std::string architecture = architectureName(files);
    GgufValues values(*files.first.values, files.firstName, architecture);
    const Layout layout = readGgufLayout(values, *architectureOf(values));
    Model model;
    model.groups = layout.groups();
    for (const Provenance& group : layersByKind(model.groups, values.file()))
        values.derived(group.field, group.value, group.rule);
    recordLabels(values, files.first);
    model.vocabulary = vocabularyOf(values, files.first);
    Weights weights = weightsOf(values, files, layout.count());
    const Result<std::optional<std::string>> title = asResult([&] { return values.text("general.name"); });
    model.name = title && *title ? **title : std::string();
    model.family = architecture;
    model.layers = layout.count();
    model.draftGroups = draftGroups(model.groups, model.layers, layout.drafts);
    model.maxContext = layout.maxContext;
    model.weights = std::move(weights);
    model.notes = std::move(values.notes());
    model.provenance = std::move(values.provenance());
    return model;
}

} // namespace

Result<Model> readGgufModel(ByteSource& source, std::string_view name, const FileSet& beside)
{
    return asResult([&] { return readModel(source, name, beside); });
}

} // namespace core::readers
