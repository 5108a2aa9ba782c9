// SPDX-License-Identifier: Apache-2.0
#include "src/core/quality_target.h"

#include <fmt/format.h>

#include "src/core/text/numbers.h"

namespace breakeven {
namespace {

UsageError refuse(const std::string& text) {
  return {fmt::format(
      "--until '{}' is not a target. Use loss=X with X above 0, or accuracy=X with X above 0 and at most 1",
      text)};
}

}  // namespace

std::variant<QualityTarget, UsageError> parse_quality_target(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos) return refuse(text);
  const auto measure = find_value<QualityMeasure>(std::string_view(text).substr(0, equals));
  if (!measure) return refuse(text);
  QualityTarget target{.measure = *measure};
  target.value = parse_number<double>(std::string_view(text).substr(equals + 1)).value_or(0);
  if (!(target.value > 0)) return refuse(text);
  if (target.measure == QualityMeasure::accuracy && !(target.value <= 1)) return refuse(text);
  return target;
}

std::string spelled(const QualityTarget& target) {
  return fmt::format("{}={}", name_of(target.measure), target.value);
}

std::string in_words(const QualityTarget& target) {
  return fmt::format("{} {}", name_of(target.measure), target.value);
}

}  // namespace breakeven
