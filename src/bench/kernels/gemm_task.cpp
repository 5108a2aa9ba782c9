// SPDX-License-Identifier: Apache-2.0
#include "src/bench/kernels/gemm_task.h"

#include <algorithm>

#include <fmt/format.h>

#include "src/core/text/command_options.h"

namespace breakeven::bench {
namespace {

constexpr std::uint32_t largest_side = 1 << 20;

}  // namespace

std::string label_of(const GemmTask& task) {
  return fmt::format("{} {}x{}x{}", name_of(task.layout), task.shape.m, task.shape.n, task.shape.k);
}

void add_model_tasks(const ModelShape& shape, std::uint32_t batch, std::vector<GemmTask>& tasks) {
  for (std::size_t l = 0; l < shape.layers(); ++l) {
    const std::int64_t ins = shape.widths[l];
    const std::int64_t outs = shape.widths[l + 1];
    add_once<GemmTask>({GemmLayout::nt, {batch, outs, ins}}, tasks);
    if (l > 0) add_once<GemmTask>({GemmLayout::nn, {batch, ins, outs}}, tasks);
    add_once<GemmTask>({GemmLayout::tn, {outs, ins, batch}}, tasks);
  }
}

std::variant<GemmTask, UsageError> parse_task(std::string_view text) {
  const std::vector<std::string> parts = split_list(text, ':');
  const auto layout = std::ranges::find(gemm_layout_names, parts.front());
  std::vector<std::int64_t> sides;
  for (const std::string& side : split_list(parts.back(), 'x'))
    sides.push_back(parse_count(side, largest_side).value_or(0));
  if (parts.size() != 2 || layout == gemm_layout_names.end() || sides.size() != 3 ||
      std::ranges::min(sides) < 1) {
    return UsageError{fmt::format(
        "shape '{}' is not of the form LAYOUT:MxNxK with a layout of nt, nn, tn and sides from 1 to {}", text,
        largest_side)};
  }
  return GemmTask{static_cast<GemmLayout>(layout - gemm_layout_names.begin()),
                  {sides[0], sides[1], sides[2]}};
}

StoredShape stored_a(const GemmTask& task) {
  const auto& [m, n, k] = task.shape;
  return task.layout == GemmLayout::tn ? StoredShape{k, m} : StoredShape{m, k};
}

StoredShape stored_b(const GemmTask& task) {
  const auto& [m, n, k] = task.shape;
  return task.layout == GemmLayout::nt ? StoredShape{n, k} : StoredShape{k, n};
}

}  // namespace breakeven::bench
