// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sizing/explain_cache.h"

#include "core/scenario/kv_cache.h"

#include <array>
#include <utility>

namespace core {

namespace {

Message origin(const Model& model, std::string_view field)
{
    const Provenance* row = provenanceOf(model, field);
    if (row == nullptr)
        return {KV_TEXT("core", "from {0}"), {model.source}};
    switch (row->how) {
    case How::Read:
        return {KV_TEXT("core", "read from {0} in {1}"), {row->key, row->file}};
    case How::Derived:
        return {KV_TEXT("core", "derived: {0}"), {row->rule}};
    case How::Default:
        return {KV_TEXT("core", "default: {0}"), {row->rule}};
    case How::Typed:
        break;
    }
    return {KV_TEXT("core", "typed"), {}};
}

/// The same for a field of a group: what is said of its kind ("window_kv_heads"), else of the model.
Message origin(const Model& model, const CacheGroup& group, std::string_view field)
{
    const std::string own = std::string(id(group.kind)) + "_" + std::string(field);
    return origin(model, provenanceOf(model, own) != nullptr ? std::string_view(own) : field);
}

Message chosen()
{
    return {KV_TEXT("core", "chosen"), {}};
}

Operand layersOperand(const Model& model, const CacheGroup& group)
{
    return {"L", {KV_TEXT("core", "layers"), {}}, group.layers.count(), "", origin(model, group, "layers")};
}

Operand kvHeadsOperand(const Scenario& scenario, const CacheGroup& group)
{
    return {"H",
            {KV_TEXT("core", "KV heads"), {}},
            kvHeads(scenario, group),
            "",
            scenario.kvHeads ? chosen() : origin(scenario.model, group, "kv_heads")};
}

Operand batchOperand(const Scenario& scenario)
{
    return {"B", {KV_TEXT("core", "requests"), {}}, scenario.workload.batch, "", chosen()};
}

Operand entriesOperand(const Scenario& scenario, const CacheGroup& group)
{
    const Workload& workload = scenario.workload;
    const std::int64_t count = entries(group, workload.context, workload.encoderTokens);
    if (tokensPerEntry(group) > 1)
        return {"S",
                {KV_TEXT("core", "entries"), {}},
                count,
                "",
                {KV_TEXT("core", "one for every {0} tokens"), {group.ratio}}};
    switch (group.kind) {
    case CacheKind::Window:
    case CacheKind::Chunk:
        return {"S",
                {KV_TEXT("core", "tokens in the window"), {}},
                count,
                "tokens",
                {KV_TEXT("core", "the smaller of the context and the window of {0}"), {group.window}}};
    case CacheKind::State:
        return {"S", {KV_TEXT("core", "states"), {}}, count, "", {KV_TEXT("core", "one, whatever the context"), {}}};
    case CacheKind::Cross:
        return {"S", {KV_TEXT("core", "encoder tokens"), {}}, count, "tokens", chosen()};
    default:
        return {"S", {KV_TEXT("core", "context"), {}}, count, "tokens", chosen()};
    }
}

/// True where the textbook product 2·L·Hkv·D·S·P·B is exact: K and V alike, whole bytes per element.
bool isTextbook(const Scenario& scenario, const CacheGroup& group)
{
    const bool alike = scenario.kFormat == scenario.vFormat && group.keyDim == group.valueDim;
    const KvFormatInfo& format = info(scenario.kFormat);
    return hasHeads(group.kind) && alike && format.blockElements == 1 && format.headBytes == 0;
}

/// "52 sliding-window layers"
Message groupTitle(const CacheGroup& group)
{
    static constexpr std::array kTitles{
        KV_TEXT("core", "{0} full-attention layers"),  KV_TEXT("core", "{0} sliding-window layers"),
        KV_TEXT("core", "{0} chunked layers"),         KV_TEXT("core", "{0} latent-attention layers"),
        KV_TEXT("core", "{0} layers with index keys"), KV_TEXT("core", "{0} compressed layers"),
        KV_TEXT("core", "{0} layers with a state"),    KV_TEXT("core", "{0} cross-attention layers"),
        KV_TEXT("core", "{0} layers that share"),      KV_TEXT("core", "{0} layers without cache")};
    return {kTitles.at(static_cast<std::size_t>(group.kind)), {group.layers.count()}};
}

Bytes groupBytes(const Scenario& scenario, const CacheGroup& group)
{
    const Workload& workload = scenario.workload;
    return entryBytes(scenario, group) * group.layers.count() *
           entries(group, workload.context, workload.encoderTokens) * workload.batch;
}

Step textbookStep(const Scenario& scenario, const CacheGroup& group)
{
    const Model& model = scenario.model;
    const KvFormatInfo& format = info(scenario.kFormat);
    return {
        groupTitle(group),
        Operation::Product,
        {{"2", {KV_TEXT("core", "K and V"), {}}, std::int64_t{2}, "", {KV_TEXT("core", "one key and one value"), {}}},
         layersOperand(model, group),
         kvHeadsOperand(scenario, group),
         {"D", {KV_TEXT("core", "head dim"), {}}, group.keyDim, "", origin(model, group, "head_dim")},
         entriesOperand(scenario, group),
         {"P",
          {KV_TEXT("core", "bytes"), {}},
          format.blockBytes,
          "B",
          {KV_TEXT("core", "format {0}"), {std::string(format.name)}}},
         batchOperand(scenario)},
        groupBytes(scenario, group)};
}

Message partName(const CacheGroup& group, std::size_t part)
{
    switch (group.kind) {
    case CacheKind::Latent:
        return {KV_TEXT("core", "latent and rotary part"), {}};
    case CacheKind::Index:
        return {KV_TEXT("core", "index key"), {}};
    case CacheKind::Compressed:
        return {KV_TEXT("core", "compressed vector, K = V"), {}};
    case CacheKind::State:
        return part == 0 ? Message{KV_TEXT("core", "convolution state"), {}}
                         : Message{KV_TEXT("core", "recurrent state"), {}};
    default:
        return part == 0 ? Message{KV_TEXT("core", "K"), {}} : Message{KV_TEXT("core", "V"), {}};
    }
}

/// How many elements the part of an entry has, opened up: a product of heads and dimension, or a sum.
Step elementsStep(const Scenario& scenario, const CacheGroup& group, std::size_t part, std::int64_t elements)
{
    const Model& model = scenario.model;
    Step step{{KV_TEXT("core", "Elements: {0}"), {}}, Operation::Product, {}, elements};
    step.title.args = {std::string(partName(group, part).text)};
    switch (group.kind) {
    case CacheKind::Latent:
        step.operation = Operation::Sum;
        step.operands = {{"c", {KV_TEXT("core", "latent dim"), {}}, group.latentDim, "", origin(model, "latent_dim")},
                         {"r", {KV_TEXT("core", "rotary dim"), {}}, group.ropeDim, "", origin(model, "rope_dim")}};
        break;
    case CacheKind::Index:
    case CacheKind::Compressed:
    case CacheKind::State:
        step.operands = {{"e", {KV_TEXT("core", "elements"), {}}, elements, "", origin(model, id(group.kind))}};
        break;
    default:
        step.operands = {kvHeadsOperand(scenario, group),
                         {"D",
                          {KV_TEXT("core", "head dim"), {}},
                          part == 0 ? group.keyDim : group.valueDim,
                          "",
                          origin(model, group, part == 0 ? "head_dim" : "value_dim")}};
        break;
    }
    return step;
}

/// Steps for an entry that the textbook product does not cover.
void addEntrySteps(const Scenario& scenario, const CacheGroup& group, std::vector<Step>& steps)
{
    Step entry{
        {KV_TEXT("core", "Bytes of one entry of one layer"), {}}, Operation::Sum, {}, entryBytes(scenario, group)};
    const auto parts = entryParts(group, kvHeads(scenario, group), scenario.kFormat, scenario.vFormat);
    for (std::size_t part = 0; part < parts.size(); ++part) {
        if (parts.at(part).elements == 0)
            continue;
        const KvFormatInfo& format = info(parts.at(part).format);
        const Message formatName{KV_TEXT("core", "format {0}"), {std::string(format.name)}};
        const Bytes scales = Bytes(format.headBytes) * parts.at(part).heads;
        const Bytes bytes = bytesOf(format.format, parts.at(part).elements, parts.at(part).heads) - scales;
        steps.push_back(elementsStep(scenario, group, part, parts.at(part).elements));
        steps.push_back(
            {{KV_TEXT("core", "Bytes: {0}"), {std::string(partName(group, part).text)}},
             Operation::WholeBlocks,
             {{"e", {KV_TEXT("core", "elements"), {}}, parts.at(part).elements, "", {KV_TEXT("core", "computed"), {}}},
              {"g", {KV_TEXT("core", "elements of a block"), {}}, format.blockElements, "", formatName},
              {"b", {KV_TEXT("core", "bytes of a block"), {}}, format.blockBytes, "B", formatName}},
             bytes});
        entry.operands.push_back({"b", partName(group, part), bytes, "B", {KV_TEXT("core", "computed"), {}}});
        if (scales > Bytes())
            entry.operands.push_back({"s", {KV_TEXT("core", "scales of its heads"), {}}, scales, "B", formatName});
    }
    const Bytes entryResult = std::get<Bytes>(entry.result);
    steps.push_back(std::move(entry));
    steps.push_back(
        {groupTitle(group),
         Operation::Product,
         {layersOperand(scenario.model, group),
          {"E", {KV_TEXT("core", "bytes per entry"), {}}, entryResult, "B", {KV_TEXT("core", "computed"), {}}},
          entriesOperand(scenario, group),
          batchOperand(scenario)},
         groupBytes(scenario, group)});
}

/// The shared prefix is kept once and not with every request.
void subtractSharedPrefix(const Evaluation& evaluation, Derivation& derivation)
{
    const KvSize& kv = evaluation.footprint.kv;
    derivation.formula.append(" − Z");
    derivation.steps.push_back({{KV_TEXT("core", "KV cache with the shared prefix kept once"), {}},
                                Operation::Difference,
                                {{"C",
                                  {KV_TEXT("core", "cache of all requests, each by itself"), {}},
                                  kv.total,
                                  "B",
                                  {KV_TEXT("core", "computed"), {}}},
                                 {"Z",
                                  {KV_TEXT("core", "shared prefix, but for the one copy that is kept"), {}},
                                  kv.sharedPrefix,
                                  "B",
                                  {KV_TEXT("core", "the whole blocks of the {0} tokens with which all requests begin"),
                                   {evaluation.scenario.workload.sharedPrefix}}}},
                                kv.kept()});
}

} // namespace

Derivation cacheDerivation(const Evaluation& evaluation)
{
    const Scenario& scenario = evaluation.scenario;
    Derivation derivation{.quantity = Quantity::Cache, .formula = {}, .steps = {}, .sources = {scenario.model.source}};
    Step sum{{KV_TEXT("core", "KV cache of all requests"), {}}, Operation::Sum, {}, evaluation.footprint.kv.total};
    for (const CacheGroup& group : scenario.model.groups) {
        if (group.kind == CacheKind::Shared || group.kind == CacheKind::None)
            continue;
        const bool textbook = isTextbook(scenario, group);
        if (textbook)
            derivation.steps.push_back(textbookStep(scenario, group));
        else
            addEntrySteps(scenario, group, derivation.steps);
        derivation.formula.append(derivation.formula.empty() ? "" : " + ");
        derivation.formula.append(textbook ? "2·L·H·D·S·P·B" : "L·E·S·B");
        sum.operands.push_back(
            {"C", groupTitle(group), groupBytes(scenario, group), "B", {KV_TEXT("core", "computed"), {}}});
    }
    if (derivation.formula.empty())
        derivation.formula = "0"; // a model that keeps no cache
    if (sum.operands.size() != 1)
        derivation.steps.push_back(std::move(sum));
    if (evaluation.footprint.kv.sharedPrefix > Bytes())
        subtractSharedPrefix(evaluation, derivation);
    return derivation;
}

} // namespace core
