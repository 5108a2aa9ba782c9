// SPDX-License-Identifier: Apache-2.0
// Ways to choose a configuration for a model and batch: predictions by the step model, and the simpler rules
// that it has to beat.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "src/predict/folds.h"

namespace breakeven::predict {

// The rule that the articles end with, by the model's parameters and the batch alone.
enum class RuleAnswer { single_gpu, multi_gpu, measure };

// Below 1 million parameters one GPU; below 5 million one GPU under batch 128, else to be measured; up to 10
// million to be measured; from there on several GPUs from batch 64 on.
constexpr RuleAnswer static_rule(std::uint64_t parameters, std::uint32_t batch) {
  if (parameters < 1'000'000) return RuleAnswer::single_gpu;
  if (parameters < 5'000'000) return batch < 128 ? RuleAnswer::single_gpu : RuleAnswer::measure;
  if (parameters < 10'000'000) return RuleAnswer::measure;
  return batch >= 64 ? RuleAnswer::multi_gpu : RuleAnswer::single_gpu;
}

class Selector {
 public:
  virtual ~Selector() = default;

  // Logarithms of the speed-ups over the fastest single GPU, one of each of the cell; empty: it predicts
  // none. It reads their cases and terms, but not their seconds.
  virtual std::vector<double> log_speedups(const Cell& cell) const = 0;

  // One of the cell; null: it would have to be measured. By the log_speedups, unless it predicts none.
  virtual const Observation* choose(const Cell& cell) const;
};

// How it is called, and how it learns from what is known.
struct SelectorKind {
  std::string name;
  std::unique_ptr<Selector> (*learn)(const std::vector<Observation>& known);
};
// `advise` first.
const std::vector<SelectorKind>& selector_kinds();

// `advise`: the step model.
class ModelSelector : public Selector {
 public:
  explicit ModelSelector(std::vector<Observation> known) : model_(std::move(known)) {}
  std::vector<double> log_speedups(const Cell& cell) const override;

  // With their 95 % intervals; without bounds where a side is not predicted.
  std::vector<statistics::Interval> speedups(const Cell& cell) const;

 private:
  StepModel model_;
};

}  // namespace breakeven::predict
