// SPDX-License-Identifier: Apache-2.0
// What the report is made of: every case summarised, compared with its base and put into its group.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "src/report/shown_cases.h"
#include "src/statistics/comparison.h"

namespace breakeven {

// A case beside the single GPU: one line of the tables.
struct Line {
  const MeasuredCase* measured = nullptr;
  Comparison comparison;
};

// Cases that one base can stand for: the same model, precision, gemm, graph and data.
struct Group {
  const Case* key = nullptr;  // any of its cases
  std::uint64_t parameters = 0;
  std::vector<const MeasuredCase*> cases;  // by batch, GPUs, strategy; the single GPU among them
  std::vector<Line> lines;      // more than one GPU, in the same order; their verdicts hold together
  std::vector<Line> machinery;  // an exchanging strategy on one GPU
};

class Analysis {
 public:
  // `results` are kept by reference. `memory_limit_bytes`, of a rank, is what cases are to fit into; 0: there
  // is none. Only the groups are restricted to the cases that are shown.
  // The price is of a GPU for an hour; 0: not asked.
  explicit Analysis(const Results& results, std::uint64_t memory_limit_bytes = 0,
                    const ShownCases& shown = {}, double price_an_hour = 0);
  Analysis(const Analysis&) = delete;  // its parts point at each other

  const Results& results() const { return results_; }
  const std::vector<CaseSummary>& summaries() const { return summaries_; }  // instruments apart
  const std::vector<MeasuredCase>& cases() const { return cases_; }
  const std::vector<Group>& groups() const { return groups_; }  // smaller models first

  // Of one of summaries(), with its base by the same instrument; decided together with its group's.
  const Comparison& comparison_of(const CaseSummary& summary) const {
    return comparisons_[static_cast<std::size_t>(&summary - summaries_.data())];
  }

  std::uint64_t memory_limit_bytes() const { return memory_limit_bytes_; }
  double price_an_hour() const { return price_an_hour_; }

  // What --until asked for, "loss=0.05"; "" where no launch asked, or launches asked for different things:
  // then their times cannot be put together.
  const std::string& quality() const { return quality_; }
  bool qualities_differ() const { return qualities_differ_; }

  // The axes of a group that tell it from the file's other groups: "medium, fp32, gemm tiled, graph".
  std::string title_of(const Group& group) const;

 private:
  const Results& results_;
  std::vector<CaseSummary> summaries_;
  std::vector<MeasuredCase> cases_;
  std::vector<Group> groups_;
  std::vector<Comparison> comparisons_;  // [summary]
  std::uint64_t memory_limit_bytes_;
  double price_an_hour_;
  std::string quality_;
  bool qualities_differ_ = false;
};

// What all cases of a group share, the base among them, in a sentence.
std::string settings_of(const Group& group);

// That of the case in the group's lines and machinery; where it stands in neither, with its base by itself.
Comparison comparison_in(const Group& group, const MeasuredCase& measured, const Analysis& analysis);

// The line of a case on more than one GPU that the summary speaks for in its comparison; null where it does
// not.
const Line* line_timed_by(const CaseSummary& summary, const Analysis& analysis);

// What stands in the place of a verdict of a case that has none.
struct SpecialVerdict {
  std::string_view key;
  std::string_view label;
};
inline constexpr SpecialVerdict is_baseline{"base", "one GPU"};
inline constexpr SpecialVerdict chose_one_gpu{"one_gpu", "one GPU (chosen)"};
inline constexpr SpecialVerdict is_overhead{"machinery", "strategy on one GPU"};

// For programs: "base" of the single GPU, "machinery" of an exchanging strategy on one, else the verdict.
std::string_view verdict_word(const Case& what, const Decision& decision);

// "ddp on 2", and where the group has several of them the collective and the scaling: "ddp on 2, mpi, weak".
std::string strategy_of(const Case& what, const Group& group);
std::string strategy_suffix(const Case& what, const Group& group);  // "mpi, weak", or ""

}  // namespace breakeven
