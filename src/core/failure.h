// SPDX-License-Identifier: Apache-2.0
// What the program throws when it cannot go on, and the exit codes that a failure or a verdict leads to.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>

namespace breakeven {

enum class ExitCode {
  success = 0,
  usage = 1,          // a wrong option or file name
  environment = 2,    // no such GPU, more ranks than GPUs, a library that is missing
  wrong_numbers = 3,  // a strategy or a kernel computed wrong numbers
  timeout = 4,        // an exchange did not finish within --timeout
  file = 5,           // a results file or data set that cannot be read or written
  interrupted = 6,    // stopped from outside; what was finished is in the file
  gate = 7,           // a case is slower by the threshold that the user set, or by more
  inconclusive = 8,   // the measurements do not tell whether one is
  skipped = 77,       // a test needs hardware that this machine does not have
};

// The text is one line: "file:line: call -> cause (what was being done)". The terminate handler (terminate.h)
// puts rank, host and GPU in front. Nothing between main and the work catches it, because a collective
// destructor that runs on one rank alone would hang the job.
class Failure : public std::runtime_error {
 public:
  Failure(ExitCode code, const std::string& text) : std::runtime_error(text), code_(code) {}
  ExitCode code() const { return code_; }

 private:
  ExitCode code_;
};

// What the checks of calls throw, such as MPI_CALL and CUDA_CALL. `said` is the error's name and text;
// `doing` and `bytes`, if given, end the line in brackets: "(gemm workspace, 536870912 bytes)".
Failure failed_call(std::string_view call, const char* file, int line, const std::string& said,
                    std::string_view doing = {}, std::size_t bytes = 0);
// What a function throws that cannot compute what its arguments ask for.
Failure misused_call(std::string_view call, const char* file, int line, const std::string& said,
                     std::string_view arguments = {});

}  // namespace breakeven
