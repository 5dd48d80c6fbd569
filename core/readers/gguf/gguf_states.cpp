// SPDX-License-Identifier: GPL-3.0-or-later
// Which layers are recurrent, and the elements of a state: llama-hparams.cpp of llama.cpp (n_embd_r, n_embd_s).
#include "core/readers/config/hf_parameters.h"
#include "core/readers/gguf/gguf_layout.h"
#include "core/readers/read_error.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace core::readers {

namespace {

constexpr std::int64_t kMostElements = 1'000'000'000'000;

/// A number of a state shape and where it is read.
struct Wanted {
    std::int64_t StateShape::*member;
    std::string_view field;
    std::string_view key;
};

constexpr std::array kWanted{
    Wanted{&StateShape::kernel, "conv_kernel", "ssm.conv_kernel"},
    Wanted{&StateShape::inner, "inner_width", "ssm.inner_size"},
    Wanted{&StateShape::size, "state_size", "ssm.state_size"},
    Wanted{&StateShape::groups, "state_groups", "ssm.group_count"},
    Wanted{&StateShape::dtRank, "dt_rank", "ssm.time_step_rank"},
};

struct Elements {
    Parameters conv;
    Parameters recurrent;
    std::string rule;
};

/// Mamba, Mamba 2 and delta nets: inner width and groups of the `ssm` keys.
Elements ssmElements(const StateShape& s, RecurrentKind kind)
{
    const std::int64_t groups = kind == RecurrentKind::Mamba1 ? 0 : s.groups;
    const Parameters channels = Parameters(s.inner) + Parameters(2) * groups * s.size;
    return {Parameters(s.kernel - 1) * channels, Parameters(s.size) * s.inner,
            fmt::format("convolution ({0} - 1) x ({1} + 2 x {2} x {3}), recurrent {3} x {1}", s.kernel, s.inner, groups,
                        s.size)};
}

StateShape readSsm(GgufValues& values, RecurrentKind kind)
{
    StateShape state;
    for (const Wanted& row : kWanted) {
        const bool needed = row.member != &StateShape::groups && row.member != &StateShape::dtRank;
        const std::optional<std::int64_t> value = values.find(row.field, row.key, {needed ? 1 : 0, kGgufDim.max});
        if (!value && needed)
            values.missing(row.key);
        state.*row.member = value.value_or(0);
    }
    const bool grouped = kind == RecurrentKind::Mamba2 || kind == RecurrentKind::DeltaNet;
    if (grouped && !values.has("ssm.group_count")) // PLaMo 2 gives the count as 0.
        values.missing("ssm.group_count");
    return state;
}

Elements shortConv(GgufValues& values, StateShape& state, std::int64_t width)
{
    const std::int64_t cache = values.need("conv_kernel", "shortconv.l_cache", {1, 4'096});
    state.kernel = cache;
    return Elements{Parameters(width) * (cache - 1), 0, fmt::format("short convolution: ({} - 1) x {}", cache, width)};
}

Elements rwkv(GgufValues& values, StateShape& state, std::int64_t width)
{
    const std::int64_t head = values.need("state_head_dim", "wkv.head_size", {1, kGgufDim.max});
    const std::optional<std::int64_t> shifts = values.find("token_shifts", "token_shift_count", {0, 64});
    if (!shifts)
        values.defaulted("token_shifts", "2");
    state.headDim = head;
    const std::int64_t rows = shifts.value_or(2);
    return Elements{Parameters(rows) * width, Parameters(width) * head,
                    fmt::format("RWKV: {0} shifted tokens of {1}, recurrent {1} x {2}", rows, width, head)};
}

Elements kda(GgufValues& values, StateShape& state, std::int64_t heads)
{
    const std::int64_t kernel = values.need("conv_kernel", "ssm.conv_kernel", {1, 4'096});
    const std::int64_t dim = values.need("state_head_dim", "kda.head_dim", {1, kGgufDim.max});
    if (heads < 1)
        values.missing("attention.head_count");
    state.kernel = kernel;
    state.headDim = dim;
    state.heads = heads;
    return Elements{
        Parameters(3) * (kernel - 1) * heads * dim, Parameters(dim) * dim * heads,
        fmt::format("Kimi delta attention: convolution 3 x ({0} - 1) x {1} x {2}, recurrent {2} x {2} x {1}", kernel,
                    heads, dim)};
}

Elements elementsOf(GgufValues& values, RecurrentKind kind, StateShape& state, std::int64_t width, std::int64_t heads)
{
    switch (kind) {
    case RecurrentKind::ShortConv:
        return shortConv(values, state, width);
    case RecurrentKind::Rwkv5:
        return rwkv(values, state, width);
    case RecurrentKind::Kda:
        return kda(values, state, heads);
    default:
        break;
    }
    const StateShape read = readSsm(values, kind);
    state = read;
    return ssmElements(state, kind);
}

/// `attention.recurrent_layers`, else all but every n-th.
std::string kindsByInterval(GgufValues& values, std::size_t layers)
{
    constexpr std::int64_t kDefault = 4;
    constexpr std::string_view kList = "attention.recurrent_layers";
    std::optional<std::vector<std::int64_t>> list = values.list(kList, {0, 1});
    const std::optional<std::int64_t> interval = values.number("full_attention_interval", {1, 65'535});
    std::string letters;
    if (list && list->size() >= layers) {
        list->resize(layers); // layers for multi-token prediction stand behind the others
        values.read("layer_kinds", fmt::format("{} recurrent", std::ranges::count(*list, 1)), kList);
        for (const std::int64_t recurrent : *list)
            letters += recurrent != 0 ? kRecurrent : kFull;
        return letters;
    }
    const std::int64_t every = interval.value_or(kDefault);
    for (std::int64_t i = 0; i < static_cast<std::int64_t>(layers); ++i)
        letters += (i + 1) % every != 0 ? kRecurrent : kFull;
    const std::string text = fmt::format("attention in every {}th layer", every);
    if (interval)
        values.read("layer_kinds", text, "full_attention_interval");
    else
        values.defaulted("layer_kinds", text);
    return letters;
}

std::vector<std::int64_t> mlpLengths(GgufValues& values, std::size_t layers)
{
    constexpr std::string_view kKey = "feed_forward_length";
    std::optional<std::vector<std::int64_t>> lengths =
        values.perLayer("mlp_width", kKey, {0, 16'777'216}, static_cast<std::int64_t>(layers));
    if (!lengths)
        values.missing(kKey);
    return std::move(*lengths);
}

/// Layers without KV heads are recurrent; those with an MLP of their own (a length in `mlp`) hold nothing.
std::string kindsByHeads(const std::vector<std::int64_t>& kvHeads, const std::vector<std::int64_t>& mlp)
{
    std::string letters;
    for (std::size_t i = 0; i < kvHeads.size(); ++i) {
        const bool mlpAlone = i < mlp.size() && mlp[i] != 0;
        letters += mlpAlone ? kMlpOnly : kvHeads[i] == 0 ? kRecurrent : kFull;
    }
    return letters;
}

} // namespace

std::string readGgufKinds(GgufValues& values, const GgufArchitecture& architecture,
                          const std::vector<std::int64_t>& kvHeads)
{
    switch (architecture.where) {
    case GgufRecurrent::All:
        return std::string(kvHeads.size(), kRecurrent);
    case GgufRecurrent::Beside:
        return std::string(kvHeads.size(), kBoth);
    case GgufRecurrent::WithoutHeads:
        return kindsByHeads(kvHeads, {});
    case GgufRecurrent::WithoutMlp:
        return kindsByHeads(kvHeads, mlpLengths(values, kvHeads.size()));
    case GgufRecurrent::Interval:
        return kindsByInterval(values, kvHeads.size());
    case GgufRecurrent::None:
        break;
    }
    return std::string(kvHeads.size(), kFull);
}

StateShape readGgufState(GgufValues& values, const GgufArchitecture& architecture, std::int64_t width,
                         std::int64_t heads)
{
    StateShape state;
    const Elements elements = elementsOf(values, architecture.recurrent, state, width, heads);
    if (elements.conv.count() > kMostElements || elements.recurrent.count() > kMostElements)
        refuse(KV_TEXT("core", "{0} describes a recurrent state of more than {1} numbers in a layer, which cannot "
                               "be right; nothing was changed; convert the model again."),
               {values.file(), kMostElements});
    state.convElements = elements.conv.count();
    state.recurrentElements = elements.recurrent.count();
    state.convFormat = KvFormat::Fp32;
    state.recurrentFormat = KvFormat::Fp32;
    values.derived("state", fmt::format("{} + {}", state.convElements, state.recurrentElements), elements.rule);
    values.defaulted("state_format", "fp32", "llama.cpp keeps states in fp32");
    return state;
}

} // namespace core::readers
