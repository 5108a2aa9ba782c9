// SPDX-License-Identifier: Apache-2.0
// The bits of nvmlClocksEventReasons (nvml.h, CUDA 13: nvmlClocksEventReason*).
#include "src/report/warnings/throttle.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <string_view>

#include <fmt/format.h>

#include "src/core/as_whole.h"
#include "src/report/format/numbers.h"

namespace breakeven::report {
namespace {

struct Reason {
  std::uint64_t bit;
  std::string_view words;
  bool slows;
};

constexpr std::array reasons{
    Reason{0x001, "idle", false},
    Reason{0x002, "clocks set by the user", false},
    Reason{0x004, "power cap", true},
    Reason{0x008, "hardware slowdown", true},
    Reason{0x010, "sync boost", true},
    Reason{0x020, "thermal slowdown by software", true},
    Reason{0x040, "thermal slowdown by hardware", true},
    Reason{0x080, "power brake", true},
    Reason{0x100, "display clock setting", false},
};

}  // namespace

std::string throttle_words(double mask) {
  if (!(mask >= 0) || !std::isfinite(mask)) return std::string(dash);
  auto rest = as_whole<std::uint64_t>(mask);
  std::string words;
  for (const Reason& reason : reasons) {
    if ((rest & reason.bit) == 0) continue;
    words += (words.empty() ? "" : ", ") + std::string(reason.words);
    rest &= ~reason.bit;
  }
  if (rest != 0) words += (words.empty() ? "" : ", ") + fmt::format("reason {:#x}", rest);
  return words.empty() ? "none" : words;
}

bool is_power_capped(double mask) {
  constexpr std::uint64_t bits = 0x004 | 0x080;
  return mask > 0 && std::isfinite(mask) && (as_whole<std::uint64_t>(mask) & bits) != 0;
}

bool is_throttled(double mask) {
  if (!(mask > 0) || !std::isfinite(mask)) return false;
  const auto bits = as_whole<std::uint64_t>(mask);
  for (const Reason& reason : reasons) {
    if (reason.slows && (bits & reason.bit) != 0) return true;
  }
  return (bits & ~std::uint64_t{0x1FF}) != 0;
}

}  // namespace breakeven::report
