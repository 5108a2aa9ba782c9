// SPDX-License-Identifier: Apache-2.0
#include "src/report/turning_points.h"

#include <cmath>

#include <fmt/format.h>

#include "src/predict/scan.h"
#include "src/report/columns.h"
#include "src/report/numbers.h"

namespace breakeven {
namespace {

std::string samples(double at) { return format_count(static_cast<std::uint64_t>(std::llround(at))); }
std::string times(double at) { return format_significant(at, 3) + " times"; }

std::string sentence(const Turning& direction) {
  std::vector<BreakEvenPoint> places;
  for (const ScanPoint& point : direction.points) places.push_back(point.place);
  return fmt::format("More GPUs against one, by {}: {}.", direction.what,
                     break_evens_in_words(places, direction.unit));
}

}  // namespace

std::vector<Turning> look_around(const Advisor& advisor, const Query& query) {
  return {{"batch", "batch", "the batch", samples, scan_batches(advisor, query)},
          {"link_bandwidth", "link's bandwidth", "the link's bandwidth, of this machine's", times,
           scan_links(advisor, query)},
          {"hidden_widths", "hidden widths", "the hidden widths, of this model's", times,
           scan_widths(advisor, query)}};
}

std::vector<std::string> turning_points(const std::vector<Turning>& turnings) {
  std::vector<std::string> sentences;
  for (const Turning& direction : turnings)
    if (direction.points.size() > 1) sentences.push_back(sentence(direction));
  return sentences;
}

const DeclaredTable declared_turning_points{
    {.command = "advise",
     .json = "turning_points",
     .title = "Where the answer turns: the fastest way on more GPUs against the fastest single one",
     .page = "advise.md",
     .columns = {words("direction", "Direction", "batch, link bandwidth, or layer width"),
                 number("at", "At", "samples, times", "the batch, or the factor"), columns::strategy,
                 columns::speedup, columns::verdict}}};

ReportTable turning_points_table(const std::vector<Turning>& turnings) {
  ReportTable table = declared_turning_points.empty();
  for (const Turning& direction : turnings) {
    for (const ScanPoint& point : direction.points) {
      table.rows.push_back(
          {Cell(direction.name, direction.key), Cell(direction.unit(point.place.at), point.place.at),
           point.strategy, Cell(format_ratio(point.speedup), point.speedup.centre),
           Cell(phrase_of({.verdict = point.verdict}), std::string(word_of(point.verdict)))});
    }
  }
  return table;
}

}  // namespace breakeven
