// SPDX-License-Identifier: Apache-2.0
#include "src/measure/launch_clock.h"

#include "src/measure/clocks.h"

namespace breakeven::measure {

ClockOffset offset_to_launch(RunContext& context, int ranks) {
  const double created = context.created();
  ClockOffset offset =
      measure_clock_offset(context.group(ranks), [created] { return host_seconds() - created; });
  offset.seconds -= created;
  return offset;
}

}  // namespace breakeven::measure
