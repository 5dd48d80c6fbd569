// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/teaching/exercise_generator.h"

#include "core/sizing/evaluate.h"
#include "core/teaching/answer.h"
#include "core/text/message.h"

#include <algorithm>
#include <array>

namespace core {

namespace {

/// Draws values by a seed, the same ones on every machine (splitmix64).
class RandomDraw {
public:
    explicit RandomDraw(std::uint64_t seed) : m_state(seed) {}

    template <typename T, std::size_t N> T from(const std::array<T, N>& values) { return values.at(next() % N); }

private:
    std::uint64_t next()
    {
        m_state += 0x9E3779B97F4A7C15U;
        std::uint64_t mixed = m_state;
        mixed = (mixed ^ (mixed >> 30U)) * 0xBF58476D1CE4E5B9U;
        mixed = (mixed ^ (mixed >> 27U)) * 0x94D049BB133111EBU;
        return mixed ^ (mixed >> 31U);
    }

    std::uint64_t m_state;
};

struct QuestionTemplate {
    AskedQuantity quantity;
    std::string_view title;
    std::string_view question; ///< Markdown with placeholders, see `lesson_text.h`
};

constexpr std::array kTemplates{
    QuestionTemplate{AskedQuantity::RequestCache, KV_TEXT("core", "One request"),
                     KV_TEXT("core",
                             "**{model}** holds one request of {context} tokens; its cache is kept in {format}, "
                             "{element_bytes}. How large is the cache?")},
    QuestionTemplate{AskedQuantity::Cache, KV_TEXT("core", "A batch"),
                     KV_TEXT("core",
                             "**{model}** serves {batch} requests of {context} tokens each; the cache is kept in "
                             "{format}, {element_bytes}. How large is the cache of all of them?")},
    QuestionTemplate{AskedQuantity::PerToken, KV_TEXT("core", "One token"),
                     KV_TEXT("core",
                             "A request to **{model}** has reached {context} tokens; the cache is kept in {format}, "
                             "{element_bytes}. By how much does it grow with the next token?")},
    QuestionTemplate{AskedQuantity::Total, KV_TEXT("core", "Everything together"),
                     KV_TEXT("core",
                             "**{model}** takes {weights} for its weights and serves {batch} requests of {context} "
                             "tokens, with the cache in {format}, {element_bytes}. How much memory is that together?")},
    QuestionTemplate{
        AskedQuantity::MaxBatch, KV_TEXT("core", "How many at once"),
        KV_TEXT("core", "**{model}** takes {weights} for its weights and runs on {gpus} GPUs of {device} each. How "
                        "many requests of {context} tokens fit, with the cache in {format}, {element_bytes}?")},
    QuestionTemplate{AskedQuantity::Crossover, KV_TEXT("core", "Where the cache overtakes"),
                     KV_TEXT("core",
                             "The weights of **{model}** take {weights}. From how many tokens on is the cache of one "
                             "request, kept in {format}, {element_bytes}, at least as large?")},
};

constexpr std::array<std::int64_t, 7> kContexts{2'048, 4'096, 8'192, 16'384, 32'768, 65'536, 131'072};
constexpr std::array<std::int64_t, 8> kBatches{2, 3, 4, 6, 12, 16, 24, 48};
constexpr std::array kFormats{KvFormat::Bf16, KvFormat::Bf16, KvFormat::Fp8, KvFormat::Q8_0, KvFormat::Q4_0};
constexpr std::array<std::int64_t, 4> kGpuGib{24, 48, 80, 141};
constexpr std::array<std::int64_t, 3> kGpuCounts{2, 4, 8};

/// The model without what no number depends on, so that copies of it are cheap.
Model withNumbersOnly(const Model& model)
{
    Model result;
    result.layers = model.layers;
    result.maxContext = model.maxContext;
    result.groups = model.groups;
    result.encoderTokens = model.encoderTokens;
    result.weights.parts = model.weights.parts;
    result.weights.stored = model.weights.stored;
    result.weights.published = model.weights.published;
    return result;
}

/// `drawn` or, where the model was trained for less, three quarters of that: a power of two could turn MiB into GiB of
/// the same number.
std::int64_t contextWithin(std::int64_t trained, std::int64_t drawn)
{
    return drawn <= trained ? drawn : std::max<std::int64_t>(1, trained * 3 / 4);
}

Task drawTask(const QuestionTemplate& chosen, const Model& model, RandomDraw& random)
{
    Task task{chosen.quantity, scenarioOf(model), {}};
    Scenario& scenario = task.scenario;
    const bool oneRequest = chosen.quantity != AskedQuantity::Cache && chosen.quantity != AskedQuantity::Total;
    scenario.workload.context = contextWithin(model.maxContext.value_or(kMaxContext), random.from(kContexts));
    scenario.workload.batch = oneRequest ? 1 : random.from(kBatches);
    scenario.workload.encoderTokens = model.encoderTokens.value_or(0);
    scenario.kFormat = random.from(kFormats);
    scenario.vFormat = scenario.kFormat;
    if (chosen.quantity == AskedQuantity::MaxBatch) {
        scenario.hardware.basis = MemoryBasis::Typed;
        scenario.hardware.typed = gib(random.from(kGpuGib));
        scenario.hardware.count = random.from(kGpuCounts);
    }
    return task;
}

/// True for a number that is worth calculating.
bool isWorthAsking(const Task& task, std::optional<double> right)
{
    if (!right || *right < 2)
        return false;
    const bool needsWeights = task.quantity == AskedQuantity::Total || task.quantity == AskedQuantity::MaxBatch;
    if (needsWeights && !weightBytes(task.scenario))
        return false;
    constexpr double kMostRequests = 2'000;
    return task.quantity != AskedQuantity::MaxBatch || *right <= kMostRequests;
}

/// True when the number, written in GiB or GB but without the unit, cannot be taken for `other`.
bool isApartWithoutUnit(Measure measure, double number, double other, double scale)
{
    return std::ranges::all_of(std::array{Unit::Binary, Unit::Decimal}, [&](Unit unit) {
        const double typed = measure == Measure::Bytes ? number / unitSize(number, unit) : number;
        return fitOf({typed, std::nullopt}, measure, other, {}, {}, scale) == Fit::No;
    });
}

/// Those usual mistakes whose numbers can be told apart from each other. None where the number of one of them could be
/// taken for the right one.
std::vector<MistakeUse> distinctMistakes(const Task& task, double right)
{
    const Measure measure = measureOf(task.quantity);
    std::vector<MistakeUse> uses;
    std::vector<double> taken{right};
    for (const MistakeUse& use : usualMistakes(task.quantity)) {
        const std::optional<double> wrong = wrongAnswer(task, use, right);
        if (!wrong || *wrong <= 0)
            continue;
        if (!canBeToldApart(measure, *wrong, right, right))
            return {};
        const auto isApart = [&](double other) { return canBeToldApart(measure, *wrong, other, right); };
        if (!std::ranges::all_of(taken, isApart))
            continue;
        uses.push_back(use);
        taken.push_back(*wrong);
    }
    return uses;
}

} // namespace

bool canBeToldApart(Measure measure, double a, double b, double scale)
{
    return !isNear(measure, a, b) && !isNear(measure, b, a) && isApartWithoutUnit(measure, a, b, scale) &&
           isApartWithoutUnit(measure, b, a, scale);
}

std::optional<Exercise> generateExercise(const Model& model, std::uint64_t seed)
{
    constexpr int kTries = 300;
    constexpr std::size_t kFewestMistakes = 2;
    RandomDraw random(seed);
    const Model cheap = withNumbersOnly(model);
    for (int attempt = 0; attempt < kTries; ++attempt) {
        const QuestionTemplate chosen = random.from(kTemplates);
        Task task = drawTask(chosen, cheap, random);
        const std::optional<double> right = check(task.scenario).empty() ? solve(task) : std::nullopt;
        if (!isWorthAsking(task, right))
            continue;
        std::vector<MistakeUse> uses = distinctMistakes(task, *right);
        if (uses.size() < kFewestMistakes)
            continue;
        task.scenario.model = model;
        return Exercise{.id = "generated-" + std::to_string(seed),
                        .title = std::string(chosen.title),
                        .question = std::string(chosen.question),
                        .task = std::move(task),
                        .accepted = {},
                        .mistakes = std::move(uses),
                        .hints = {},
                        .explanation = {}};
    }
    return std::nullopt;
}

} // namespace core
