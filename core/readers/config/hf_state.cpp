// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/config/hf_state.h"

#include "core/readers/read_error.h"
#include "core/text/text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace core::readers {

namespace {

constexpr std::int64_t kMostElements = 1'000'000'000'000;

/// a · b, at most `kMostElements` + 1.
std::int64_t times(std::int64_t a, std::int64_t b)
{
    std::int64_t product = 0;
    return __builtin_mul_overflow(a, b, &product) || product > kMostElements ? kMostElements + 1 : product;
}

/// A quantity and where it goes; `otherwise` where the file and the class do not give it.
struct Wanted {
    Quantity quantity;
    std::int64_t StateShape::*member;
    std::int64_t otherwise;
};

constexpr std::array kWanted{
    Wanted{Quantity::InnerWidth, &StateShape::inner, 0},     Wanted{Quantity::StateHeads, &StateShape::heads, 0},
    Wanted{Quantity::StateHeadDim, &StateShape::headDim, 0}, Wanted{Quantity::StateKeyHeads, &StateShape::keyHeads, 0},
    Wanted{Quantity::StateKeyDim, &StateShape::keyDim, 0},   Wanted{Quantity::StateGroups, &StateShape::groups, 1},
    Wanted{Quantity::StateSize, &StateShape::size, 0},       Wanted{Quantity::ConvKernel, &StateShape::kernel, 1},
};

/// mamba_dt_rank is a number or "auto".
std::int64_t dtRankOf(ConfigValues& values, std::int64_t width)
{
    for (const std::string_view key : split(values.keysOf(Quantity::DtRank))) {
        const nlohmann::json* value = values.at(key);
        if (value != nullptr && value->is_string() && value->get<std::string>() == "auto")
            return (width + 15) / 16;
    }
    return values.findOr(Quantity::DtRank, (width + 15) / 16);
}

/// The inner width: given, else heads x head size, else expand x width.
void completeMamba(ConfigValues& values, std::int64_t width, StateShape& state)
{
    const std::int64_t expand = values.findOr(Quantity::Expand, 2);
    const std::int64_t dtRank = dtRankOf(values, width);
    state.dtRank = dtRank;
    if (state.inner == 0)
        state.inner = state.heads > 0 && state.headDim > 0 ? times(state.heads, state.headDim) : times(expand, width);
    if (values.family().recurrent != RecurrentKind::Mamba2)
        return;
    if (state.headDim == 0)
        state.headDim = state.heads > 0 ? state.inner / state.heads : 64;
    if (state.heads == 0)
        state.heads = state.inner / std::max<std::int64_t>(state.headDim, 1);
}

/// Heads and head size as those of the attention where the file gives none for the recurrent layers.
void completeHeads(ConfigValues& values, std::int64_t width, StateShape& state)
{
    const bool own = values.family().recurrent == RecurrentKind::Rwkv5;
    const std::int64_t heads = values.findOr(Quantity::QueryHeads, 0);
    const std::int64_t headDim = values.findOr(Quantity::HeadDim, 0);
    if (state.headDim == 0)
        state.headDim = own ? 64 : headDim;
    if (state.heads == 0)
        state.heads = own ? state.inner / state.headDim : heads;
    if (state.headDim == 0 && state.heads > 0)
        state.headDim = width / state.heads;
    if (state.heads == 0)
        values.need(Quantity::StateHeads); // This refuses the file, because the value is missing.
}

/// A factor of the width, rounded up to a multiple of 64, as xLSTM does.
std::int64_t widthTimes(const ConfigValues& values, std::string_view key, double otherwise, std::int64_t width)
{
    const nlohmann::json* given = values.at(key);
    const double factor = given == nullptr ? otherwise : given->is_number() ? given->get<double>() : 0.0;
    if (!(factor > 0 && factor <= 64))
        values.language().wrong(key, KV_TEXT("core", "In {0}, \"{1}\" is {2}, but it must be a number above 0 "
                                                     "and at most 64; nothing was changed; correct it there."));
    constexpr std::int64_t kMultiple = 64;
    const auto exact = static_cast<std::int64_t>(std::ceil(factor * static_cast<double>(width)));
    return (exact + kMultiple - 1) / kMultiple * kMultiple;
}

void completeMlstm(const ConfigValues& values, std::int64_t width, StateShape& state)
{
    const std::int64_t keys = widthTimes(values, "qk_dim_factor", 0.5, width);
    const std::int64_t inner = widthTimes(values, "v_dim_factor", 1.0, width);
    const std::int64_t heads = std::max<std::int64_t>(state.heads, 1);
    state.keyDim = keys / heads;
    state.headDim = inner / heads;
}

/// What is missing of the shape of a state, from other numbers of the file.
void complete(ConfigValues& values, std::int64_t width, StateShape& state)
{
    switch (values.family().recurrent) {
    case RecurrentKind::Mamba1:
    case RecurrentKind::Mamba2:
        return completeMamba(values, width, state);
    case RecurrentKind::DeltaNet:
    case RecurrentKind::Kda:
    case RecurrentKind::Lightning:
    case RecurrentKind::Rwkv5:
        return completeHeads(values, width, state);
    case RecurrentKind::Mlstm:
        return completeMlstm(values, width, state);
    default:
        return;
    }
}

/// The elements of a state as a formula in words and numbers.
struct Elements {
    std::int64_t conv;
    std::int64_t recurrent;
    std::string rule;
};

Elements elementsOf(RecurrentKind kind, const StateShape& s, std::int64_t width)
{
    const std::int64_t rows = s.kernel - 1;
    switch (kind) {
    case RecurrentKind::Mamba1:
        return {times(rows, s.inner), times(s.inner, s.size),
                fmt::format("Mamba: convolution {} x {}, recurrent {} x {}", rows, s.inner, s.inner, s.size)};
    case RecurrentKind::Mamba2: {
        const std::int64_t channels = s.inner + times(2, times(s.groups, s.size));
        return {times(rows, channels), times(s.inner, s.size),
                fmt::format("Mamba 2: convolution {} x {}, recurrent {} x {}", rows, channels, s.inner, s.size)};
    }
    case RecurrentKind::ShortConv:
        return {times(rows, width), 0, fmt::format("short convolution: {} x {}", rows, width)};
    case RecurrentKind::DeltaNet: {
        const std::int64_t channels = times(2, times(s.keyHeads, s.keyDim)) + times(s.heads, s.headDim);
        return {times(rows, channels), times(s.heads, times(s.keyDim, s.headDim)),
                fmt::format("delta net: convolution {} x {}, recurrent {} x {} x {}", rows, channels, s.heads, s.keyDim,
                            s.headDim)};
    }
    case RecurrentKind::Kda: {
        const std::int64_t channels = times(3, times(s.heads, s.headDim));
        return {times(rows, channels), times(s.heads, times(s.headDim, s.headDim)),
                fmt::format("Kimi delta attention: convolution {} x {}, recurrent {} x {} x {}", rows, channels,
                            s.heads, s.headDim, s.headDim)};
    }
    case RecurrentKind::Lightning:
        return {0, times(s.heads, times(s.headDim, s.headDim)),
                fmt::format("linear attention: recurrent {} x {} x {}", s.heads, s.headDim, s.headDim)};
    case RecurrentKind::Lru:
        return {times(rows, s.inner), s.inner,
                fmt::format("RG-LRU: convolution {} x {}, recurrent {}", rows, s.inner, s.inner)};
    case RecurrentKind::Rwkv4:
        return {times(2, width), times(3, s.inner),
                fmt::format("RWKV 4: two shifted tokens of {}, recurrent 3 x {}", width, s.inner)};
    case RecurrentKind::Rwkv5:
        return {times(2, width), times(s.heads, times(s.headDim, s.headDim)),
                fmt::format("RWKV: two shifted tokens of {}, recurrent {} x {} x {}", width, s.heads, s.headDim,
                            s.headDim)};
    case RecurrentKind::Mlstm: {
        const std::int64_t head = times(s.keyDim, s.headDim) + s.keyDim + 1;
        return {0, times(s.heads, head),
                fmt::format("mLSTM: matrix {0} x {1}, normalizer {0}, maximum 1, for {2} heads", s.keyDim, s.headDim,
                            s.heads)};
    }
    case RecurrentKind::None:
        break;
    }
    return {};
}

/// The format of the recurrent part: what a key of the file says, else fp32, as engines keep it.
KvFormat stateFormat(ConfigValues& values)
{
    for (const std::string_view key : {"mamba_ssm_cache_dtype", "mamba_ssm_dtype"}) {
        const nlohmann::json* value = values.at(key);
        if (value == nullptr || !value->is_string())
            continue;
        const std::string dtype = toLower(value->get<std::string>());
        const bool half = dtype == "float16" || dtype == "fp16";
        const bool brain = dtype == "bfloat16" || dtype == "bf16";
        if (!half && !brain && dtype != "float32" && dtype != "fp32" && dtype != "auto")
            values.note(fmt::format("{} = {} is no format that is known; fp32 is assumed", key, dtype));
        const KvFormat format = half ? KvFormat::Fp16 : brain ? KvFormat::Bf16 : KvFormat::Fp32;
        values.read("state_format", std::string(info(format).id), key);
        return format;
    }
    values.defaulted("state_format", "fp32", "recurrent states are kept in fp32 where the file does not say");
    return KvFormat::Fp32;
}

/// What must not be 0 for the state of this kind to be known.
std::optional<Quantity> missing(RecurrentKind kind, const StateShape& state)
{
    const bool mamba = kind == RecurrentKind::Mamba1 || kind == RecurrentKind::Mamba2;
    if (mamba && state.size == 0)
        return Quantity::StateSize;
    const bool delta = kind == RecurrentKind::DeltaNet;
    if (delta && (state.keyHeads == 0 || state.keyDim == 0))
        return state.keyHeads == 0 ? Quantity::StateKeyHeads : Quantity::StateKeyDim;
    return std::nullopt;
}

} // namespace

StateShape readState(ConfigValues& values, std::int64_t width)
{
    const RecurrentKind kind = values.family().recurrent;
    StateShape state;
    for (const Wanted& row : kWanted) {
        const std::int64_t value = values.findOr(row.quantity, row.otherwise);
        state.*row.member = value;
    }
    const bool mamba = kind == RecurrentKind::Mamba1 || kind == RecurrentKind::Mamba2;
    if (state.inner == 0 && !mamba)
        state.inner = width;
    complete(values, width, state);
    const KvFormat format = stateFormat(values);
    if (const std::optional<Quantity> quantity = missing(kind, state))
        values.need(*quantity); // This refuses the file, because the value is missing.
    Elements elements = elementsOf(kind, state, width);
    if (elements.conv > kMostElements || elements.recurrent > kMostElements)
        refuse(KV_TEXT("core", "{0} describes a recurrent state of more than {1} numbers in a layer, which cannot "
                               "be right; nothing was changed; correct its widths there."),
               {values.file(), kMostElements});
    state.convElements = elements.conv;
    state.recurrentElements = elements.recurrent;
    state.recurrentFormat = format;
    values.derived("state", fmt::format("{} + {}", elements.conv, elements.recurrent), std::move(elements.rule));
    return state;
}

} // namespace core::readers
