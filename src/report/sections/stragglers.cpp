// SPDX-License-Identifier: Apache-2.0
// Stragglers: ranks whose own work takes longer than the others', by name. Apart from them, steps that were
// slow on all ranks.
#include "src/analysis/stragglers.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>

#include "src/core/strategy/case_strategy.h"
#include "src/report/format/cells.h"
#include "src/report/format/columns.h"
#include "src/report/format/numbers.h"
#include "src/report/sections/sections.h"

namespace breakeven::report {
namespace {

std::size_t slowest_of(const analysis::CaseWork& work) {
  const auto slowest = std::ranges::max_element(work.ranks, {}, &analysis::OwnWork::seconds);
  return static_cast<std::size_t>(slowest - work.ranks.begin());
}

// By the strategy: of a split model each rank has its own part, and a root or server has the update besides.
bool ranks_differ_by_role(const Case& what) {
  if (traits_of(what).splits_model) return true;
  const auto messages = messages_of_case(what, 0);
  return messages && std::ranges::any_of(*messages, [](const Message& message) {
           return message.kind == Collective::reduce || message.kind == Collective::one_sided;
         });
}

std::string gpu_of(const RankInfo& info) {
  for (const std::string& name : {info.device.uuid, info.device.pci_address, info.device.name}) {
    if (!name.empty()) return fmt::format("{}, {}", info.host, name);
  }
  return info.host;
}

// "node01, GPU-…"; where launches had different ones, all of them.
std::string place_of(const analysis::CaseSummary& phases, std::size_t rank, const Results& results) {
  std::set<std::string> places;
  for (const RecordedRun* run : phases.done) {
    const std::vector<RankInfo>& ranks = results.launches[run->launch].topology.ranks;
    places.insert(rank < ranks.size() ? gpu_of(ranks[rank]) : "unknown");
  }
  std::string text;
  for (const std::string& place : places) text += (text.empty() ? "" : " or ") + place;
  return text;
}

std::string finding_of(const analysis::CaseWork& work, const analysis::OwnWork& rank) {
  if (!work.can_decide) return "too few to tell";
  if (!rank.is_straggler) return rank.beyond_chance ? "longer, by less than 2 %" : "alike";
  return ranks_differ_by_role(work.phases->what) ? "has the larger part" : "straggler";
}

std::string units_of(const analysis::CaseWork& work, const analysis::OwnWork& rank) {
  return fmt::format("{} of {:.0f} {}", format_percent(rank.longest_share), std::floor(work.units),
                     work.by_runs ? "runs" : "steps");
}

// Sentences by rank and place: in which cases, and by how much at most.
struct Straggler {
  std::vector<std::string> cases;
  double most_above = 0;
};

std::string sentence_of(std::size_t rank, const std::string& place, Straggler straggler) {
  return fmt::format(
      "Straggler: rank {} ({}) takes up to {} longer than the other ranks for its own work, and they wait "
      "for it: {}.",
      rank, place, format_percent(straggler.most_above), first_names(std::move(straggler.cases), 6, ", "));
}

std::string case_name(const analysis::CaseSummary& phases, const analysis::Group& group) {
  return fmt::format("{} at batch {}", strategy_of(phases.what, group), format_count(phases.what.batch));
}

std::vector<std::string> spikes_of(const std::vector<analysis::CaseWork>& works,
                                   const analysis::Group& group) {
  const analysis::CaseSummary* worst = nullptr;
  std::size_t cases = 0;
  for (const analysis::CaseWork& work : works) {
    const double share = work.phases->steadiness.slow_all_ranks_share;
    if (!(share > 0)) continue;
    ++cases;
    if (worst == nullptr || share > worst->steadiness.slow_all_ranks_share) worst = work.phases;
  }
  if (worst == nullptr) return {};
  return {fmt::format(
      "System-wide spikes: in {} of {} cases every rank's own work was slow in the same steps, which no "
      "single rank can cause (most: {} of the steps of {}).",
      cases, works.size(), format_percent(worst->steadiness.slow_all_ranks_share), case_name(*worst, group))};
}

}  // namespace

const DeclaredTable declared_stragglers{
    {.command = "report",
     .json = "stragglers",
     .title = "Own work of the ranks (a step less its wait): the slowest rank, and slow steps",
     .page = "report.md#own-work-of-the-ranks",
     .columns = {
         columns::batch, columns::strategy, columns::rank.headed("Slowest\nrank"),
         number("longest_share", "Longest in", "share", "of runs or steps in which it took longest").left(),
         number("probability", "By\nchance", "", "probability that an equal rank is longest so often"),
         number("above_others", "Above the\nothers", "share", "its mean over the others', less 1"),
         words("finding", "Finding", "straggler, alike, or why not to tell"),
         number("slow_all_ranks_share", "Slow steps,\nall ranks", "share",
                "of steps in which every rank's own work was slow"),
         number("slow_some_ranks_share", "Some\nranks", "share", "on some ranks")}}};

ReportTable stragglers_table(const analysis::Group& group) {
  ReportTable table = declared_stragglers.empty();
  for (const analysis::CaseWork& work : group.rank_work) {
    const Case& what = work.phases->what;
    const std::size_t slowest = slowest_of(work);
    const analysis::OwnWork& rank = work.ranks[slowest];
    const analysis::Steadiness& steadiness = work.phases->steadiness;
    table.rows.push_back({batch_cell(what), strategy_of(what, group), count_cell(slowest),
                          Cell(units_of(work, rank), rank.longest_share),
                          Cell(fmt::format("{:.2g}", rank.probability), rank.probability),
                          share_cell(rank.above_others), finding_of(work, rank),
                          share_cell(steadiness.slow_all_ranks_share),
                          share_cell(steadiness.slow_some_ranks_share)});
  }
  return table;
}

std::vector<std::string> straggler_notes(const analysis::FileAnalysis& analysis,
                                         const analysis::Group& group) {
  const std::vector<analysis::CaseWork>& works = group.rank_work;
  std::map<std::pair<std::size_t, std::string>, Straggler> stragglers;
  for (const analysis::CaseWork& work : works) {
    if (ranks_differ_by_role(work.phases->what)) continue;
    for (std::size_t rank = 0; rank < work.ranks.size(); ++rank) {
      if (!work.ranks[rank].is_straggler) continue;
      Straggler& found = stragglers[{rank, place_of(*work.phases, rank, analysis.results())}];
      found.cases.push_back(case_name(*work.phases, group));
      found.most_above = std::max(found.most_above, work.ranks[rank].above_others);
    }
  }
  std::vector<std::string> notes;
  for (const auto& [who, straggler] : stragglers)
    notes.push_back(sentence_of(who.first, who.second, straggler));
  if (notes.empty() && std::ranges::any_of(works, &analysis::CaseWork::can_decide)) {
    notes.emplace_back(
        "No straggler: among ranks with equal work, none is slower than the others beyond chance and 2 %.");
  }
  for (std::string& sentence : spikes_of(works, group)) notes.push_back(std::move(sentence));
  return notes;
}

std::string straggler_in_words(const analysis::FileAnalysis& analysis) {
  std::size_t cases = 0;
  std::size_t with = 0;
  double most = 0;
  std::string worst;
  for (const analysis::Group& group : analysis.groups()) {
    for (const analysis::CaseWork& work : group.rank_work) {
      ++cases;
      const std::size_t slowest = slowest_of(work);
      const analysis::OwnWork& rank = work.ranks[slowest];
      if (!rank.is_straggler || ranks_differ_by_role(work.phases->what)) continue;
      ++with;
      if (rank.above_others <= most) continue;
      most = rank.above_others;
      worst =
          fmt::format("rank {} ({}), {}, {} {}", slowest, place_of(*work.phases, slowest, analysis.results()),
                      format_percent(most), work.phases->what.model, case_name(*work.phases, group));
    }
  }
  if (with == 0) return "";
  return fmt::format(
      "In {} of {} cases a rank takes longer than the others for its own work, and they wait for it (most: "
      "{}). See report --sections stragglers.",
      with, cases, worst);
}

}  // namespace breakeven::report
