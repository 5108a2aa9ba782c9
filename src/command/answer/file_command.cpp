// SPDX-License-Identifier: Apache-2.0
#include "src/command/answer/file_command.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <system_error>
#include <variant>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "src/core/model/model_shape.h"
#include "src/core/terminate.h"
#include "src/core/text/lists.h"
#include "src/core/text/output.h"
#include "src/core/text/printable.h"
#include "src/hdf5/partial_file.h"

namespace breakeven::command {
namespace {

// A full disk shows at the latest when the stream is flushed.
bool write_to(std::FILE* stream, const std::string& text) {
  if (stream == nullptr) return false;
  const bool right = std::fwrite(text.data(), 1, text.size(), stream) == text.size();
  return std::fflush(stream) == 0 && right;
}

// A named pipe that nobody reads is an error; opened otherwise, it would be waited for.
bool write_in_place(const std::string& text, const std::string& path) {
  const int file = open(path.c_str(), O_WRONLY | O_TRUNC | O_NONBLOCK | O_CLOEXEC);
  if (file < 0 || fcntl(file, F_SETFL, 0) != 0) return false;
  std::FILE* const stream = fdopen(file, "wb");
  const bool right = write_to(stream, text);
  return stream != nullptr && std::fclose(stream) == 0 && right;
}

// A text that the disk cannot hold leaves the file as it was. Links, pipes and devices stay what they are.
bool write_file(const std::string& text, const std::string& path) {
  struct stat status {};
  const bool exists = lstat(path.c_str(), &status) == 0;
  if (exists && !S_ISREG(status.st_mode)) return write_in_place(text, path);
  if (exists && access(path.c_str(), W_OK) != 0) return false;  // a rename would not ask
  std::string beside = std::filesystem::path(path).replace_filename(".breakeven-XXXXXX");
  const int file = mkostemp(beside.data(), O_CLOEXEC);
  if (file < 0) return exists && write_in_place(text, path);  // in a folder where nothing can be added
  std::FILE* const stream = fdopen(file, "wb");
  const mode_t mode = hdf5::mode_of(path).value_or(hdf5::mode_of_new_files());
  bool right = write_to(stream, text) && fchmod(file, mode) == 0;
  right = stream != nullptr && std::fclose(stream) == 0 && right;
  if (right && std::rename(beside.c_str(), path.c_str()) == 0) return true;
  const int error = errno;
  unlink(beside.c_str());
  errno = error;
  return false;
}

}  // namespace

bool is_same_file(const std::string& one, const std::string& other) {
  std::error_code ignored;
  return one == other || std::filesystem::equivalent(one, other, ignored);
}

void write_text(const std::string& text, const std::string& path, std::string_view what) {
  if (path.empty() ? write_to(stdout, text) : write_file(text, path)) return;
  throw Failure(ExitCode::file,
                fmt::format("{} ({} bytes) cannot be written to {}: {}", what, text.size(),
                            path.empty() ? "standard output" : path, std::generic_category().message(errno)));
}

std::string problem_of_model(const std::string& model, const Results& results) {
  const auto shape = parse_model(model);
  const auto* unknown = std::get_if<UsageError>(&shape);
  if (unknown == nullptr) return "";
  std::set<std::string> recorded;
  for (const RecordedRun& run : results.runs)
    if (run.planned.what.model.known() == nullptr) recorded.insert(run.planned.what.model);
  if (recorded.contains(model)) return "";
  return unknown->sentence +
         (recorded.empty() ? "" : fmt::format(". {} holds {}", results.path, fmt::join(recorded, ", ")));
}

std::string problem_of_several(std::size_t machines,
                               std::initializer_list<std::pair<std::string_view, bool>> asked) {
  for (const auto& [option, is_asked] : asked)
    if (machines > 1 && is_asked)
      return fmt::format("--{} is of one machine, but the files come from {}. Pass the files of one", option,
                         machines);
  return "";
}

std::optional<ExitCode> read_options(std::string_view command, int argc, char** argv,
                                     CommandOptions& options) {
  std::vector<std::string> warnings;
  const auto read = options.read(argc, argv, &warnings, "print this text");
  if (const auto* help = std::get_if<HelpText>(&read)) {
    write_text(help->text, "", "the help");
    return ExitCode::success;
  }
  for (const std::string& warning : warnings)
    print_error("breakeven {}: warning: {}\n", command, printable_line(warning));
  if (const auto* error = std::get_if<UsageError>(&read)) return refuse(command, error->sentence);
  const std::vector<std::string> files = options.positionals();
  if (!files.empty()) report_input_as(join_list(files));
  return {};
}

ExitCode refuse(std::string_view command, const std::string& sentence, ExitCode code) {
  print_error("breakeven {}: {}\n", command, printable_line(sentence));
  return code;
}

ExitCode tell_wrong_numbers(const analysis::FileAnalysis& analysis) {
  const std::vector<analysis::CaseSummary>& summaries = analysis.summaries();
  ExitCode code = ExitCode::success;
  for (const analysis::NumberFaultInfo& info : analysis::number_faults) {
    const auto first = std::ranges::find(summaries, info.fault, &analysis::CaseSummary::fault);
    if (first == summaries.end()) continue;
    code = ExitCode::wrong_numbers;
    print_error(
        "breakeven: in {} cases {} (first: {}){}\n",
        std::ranges::count(summaries, info.fault, &analysis::CaseSummary::fault), info.meaning,
        printable_line(label_of(first->what)),
        info.fault == analysis::NumberFault::loss_not_a_number
            ? ". If training diverges, use a smaller --learning-rate; otherwise the arithmetic is wrong"
            : "");
  }
  return code;
}

}  // namespace breakeven::command
