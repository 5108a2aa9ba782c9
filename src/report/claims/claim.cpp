// SPDX-License-Identifier: Apache-2.0
#include "src/report/claims/claim.h"

#include "src/statistics/payoff.h"

namespace breakeven::report {
namespace {

using enum ClaimFigure;
using enum ClaimRule;
using enum ClaimOrigin;
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
    {.key = "1m_to_5m_loss",
     .statement = "1 to 5 M: more GPUs typically lose 15 to 25 %",
     .figure = speedup,
     .scope = from_1_to_5,
     .claimed = {0.75, 0.85},
     .rule = most},
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
    {"selector", "The selector's rule says whether more GPUs pay", pays_by_rule},
    {.key = "efficiency",
     .statement = "Scaling is typically 70 to 95 % of linear (largest batch)",
     .figure = efficiency,
     .claimed = {0.70, 0.95},
     .rule = most,
     .origin = advice},
    {.key = "nvlink",
     .statement = "NVLink takes 50 to 90 % off the communication",
     .figure = link_communication,
     .claimed = {0.1, 0.5},
     .origin = advice},
    {.key = "nvlink_bandwidth",
     .statement = "NVLink has 4 to 10 times the bandwidth of PCIe",
     .figure = link_bandwidth,
     .claimed = {4, 10},
     .origin = advice},
    {.key = "pcie_loss",
     .statement = "PCIe instead of NVLink may cost 20 to 40 % of the speed",
     .figure = link_speed,
     .claimed = {0.6, 0.8},
     .rule = most,
     .origin = advice},
};

}  // namespace

std::span<const Claim> claims_of_articles() { return claims; }

bool is_as_in_article(const Claim& claim, const Case& what) {
  if (claim.origin == advice) return true;
  const bool names_batches = claim.figure == above_batch || claim.figure == pays_by_rule;
  return what.precision == Precision::fp32 && what.gpus == 2 &&
         (names_batches || (what.batch >= 8 && what.batch <= 128));
}

}  // namespace breakeven::report
