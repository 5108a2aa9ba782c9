// SPDX-License-Identifier: Apache-2.0
// What would have to change for the answer to turn: batch, link, size of the model, length of the job.
#pragma once

#include <string>
#include <vector>

#include "src/predict/scan.h"
#include "src/report/break_even_words.h"
#include "src/report/table.h"

namespace breakeven {

// One direction, at every point that was looked at.
struct Turning {
  std::string key;   // "link_bandwidth"
  std::string name;  // "link's bandwidth"
  std::string what;  // "the link's bandwidth, of this machine's,"
  PlaceText unit;
  std::vector<ScanPoint> points;
};
std::vector<Turning> look_around(const Advisor& advisor, const Query& query);

std::vector<std::string> turning_points(const std::vector<Turning>& turnings);
ReportTable turning_points_table(const std::vector<Turning>& turnings);

}  // namespace breakeven
