// SPDX-License-Identifier: Apache-2.0
// The code of each form.

#include "src/compression/make_sum.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "src/core/failure.h"

namespace breakeven {

namespace {

struct Maker {
  std::string_view form;
  std::unique_ptr<GradientSum> (*make)(Device&, const GradientRange&, Seat, double argument);
};

constexpr std::array makers{Maker{"none", make_plain_sum},   Maker{"bf16", make_bf16_sum},
                            Maker{"fp16", make_fp16_sum},    Maker{"int8", make_int8_sum},
                            Maker{"topk", make_topk_sum},    Maker{"powersgd", make_powersgd_sum},
                            Maker{"onebit", make_onebit_sum}};

}  // namespace

std::unique_ptr<GradientSum> make_sum(const Compression& compression, Device& device,
                                      const GradientRange& range, Seat seat) {
  const auto maker = std::ranges::find(makers, compression.form->name, &Maker::form);
  if (maker == makers.end())
    throw Failure(ExitCode::usage,
                  "there is no implementation of compress=" + std::string(compression.form->name));
  return maker->make(device, range, seat, compression.argument);
}

}  // namespace breakeven
