// SPDX-License-Identifier: Apache-2.0
#include "src/measure/plan/plan.h"

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>

#include <fmt/format.h>

#include "src/core/model/model_shape.h"
#include "src/core/shuffled.h"
#include "src/core/strategy/case_strategy.h"
#include "src/core/text/lists.h"
#include "src/core/text/numbers.h"
#include "src/core/text/usage.h"
#include "src/measure/plan/possible_cases.h"

namespace breakeven::measure {
namespace {

constexpr std::uint32_t largest_batch = 1u << 24;

bool contains(const std::vector<std::string>& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// Keeps the first error.
class Checker {
 public:
  void refuse(const std::string& sentence) {
    if (sentence_.empty()) sentence_ = sentence;
  }
  void words(std::string_view option, const std::vector<std::string>& given,
             const std::vector<std::string>& legal) {
    for (const std::string& word : given) {
      if (!contains(legal, word)) refuse(problem_of_word(option, word, legal));
    }
  }
  const std::string& sentence() const { return sentence_; }

 private:
  std::string sentence_;
};

struct Workload {
  std::string model;
  std::uint32_t batch;
};

void add_workloads(const std::string& model, const std::vector<std::string>& batches, Checker& checker,
                   std::vector<Workload>& workloads) {
  const auto shape = parse_model(model);
  if (const auto* error = std::get_if<UsageError>(&shape)) checker.refuse(error->sentence);
  for (const std::string& text : batches) {
    const auto batch = parse_count(text, largest_batch);
    if (!batch)
      checker.refuse(fmt::format("batch '{}' is not a whole number from 1 to {}{}", text, largest_batch,
                                 number_hint(text)));
    workloads.push_back({model, batch.value_or(1)});
  }
}

std::vector<Workload> plan_workloads(const Axes& axes, Checker& checker) {
  std::vector<Workload> workloads;
  for (const std::string& text : axes.cases) {
    const std::size_t colon = text.find(':');
    if (colon == std::string::npos) {
      checker.refuse(fmt::format("--cases '{}' is not of the form MODEL:BATCH,BATCH", text));
    } else {
      add_workloads(text.substr(0, colon), split_list(text.substr(colon + 1)), checker, workloads);
    }
  }
  if (!axes.cases.empty()) return workloads;
  for (const std::string& model : axes[Axis::model])
    add_workloads(model, axes[Axis::batch], checker, workloads);
  return workloads;
}

void add_case(const std::variant<Case, UsageError>& possible, Checker& checker, std::vector<Case>& cases) {
  if (const auto* error = std::get_if<UsageError>(&possible)) {
    checker.refuse(error->sentence);
    return;
  }
  const Case& what = std::get<Case>(possible);
  if (std::find(cases.begin(), cases.end(), what) == cases.end()) cases.push_back(what);
}

template <typename Offered>
std::vector<std::string> words_of_all(const std::vector<Offered>& offered, auto member) {
  std::vector<std::string> words;
  for (const Offered& one : offered) words.emplace_back(name_of(std::invoke(member, one)));
  return words;
}

// Not every kernel computes in every precision.
void check_gemm(const std::vector<std::string>& given, const OfferedPrecision& precision, Checker& checker) {
  const std::vector<std::string> legal = words_of_all(precision.gemm, std::identity{});
  for (const std::string& word : given) {
    if (word == "auto" || contains(legal, word)) continue;
    checker.refuse(fmt::format("--gemm '{0}' is not a kernel for {2}. Use auto or one of {1}", word,
                               join_list(legal), name_of(precision.precision)));
  }
}

GemmKernel default_gemm(const Offer& offer, Precision precision) {
  const auto offered = std::ranges::find(offer.precisions, precision, &OfferedPrecision::precision);
  return offered->gemm.front();  // the word has been checked
}

void check_candidate(const std::string& strategy, const Offer& offer, Checker& checker) {
  const auto known = offer.strategy(strategy);
  const auto* offered = std::get_if<OfferedStrategy>(&known);
  if (offered == nullptr) {
    checker.refuse(fmt::format("--candidates: {}", std::get<UsageError>(known).sentence));
  } else if (offered->copies || offered->chooses) {
    checker.refuse(
        fmt::format("--candidates '{}' does not train one model on several GPUs. Pass exact, lossy, or names "
                    "of strategies that do",
                    strategy));
  }
}

void check_words(const Axes& axes, const Offer& offer, Checker& checker) {
  for (const std::string& strategy : axes[Axis::strategy]) {
    const auto known = offer.strategy(strategy);
    if (const auto* error = std::get_if<UsageError>(&known)) checker.refuse(error->sentence);
  }
  for (const std::string& strategy : offer.candidates) check_candidate(strategy, offer, checker);
  const auto check = [&](Axis axis, const std::vector<std::string>& legal) {
    checker.words(info_of(axis).option, axes[axis], legal);
  };
  check(Axis::precision, words_of_all(offer.precisions, &OfferedPrecision::precision));
  for (const OfferedPrecision& precision : offer.precisions) {
    if (contains(axes[Axis::precision], std::string(name_of(precision.precision))))
      check_gemm(axes[Axis::gemm], precision, checker);
  }
  std::vector<std::string> transports = words_of_all(offer.transports, &OfferedTransport::transport);
  transports.insert(transports.begin(), {"auto", "all"});
  for (const auto& [transport, sentence] : offer.refused_transports) {
    if (contains(axes[Axis::transport], std::string(name_of(transport)))) checker.refuse(sentence);
  }
  check(Axis::transport, transports);
  for (const Axis axis : {Axis::scaling, Axis::timing, Axis::data}) check(axis, option_words(axis));
  check(Axis::graph, {"on", "off", "auto"});
}

// "all" means those that CUDA graphs can hold and that did not fail, or else the default.
std::vector<std::string> transports_of(const std::vector<std::string>& words, const Offer& offer) {
  std::vector<std::string> transports;
  for (const std::string& word : words) {
    const std::size_t before = transports.size();
    for (const OfferedTransport& offered : offer.transports) {
      if (word == "all" && offered.capturable && !offered.failed)
        transports.emplace_back(name_of(offered.transport));
    }
    if (transports.size() == before) transports.push_back(word == "all" ? "auto" : word);
  }
  return transports;
}

// One word of every axis but the workload's.
using Words = std::array<std::string, axis_count>;

// All but the workload's that have options. The last changes the fastest, so that cases that are compared
// stand together in a listed plan.
constexpr std::array product_order{Axis::scaling, Axis::precision, Axis::gemm,      Axis::data, Axis::graph,
                                   Axis::timing,  Axis::strategy,  Axis::transport, Axis::gpus};
static_assert(product_order.size() == axes_but<Axis::model, Axis::batch, Axis::nccl, Axis::chosen>().size());

std::vector<Words> product_of(const Axes& axes) {
  std::vector<Words> product(1);
  for (const Axis axis : product_order) {
    std::vector<Words> longer;
    for (const Words& words : product) {
      for (const std::string& word : axes[axis]) longer.emplace_back(words)[index_of(axis)] = word;
    }
    product = std::move(longer);
  }
  return product;
}

// The case that the words name; the offer resolves "auto".
Case case_of(const Words& words, const Workload& workload, const OfferedStrategy& strategy,
             const Offer& offer) {
  Case what;
  what.model = workload.model;
  what.batch = workload.batch;
  for (const Axis axis : product_order) {
    const std::string& word = words[index_of(axis)];
    if (word != "auto" || axis == Axis::strategy) set_level(axis, word, what);
  }
  if (words[index_of(Axis::gemm)] == "auto") what.gemm = default_gemm(offer, what.precision.value());
  if (words[index_of(Axis::transport)] == "auto") what.transport = offer.transports.front().transport;
  what.graph = false;  // possible_case() decides
  if (!strategy.exchanges) what.transport = Transport::none;
  if (!strategy.exchanges && !strategy.copies) what.gpus = 1;
  return what;
}

// The cases of a baseline and all that is compared with it, whatever their timings, graphs and transports.
bool are_compared(const Case& a, const Case& b) {
  return are_alike(a, b, baseline_axes) && batch_of_baseline(a) == batch_of_baseline(b);
}

// The group of each case, numbered by first appearance.
std::vector<std::size_t> groups_of(const std::vector<Case>& cases) {
  std::vector<std::size_t> groups, firsts;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const auto first = std::ranges::find_if(
        firsts, [&](std::size_t of_group) { return are_compared(cases[of_group], cases[i]); });
    groups.push_back(static_cast<std::size_t>(first - firsts.begin()));
    if (first == firsts.end()) firsts.push_back(i);
  }
  return groups;
}

// The groups are shuffled by a stream of random numbers of their own.
std::vector<std::size_t> grouped_order(const std::vector<std::size_t>& groups, std::uint64_t seed,
                                       std::uint32_t repeat) {
  const std::vector<std::size_t> places = shuffled(groups.size(), seed, ~repeat);
  std::vector<std::size_t> order = shuffled(groups.size(), seed, repeat);
  std::ranges::stable_sort(order, {}, [&](std::size_t index) { return places[groups[index]]; });
  return order;
}

}  // namespace

std::variant<std::vector<Case>, UsageError> plan_cases(const Axes& asked, const Offer& offer) {
  Checker checker;
  check_words(asked, offer, checker);
  const std::vector<Workload> workloads = plan_workloads(asked, checker);
  const auto counts = gpu_counts(asked, offer);
  if (const auto* error = std::get_if<UsageError>(&counts)) checker.refuse(error->sentence);
  if (!checker.sentence().empty()) return UsageError{checker.sentence()};
  const auto& gpus = std::get<std::vector<int>>(counts);
  Axes axes = asked;
  axes[Axis::gpus].clear();
  for (const int count : gpus) axes[Axis::gpus].push_back(std::to_string(count));
  axes[Axis::transport] = transports_of(asked[Axis::transport], offer);

  std::vector<Case> cases;
  for (const Workload& workload : workloads) {
    for (const Words& words : product_of(axes)) {
      const auto strategy = std::get<OfferedStrategy>(offer.strategy(words[index_of(Axis::strategy)]));
      const Case point = case_of(words, workload, strategy, offer);
      const bool is_on_one = strategy.exchanges && point.gpus == 1;
      if (is_on_one && words[index_of(Axis::transport)] != axes[Axis::transport].front()) continue;
      const std::string& graph = words[index_of(Axis::graph)];
      add_case(strategy.chooses ? asked_case(point, graph, gpus, offer)
                                : possible_case(point, graph, offer, strategy),
               checker, cases);
    }
  }
  if (!checker.sentence().empty()) return UsageError{checker.sentence()};
  return cases;
}

std::vector<PlannedRun> plan_runs(const std::vector<Case>& cases, std::uint32_t repeats, bool random_order,
                                  std::uint64_t seed) {
  std::vector<PlannedRun> runs;
  const std::vector<std::size_t> groups = groups_of(cases);
  std::vector<std::size_t> order(cases.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::uint32_t repeat = 0; repeat < repeats; ++repeat) {
    if (random_order) order = grouped_order(groups, seed, repeat);
    for (const std::size_t index : order) {
      runs.push_back({cases[index], repeat, static_cast<std::uint32_t>(runs.size())});
    }
  }
  return runs;
}

}  // namespace breakeven::measure
