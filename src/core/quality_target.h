// SPDX-License-Identifier: Apache-2.0
// The quality at which training ends (--until): "loss=0.05", "accuracy=0.97".
#pragma once

#include <string>
#include <variant>

#include "src/core/text/usage.h"
#include "src/core/words_of.h"

namespace breakeven {

enum class QualityMeasure {
  loss,      // of the training batches, a mean over the last steps; at most the value
  accuracy,  // on the data set's test part; at least the value
};

template <>
inline constexpr auto words_of<QualityMeasure> = std::to_array<std::string_view>({"loss", "accuracy"});

struct QualityTarget {
  QualityMeasure measure = QualityMeasure::loss;
  double value = 0;
  bool operator==(const QualityTarget&) const = default;
};

std::variant<QualityTarget, UsageError> parse_quality_target(const std::string& text);

std::string spelled(const QualityTarget& target);   // "loss=0.05": as on the command line
std::string in_words(const QualityTarget& target);  // "loss 0.05"

}  // namespace breakeven
