// SPDX-License-Identifier: Apache-2.0
#include "src/bench/kernels/gemm_task.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "src/core/text/lists.h"

namespace breakeven {
namespace {

constexpr std::int64_t largest_side = 1 << 20;

bool parse_side(const std::string& text, std::int64_t& side) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), side);
  return error == std::errc{} && end == text.data() + text.size() && side >= 1 && side <= largest_side;
}

}  // namespace

std::string label_of(const GemmTask& task) {
  return fmt::format("{} {}x{}x{}", name_of(task.layout), task.shape.m, task.shape.n, task.shape.k);
}

void add_task(const GemmTask& task, std::vector<GemmTask>& tasks) {
  if (std::find(tasks.begin(), tasks.end(), task) == tasks.end()) tasks.push_back(task);
}

void add_model_tasks(const ModelShape& shape, std::uint32_t batch, std::vector<GemmTask>& tasks) {
  for (std::size_t l = 0; l < shape.layers(); ++l) {
    const std::int64_t ins = shape.widths[l];
    const std::int64_t outs = shape.widths[l + 1];
    add_task({GemmLayout::nt, {batch, outs, ins}}, tasks);
    if (l > 0) add_task({GemmLayout::nn, {batch, ins, outs}}, tasks);
    add_task({GemmLayout::tn, {outs, ins, batch}}, tasks);
  }
}

std::variant<GemmTask, UsageError> parse_task(std::string_view text) {
  const std::vector<std::string> parts = split_list(text, ':');
  const auto layout = std::find(gemm_layout_names.begin(), gemm_layout_names.end(), parts.front());
  const std::vector<std::string> sides = split_list(parts.back(), 'x');
  GemmTask task{};
  if (parts.size() != 2 || layout == gemm_layout_names.end() || sides.size() != 3 ||
      !parse_side(sides[0], task.shape.m) || !parse_side(sides[1], task.shape.n) ||
      !parse_side(sides[2], task.shape.k)) {
    return UsageError{fmt::format(
        "shape '{}' is not of the form LAYOUT:MxNxK with a layout of nt, nn, tn and sides from 1 to {}", text,
        largest_side)};
  }
  task.layout = static_cast<GemmLayout>(layout - gemm_layout_names.begin());
  return task;
}

StoredShape stored_a(const GemmTask& task) {
  const auto& [m, n, k] = task.shape;
  return task.layout == GemmLayout::tn ? StoredShape{k, m} : StoredShape{m, k};
}

StoredShape stored_b(const GemmTask& task) {
  const auto& [m, n, k] = task.shape;
  return task.layout == GemmLayout::nt ? StoredShape{n, k} : StoredShape{k, n};
}

}  // namespace breakeven
