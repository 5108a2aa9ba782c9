// SPDX-License-Identifier: Apache-2.0
#include "src/bench/kernels/kernel_options.h"

#include <algorithm>

#include <fmt/format.h>
#include <boost/program_options.hpp>

#include "src/core/text/command_line.h"
#include "src/core/text/lists.h"
#include "src/core/text/numbers.h"
#include "src/core/text/usage.h"
#include "src/measure/plan/gemm_table_option.h"
#include "src/report/report_format.h"

namespace breakeven {
namespace {

namespace po = boost::program_options;

constexpr std::uint32_t largest_side = 1u << 20;
constexpr const char* usual_squares = "4096,8192";

// As the user spells them, before lists are split and words are checked.
struct Spelled {
  std::string models, batches, shapes, squares, precisions, gemm, format;
};

po::options_description describe(Spelled& s, KernelOptions& o) {
  po::options_description text("breakeven kernels [OPTION...]");
  const auto add = [&](const char* name, auto* value, const char* meaning) {
    text.add_options()(name, value, meaning);
  };
  add("models", po::value(&s.models)->default_value("medium,large,xl,xxl")->value_name("LIST"),
      "named models, or shapes such as 784-512-10; every matrix product of their steps is measured");
  add("batches", po::value(&s.batches)->default_value("16,32,64,128,256,512")->value_name("LIST"),
      "batch sizes (samples per step)");
  add("shapes", po::value(&s.shapes)->value_name("LIST"),
      "matrix products such as nt:128x1024x4608 (layout:MxNxK), instead of those of the models");
  add("squares", po::value(&s.squares)->value_name("LIST"),
      "sides of square products to add, or 'none' (default: 4096,8192 with --models, none with --shapes)");
  add("precisions",
      po::value(&s.precisions)
          ->default_value(fmt::format("{}", fmt::join(words_of<Precision>, ",")))
          ->value_name("LIST"),
      "precisions of the matrix products");
  add("gemm", po::value(&s.gemm)->default_value("all")->value_name("LIST"),
      "kernels by name, or all: the project's kernels and the libraries they are compared with");
  add("rounds", po::value(&o.protocol.rounds)->default_value(o.protocol.rounds),
      "measurements of each kernel, interleaved with all others");
  add("seed", po::value(&o.protocol.seed)->default_value(o.protocol.seed),
      "seed of the operands and of the measuring order");
  add("backend", po::value(&o.backend)->default_value("auto"), "cuda, host, or auto");
  add("gemm-table", po::value(&o.gemm_table)->value_name("FILE"), gemm_table_meaning);
  add("format", po::value(&s.format)->default_value("text"), "text, markdown, csv or json");
  add("output", po::value(&o.output)->value_name("FILE"), "also write the results to this file as JSON");
  add("tune", po::value(&o.tune)->value_name("FILE"),
      "measure every variant of the project's kernels and write a table of the fastest");
  text.add_options()("help", "print this help");
  return text;
}

// The sentence of what is wrong, or "", as of the functions below.
std::string add_models(const Spelled& s, std::vector<GemmTask>& tasks) {
  for (const std::string& model : split_list(s.models)) {
    const auto shape = parse_model(model);
    if (const auto* error = std::get_if<UsageError>(&shape)) return error->sentence;
    for (const std::string& text : split_list(s.batches)) {
      const auto batch = parse_count(text, largest_side);
      if (!batch) return fmt::format("batch '{}' is not a whole number from 1 to {}", text, largest_side);
      add_model_tasks(std::get<ModelShape>(shape), *batch, tasks);
    }
  }
  return "";
}

std::string add_shapes(const Spelled& s, std::vector<GemmTask>& tasks) {
  for (const std::string& text : split_list(s.shapes)) {
    const auto task = parse_task(text);
    if (const auto* error = std::get_if<UsageError>(&task)) return error->sentence;
    add_task(std::get<GemmTask>(task), tasks);
  }
  return "";
}

std::string add_squares(const std::string& list, std::vector<GemmTask>& tasks) {
  if (list == "none") return "";
  for (const std::string& text : split_list(list)) {
    const auto side = parse_count(text, largest_side);
    if (!side) return fmt::format("--squares '{}' is not a whole number from 1 to {}", text, largest_side);
    add_task({GemmLayout::nt, {*side, *side, *side}, true}, tasks);
  }
  return "";
}

std::string add_kernels(const Spelled& s, KernelOptions& options) {
  if (s.gemm == "all") return "";
  for (const std::string& text : split_list(s.gemm)) {
    const auto kernel = find_value<GemmKernel>(text);
    if (!kernel)
      return fmt::format("--gemm '{}' is unknown. Use 'all' or some of {}", text,
                         join_list(all_words<GemmKernel>()));
    options.kernels.push_back(*kernel);
  }
  return "";
}

std::string interpret(const Spelled& s, KernelOptions& o) {
  const std::string squares = !s.squares.empty() ? s.squares : s.shapes.empty() ? usual_squares : "none";
  std::string wrong = s.shapes.empty() ? add_models(s, o.tasks) : add_shapes(s, o.tasks);
  if (wrong.empty()) wrong = add_squares(squares, o.tasks);
  if (wrong.empty()) wrong = add_precisions(s.precisions, o.precisions);
  if (wrong.empty()) wrong = add_kernels(s, o);
  if (!wrong.empty()) return wrong;
  if (o.protocol.rounds < 1 || o.protocol.rounds > 1000) return "--rounds must be from 1 to 1000";
  if (const std::string wrong = problem_of_backend(o.backend); !wrong.empty()) return wrong;
  if (!o.tune.empty() && !o.gemm_table.empty())
    return "--gemm-table does not go with --tune, which measures every variant. Use it with --gemm tuned";
  const auto format = parse_format(s.format);
  if (const auto* error = std::get_if<UsageError>(&format)) return error->sentence;
  o.format = std::get<ReportFormat>(format);
  return "";
}

}  // namespace

std::variant<KernelOptions, UsageError, HelpText> parse_kernel_options(int argc, char** argv) {
  KernelOptions options;
  Spelled spelled;
  const auto read = read_command_line(argc, argv, describe(spelled, options));
  if (const auto* error = std::get_if<UsageError>(&read)) return *error;
  if (const auto* help = std::get_if<HelpText>(&read)) return *help;
  const std::string wrong = interpret(spelled, options);
  if (!wrong.empty()) return UsageError{wrong};
  return options;
}

std::vector<std::pair<std::string, std::string>> settings_of(const KernelOptions& options) {
  return {{"rounds", std::to_string(options.protocol.rounds)},
          {"seed", std::to_string(options.protocol.seed)},
          {"gemm-table", recorded_gemm_table(options.gemm_table)},
          {"products", std::to_string(options.tasks.size())}};
}

}  // namespace breakeven
