// SPDX-License-Identifier: Apache-2.0
// From a form of compression to the code that sums by it.
#pragma once

#include <memory>

#include "src/compression/gradient_sum.h"
#include "src/core/compression/compression.h"

namespace breakeven {

// Of the form that the compression names.
std::unique_ptr<GradientSum> make_sum(const Compression& compression, Device& device,
                                      const GradientRange& range, Seat seat);

// Each in the file of its form.
std::unique_ptr<GradientSum> make_plain_sum(Device&, const GradientRange&, Seat, double);
std::unique_ptr<GradientSum> make_bf16_sum(Device&, const GradientRange&, Seat, double);
std::unique_ptr<GradientSum> make_fp16_sum(Device&, const GradientRange&, Seat, double);
std::unique_ptr<GradientSum> make_int8_sum(Device&, const GradientRange&, Seat, double);
std::unique_ptr<GradientSum> make_topk_sum(Device&, const GradientRange&, Seat, double part);
std::unique_ptr<GradientSum> make_powersgd_sum(Device&, const GradientRange&, Seat, double rank);
std::unique_ptr<GradientSum> make_onebit_sum(Device&, const GradientRange&, Seat, double);

}  // namespace breakeven
