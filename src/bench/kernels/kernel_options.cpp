// SPDX-License-Identifier: Apache-2.0
#include "src/bench/kernels/kernel_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "src/command/answer/shared_options.h"
#include "src/measure/plan/launch_options.h"

namespace breakeven::bench {
namespace {

constexpr std::uint32_t largest_number = 1u << 20;

// What is measured, as it was typed.
struct Products {
  std::string models = "medium,large,xl,xxl";
  std::string batches = "16,32,64,128,256,512";
  std::string shapes, squares;
};

void add_product_options(CommandOptions& options, Products& products) {
  options.add("models", products.models,
              "named models, or shapes such as 784-512-10; every matrix product of their steps is measured",
              "LIST");
  options.add("batches", products.batches, "batch sizes (samples per step)", "LIST");
  options.add("shapes", products.shapes,
              "matrix products such as nt:128x1024x4608 (layout:MxNxK), instead of those of the models",
              "LIST");
  options.add(
      "squares", products.squares,
      "sides of square products to add, or 'none' (default: 4096,8192 with --models on a GPU, else none)",
      "LIST");
}

// What is wrong with a list, or "".
std::string add_models(const Products& products, std::vector<GemmTask>& tasks) {
  std::vector<std::uint32_t> batches;
  const std::string wrong = list_of_values(batches, count_up_to("batches", largest_number))(products.batches);
  if (!wrong.empty()) return wrong;
  for (const std::string& model : split_list(products.models)) {
    const auto shape = parse_model(model);
    if (const auto* error = std::get_if<UsageError>(&shape)) return error->sentence;
    for (const std::uint32_t batch : batches) add_model_tasks(std::get<ModelShape>(shape), batch, tasks);
  }
  return "";
}

std::string add_squares(const std::string& list, std::vector<GemmTask>& tasks) {
  if (list == "none") return "";
  std::vector<std::int64_t> sides;
  const std::string wrong = list_of_values(sides, count_up_to("squares", largest_number))(list);
  for (const std::int64_t side : sides) add_once<GemmTask>({GemmLayout::nt, {side, side, side}, true}, tasks);
  return wrong;
}

// Without --squares, the default ones come when the device is known.
std::string add_products(const Products& products, std::vector<GemmTask>& tasks) {
  const bool of_models = products.shapes.empty();
  const std::string wrong =
      of_models ? add_models(products, tasks) : list_of_values(tasks, parse_task)(products.shapes);
  if (!wrong.empty()) return wrong;
  return add_squares(products.squares.empty() ? "none" : products.squares, tasks);
}

std::string problem_of(const KernelOptions& o) {
  if (!o.tune.empty() && !o.gemm_table.empty())
    return "--gemm-table does not go with --tune, which measures every variant. Use it with --gemm tuned";
  return "";
}

}  // namespace

std::variant<KernelOptions, UsageError, HelpText> parse_kernel_options(int argc, char** argv) {
  KernelOptions o;
  Products products;
  CommandOptions options("breakeven kernels [OPTION...]");
  add_product_options(options, products);
  options.check([&] { return add_products(products, o.tasks); });
  options.check([&] {
    o.lacks_squares = products.squares.empty() && products.shapes.empty();
    return std::string();
  });
  add_precision_list(options, fmt::format("{}", fmt::join(words_of<Precision>, ",")), o.precisions);
  add_gemm(options, "all", "the project's kernels and the libraries they are compared with", o.kernels);
  options.add_within("rounds", o.protocol.rounds, 1, 1000,
                     "measurements of each kernel, interleaved with all others");
  options.add("seed", o.protocol.seed, "seed of the operands and of the measuring order");
  measure::add_backend(options, o.backend);
  measure::add_gemm_table(options, o.gemm_table);
  command::add_format(options, o.format);
  add_output(options, o);
  options.add("tune", o.tune,
              "measure every variant of the project's kernels and write a table of the fastest", "FILE");
  options.check([&o] { return problem_of(o); });
  return options.read(argc, argv, o);
}

void add_default_squares(KernelOptions& options) {
  if (options.lacks_squares) add_squares("4096,8192", options.tasks);
}

std::vector<std::pair<std::string, std::string>> settings_of(const KernelOptions& options) {
  return {{"rounds", std::to_string(options.protocol.rounds)},
          {"seed", std::to_string(options.protocol.seed)},
          {"gemm-table", measure::recorded_gemm_table(options.gemm_table)},
          {"products", std::to_string(options.tasks.size())}};
}

}  // namespace breakeven::bench
