// SPDX-License-Identifier: Apache-2.0
// The timed steps of a run: in one stretch without a stop, or in several with an evaluation between them.
#pragma once

#include <cstdint>
#include <functional>

#include "src/core/records/run_record.h"
#include "src/measure/clocks.h"
#include "src/measure/event_grid.h"
#include "src/measure/quality_watch.h"
#include "src/train/training.h"

namespace breakeven::measure {

// The number of steps of a stretch; the last one of a run may be shorter.
std::uint32_t steps_a_stretch(const RunOptions& options);

// Measures as many steps as the record has room for (or so many times steps_apart), or fewer if `watch`
// (null: none) reports that the target is reached. `grid` has the events of one stretch. Fills times, losses,
// steps made and steps to the target. Starts of steps are by the host's clock; the clocks are compared at
// `begun` and after every stretch. After settling, which makes the measured steps long enough for it,
// `while_running` is called when all steps are enqueued and the device still works on them.
void measure_steps(train::Training& training, Device& device, EventGrid& grid, QualityWatch* watch,
                   std::uint32_t stretch, ClockReading begun, const std::function<void()>& while_running,
                   RunRecord& record);

}  // namespace breakeven::measure
