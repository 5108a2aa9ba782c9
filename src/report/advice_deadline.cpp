// SPDX-License-Identifier: Apache-2.0
#include "src/report/advice_deadline.h"

#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "src/report/advice_tables.h"
#include "src/report/numbers.h"

namespace breakeven::report {
namespace {

// What would make a job meet its deadline.
std::string rescue_in_words(const predict::Rescue& rescue) {
  const auto plain = [](double number) { return format_significant(number, 3); };
  std::vector<std::string> changes;
  if (rescue.samples > 0) {
    changes.push_back(fmt::format("with {} samples", plain(rescue.samples)));
    changes.push_back(fmt::format("with steps {} times as fast", format_ratio(rescue.speedup)));
  } else {
    changes.push_back("with a shorter start, which alone takes longer");
  }
  if (rescue.batch > 0)
    changes.push_back(
        fmt::format("at batch {}, if training needs no more samples there", format_count(rescue.batch)));
  if (rescue.link_factor > 0)
    changes.push_back(fmt::format("on a link of {} times the bandwidth", plain(rescue.link_factor)));
  return fmt::format("It would be in time {}.", fmt::join(changes, ", or "));
}

}  // namespace

std::string wanted_in_words(const predict::Job& job) {
  const std::string samples = format_significant(job.samples, 3) + " samples";
  if (!(job.deadline_seconds > 0)) return samples;
  return fmt::format("{} in {}", samples, format_duration(job.deadline_seconds));
}

std::string in_words(const predict::JobEstimate& job) {
  const std::string cost = std::isnan(job.cost) ? format_significant(job.gpu_hours, 3) + " GPU-hours"
                                                : "at a cost of " + format_significant(job.cost, 3);
  return fmt::format("{}: {}, {}", name_of_way(*job.configuration), format_duration(job.seconds), cost);
}

std::string deadline_in_words(const std::vector<predict::JobEstimate>& jobs, const predict::Job& job,
                              const predict::Query& query, const predict::Advisor& advisor) {
  if (!(job.deadline_seconds > 0)) return "";
  const std::string wanted = wanted_in_words(job);
  const predict::JobEstimate* best = predict::best_in_time(jobs);
  if (best == nullptr)
    return fmt::format("Not known: no start was measured of a configuration that could train {}.", wanted);
  const std::string found = in_words(*best) + ".";
  if (best->in_time == predict::InTime::surely)
    return fmt::format("The cheapest configuration that trains {} is {}", wanted, found);
  const std::string rescue = rescue_in_words(predict::rescue_of(*best, job, query, advisor));
  if (best->in_time == predict::InTime::perhaps)
    return fmt::format("It is undecided whether any configuration trains {}. The cheapest that may is {} {}",
                       wanted, found, rescue);
  return fmt::format("No configuration trains {}. The nearest is {} {}", wanted, found, rescue);
}

}  // namespace breakeven::report
