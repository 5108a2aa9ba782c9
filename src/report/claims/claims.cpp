// SPDX-License-Identifier: Apache-2.0
// The numeric claims of the articles that the suite starts from, each checked against the file's cases.
#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>

#include <fmt/format.h>

#include "src/report/claims/claim_evidence.h"
#include "src/report/format/columns.h"
#include "src/report/format/numbers.h"
#include "src/report/sections/sections.h"
#include "src/report/tidy/tidy_row.h"

namespace breakeven::report {
namespace {

// At which settings a claim is judged.
enum class Settings { article, other, any };
struct SettingsWords {
  std::string_view key;     // for programs
  std::string_view phrase;  // for people
};
constexpr std::array settings_words{SettingsWords{"article", "at the article's settings"},
                                    SettingsWords{"other", "at other settings"},
                                    SettingsWords{"any", "at all settings"}};
const SettingsWords& words_of(Settings settings) {
  return settings_words[static_cast<std::size_t>(settings)];
}

// What would have to be measured, where no case concerns the claim.
std::string missing_for(const Claim& claim) {
  switch (claim.figure) {
    case ClaimFigure::phase_ratio:
      return "not measured: phases of ddp for such models";
    case ClaimFigure::link_communication:
      return "not measured: phases of ddp with and without NVLink";
    case ClaimFigure::link_speed:
      return "not measured: ddp with and without NVLink";
    case ClaimFigure::link_bandwidth:
      return "not measured: launches with and without NVLink";
    default:
      return "not measured: ddp for such models and batches";
  }
}

// A claim at one of its settings.
struct CheckedClaim {
  const Claim* claim = nullptr;
  Settings settings = Settings::any;
  std::vector<Evidence> evidence;
  ClaimCheck check = {};
  std::string reason = {};

  bool is_decided() const { return check.verdict != ClaimVerdict::not_decided; }
};

// A claim that more GPUs pay in some cases and not in others is tested only where both kinds were measured.
bool is_half_tried(const CheckedClaim& one) {
  using enum ClaimFigure;
  if (one.claim->figure != above_batch && one.claim->figure != pays_by_rule) return false;
  const auto is_to_pay = [](const Evidence& evidence) { return evidence.claimed.least > 0; };
  return std::ranges::all_of(one.evidence, is_to_pay) || std::ranges::none_of(one.evidence, is_to_pay);
}

// The highest of the phases that the claim's figures are made of; NaN where one was not measured, nothing
// where they are made of no phases.
std::optional<double> timing_overhead_of(const std::vector<Evidence>& evidence) {
  std::optional<double> highest;
  for (const Evidence& one : evidence) {
    if (!one.timing_overhead) continue;
    if (!highest || !(*one.timing_overhead <= *highest)) highest = one.timing_overhead;
    if (std::isnan(*highest)) break;
  }
  return highest;
}

std::string overhead_in_words(const std::vector<Evidence>& evidence) {
  const std::optional<double> overhead = timing_overhead_of(evidence);
  if (!overhead || *overhead <= analysis::timing_overhead_tolerance) return "";
  if (std::isnan(*overhead)) return "; how much timing the phases slows the steps was not measured";
  return fmt::format("; timing the phases slows these steps by up to {}", format_percent(*overhead));
}

std::string reason_of(const ClaimCheck& check, std::size_t cases) {
  if (!check.deciding) return fmt::format("no majority of {} cases", cases);
  const statistics::Interval& ratio = check.deciding->measured.ratio;
  if (!std::isfinite(ratio.centre)) return fmt::format("{}: not measured", check.deciding->label);
  const std::string found = fmt::format("{}: {}", check.deciding->label, format_ratio(ratio));
  if (check.verdict != ClaimVerdict::not_decided) return found;
  return found + (ratio.n < statistics::fewest_for_interval ? ", too few repeats"
                                                            : ", whose interval reaches over the border");
}

CheckedClaim checked(const Claim& claim, Settings settings, std::vector<Evidence> evidence) {
  CheckedClaim one{.claim = &claim, .settings = settings, .evidence = std::move(evidence)};
  one.check = check_claim(one.evidence, claim.rule);
  one.reason = one.evidence.empty() ? missing_for(claim) : reason_of(one.check, one.evidence.size());
  if (one.check.verdict == ClaimVerdict::holds && is_half_tried(one)) {
    one.check.verdict = ClaimVerdict::not_decided;
    const bool is_to_pay = one.evidence.front().claimed.least > 0;
    one.reason = fmt::format("not measured: cases that should {}pay", is_to_pay ? "not " : "");
  }
  return one;
}

// First at the settings of the article, then at others where there are any. Empty where no case concerns any
// claim.
std::vector<CheckedClaim> all_claims(const analysis::FileAnalysis& analysis) {
  std::vector<CheckedClaim> all;
  for (const Claim& claim : claims_of_articles()) {
    std::vector<Evidence> evidence = evidence_of(claim, analysis);
    const auto others =
        std::ranges::stable_partition(evidence, [](const Evidence& one) { return one.is_as_in_article; });
    std::vector<Evidence> other(others.begin(), others.end());
    evidence.erase(others.begin(), others.end());
    all.push_back(checked(claim, claim.origin == ClaimOrigin::advice ? Settings::any : Settings::article,
                          std::move(evidence)));
    if (!other.empty()) all.push_back(checked(claim, Settings::other, std::move(other)));
  }
  if (std::ranges::all_of(all, [](const CheckedClaim& one) { return one.evidence.empty(); })) all.clear();
  return all;
}

// "5 hold here, 6 do not hold, and 13 are not decided by these cases"
std::string counted(const std::vector<CheckedClaim>& all, bool is_other) {
  const auto with = [&](ClaimVerdict verdict) {
    return std::ranges::count_if(all, [&](const CheckedClaim& one) {
      return (one.settings == Settings::other) == is_other && one.check.verdict == verdict;
    });
  };
  return fmt::format("{} hold here, {} do not hold, and {} are not decided by these cases",
                     with(ClaimVerdict::holds), with(ClaimVerdict::does_not_hold),
                     with(ClaimVerdict::not_decided));
}

const TidyTable<CheckedClaim> claim_rows(
    {.command = "report", .json = "claims", .page = "report.md#the-articles-claims"},
    {{words("claim", "", "its short name"), [](auto& one) { return Cell(one.claim->key); }},
     {words("statement", "", "what the articles say"), [](auto& one) { return Cell(one.claim->statement); }},
     {words("settings", "",
            "precision, batches and GPUs: `article`, `other`, or `any` of a claim that names none"),
      [](auto& one) { return Cell(words_of(one.settings).key); }},
     {columns::verdict.meant("whether it holds"), [](auto& one) { return Cell(word_of(one.check.verdict)); }},
     {number("cases", "", "", "that concern it"), [](auto& one) { return count_cell(one.evidence.size()); }},
     {number("agreeing", "", "", "cases that surely agree"),
      [](auto& one) { return count_cell(one.check.agreeing); }},
     {number("contradicting", "", "", "cases that surely do not"),
      [](auto& one) { return count_cell(one.check.contradicting); }},
     {datum("measured", "", "number of the deciding case"),
      [](auto& one) {
        return one.check.deciding ? one.check.deciding->measured.ratio : statistics::Interval{};
      }},
     {words("decided_by", "", "the deciding case"), [](auto& one) { return Cell(one.reason); }},
     {columns::timing_overhead.meant("highest of the phases that the figures are made of"),
      [](auto& one) { return timing_overhead_of(one.evidence).value_or(not_measured); }}});

}  // namespace

std::vector<std::string> claims_in_words(const analysis::FileAnalysis& analysis) {
  std::vector<std::string> sentences;
  for (const CheckedClaim& one : all_claims(analysis)) {
    if (!one.is_decided()) continue;
    std::string verdict(phrase_of(one.check.verdict));
    verdict.front() = static_cast<char>(std::toupper(verdict.front()));
    sentences.push_back(fmt::format("{} {}: \"{}\" ({}; {} of {} cases agree{})", verdict,
                                    words_of(one.settings).phrase, one.claim->statement, one.reason,
                                    one.check.agreeing, one.evidence.size(),
                                    overhead_in_words(one.evidence)));
  }
  return sentences;
}

std::string claims_in_brief(const analysis::FileAnalysis& analysis) {
  const std::vector<CheckedClaim> all = all_claims(analysis);
  if (all.empty()) return "";
  const std::string text = fmt::format("Of {} claims at the settings of their articles, {}.",
                                       claims_of_articles().size(), counted(all, false));
  const bool has_others =
      std::ranges::any_of(all, [](const CheckedClaim& one) { return one.settings == Settings::other; });
  return has_others ? fmt::format("{} At other settings {}.", text, counted(all, true)) : text;
}

ReportTable tidy_claims(const analysis::FileAnalysis& analysis) {
  return claim_rows.of(all_claims(analysis));
}

}  // namespace breakeven::report
