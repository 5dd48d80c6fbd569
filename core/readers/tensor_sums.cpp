// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/tensor_sums.h"

#include "core/readers/read_error.h"

namespace core::readers {

namespace {

constexpr std::int64_t kMaxParameters = 1'000'000'000'000'000;
constexpr std::int64_t kMaxBytes = 1'000'000'000'000'000'000;

/// Parts as they are listed; a draft is stored but not counted.
constexpr std::array kCounted{
    WeightPart::Embedding, WeightPart::LayerEmbedding, WeightPart::Head,          WeightPart::Attention,
    WeightPart::Mlp,       WeightPart::Experts,        WeightPart::SharedExperts, WeightPart::Other};

} // namespace

TensorSums::TensorSums(std::vector<std::string_view> types) : m_types(std::move(types))
{
    for (std::vector<Sum>& sums : m_sums)
        sums.resize(m_types.size());
}

void TensorSums::add(WeightPart part, std::size_t type, std::int64_t parameters, std::int64_t bytes)
{
    Sum& sum = m_sums.at(static_cast<std::size_t>(part)).at(type);
    ++sum.tensors;
    sum.parameters += parameters;
    sum.bytes += Bytes(bytes);
    ++m_count;
}

std::int64_t TensorSums::parameters(WeightPart part) const
{
    Parameters total;
    for (const Sum& sum : m_sums.at(static_cast<std::size_t>(part)))
        total += sum.parameters;
    return total.count();
}

Bytes TensorSums::bytes(WeightPart part) const
{
    Bytes total;
    for (const Sum& sum : m_sums.at(static_cast<std::size_t>(part)))
        total += sum.bytes;
    return total;
}

Weights TensorSums::weights(std::string_view file) const
{
    Weights weights;
    Parameters total = parameters(WeightPart::Draft);
    Bytes totalBytes = bytes(WeightPart::Draft);
    WeightPart last = WeightPart::Other; // takes tensors of parts without parameters of their own
    for (const WeightPart part : kCounted) {
        const std::int64_t count = parameters(part);
        total += count;
        totalBytes += bytes(part);
        if (count > 0)
            weights.parts.push_back({part, count, {}});
        last = count > 0 ? part : last;
    }
    if (total.count() > kMaxParameters || totalBytes.count() > kMaxBytes)
        refuse(KV_TEXT("core", "{0} describes a model of more than {1} parameters, which cannot be right; nothing "
                               "was changed; choose another file."),
               {std::string(file), kMaxParameters});
    if (weights.parts.empty())
        return weights;
    for (std::size_t part = 0; part < kParts; ++part) {
        const auto own = static_cast<WeightPart>(part);
        const bool counted = own == WeightPart::Draft || parameters(own) > 0;
        addStored(weights.stored, counted ? own : last, own);
    }
    weights.published = WeightFormat::Stored;
    return weights;
}

void TensorSums::addStored(std::vector<StoredTensors>& stored, WeightPart listed, WeightPart part) const
{
    const std::vector<Sum>& sums = m_sums.at(static_cast<std::size_t>(part));
    for (std::size_t type = 0; type < m_types.size(); ++type) {
        const Sum& sum = sums[type];
        if (sum.tensors > 0)
            stored.push_back({listed, std::string(m_types[type]), sum.tensors, sum.parameters.count(), sum.bytes});
    }
}

} // namespace core::readers
