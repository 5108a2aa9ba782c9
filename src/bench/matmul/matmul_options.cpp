// SPDX-License-Identifier: Apache-2.0
#include "src/bench/matmul/matmul_options.h"

#include <algorithm>

#include <fmt/format.h>

#include "src/command/answer/shared_options.h"
#include "src/measure/plan/launch_options.h"
#include "src/statistics/interval.h"

namespace breakeven::bench {
namespace {

constexpr std::uint32_t largest_size = 1u << 16;
constexpr int most_chunks = 1024;

LegalWords<const FormInfo*> forms() {
  LegalWords<const FormInfo*> all;
  for (const FormInfo& form : matmul_forms()) all.emplace_back(form.name, &form);
  return all;
}

std::string read_sizes(const std::string& list, std::vector<std::int64_t>& sizes) {
  const std::string wrong = list_of_values(sizes, count_up_to("sizes", largest_size))(list);
  std::ranges::sort(sizes);
  return wrong;
}

void add_case_options(CommandOptions& options, int ranks, MatmulOptions& o) {
  options.add_list("sizes", "256,512,1024,2048,4096", "sides of the square matrices",
                   [&o](const std::string& list) { return read_sizes(list, o.sizes); });
  options.add_list(
      "forms", "all",
      fmt::format("all, or a list of {}; a single device is always measured", join_list(spellings(forms()))),
      all_or_list_of_words("forms", forms(), o.forms));
  add_gpus(options, "matmul", 1, ranks, o.gpus);
  add_precision_list(options, std::string(name_of(Precision::fp32)), o.precisions);
  add_gemm(options, "auto", "the device's default", o.kernels);
}

void add_protocol_options(CommandOptions& options, MatmulProtocol& protocol) {
  options.add_within("repeats", protocol.repeats, statistics::fewest_for_interval, 1000,
                     "measurements of each case, interleaved with all others of its size",
                     "; fewer give no confidence interval");
  options.add_within("warmup", protocol.warmup, 1, 1000, "warm-up products before each measured one",
                     "; the first product includes the start-up of libraries");
  options.add_within("chunks", protocol.chunks, 1, most_chunks,
                     "chunks that 'overlapped' cuts a rank's rows into, and panels of 'summa'");
  options.add("seed", protocol.seed, "seed of the operands and of the measuring order");
}

}  // namespace

std::variant<MatmulOptions, UsageError, HelpText> parse_matmul_options(int argc, char** argv, int ranks) {
  MatmulOptions o;
  o.timeout_seconds = 120;
  CommandOptions options("mpirun -np N breakeven matmul [OPTION...]");
  add_case_options(options, ranks, o);
  add_protocol_options(options, o.protocol);
  measure::add_backend(options, o.backend);
  measure::add_gemm_table(options, o.gemm_table);
  add_rank_options(options, o, "one case");
  command::add_format(options, o.format);
  add_output(options, o);
  return options.read(argc, argv, o);
}

std::vector<std::pair<std::string, std::string>> settings_of(const MatmulOptions& options) {
  return {{"repeats", std::to_string(options.protocol.repeats)},
          {"warmup", std::to_string(options.protocol.warmup)},
          {"chunks", std::to_string(options.protocol.chunks)},
          {"seed", std::to_string(options.protocol.seed)},
          {"gemm-table", measure::recorded_gemm_table(options.gemm_table)},
          {"timeout", fmt::format("{}", options.timeout_seconds)}};
}

}  // namespace breakeven::bench
