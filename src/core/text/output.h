// SPDX-License-Identifier: Apache-2.0
// Text for standard output and standard error. Neither may end a measurement: what cannot be written to
// standard error is dropped, and a failure of standard output is reported at the end.
#pragma once

#include <cstdio>

#include <fmt/format.h>

#include "src/core/failure.h"

namespace breakeven {

void write_quietly(std::FILE* stream, const std::string& text);

template <typename... Values>
void print_out(fmt::format_string<Values...> format, Values&&... values) {
  write_quietly(stdout, fmt::format(format, std::forward<Values>(values)...));
}

template <typename... Values>
void print_error(fmt::format_string<Values...> format, Values&&... values) {
  write_quietly(stderr, fmt::format(format, std::forward<Values>(values)...));
}

// Opens the standard streams that are closed, so that no results file takes the place of one. Writing to a
// closed standard output still fails. Ignores the signal of the limit on file sizes, so that the write fails
// instead, with a sentence that names the file.
void prepare_standard_streams();

// The exit code of a program whose work ends with `code`: ExitCode::file and a sentence on standard error
// where standard output could not be written.
ExitCode code_after_output(ExitCode code);

}  // namespace breakeven
