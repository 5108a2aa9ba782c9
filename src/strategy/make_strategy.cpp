// SPDX-License-Identifier: Apache-2.0
// The table of the code that trains, by strategy.

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "src/core/failure.h"
#include "src/strategy/strategy.h"

namespace breakeven {

#define STRATEGY(name) std::unique_ptr<Strategy> make_##name(const StrategySetup& setup);
#include "strategies.inc"
#undef STRATEGY

namespace {

struct Maker {
  std::string_view file;  // of its description: the name with _ for -
  std::unique_ptr<Strategy> (*make)(const StrategySetup& setup);
};

constexpr std::array makers{
#define STRATEGY(name) Maker{#name, make_##name},
#include "strategies.inc"
#undef STRATEGY
};

}  // namespace

std::unique_ptr<Strategy> make_strategy(const StrategyDescription& description, const StrategySetup& setup) {
  std::string file(description.name);
  std::ranges::replace(file, '-', '_');
  const auto maker = std::ranges::find(makers, file, &Maker::file);
  if (maker == makers.end())
    throw Failure(ExitCode::usage,
                  "there is no implementation of strategy '" + std::string(description.name) + "'");
  return maker->make(setup);
}

}  // namespace breakeven
