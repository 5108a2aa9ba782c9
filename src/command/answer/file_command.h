// SPDX-License-Identifier: Apache-2.0
// What the commands share that work from results files alone.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "src/analysis/file_analysis.h"
#include "src/core/failure.h"
#include "src/core/records/results.h"
#include "src/core/text/command_options.h"

namespace breakeven::command {

// What is written over the file that it was made from would destroy the measurement.
bool is_same_file(const std::string& one, const std::string& other);

// An empty path is standard output. Throws Failure(file) where not everything could be written; `what` says
// in the sentence what it was: "the report".
void write_text(const std::string& text, const std::string& path, std::string_view what);

// What is wrong with a model that this program knows no layers of, or "": the files may hold it, recorded by
// its own program (docs/own-loop.md).
std::string problem_of_model(const std::string& model, const Results& results);

// What an answer from the files of several machines does not take, or "": the first option that is asked.
std::string problem_of_several(std::size_t machines,
                               std::initializer_list<std::pair<std::string_view, bool>> asked);

// The exit code where the words are answered already: by a sentence that refuses them, or by the help. Warns
// of renamed words.
std::optional<ExitCode> read_options(std::string_view command, int argc, char** argv,
                                     CommandOptions& options);

ExitCode refuse(std::string_view command, const std::string& sentence, ExitCode code = ExitCode::usage);

// What `run` and `merge` say at their end of numbers that cannot be right: names the first case of each kind
// on standard error. wrong_numbers where there is any (number_fault.h).
ExitCode tell_wrong_numbers(const analysis::FileAnalysis& analysis);

}  // namespace breakeven::command
