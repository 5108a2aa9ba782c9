// SPDX-License-Identifier: Apache-2.0
#include "src/bench/matmul/matmul_options.h"

#include <algorithm>

#include <fmt/format.h>
#include <boost/program_options.hpp>

#include "src/core/text/command_line.h"
#include "src/core/text/lists.h"
#include "src/core/text/numbers.h"
#include "src/core/text/usage.h"
#include "src/measure/plan/gemm_table_option.h"
#include "src/report/report_format.h"
#include "src/statistics/interval.h"

namespace breakeven {
namespace {

namespace po = boost::program_options;

constexpr std::uint32_t largest_size = 1u << 16;
constexpr int most_chunks = 1024;

// As the user spells them, before lists are split and words are checked.
struct Spelled {
  std::string sizes, forms, gpus, precisions, gemm, format;
};

po::options_description describe(Spelled& s, MatmulOptions& o) {
  po::options_description text("mpirun -np N breakeven matmul [OPTION...]");
  const auto add = [&](const char* name, auto* value, const char* meaning) {
    text.add_options()(name, value, meaning);
  };
  add("sizes", po::value(&s.sizes)->default_value("256,512,1024,2048,4096")->value_name("LIST"),
      "sides of the square matrices");
  add("forms", po::value(&s.forms)->default_value("all")->value_name("LIST"),
      "all, or a list of naive, overlapped, resident, library, summa; a single device is always measured");
  add("gpus", po::value(&s.gpus)->default_value("all")->value_name("LIST"),
      "numbers of ranks to measure, or all");
  add("precisions",
      po::value(&s.precisions)->default_value(std::string(name_of(Precision::fp32)))->value_name("LIST"),
      "precisions of the matrix products");
  add("gemm", po::value(&s.gemm)->default_value("auto")->value_name("LIST"),
      "kernels by name, or auto: the device's default");
  add("repeats", po::value(&o.protocol.repeats)->default_value(o.protocol.repeats),
      "measurements of each case, interleaved with all others of its size");
  add("warmup", po::value(&o.protocol.warmup)->default_value(o.protocol.warmup),
      "warm-up products before each measured one");
  add("chunks", po::value(&o.protocol.chunks)->default_value(o.protocol.chunks),
      "chunks that 'overlapped' cuts a rank's rows into, and panels of 'summa'");
  add("seed", po::value(&o.protocol.seed)->default_value(o.protocol.seed),
      "seed of the operands and of the measuring order");
  add("backend", po::value(&o.backend)->default_value("auto"), "cuda, host, or auto");
  add("gemm-table", po::value(&o.gemm_table)->value_name("FILE"), gemm_table_meaning);
  add("share-gpus", po::bool_switch(&o.share_gpus),
      "allow several ranks on one GPU (they communicate over MPI)");
  add("timeout", po::value(&o.timeout_seconds)->default_value(o.timeout_seconds),
      "time limit in seconds for one case");
  add("format", po::value(&s.format)->default_value("text"), "text, markdown, csv or json");
  add("output", po::value(&o.output)->value_name("FILE"), "also write the results to this file as JSON");
  text.add_options()("help", "print this help");
  return text;
}

template <typename T>
void add_once(const T& value, std::vector<T>& values) {
  if (std::find(values.begin(), values.end(), value) == values.end()) values.push_back(value);
}

// The sentence of what is wrong, or "", as of the functions below.
std::string add_sizes(const Spelled& s, MatmulOptions& o) {
  for (const std::string& text : split_list(s.sizes)) {
    const auto size = parse_count(text, largest_size);
    if (!size) return fmt::format("--sizes '{}' is not a whole number from 1 to {}", text, largest_size);
    add_once<std::int64_t>(*size, o.sizes);
  }
  std::sort(o.sizes.begin(), o.sizes.end());
  return "";
}

std::string add_forms(const Spelled& s, MatmulOptions& o) {
  for (const std::string& text : s.forms == "all" ? form_names() : split_list(s.forms)) {
    const FormInfo* form = find_form(text);
    if (form == nullptr) {
      return fmt::format("--forms '{}' is unknown. Use 'all' or some of {}", text, join_list(form_names()));
    }
    add_once(form, o.forms);
  }
  return "";
}

std::string add_gpus(const Spelled& s, int ranks, MatmulOptions& o) {
  for (const std::string& text : split_list(s.gpus)) {
    const auto most = static_cast<std::uint32_t>(ranks);
    const auto count = text == "all" ? std::optional(most) : parse_count(text, most);
    if (!count) {
      return fmt::format(
          "--gpus '{0}' is not 'all' or a number from 1 to {1}. For more GPUs, start more ranks: mpirun -np "
          "N breakeven ...",
          text, ranks);
    }
    add_once(static_cast<int>(*count), o.gpus);
  }
  return "";
}

std::string add_kernels(const Spelled& s, MatmulOptions& o) {
  for (const std::string& text : split_list(s.gemm)) {
    if (text != "auto" && !find_value<GemmKernel>(text))
      return fmt::format("--gemm '{}' is unknown. Use 'auto' or some of {}", text,
                         join_list(all_words<GemmKernel>()));
    add_once(text, o.gemm);
  }
  return "";
}

// What is wrong with single values, or "".
std::string check_values(const MatmulOptions& o) {
  const MatmulProtocol& p = o.protocol;
  if (p.repeats < fewest_for_interval || p.repeats > 1000)
    return fmt::format("--repeats must be from {} to 1000; fewer give no confidence interval",
                       fewest_for_interval);
  if (p.warmup < 1 || p.warmup > 1000)
    return "--warmup must be from 1 to 1000; the first product includes the start-up of libraries";
  if (p.chunks < 1 || p.chunks > most_chunks)
    return fmt::format("--chunks must be from 1 to {}", most_chunks);
  if (!(o.timeout_seconds > 0)) return "--timeout must be a positive number of seconds";
  return problem_of_backend(o.backend);
}

std::string interpret(const Spelled& s, int ranks, MatmulOptions& o) {
  std::string wrong = add_sizes(s, o);
  if (wrong.empty()) wrong = add_forms(s, o);
  if (wrong.empty()) wrong = add_gpus(s, ranks, o);
  if (wrong.empty()) wrong = add_precisions(s.precisions, o.precisions);
  if (wrong.empty()) wrong = add_kernels(s, o);
  if (wrong.empty()) wrong = check_values(o);
  if (!wrong.empty()) return wrong;
  const auto format = parse_format(s.format);
  if (const auto* error = std::get_if<UsageError>(&format)) return error->sentence;
  o.format = std::get<ReportFormat>(format);
  return "";
}

}  // namespace

std::variant<MatmulOptions, UsageError, HelpText> parse_matmul_options(int argc, char** argv, int ranks) {
  MatmulOptions options;
  Spelled spelled;
  const auto read = read_command_line(argc, argv, describe(spelled, options));
  if (const auto* error = std::get_if<UsageError>(&read)) return *error;
  if (const auto* help = std::get_if<HelpText>(&read)) return *help;
  const std::string wrong = interpret(spelled, ranks, options);
  if (!wrong.empty()) return UsageError{wrong};
  return options;
}

std::vector<std::pair<std::string, std::string>> settings_of(const MatmulOptions& options) {
  return {{"repeats", std::to_string(options.protocol.repeats)},
          {"warmup", std::to_string(options.protocol.warmup)},
          {"chunks", std::to_string(options.protocol.chunks)},
          {"seed", std::to_string(options.protocol.seed)},
          {"gemm-table", recorded_gemm_table(options.gemm_table)},
          {"timeout", fmt::format("{}", options.timeout_seconds)}};
}

}  // namespace breakeven
