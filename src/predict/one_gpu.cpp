// SPDX-License-Identifier: Apache-2.0
#include "src/predict/one_gpu.h"

#include "src/strategy/case_traits.h"

namespace breakeven {
namespace {

// One scaling is as good as the other on one GPU; the case's own is preferred.
const MeasuredCase* find(Case wanted, const std::vector<MeasuredCase>& cases) {
  const MeasuredCase* found = nullptr;
  wanted.instrument.clear();
  for (const MeasuredCase& measured : cases) {
    Case what = measured.what;
    what.scaling = wanted.scaling;
    if (what != wanted) continue;
    if (found == nullptr || measured.what.scaling == wanted.scaling) found = &measured;
  }
  return found;
}

}  // namespace

double ideal_share(const Case& what, const Case& base) {
  return samples_a_step(what) / (samples_a_step(base) * what.gpus);
}

bool has_rows_of_one_gpu(const Case& what) {
  const StrategyTraits traits = traits_of(what);
  return !traits.splits_model && !traits.copies;
}

const MeasuredCase* single_at_rows(const Case& what, const Case& base,
                                   const std::vector<MeasuredCase>& cases) {
  if (!has_rows_of_one_gpu(what)) return nullptr;
  Case wanted = base;
  wanted.batch = rows_a_gpu(what);
  return find(wanted, cases);
}

const MeasuredCase* strategy_at_rows(const Case& what, const std::vector<MeasuredCase>& cases) {
  if (!has_rows_of_one_gpu(what)) return nullptr;
  Case wanted = what;
  wanted.batch = rows_a_gpu(what);
  wanted.gpus = 1;
  return find(wanted, cases);
}

}  // namespace breakeven
