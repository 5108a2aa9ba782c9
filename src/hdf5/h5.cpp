// SPDX-License-Identifier: Apache-2.0
#include "src/hdf5/h5.h"

#include "src/core/failure.h"

namespace breakeven {
namespace {

// Called from the API function inwards: the last one seen is where the error was detected.
herr_t keep_innermost(unsigned, const H5E_error2_t* error, void* text) {
  if (error->desc && *error->desc) *static_cast<std::string*>(text) = error->desc;
  return 0;
}

}  // namespace

void fail_h5(const char* call, const char* file, int line, const std::string& doing) {
  std::string cause = "unknown error";
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_DOWNWARD, keep_innermost, &cause);
  std::erase(cause, '\n');  // of a time that HDF5 prints
  throw Failure(ExitCode::file, std::string(file) + ":" + std::to_string(line) + ": " + call + " -> " +
                                    cause + " (" + doing + ")");
}

void silence_h5() { H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr); }

}  // namespace breakeven
