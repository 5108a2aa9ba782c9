// SPDX-License-Identifier: Apache-2.0
// What users and files say in text, mutated: each parser takes it or refuses it in one sentence of this
// program.
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>
#include <variant>

#include "kernels/gemm_table.h"
#include "src/core/failure.h"
#include "src/core/model/model_shape.h"
#include "src/core/quality_target.h"
#include "src/core/strategy/case_strategy.h"
#include "src/core/text/display_width.h"
#include "src/core/text/lists.h"
#include "src/core/text/numbers.h"
#include "src/core/text/printable.h"
#include "src/measure/plan/options.h"
#include "src/predict/topology_file.h"
#include "tests/fuzz/target.h"

namespace breakeven::fuzz {
namespace {

template <typename... Parsed>
Outcome outcome_of(const std::variant<Parsed...>& parsed) {
  const auto* error = std::get_if<UsageError>(&parsed);
  return error == nullptr ? Outcome{} : Outcome{error->sentence};
}

Outcome options_of(std::vector<std::string> words) {
  words.insert(words.begin(), "run");
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  return outcome_of(
      measure::parse_run_options(static_cast<int>(words.size()), argv.data(), measure::run_defaults()));
}

Outcome command_line(const std::string& text) {
  std::istringstream stream(text.substr(0, text.find('\0')));
  std::vector<std::string> words;
  for (std::string word; std::getline(stream, word, ' ');) words.push_back(word);
  return options_of(words);
}

Outcome suite(const std::string& text) {
  static const std::string path =
      (std::filesystem::temp_directory_path() / ("breakeven-fuzz-" + std::to_string(getpid()) + ".ini"))
          .string();
  std::ofstream(path) << text;
  const Outcome outcome = options_of({"--config", path});
  std::filesystem::remove(path);
  return outcome;
}

Outcome numbers(const std::string& text) {
  std::uint64_t bytes = 0;
  NumberRange range;
  double share = 0;
  const bool is_any = parse_bytes(text, bytes) || parse_bandwidth(text) || parse_duration(text) ||
                      parse_range(text, range) || parse_share(text, share) || parse_doublings(text, 65536) ||
                      parse_number<double>(text) || parse_number<std::uint32_t>(text);
  const std::string shown = printable(text);
  if (display_width(wrap(shown, 40)) + cut_to_width(text, 20).size() > 100 * text.size() + 100) std::abort();
  if (printable(shown) != shown || printable_line(text).find_first_of("\n\x1b") != std::string::npos)
    std::abort();
  return is_any ? Outcome{} : outcome_of(parse_quality_target(text));
}

Outcome gemm_table(const std::string& text) {
  try {
    parse_gemm_table(text, "table");
    return {};
  } catch (const Failure& failure) {
    return {failure.what()};
  }
}

}  // namespace

std::vector<Target> text_targets() {
  return {
      {"options", command_line},
      {"suite files", suite},
      {"model strings", [](const std::string& text) { return outcome_of(parse_model(text)); }},
      {"strategy strings", [](const std::string& text) { return outcome_of(parse_strategy(text)); }},
      {"numbers with units", numbers},
      {"topology files",
       [](const std::string& text) { return outcome_of(predict::parse_topology(text, "t")); }},
      {"kernel tables", gemm_table},
  };
}

}  // namespace breakeven::fuzz
