// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string_view>

namespace app {

// The texts that --help prints around the options.

inline constexpr std::size_t kHelpColumn = 30;

inline constexpr std::string_view kProgramHelp =
    "KV Horizon shows how the KV cache of a transformer grows until the GPU is full.\n"
    "Without a command, it opens the window.";

inline constexpr std::string_view kProgramFooter = R"(Examples:
  kvhorizon
  kvhorizon size llama-3.1-8b --context 128K --gpu rtx-4090
  kvhorizon inspect path/to/config.json

"kvhorizon COMMAND --help" explains a command, and "kvhorizon help" lists the topics
of the manual.
Exit codes: 0 done; 1 a file, a name or a value is unknown or out of range; 2 the line
cannot be parsed; 3 the scenario does not fit (only with size --fail-if-over).)";

inline constexpr std::string_view kSizeHelp = "Print how much memory a model needs, and whether it fits";

inline constexpr std::string_view kSizeFooter = R"(Units:
  N      8192, 8,192 or 8K; K = 1,024 and M = 1,048,576
  SIZE   24GiB (2^30 bytes), 24GB (10^9 bytes), 512MiB, or bytes
  PCT    20 or 2.5

Examples:
  kvhorizon size llama-3.1-8b --context 8K --batch 16 --gpu rtx-4090
  kvhorizon size qwen2.5-32b --weights-bytes 18GiB --gpus 2 --vram 24GiB --reserve 10
  kvhorizon size config.json --context 128K --kv-format fp8 --engine paged --json
  kvhorizon size model-Q4_K_M.gguf --context 32K --vram 24GiB
  kvhorizon size mixtral-8x7b --context 32K --batch 16 --gpu apple-m2-ultra:128 --explain
  kvhorizon size custom --layers 32 --heads 32 --kv-heads 8 --head-dim 128 --parameters 8B
  kvhorizon size proposal.kvh --batch 32)";

inline constexpr std::string_view kInspectHelp = "Print the layout of a model, and where each value comes from";

inline constexpr std::string_view kInspectFooter = R"(Examples:
  kvhorizon inspect qwen2.5-7b
  kvhorizon inspect path/to/config.json --json > model.json
  kvhorizon inspect model-Q4_K_M.gguf
  kvhorizon inspect path/to/model-folder)";

inline constexpr std::string_view kExportHelp = "Write a chart as a picture or as a table";

inline constexpr std::string_view kExportFooter =
    R"("kvhorizon size --help" explains the units. Without a MODEL, the scenario of the first
start is drawn.

Example:
  kvhorizon export growth -o growth.png llama-3.1-8b --context 8K --batch 4 --gpu rtx-4090)";

inline constexpr std::string_view kLessonHelp = "List the lessons of the course, or check lesson files";

inline constexpr std::string_view kLessonFooter = R"(Examples:
  kvhorizon lesson
  kvhorizon lesson --validate my-lesson.json)";

inline constexpr std::string_view kManualHelp = "Print a topic of the manual, or list its topics";

inline constexpr std::string_view kManualFooter = R"(Examples:
  kvhorizon help
  kvhorizon help engines)";

inline constexpr std::string_view kModelsHelp = "List the models of the catalogue";
inline constexpr std::string_view kGpusHelp = "List the accelerators of the catalogue";

} // namespace app
