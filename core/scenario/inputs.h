// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/scenario/scenario.h"
#include "core/text/message.h"
#include "core/text/result.h"

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace core {

/// An input of the scenario. The order is that of the table of inputs.
enum class Field : std::uint8_t {
    Model,
    Context,
    Batch,
    EncoderTokens,
    SharedPrefix,
    SpareTokens,
    KvHeads,
    KFormat,
    VFormat,
    Engine,
    EngineVersion,
    Waste,
    MaxContext,
    BlockTokens,
    WeightFormat,
    WeightBytes,
    Gpu,
    GpuCount,
    Tensor,
    Pipeline,
    Data,
    MemoryBasis,
    Memory,
    CacheMemory,
    Reserve,
    Overhead,
    Setting, ///< A flag of the engine; `Issue::setting` says which.
};

/// What the value of an input is, and how people write it.
enum class InputType : std::uint8_t {
    Count, ///< A whole number, written as 8192, 8,192 or 8K.
    Size,  ///< Bytes, written as 24GiB.
    Share, ///< A percentage, written as 20 or 2.5.
    Word,  ///< One of the words that `InputWords` lists.
    Text,  ///< Any text.
    Other, ///< A model, a GPU or the settings of an engine, which have readers of their own.
};

/// The words of an input that takes nothing else.
struct InputWords {
    std::string_view what;             ///< What a word names, for messages: "cache format".
    std::vector<std::string> (*all)(); ///< All words that a person may choose.
    /// KV_TEXT: the sentence that refuses another word in the file {0} at the key {1} with the value {2}.
    std::string_view refusal;
};

/// Where a scenario keeps the value of an input. Words are std::string, counts std::int64_t. Nothing stands for an
/// optional value that is not given and for an empty text.
struct InputPlace {
    InputType type = InputType::Other;
    bool isOptional = false; ///< The value may be absent: something else then stands in for it.
    std::optional<Value> (*get)(const Scenario& scenario) = nullptr;
    /// Returns false where the value is no word of the input or may not be absent; the scenario then stays as it is.
    bool (*set)(Scenario& scenario, const std::optional<Value>& value) = nullptr;
};

/// Engines that have something in common.
class EngineSet {
public:
    constexpr EngineSet() = default;
    constexpr EngineSet(std::initializer_list<EngineId> engines)
    {
        for (const EngineId engine : engines)
            m_bits |= 1U << static_cast<unsigned>(engine);
    }
    constexpr bool has(EngineId engine) const { return (m_bits >> static_cast<unsigned>(engine) & 1U) != 0; }
    constexpr bool empty() const { return m_bits == 0; }

private:
    unsigned m_bits = 0;
};

/// The engines whose cache is a pool of a share of the memory.
inline constexpr EngineSet kPoolEngines{EngineId::Vllm, EngineId::Sglang, EngineId::TensorRtLlm};

/// Headings under which inputs stand together in the help of the command line and in the window.
inline constexpr std::string_view kWorkloadInputs = KV_TEXT("core", "Workload");
inline constexpr std::string_view kCacheInputs = KV_TEXT("core", "Cache");
inline constexpr std::string_view kWeightInputs = KV_TEXT("core", "Weights");
inline constexpr std::string_view kHardwareInputs = KV_TEXT("core", "Hardware");

/// One input: a row of the table from which the command line, scenario files, the check of ranges, the locks of lessons
/// and the panel of the window are built.
struct Input {
    Field field = Field::Model;
    std::string_view id;        ///< Its name in lessons and, after two dashes, on the command line: "max-context".
    std::string_view aliases{}; ///< What engines call the option, with commas between: "--max-model-len".
    std::string_view group{};   ///< The heading under which it stands.
    InputPlace place{};
    const InputWords* words = nullptr; ///< Given where the type is Word.

    // A scenario file keeps the value at `section` and `key`; an empty section is the file's root.
    std::string_view section{};
    std::string_view key{};             ///< Empty where files do not have it.
    bool onlyWrittenWhereGiven = false; ///< Files leave the key out while the value is the default.

    // `check` refuses values below `least` and above `most`, in the unit of the type: tokens, bytes, hundredths of a
    // percent.
    std::int64_t least = 0;
    std::int64_t most = 0;
    std::string_view outOfRange{}; ///< KV_TEXT: {0} is the value, {1} and {2} are the bounds. Empty: any value will do.
    /// What contradicts another input, if anything does.
    std::optional<Message> (*contradiction)(const Scenario& scenario) = nullptr;

    std::string_view placeholder{}; ///< Stands for the value in the help: "N".
    std::string_view help{};        ///< Empty where the command line has no such option.

    std::string_view label{};         ///< KV_TEXT: names it in the window. Empty where the window has no row for it.
    std::string_view labelWithPool{}; ///< KV_TEXT: takes the place of `label` for an engine with a pool.
    std::string_view tip{};           ///< KV_TEXT: says more in the window; may be empty.

    EngineSet engines{}; ///< The only engines that use it; none named: all do.
    /// True where the window shows it; without: for the engines that use it.
    bool (*isShown)(const Scenario& scenario) = nullptr;
};

/// All inputs in the order of `Field`, which is also that of the help and of the window.
std::span<const Input> inputs();
const Input& input(Field field);

/// The input's name in lessons and, but for the dashes, on the command line: "context", "gpus", "vram".
std::string_view id(Field field);
std::optional<Field> field(std::string_view id);

/// True where the engine uses the input.
bool uses(EngineId engine, const Input& input);
/// True where the input makes a difference to the scenario, so that a person needs to see it.
bool isShown(const Input& input, const Scenario& scenario);
/// Understands the text as a value of the input's type. The error does not name the input.
Result<Value> parseInput(const Input& input, std::string_view text);

/// The name of the input in the window.
Message label(const Input& input, const Scenario& scenario);

} // namespace core
