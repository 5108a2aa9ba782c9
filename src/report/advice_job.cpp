// SPDX-License-Identifier: Apache-2.0
#include "src/report/advice_job.h"

#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "src/report/columns.h"
#include "src/report/judgement.h"
#include "src/report/numbers.h"
#include "src/report/way_words.h"

namespace breakeven {
namespace {

std::string_view word_of(InTime in_time) {
  if (in_time == InTime::surely) return "in time";
  return in_time == InTime::perhaps ? "undecided" : "too late";
}

std::string format_cost(const JobEstimate& job) {
  return std::isnan(job.cost) ? fmt::format("{} GPU-hours", plain_number(job.gpu_hours))
                              : fmt::format("at a cost of {}", plain_number(job.cost));
}

std::string changes_in_words(const Rescue& rescue, const JobEstimate& nearest) {
  std::vector<std::string> changes;
  if (!(rescue.samples > 0)) changes.push_back("a shorter start, which alone takes longer");
  if (rescue.samples > 0) {
    changes.push_back(fmt::format("{} samples", plain_number(rescue.samples)));
    changes.push_back(fmt::format("steps {} times as fast", format_ratio(rescue.speedup)));
  }
  if (rescue.batch > 0)
    changes.push_back(
        fmt::format("batch {}, if as many samples teach as much there", format_count(rescue.batch)));
  if (rescue.link_factor > 0)
    changes.push_back(fmt::format("a link of {} times the bandwidth", plain_number(rescue.link_factor)));
  return fmt::format("What would do for {}: {}", name_of_way(*nearest.configuration),
                     fmt::join(changes, ", or "));
}

}  // namespace

const DeclaredTable declared_jobs{
    {.command = "advise",
     .json = "jobs",
     .title = "A job of {} samples, way by way; 95 % intervals",
     .page = "advise.md#whether-it-pays",
     .columns = {columns::gpus, columns::strategy, columns::precision,
                 number("start_seconds", "Start", "s", "connecting, set-up, first step"),
                 number("job_seconds", "Whole job", "s", "start and all samples").left(),
                 number("gpu_hours", "GPU-hours", "h", "GPUs times the job"),
                 number("cost", "Cost", "money", "GPU-hours times `--price` plus hours times `--hour-value`"),
                 words("in_time", "Deadline", "whether in time: surely, surely not, undecided")}}};

ReportTable job_table(const std::vector<JobEstimate>& jobs, const Job& job) {
  ReportTable table = declared_jobs.empty();
  table.title = fmt::format("A job of {} samples, way by way; 95 % intervals", plain_number(job.samples));
  for (const JobEstimate& one : jobs) {
    const Case& what = one.configuration->what;
    table.rows.push_back({exact(static_cast<std::uint64_t>(what.gpus)), what.strategy.word(), what.precision.word(),
                          Cell(format_seconds(one.start.centre), one.start.centre),
                          Cell(format_duration(one.seconds), one.seconds.centre),
                          Cell(plain_number(one.gpu_hours), one.gpu_hours),
                          Cell(plain_number(one.cost), one.cost),
                          job.deadline_seconds > 0 ? std::string(word_of(one.in_time)) : std::string(dash)});
  }
  return table;
}

std::string deadline_in_words(const std::vector<JobEstimate>& jobs, const Job& job, const Query& query,
                              const Advisor& advisor) {
  const JobEstimate* best = best_in_time(jobs);
  const std::string wanted =
      fmt::format("{} samples in {}", plain_number(job.samples), format_duration(job.deadline_seconds));
  if (best == nullptr) return fmt::format("{}: no way is known whose start was measured.", wanted);
  const std::string found = fmt::format("{}: {}, {}", name_of_way(*best->configuration),
                                        format_duration(best->seconds), format_cost(*best));
  if (best->in_time == InTime::surely)
    return fmt::format("The cheapest way to make {} is {}.", wanted, found);
  const Rescue rescue = rescue_of(*best, job, query, advisor);
  const std::string changes = changes_in_words(rescue, *best);
  if (best->in_time == InTime::perhaps)
    return fmt::format("It is undecided whether any way makes {}. The cheapest that may is {}. {}.", wanted,
                       found, changes);
  return fmt::format("No way makes {}. The nearest is {}. {}.", wanted, found, changes);
}

}  // namespace breakeven
