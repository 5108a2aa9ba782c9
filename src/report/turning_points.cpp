// SPDX-License-Identifier: Apache-2.0
#include "src/report/turning_points.h"

#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "src/predict/flip.h"
#include "src/report/numbers.h"

namespace breakeven {
namespace {

std::string samples(double at) { return format_count(static_cast<std::uint64_t>(std::llround(at))); }
std::string times(double at) { return format_significant(at, 3) + " times"; }

// "from 3,650 on (1,024 to 16,384)": in brackets the nearest points where the answer is sure.
std::string phrase_of(const Flip& flip, const Turning& direction) {
  const auto end = [&](double at) { return at > 0 ? direction.unit(at) : std::string("not sure"); };
  return fmt::format("{} {}{} ({} to {})", flip.begins ? "from" : "up to", direction.unit(flip.at),
                     flip.begins ? " on" : "", end(flip.low), end(flip.high));
}

std::string sentence(const Turning& direction) {
  const std::vector<ScanPoint>& points = direction.points;
  const std::vector<Flip> flips = find_flips(points);
  if (flips.empty()) {
    return fmt::format("Whatever {} from {} to {}: more GPUs are the {} way.", direction.what,
                       direction.unit(points.front().at), direction.unit(points.back().at),
                       points.back().speedup.centre > 1 ? "faster" : "slower");
  }
  std::vector<std::string> phrases;
  for (const Flip& flip : flips) phrases.push_back(phrase_of(flip, direction));
  return fmt::format("By {} more GPUs pay {}.", direction.what, fmt::join(phrases, ", and "));
}

}  // namespace

std::vector<Turning> look_around(const Advisor& advisor, const Question& question) {
  return {
      {"batch", "the batch", samples, scan_batches(advisor, question)},
      {"link_bandwidth", "the link's bandwidth, of this machine's,", times, scan_links(advisor, question)},
      {"hidden_widths", "the hidden widths, of this model's,", times, scan_widths(advisor, question)}};
}

std::vector<std::string> turning_points(const std::vector<Turning>& turnings) {
  std::vector<std::string> sentences;
  for (const Turning& direction : turnings)
    if (direction.points.size() > 1) sentences.push_back(sentence(direction));
  return sentences;
}

ReportTable turning_points_table(const std::vector<Turning>& turnings) {
  ReportTable table{"Where the answer turns: the fastest way on more GPUs against the fastest single one",
                    {{"direction", "Direction", Align::left},
                     {"at", "At"},
                     {"strategy", "Strategy", Align::left},
                     {"speedup", "Speed-up", Align::left},
                     {"verdict", "Verdict", Align::left}},
                    {}};
  for (const Turning& direction : turnings) {
    for (const ScanPoint& point : direction.points) {
      table.rows.push_back({direction.key, Cell(direction.unit(point.at), point.at), point.strategy,
                            Cell(format_ratio(point.speedup), point.speedup.centre),
                            std::string(word_of(point.verdict))});
    }
  }
  return table;
}

}  // namespace breakeven
