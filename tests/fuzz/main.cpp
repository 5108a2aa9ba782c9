// SPDX-License-Identifier: Apache-2.0
// Mutates the seeds of each parser for so many seconds and prints a line of JSON. A sanitizer, an exception
// that is no Failure, or a refusal in another's words ends the program with the input.
//   fuzz_parsers FOLDER_OF_SEEDS SECONDS [SEED [PARSER]]
//   fuzz_parsers --names
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>

#include <fmt/format.h>

#include "src/core/text/printable.h"
#include "tests/fuzz/mutation.h"
#include "tests/fuzz/target.h"

namespace breakeven::fuzz {
namespace {

std::vector<std::string> seeds_of(const std::string& folder, const Target& target) {
  std::vector<std::string> seeds;
  std::string name = target.name + ".txt";
  std::ranges::replace(name, ' ', '-');
  std::ifstream file(folder + "/" + name);
  for (std::string line; std::getline(file, line);) {
    for (std::size_t at = 0; (at = line.find("\\n", at)) != line.npos;) line.replace(at, 2, "\n");
    seeds.push_back(line);
  }
  if (seeds.empty()) seeds.emplace_back("nothing");
  return seeds;
}

[[noreturn]] void fail(const Target& target, const std::string& input, const std::string& what) {
  fmt::print(stderr, "{}: '{}': {}\n", target.name, printable_line(input), printable_line(what));
  std::exit(1);
}

void check_refusal(const Target& target, const std::string& input, const std::string& refusal) {
  for (const char* of_library : {"std::", "basic_string", "vector::", "bad_", "stoi", "lexical_cast"}) {
    if (refusal.find(of_library) != refusal.npos && input.find(of_library) == input.npos)
      fail(target, input, refusal);
  }
}

void run(const Target& target, const std::vector<std::string>& seeds, double seconds, std::uint64_t seed) {
  Mutation mutation(seed);
  std::size_t trials = 0, refused = 0;
  double slowest = 0;
  using Clock = std::chrono::steady_clock;
  const auto since = [](Clock::time_point begin) {
    return std::chrono::duration<double>(Clock::now() - begin).count();
  };
  for (const auto begin = Clock::now(); trials == 0 || since(begin) < seconds; ++trials) {
    const std::string input = mutation.of(mutation.one_of(seeds));
    const auto started = Clock::now();
    try {
      const std::string refusal = target.parse(input).refusal;
      check_refusal(target, input, refusal);
      refused += refusal.empty() ? 0 : 1;
    } catch (const std::exception& failure) {
      fail(target, input, failure.what());
    }
    slowest = std::max(slowest, since(started));
  }
  fmt::print(
      "{{\"fault\": \"{}: mutated\", \"stage\": \"its parser, with sanitizers\", \"trials\": {}, "
      "\"lost\": 0, \"wrong\": 0, \"hung\": 0, \"crashed\": 0, \"longest_seconds\": {:.3f}}}\n",
      target.name, trials, slowest);
  fmt::print(stderr, "{}: {} % of {} refused\n", target.name, 100 * refused / trials, trials);
}

}  // namespace
}  // namespace breakeven::fuzz

int main(int argc, char** argv) {
  using namespace breakeven::fuzz;
  std::vector<Target> targets = text_targets();
  targets.push_back(dataset_target());
  if (argc == 2 && std::string_view(argv[1]) == "--names") {
    for (const Target& target : targets) fmt::print("{}\n", target.name);
    return 0;
  }
  if (argc < 3) return 1;
  if (argc > 4)
    std::erase_if(targets, [&](const Target& target) { return target.name != std::string_view(argv[4]); });
  const double seconds = std::atof(argv[2]);
  const std::uint64_t seed = argc > 3 ? std::strtoull(argv[3], nullptr, 10) : 1;
  for (const Target& target : targets) run(target, seeds_of(argv[1], target), seconds, seed);
  return 0;
}
