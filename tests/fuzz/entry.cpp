// SPDX-License-Identifier: Apache-2.0
// libFuzzer's way in. BREAKEVEN_PARSER names the parser that the inputs go to; without it, all names are
// printed.
//   BREAKEVEN_PARSER=options fuzz_parsers FOLDER_OF_INPUTS | FILE...
// Its last line is JSON: inputs, those refused, and the longest seconds that one took.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iterator>

#include <fmt/format.h>

#include "src/core/text/printable.h"
#include "tests/fuzz/target.h"

namespace breakeven::fuzz {
namespace {

struct Counts {
  std::size_t inputs = 0;
  std::size_t refused = 0;
  double longest_seconds = 0;
} counts;

void print_counts() {
  fmt::print(R"({{"inputs": {}, "refused": {}, "longest_seconds": {:.3f}}})"
             "\n",
             counts.inputs, counts.refused, counts.longest_seconds);
}

const Target& chosen_target() {
  static const Target target = [] {
    std::vector<Target> all = text_targets();
    all.push_back(dataset_target());
    std::ranges::copy(results_targets(), std::back_inserter(all));
    const char* named = std::getenv("BREAKEVEN_PARSER");
    const auto found = std::ranges::find(all, std::string_view(named ? named : ""), &Target::name);
    if (found != all.end()) return *found;
    for (const Target& each : all) fmt::print("{}\n", each.name);
    std::exit(named ? 1 : 0);
  }();
  return target;
}

// libFuzzer writes the input to a file and names it.
[[noreturn]] void fail(const std::string& what) {
  fmt::print(stderr, "{}: {}\n", chosen_target().name, printable_line(what));
  std::abort();
}

bool holds(std::string text, std::string_view word) {
  std::erase_if(text,
                [](char c) { return static_cast<unsigned char>(c) <= ' '; });  // parsers leave blanks out
  return text.find(word) != text.npos;
}

// A sentence in the program's own words and the input's.
void check_refusal(const std::string& refusal, const std::string& input) {
  for (const char* of_library : {"std::", "basic_string", "vector::", "bad_", "stoi", "lexical_cast"})
    if (refusal.find(of_library) != refusal.npos && !holds(input, of_library)) fail(refusal);
}

}  // namespace
}  // namespace breakeven::fuzz

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  breakeven::fuzz::chosen_target();
  std::atexit(breakeven::fuzz::print_counts);
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace breakeven::fuzz;
  const std::string input(reinterpret_cast<const char*>(data), size);
  const auto begun = std::chrono::steady_clock::now();
  try {
    const std::string refusal = chosen_target().refusal_of(input);
    check_refusal(refusal, input);
    counts.refused += refusal.empty() ? 0 : 1;
  } catch (const std::exception& failure) {
    fail(failure.what());
  }
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begun;
  counts.longest_seconds = std::max(counts.longest_seconds, taken.count());
  ++counts.inputs;
  return 0;
}
