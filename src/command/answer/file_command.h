// SPDX-License-Identifier: Apache-2.0
// What the commands share that work from results files alone. The functions that read words fill in what the
// words say, and return what is wrong with them in a sentence, or "".
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <boost/program_options/options_description.hpp>

#include "src/command/answer/write_text.h"
#include "src/core/failure.h"
#include "src/core/records/results.h"
#include "src/core/text/command_line.h"
#include "src/report/report_format.h"

namespace breakeven::command {

// What is written over the file that it was made from would destroy the measurement.
bool is_same_file(const std::string& one, const std::string& other);

// As the user spells them.
struct OutputWords {
  std::string format = "text";
  std::string path;  // "": standard output
};

// --format, --output, --help.
void describe_output(boost::program_options::options_description& options, OutputWords& words);
std::string read_output(const OutputWords& words, const std::vector<std::string>& files,
                        report::ReportFormat& format);

// What is wrong with a model that this program knows no layers of, or "": the files may hold it, recorded by
// its own program (docs/own-loop.md).
std::string problem_of_model(const std::string& model, const Results& results);

// What an answer from the files of several machines does not take, or "": the first option that is asked.
std::string problem_of_several(std::size_t machines,
                               std::initializer_list<std::pair<std::string_view, bool>> asked);

std::string read_memory_limit(const std::string& words, std::uint64_t& bytes);

// The exit code where the words are answered already: by a sentence that refuses them, or by the help. Warns
// of renamed words.
std::optional<ExitCode> read_words(std::string_view command, int argc, char** argv,
                                   const boost::program_options::options_description& options,
                                   const std::vector<Positional>& positionals);

ExitCode refuse(std::string_view command, const std::string& sentence, ExitCode code = ExitCode::usage);

}  // namespace breakeven::command
