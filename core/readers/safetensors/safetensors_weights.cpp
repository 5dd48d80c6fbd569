// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/safetensors/safetensors_weights.h"

#include "core/readers/read_error.h"
#include "core/readers/safetensors/safetensors_packing.h"
#include "core/readers/tensor_names.h"
#include "core/readers/tensor_sums.h"
#include "core/text/format.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <unordered_map>

namespace core::readers {

namespace {

constexpr std::int64_t kUsualBits = 4; ///< of packed parameters

/// What the names of tensors tell, with the numbers in them left out: layers are alike.
class NameTable {
public:
    const TensorName& of(std::string_view name)
    {
        m_pattern.clear();
        for (const char letter : name) {
            const bool digit = letter >= '0' && letter <= '9';
            if (!digit)
                m_pattern += letter;
            else if (!m_pattern.ends_with('0'))
                m_pattern += '0';
        }
        const auto found = m_known.find(m_pattern);
        return found != m_known.end() ? found->second : m_known.emplace(m_pattern, hubName(name)).first->second;
    }

private:
    std::unordered_map<std::string, TensorName> m_known;
    std::string m_pattern;
};

/// The tensors of a model, added up.
struct Counted {
    TensorSums sums;
    std::int64_t besideParameters = 0; ///< of the parts for images and sound
    Bytes besideBytes;
};

bool isBuffer(const SafeTensor& tensor)
{
    return tensor.type->name == "BOOL" || tensor.type->name == "I64";
}

Counted countAll(const std::vector<SafeTensor>& tensors, std::int64_t bits, std::int64_t layers)
{
    std::vector<std::string_view> types;
    for (const SafeType& type : safeTypes())
        types.push_back(type.name);
    Counted counted{TensorSums(std::move(types)), 0, {}};
    const Packing packing(tensors, bits);
    NameTable names;
    Parameters beside;
    for (const SafeTensor& tensor : tensors) {
        const TensorName& name = names.of(tensor.name);
        const bool behind = hubLayer(tensor.name).value_or(0) >= layers && !name.beside &&
                            tensor.name.find("encoder.") == std::string::npos;
        const bool none = name.scale || isBuffer(tensor);
        const std::int64_t parameters = none ? 0 : packing.parameters(tensor);
        counted.sums.add(behind ? WeightPart::Draft : name.part,
                         static_cast<std::size_t>(tensor.type - safeTypes().data()), parameters, tensor.bytes());
        if (name.beside) {
            beside += parameters;
            counted.besideBytes += Bytes(tensor.bytes());
        }
    }
    counted.besideParameters = beside.count();
    return counted;
}

/// What a token reads of the experts, in the same share as counted from the shapes.
void setActive(Weights& weights, const Weights& shapes)
{
    for (WeightCount& count : weights.parts) {
        const auto shape = std::ranges::find(shapes.parts, count.part, &WeightCount::part);
        if (shape == shapes.parts.end() || !shape->active)
            continue;
        if (shape->parameters == count.parameters)
            count.active = shape->active;
        else if (count.part == WeightPart::Experts)
            count.active = scaledUp(Bytes(count.parameters), *shape->active, shape->parameters).count();
    }
}

/// Says what of the files is not counted, or counted though it is no part of the language model.
void noteBesides(Model& model, const Counted& counted)
{
    const std::int64_t drafts = counted.sums.parameters(WeightPart::Draft);
    if (drafts > 0)
        model.notes.push_back(
            fmt::format("not counted: {} parameters ({}) for multi-token prediction, which are loaded "
                        "only with speculation",
                        formatCount(drafts), formatBytes(counted.sums.bytes(WeightPart::Draft))));
    if (counted.besideParameters > 0) {
        std::erase(model.notes, "only the language model is counted, not the parts for images and sound");
        model.notes.push_back(fmt::format("the weights count {} parameters ({}) of the parts for images and sound",
                                          formatCount(counted.besideParameters), formatBytes(counted.besideBytes)));
    }
}

void noteDifference(Model& model, const Weights& tensors, std::int64_t beside)
{
    if (!model.weights.known())
        return;
    const std::int64_t shapes = model.weights.parameters();
    const std::int64_t language = tensors.parameters() - beside;
    if (language == shapes)
        return;
    model.notes.push_back(
        fmt::format("the tensors hold {} parameters, but the shapes in config.json give {}, {} {}; the "
                    "tensors count",
                    formatCount(language), formatCount(shapes), formatCount(std::abs(language - shapes)),
                    language > shapes ? "fewer" : "more"));
}

void join(Model& model, const nlohmann::json& config, const SafetensorsFiles& tensors)
{
    const std::int64_t bits = statedBits(config).value_or(kUsualBits);
    const Counted counted = countAll(tensors.tensors, bits, model.layers);
    Weights weights = counted.sums.weights(tensors.label);
    if (!weights.known()) {
        model.notes.push_back(fmt::format("{} has no parameters; those counted from the shapes stay", tensors.label));
        return;
    }
    setActive(weights, model.weights);
    noteDifference(model, weights, counted.besideParameters);
    noteBesides(model, counted);
    model.notes.insert(model.notes.end(), tensors.notes.begin(), tensors.notes.end());
    weights.source = fmt::format("counted from the tensors of {}", tensors.label);
    std::erase_if(model.notes, [](const std::string& note) { return note.starts_with("parameters not counted"); });
    std::erase_if(model.provenance,
                  [](const Provenance& row) { return row.field == "parameters" || row.field == "active_parameters"; });
    model.provenance.push_back({"parameters",
                                std::to_string(weights.parameters()),
                                How::Derived,
                                tensors.label,
                                {},
                                fmt::format("sum over {} tensors", tensors.tensors.size())});
    if (weights.activeParameters() != weights.parameters())
        model.provenance.push_back({"active_parameters",
                                    std::to_string(weights.activeParameters()),
                                    How::Derived,
                                    tensors.label,
                                    {},
                                    "of the experts, the share that a token uses"});
    model.weights = std::move(weights);
}

} // namespace

Result<void> joinTensors(Model& model, const nlohmann::json& config, const SafetensorsFiles& tensors)
{
    return asResult([&] { join(model, config, tensors); });
}

} // namespace core::readers
