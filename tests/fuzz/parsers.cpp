// SPDX-License-Identifier: Apache-2.0
// What users and files say in text: each parser takes it or refuses it in one sentence of this program.
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
#include "tests/fuzz/input_file.h"
#include "tests/fuzz/target.h"

namespace breakeven::fuzz {
namespace {

template <typename... Parsed>
std::string refusal_in(const std::variant<Parsed...>& parsed) {
  const auto* error = std::get_if<UsageError>(&parsed);
  return error == nullptr ? "" : error->sentence;
}

std::string refusal_of_options(std::vector<std::string> words) {
  words.insert(words.begin(), "run");
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  return refusal_in(
      measure::parse_run_options(static_cast<int>(words.size()), argv.data(), measure::run_defaults()));
}

std::string command_line(const std::string& text) {
  std::istringstream stream(text.substr(0, text.find('\0')));
  std::vector<std::string> words;
  for (std::string word; std::getline(stream, word, ' ');) words.push_back(word);
  return refusal_of_options(words);
}

std::string suite(const std::string& text) {
  static const InputFile file;
  file.set(text);
  return refusal_of_options({"--config", file.path()});
}

std::string numbers(const std::string& text) {
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
  return is_any ? std::string() : refusal_in(parse_quality_target(text));
}

std::string gemm_table(const std::string& text) {
  try {
    parse_gemm_table(text, "table");
    return {};
  } catch (const Failure& failure) {
    return failure.what();
  }
}

}  // namespace

std::vector<Target> text_targets() {
  return {
      {"options", command_line},
      {"suite-files", suite},
      {"model-strings", [](const std::string& text) { return refusal_in(parse_model(text)); }},
      {"strategy-strings", [](const std::string& text) { return refusal_in(parse_strategy(text)); }},
      {"numbers-with-units", numbers},
      {"topology-files",
       [](const std::string& text) { return refusal_in(predict::parse_topology(text, "t")); }},
      {"kernel-tables", gemm_table},
  };
}

}  // namespace breakeven::fuzz
