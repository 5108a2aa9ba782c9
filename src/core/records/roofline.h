// SPDX-License-Identifier: Apache-2.0
// The best that a device was seen to do: what the phases of a step and single products are held against.
#pragma once

#include <array>

#include "src/core/precision.h"
#include "src/core/records/run_record.h"

namespace breakeven {

// NaN where not measured. Flat, so that ranks can gather it as bytes.
struct Roofline {
  double copy_bytes_per_second = not_measured;  // read and written, of a large copy within the device
  double fp32_flops_per_second = not_measured;  // of a large square product, by the fastest kernel
  double tf32x3_flops_per_second = not_measured;
  double tf32_flops_per_second = not_measured;
  double bf16_flops_per_second = not_measured;
  double fp16_flops_per_second = not_measured;
  double launch_seconds = not_measured;  // of one of many tiny operations in a stream
  double node_seconds = not_measured;    // the same within a graph
};

// By Precision.
inline constexpr std::array<double Roofline::*, precisions.size()> peak_flops{
    &Roofline::fp32_flops_per_second, &Roofline::tf32x3_flops_per_second, &Roofline::tf32_flops_per_second,
    &Roofline::bf16_flops_per_second, &Roofline::fp16_flops_per_second};

constexpr double Roofline::*peak_flops_of(Precision precision) {
  return peak_flops[static_cast<std::size_t>(precision)];
}

}  // namespace breakeven
