// SPDX-License-Identifier: Apache-2.0
// The few functions of CUPTI that breakeven uses, looked up at run time: a machine that runs CUDA programs
// need not have CUPTI.
#pragma once

#include <cupti.h>

namespace breakeven {

// Throws Failure(environment) where no library is found. It stays loaded: CUPTI calls back until the process
// ends.
struct CuptiLibrary {
  CuptiLibrary();

  decltype(&cuptiActivityRegisterCallbacks) register_callbacks = nullptr;
  decltype(&cuptiActivityEnable) enable = nullptr;
  decltype(&cuptiActivityFlushAll) flush_all = nullptr;
  decltype(&cuptiActivityGetNextRecord) next_record = nullptr;
  decltype(&cuptiActivityGetNumDroppedRecords) dropped_records = nullptr;
  decltype(&cuptiGetTimestamp) timestamp = nullptr;
  decltype(&cuptiGetResultString) result_string = nullptr;
};

}  // namespace breakeven
