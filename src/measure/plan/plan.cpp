// SPDX-License-Identifier: Apache-2.0
#include "src/measure/plan/plan.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "src/core/model/model_shape.h"
#include "src/core/shuffled.h"
#include "src/core/text/lists.h"
#include "src/core/text/whole_number.h"
#include "src/measure/plan/candidates.h"
#include "src/measure/plan/possible_case.h"

namespace breakeven {
namespace {

constexpr std::uint32_t largest_batch = 1u << 24;

bool contains(const std::vector<std::string>& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// Collects what is wrong; the first sentence is kept.
class Checker {
 public:
  void refuse(const std::string& sentence) {
    if (sentence_.empty()) sentence_ = sentence;
  }
  void words(const char* option, const std::vector<std::string>& given,
             const std::vector<std::string>& legal) {
    for (const std::string& word : given) {
      if (!contains(legal, word)) {
        refuse(fmt::format("--{} '{}' is not one of {}", option, word, join_list(legal)));
      }
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
      checker.refuse(fmt::format("batch '{}' is not a whole number from 1 to {}", text, largest_batch));
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
  for (const std::string& model : axes.models) add_workloads(model, axes.batches, checker, workloads);
  return workloads;
}

std::string chosen(const std::string& word, std::string_view automatic) {
  return word == "auto" ? std::string(automatic) : word;
}

// Refuses what cannot be measured.
void add_case(const std::variant<Case, UsageError>& possible, Checker& checker, std::vector<Case>& cases) {
  if (const auto* error = std::get_if<UsageError>(&possible)) {
    checker.refuse(error->sentence);
    return;
  }
  const Case& what = std::get<Case>(possible);
  if (std::find(cases.begin(), cases.end(), what) == cases.end()) cases.push_back(what);
}

// Not every kernel computes in every precision.
void check_gemm(const std::vector<std::string>& given, const OfferedPrecision& precision, Checker& checker) {
  for (const std::string& word : given) {
    if (word == "auto" || contains(precision.gemm, word)) continue;
    checker.refuse(fmt::format("--gemm '{}' is not one of auto, {}, the kernels for {}", word,
                               join_list(precision.gemm), precision.name));
  }
}

const std::string& default_gemm(const Offer& offer, const std::string& precision) {
  const auto offered = std::find_if(offer.precisions.begin(), offer.precisions.end(),
                                    [&](const OfferedPrecision& p) { return p.name == precision; });
  return offered->gemm.front();  // the word has been checked
}

void check_candidate(const std::string& strategy, const Offer& offer, Checker& checker) {
  const auto known = offer.strategy(strategy);
  const auto* offered = std::get_if<OfferedStrategy>(&known);
  if (offered == nullptr) {
    checker.refuse(fmt::format("--candidates: {}", std::get<UsageError>(known).sentence));
  } else if (offered->copies || offered->chooses) {
    checker.refuse(
        fmt::format("--candidates '{}' is no way to train one model: pass exact, lossy, or names of "
                    "strategies that are",
                    strategy));
  }
}

void check_words(const Axes& axes, const Offer& offer, Checker& checker) {
  std::vector<std::string> precisions;
  for (const OfferedPrecision& precision : offer.precisions) precisions.push_back(precision.name);
  for (const std::string& strategy : axes.strategies) {
    const auto known = offer.strategy(strategy);
    if (const auto* error = std::get_if<UsageError>(&known)) checker.refuse(error->sentence);
  }
  for (const std::string& strategy : offer.candidates) check_candidate(strategy, offer, checker);
  checker.words("precisions", axes.precisions, precisions);
  for (const OfferedPrecision& precision : offer.precisions) {
    if (contains(axes.precisions, precision.name)) check_gemm(axes.gemm, precision, checker);
  }
  checker.words(
      "collectives", axes.collectives,
      offer.nccl ? std::vector<std::string>{"auto", "nccl", "mpi"} : std::vector<std::string>{"auto", "mpi"});
  checker.words("scaling", axes.scaling, {"strong", "weak"});
  checker.words("instrument", axes.instruments, {"total", "phases"});
  checker.words("graph", axes.graph, {"on", "off", "auto"});
  checker.words("data", axes.data, {"resident", "streamed"});
}

}  // namespace

std::variant<std::vector<Case>, UsageError> plan_cases(const Axes& axes, const Offer& offer) {
  Checker checker;
  check_words(axes, offer, checker);
  const std::vector<Workload> workloads = plan_workloads(axes, checker);
  const auto counts = gpu_counts(axes, offer);
  if (const auto* error = std::get_if<UsageError>(&counts)) checker.refuse(error->sentence);
  if (!checker.sentence().empty()) return UsageError{checker.sentence()};
  const auto& all_gpus = std::get<std::vector<int>>(counts);

  std::vector<Case> cases;
  Case what;
  // clang-format off
  for (const auto& [model, batch] : workloads)
  for (const std::string& scaling : axes.scaling)
  for (const std::string& precision : axes.precisions)
  for (const std::string& gemm : axes.gemm)
  for (const std::string& data : axes.data)
  for (const std::string& graph : axes.graph)
  for (const std::string& instrument : axes.instruments)
  for (const std::string& strategy : axes.strategies)
  for (const std::string& collective : axes.collectives)
  for (const int gpus : all_gpus) {
                      // clang-format on
                      const auto known = std::get<OfferedStrategy>(offer.strategy(strategy));
                      const Case point{
                          model,
                          batch,
                          known.exchanges || known.copies ? gpus : 1,
                          strategy,
                          precision,
                          chosen(gemm, default_gemm(offer, precision)),
                          known.exchanges ? chosen(collective, offer.nccl ? "nccl" : "mpi") : "none",
                          scaling,
                          instrument,
                          false,
                          data};
                      add_case(known.chooses ? asked_case(point, graph, all_gpus, offer)
                                             : possible_case(point, graph, offer, known),
                               checker, cases);
                    }
  if (!checker.sentence().empty()) return UsageError{checker.sentence()};
  return cases;
}

std::vector<PlannedRun> plan_runs(const std::vector<Case>& cases, std::uint32_t repeats, bool random_order,
                                  std::uint64_t seed) {
  std::vector<PlannedRun> runs;
  std::vector<std::size_t> order(cases.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::uint32_t repeat = 0; repeat < repeats; ++repeat) {
    if (random_order) order = shuffled(cases.size(), seed, repeat);
    for (const std::size_t index : order) {
      runs.push_back({cases[index], repeat, static_cast<std::uint32_t>(runs.size())});
    }
  }
  return runs;
}

}  // namespace breakeven
