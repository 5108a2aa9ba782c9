// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/cupti/cupti_library.h"

#include "kernels/cuda/toolkit_library.h"

namespace breakeven {

CuptiLibrary::CuptiLibrary() {
  const ToolkitLibrary library("libcupti.so", "records kernels");
  library.find("cuptiActivityRegisterCallbacks", register_callbacks);
  library.find("cuptiActivityEnable", enable);
  library.find("cuptiActivityFlushAll", flush_all);
  library.find("cuptiActivityGetNextRecord", next_record);
  library.find("cuptiActivityGetNumDroppedRecords", dropped_records);
  library.find("cuptiGetTimestamp", timestamp);
  library.find("cuptiGetResultString", result_string);
}

}  // namespace breakeven
