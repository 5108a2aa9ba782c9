// SPDX-License-Identifier: Apache-2.0
#include "src/core/axes.h"

#include <algorithm>
#include <limits>

#include "src/core/model/model_shape.h"
#include "src/core/strategy/description.h"
#include "src/core/text/lists.h"
#include "src/core/text/numbers.h"

namespace breakeven {
namespace {

std::string spelled(const std::string& text) { return text; }
std::string spelled(bool value) { return value ? "on" : "off"; }
std::string spelled(std::uint32_t number) { return std::to_string(number); }
std::string spelled(int number) { return std::to_string(number); }
template <typename Value>
std::string spelled(const Parsed<Value>& level) {
  return level.word();
}
template <typename Value>
std::string spelled(const Level<Value>& level) {
  return std::string(level.word());
}

void parse(const std::string& word, std::string& text) { text = word; }
void parse(const std::string& word, bool& value) { value = word == "on"; }
void parse(const std::string& word, std::uint32_t& number) {
  number = parse_count(word, std::numeric_limits<std::uint32_t>::max()).value();
}
void parse(const std::string& word, int& number) {
  number = static_cast<int>(parse_count(word, std::numeric_limits<int>::max()).value());
}
template <typename Value>
void parse(const std::string& word, Parsed<Value>& level) {
  level = word;
}
template <typename Value>
void parse(const std::string& word, Level<Value>& level) {
  const auto found = std::ranges::find(option_words_of<Value>, word);
  const auto place = found - option_words_of<Value>.begin();
  level = found != option_words_of<Value>.end() ? Level(static_cast<Value>(place)) : Level<Value>(word);
}

template <typename Member>
std::vector<std::string> option_words_for(Member Case::*) {
  return {};
}
template <typename Value>
std::vector<std::string> option_words_for(Level<Value> Case::*) {
  return {option_words_of<Value>.begin(), option_words_of<Value>.end()};
}

std::string listed(std::vector<std::string> words, std::string_view without = "") {
  std::erase(words, without);
  return join_list(words);
}

std::weak_ordering order(const AxisInfo& info, const Case& a, const Case& b) {
  return std::visit([&](auto member) -> std::weak_ordering { return a.*member <=> b.*member; }, info.member);
}

bool is_alike(const AxisInfo& info, const Case& a, const Case& b) {
  return std::visit([&](auto member) { return a.*member == b.*member; }, info.member);
}

}  // namespace

const std::array<AxisInfo, axis_count>& axes() {
  static const std::array<AxisInfo, axis_count> table{{
      {.axis = Axis::model,
       .member = &Case::model,
       .key = "model",
       .label = "Model",
       .variable = "model",
       .meaning = "model, by name or by its layers",
       .option = "models",
       .help = "shapes such as 784-512-10, or names: " + listed(model_names_in_help())},
      {.axis = Axis::batch,
       .member = &Case::batch,
       .key = "batch",
       .label = "Batch",
       .unit = "samples",
       .variable = "batch",
       .meaning = "samples per step over all GPUs; for 'independent', of each copy",
       .option = "batches",
       .help = "samples a step over all GPUs (with weak scaling, and for independent: on each)"},
      {.axis = Axis::gpus,
       .member = &Case::gpus,
       .key = "gpus",
       .label = "GPUs",
       .variable = "gpus",
       .meaning = "ranks that take part, starting with rank 0",
       .option = "gpus",
       .help = "numbers of GPUs, or 'all' ranks"},
      {.axis = Axis::strategy,
       .member = &Case::strategy,
       .key = "strategy",
       .label = "Strategy",
       .variable = "strategy",
       .meaning = "how the ranks share the training",
       .option = "strategies",
       .help = "'single' runs on one GPU, 'independent' runs a whole batch on each, 'auto' chooses; with "
               "options as in local-sgd:outer=nesterov: " +
               listed(strategy_names()) + ", auto"},
      {.axis = Axis::precision,
       .member = &Case::precision,
       .key = "precision",
       .label = "Precision",
       .variable = "precision",
       .meaning = "precision of the matrix products",
       .option = "precisions",
       .help = listed(all_words<Precision>())},
      {.axis = Axis::gemm,
       .member = &Case::gemm,
       .key = "gemm",
       .label = "Kernel",
       .variable = "gemm",
       .meaning = "kernel of the matrix products",
       .phrase = "gemm {}",
       .option = "gemm",
       .help = "GEMM kernels (auto chooses): " + listed(all_words<GemmKernel>())},
      {.axis = Axis::transport,
       .member = &Case::transport,
       .key = "collective",
       .label = "Transport",
       .variable = "collective",
       .meaning = "transport of the communication",
       .option = "transports",
       .help = "transports (auto: nccl if it can be used, else mpi; all: nccl and peer where they can be "
               "used, else mpi): " +
               listed(all_words<Transport>(), name_of(Transport::none))},
      {.axis = Axis::nccl,
       .member = &Case::nccl,
       .key = "nccl_settings",
       .label = "NCCL settings",
       .meaning = "NCCL's environment variables that the launch set",
       .phrase_without = "NCCL defaults"},
      {.axis = Axis::scaling,
       .member = &Case::scaling,
       .key = "scaling",
       .label = "Scaling",
       .variable = "scaling",
       .meaning = "what stays fixed when GPUs are added: the global batch (strong) or each GPU's (weak)",
       .option = "scaling",
       .help = "strong: global batch fixed; weak: batch per GPU fixed"},
      {.axis = Axis::timing,
       .member = &Case::timing,
       .key = "timing",
       .label = "Timed by",
       .variable = "instrument",
       .meaning = "what the device's events mark: whole steps (total) or phases too (phases)",
       .option = "timing",
       .help = "steps: whole steps; phases: events at phase borders too"},
      {.axis = Axis::graph,
       .member = &Case::graph,
       .key = "graph",
       .label = "CUDA graph",
       .variable = "graph",
       .meaning = "the step is one CUDA graph",
       .phrase = "graph",
       .phrase_without = "no graph",
       .option = "graph",
       .help = "on: the step is one CUDA graph; off; auto: on where it can be"},
      {.axis = Axis::data,
       .member = &Case::data,
       .key = "data",
       .label = "Data",
       .variable = "data",
       .meaning = "where the samples are: on the device (resident) or sent to it each step (streamed)",
       .phrase = "{} data",
       .option = "data",
       .help = "resident on the device, or streamed from pinned memory"},
      {.axis = Axis::chosen,
       .member = &Case::chosen,
       .key = "chosen",
       .label = "Chosen",
       .variable = "chosen",
       .meaning = "strategy that 'auto' chose; empty for every other strategy"},
  }};
  return table;
}

const AxisInfo& info_of(Axis axis) { return axes()[index_of(axis)]; }

std::string word_of(Axis axis, const Case& what) {
  return std::visit([&](auto member) { return spelled(what.*member); }, info_of(axis).member);
}

std::vector<std::string> option_words(Axis axis) {
  return std::visit([](auto member) { return option_words_for(member); }, info_of(axis).member);
}

void set_level(Axis axis, const std::string& option_word, Case& what) {
  std::visit([&](auto member) { parse(option_word, what.*member); }, info_of(axis).member);
}

bool are_alike(const Case& a, const Case& b, AxisList in) {
  return std::ranges::all_of(in, [&](Axis axis) { return is_alike(info_of(axis), a, b); });
}

bool are_alike_but_for(const Case& a, const Case& b, AxisList differing) {
  return std::ranges::all_of(axes(), [&](const AxisInfo& info) {
    return std::ranges::find(differing, info.axis) != differing.end() || is_alike(info, a, b);
  });
}

std::weak_ordering order_by(AxisList list, const Case& a, const Case& b) {
  for (const Axis axis : list) {
    const std::weak_ordering here = order(info_of(axis), a, b);
    if (here != 0) return here;
  }
  return std::weak_ordering::equivalent;
}

}  // namespace breakeven
