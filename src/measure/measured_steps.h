// SPDX-License-Identifier: Apache-2.0
// The steps of a run that are timed: all of them in one stretch, or in several with a look at the quality
// between two.
#pragma once

#include <cstdint>

#include "src/core/records/run_record.h"
#include "src/measure/clock_reading.h"
#include "src/measure/event_grid.h"
#include "src/measure/quality_watch.h"
#include "src/train/training.h"

namespace breakeven {

// Steps of a stretch; the last one of a run has what is left.
std::uint32_t steps_a_stretch(const RunOptions& options);

// The steps' starts are by the host's clock, and the device's is held against it at `begun` and after every
// stretch.
//
// As many steps as the record has room for, fewer where the watch (null: none) says that the quality is
// reached. `grid` is of one stretch. Fills times, losses, steps made, and what the watch has to say.
void measure_steps(Training& training, Device& device, EventGrid& grid, QualityWatch* watch,
                   std::uint32_t stretch, ClockReading begun, RunRecord& record);

}  // namespace breakeven
