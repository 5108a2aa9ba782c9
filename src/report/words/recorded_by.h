// SPDX-License-Identifier: Apache-2.0
// Which program recorded a file, because advice on what to run next differs.
#pragma once

#include "src/core/records/results.h"

namespace breakeven::report {

enum class RecordedBy { run, wrap, recorder };  // `breakeven run`, `breakeven wrap`, a Recorder in Python

RecordedBy recorded_by(const Launch& launch);

// By the last launch. A file with any launch of `breakeven run` counts as its own.
RecordedBy recorded_by(const Results& results);

}  // namespace breakeven::report
