// SPDX-License-Identifier: Apache-2.0
// The numeric claims of the articles that the suite starts from, each checked against the file's cases.
#include <algorithm>
#include <cctype>
#include <cmath>

#include <fmt/format.h>

#include "src/report/claim_evidence.h"
#include "src/report/columns.h"
#include "src/report/numbers.h"
#include "src/report/sections.h"
#include "src/report/tidy_row.h"

namespace breakeven::report {
namespace {

using enum ClaimFigure;
constexpr std::uint64_t million = 1'000'000;
constexpr double border = 1 + statistics::practical_equivalence;

constexpr ClaimScope medium{.model = "medium", .least_batch = 16, .most_batch = 128, .gpus = 2};
constexpr ClaimScope large{.model = "large", .least_batch = 8, .most_batch = 64, .gpus = 2};
constexpr ClaimScope below_1{.below_parameters = million};
constexpr ClaimScope from_1_to_5{.least_parameters = million, .below_parameters = 5 * million};
constexpr ClaimScope from_5_to_10{.least_parameters = 5 * million, .below_parameters = 10 * million};
constexpr ClaimScope below_10{.below_parameters = 10 * million};
constexpr ClaimScope from_10_to_25{.least_parameters = 10 * million, .below_parameters = 25 * million};
constexpr ClaimScope from_10_to_50{
    .least_parameters = 10 * million, .below_parameters = 50 * million, .least_batch = 64};
constexpr ClaimScope from_25{.least_parameters = 25 * million};
constexpr ClaimScope from_50{.least_parameters = 50 * million};

constexpr Claim claims[] = {
    {"medium_below_1", "medium, batch 16 to 128: a second GPU makes it slower", speedup, medium, {0, 1}},
    {"medium_speedups", "medium, batch 16 to 128: 0.73 to 0.86 times as fast", speedup, medium, {0.73, 0.86}},
    {"large_below_1", "large, batch 8 to 64: a second GPU makes it slower", speedup, large, {0, 1}},
    {"large_speedups", "large, batch 8 to 64: 0.78 to 0.90 times as fast", speedup, large, {0.78, 0.90}},
    {"below_1m", "Below 1 M parameters more GPUs never pay", speedup, below_1, {0, border}},
    {"below_10m", "Below 10 M one GPU is always better", speedup, below_10, {0, border}},
    {"1m_to_5m", "1 to 5 M: a single GPU is preferred", speedup, from_1_to_5, {0, border}},
    {"1m_to_5m_loss", "1 to 5 M: more GPUs lose 15 to 25 %", speedup, from_1_to_5, {0.75, 0.85}},
    {"10m_to_50m", "10 to 50 M: more GPUs pay from batch 64 on", speedup, from_10_to_50, {border}},
    {"above_50m", "From 50 M on more GPUs pay", speedup, from_50, {border}},
    {"ratio_below_1m", "Below 1 M: communication / computation 1.5 to 2.0", phase_ratio, below_1, {1.5, 2.0}},
    {"ratio_1m_to_5m",
     "1 to 5 M: communication / computation 1.0 to 1.5",
     phase_ratio,
     from_1_to_5,
     {1.0, 1.5}},
    {"ratio_5m_to_10m",
     "5 to 10 M: communication / computation 0.8 to 1.2",
     phase_ratio,
     from_5_to_10,
     {0.8, 1.2}},
    {"ratio_10m_to_25m",
     "10 to 25 M: communication / computation 0.5 to 0.8",
     phase_ratio,
     from_10_to_25,
     {0.5, 0.8}},
    {"ratio_above_25m",
     "From 25 M: communication / computation 0.3 to 0.5",
     phase_ratio,
     from_25,
     {0.3, 0.5}},
    {"breakeven_1m_to_5m", "1 to 5 M: more GPUs pay above batch 256", above_batch, from_1_to_5, {}, 256},
    {"breakeven_5m_to_10m", "5 to 10 M: more GPUs pay above batch 128", above_batch, from_5_to_10, {}, 128},
    {"breakeven_10m_to_25m", "10 to 25 M: more GPUs pay above batch 64", above_batch, from_10_to_25, {}, 64},
    {"breakeven_above_25m", "From 25 M: more GPUs pay above batch 32", above_batch, from_25, {}, 32},
    {"efficiency", "Scaling is 70 to 95 % of linear (largest batch)", efficiency, {}, {0.70, 0.95}},
    {"nvlink", "NVLink takes 50 to 90 % off the communication", link_ratio, {}, {0.1, 0.5}},
    {"selector", "The selector's rule says whether more GPUs pay", pays_by_rule, {}, {}},
};

// What would have to be measured, where no case concerns the claim.
std::string missing_for(const Claim& claim) {
  switch (claim.figure) {
    case phase_ratio:
      return "not measured: phases of ddp for such models";
    case link_ratio:
      return "not measured: phases of ddp with and without NVLink";
    default:
      return "not measured: ddp for such models and batches";
  }
}

struct CheckedClaim {
  const Claim* claim = nullptr;
  std::vector<Evidence> evidence;
  ClaimCheck check;
  std::string reason;
};

// A claim that more GPUs pay in some cases and not in others is tested only where both kinds were measured.
bool is_half_tried(const CheckedClaim& one) {
  if (one.claim->figure != above_batch && one.claim->figure != pays_by_rule) return false;
  const auto is_to_pay = [](const Evidence& evidence) { return evidence.claimed.least > 0; };
  return std::ranges::all_of(one.evidence, is_to_pay) || std::ranges::none_of(one.evidence, is_to_pay);
}

std::string reason_of(const ClaimCheck& check) {
  const statistics::Interval& ratio = check.deciding->measured.ratio;
  if (!std::isfinite(ratio.centre)) return fmt::format("{}: not measured", check.deciding->label);
  const std::string found = fmt::format("{}: {}", check.deciding->label, format_ratio(ratio));
  if (check.verdict != ClaimVerdict::not_decided) return found;
  return found + (ratio.n < statistics::fewest_for_interval ? ", too few repeats"
                                                            : ", whose interval reaches over the border");
}

CheckedClaim checked(const Claim& claim, const analysis::FileAnalysis& analysis) {
  CheckedClaim one{&claim, evidence_of(claim, analysis), {}, missing_for(claim)};
  one.check = check_claim(one.evidence);
  if (one.evidence.empty()) return one;
  one.reason = reason_of(one.check);
  if (one.check.verdict == ClaimVerdict::holds && is_half_tried(one)) {
    one.check.verdict = ClaimVerdict::not_decided;
    const bool is_to_pay = one.evidence.front().claimed.least > 0;
    one.reason = fmt::format("not measured: cases that should {}pay", is_to_pay ? "not " : "");
  }
  return one;
}

// Empty where no case concerns any claim.
std::vector<CheckedClaim> all_claims(const analysis::FileAnalysis& analysis) {
  std::vector<CheckedClaim> all;
  for (const Claim& claim : claims) all.push_back(checked(claim, analysis));
  if (std::ranges::all_of(all, [](const CheckedClaim& one) { return one.evidence.empty(); })) all.clear();
  return all;
}

}  // namespace

bool has_claims(const analysis::FileAnalysis& analysis) { return is_evidence_of_any_claim(analysis); }

std::vector<std::string> claims_in_words(const analysis::FileAnalysis& analysis) {
  std::vector<std::string> sentences;
  for (const CheckedClaim& one : all_claims(analysis)) {
    std::string counted;
    if (!one.evidence.empty())
      counted = fmt::format("; {} of {} cases agree", one.check.agreeing, one.evidence.size());
    std::string verdict(phrase_of(one.check.verdict));
    verdict.front() = static_cast<char>(std::toupper(verdict.front()));
    sentences.push_back(fmt::format("{}: \"{}\" ({}{})", verdict, one.claim->statement, one.reason, counted));
  }
  return sentences;
}

std::string claims_in_brief(const analysis::FileAnalysis& analysis) {
  const std::vector<CheckedClaim> all = all_claims(analysis);
  if (all.empty()) return "";
  const auto with = [&](ClaimVerdict verdict) {
    return std::ranges::count(all, verdict, [](const CheckedClaim& one) { return one.check.verdict; });
  };
  return fmt::format("Of {} claims, {} hold here, {} do not hold, and {} are not decided by these cases.",
                     all.size(), with(ClaimVerdict::holds), with(ClaimVerdict::does_not_hold),
                     with(ClaimVerdict::not_decided));
}

const DeclaredTable declared_claims{
    {.command = "report",
     .json = "claims",
     .page = "report.md#the-articles-claims",
     .columns = {datum("claim", "", "its short name"), datum("statement", "", "what the articles say"),
                 columns::verdict.meant("whether it holds"), datum("cases", "", "that concern it"),
                 datum("agreeing", "", "cases that surely agree"),
                 datum("contradicting", "", "cases that surely do not"),
                 datum("measured", "", "number of the deciding case").with_interval(),
                 datum("decided_by", "", "the deciding case")}}};

ReportTable tidy_claims(const analysis::FileAnalysis& analysis) {
  ReportTable table = declared_claims.empty();
  for (const CheckedClaim& one : all_claims(analysis)) {
    const ClaimCheck& check = one.check;
    const statistics::Interval measured =
        check.deciding ? check.deciding->measured.ratio : statistics::Interval{};
    TidyRow row;
    row.add("claim", std::string(one.claim->key))
        .add("statement", std::string(one.claim->statement))
        .add("verdict", std::string(word_of(check.verdict)))
        .add("cases", exact(static_cast<std::uint64_t>(one.evidence.size())))
        .add("agreeing", exact(static_cast<std::uint64_t>(check.agreeing)))
        .add("contradicting", exact(static_cast<std::uint64_t>(check.contradicting)))
        .add("measured", measured)
        .add("decided_by", one.reason);
    append(std::move(row), table);
  }
  return table;
}

}  // namespace breakeven::report
