// SPDX-License-Identifier: Apache-2.0
// Results files: the reader, in this process, and the report of what it accepts. libFuzzer's bytes change the
// cells that HDF5 would find, with checksums right or wrong, or the file that HDF5 reads.
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "src/core/failure.h"
#include "src/hdf5/file_faults.h"
#include "src/hdf5/read_contents.h"
#include "src/hdf5/read_results.h"
#include "src/hdf5/write_results.h"
#include "src/report/report.h"
#include "tests/fuzz/apart_here.h"
#include "tests/fuzz/contents_changes.h"
#include "tests/fuzz/file_changes.h"
#include "tests/fuzz/input_file.h"
#include "tests/fuzz/right_results.h"
#include "tests/fuzz/target.h"

namespace breakeven::fuzz {
namespace {

using namespace hdf5;
using report::ReportFormat;

// What commands do with a file.
enum class Way { report, report_whole_parts, join, check };

struct RightFile {
  RightFile() {
    silence_h5();
    const Results results = right_results();
    write_results(file.path(), results.launches, results.runs);
    bytes = file.bytes();
    contents = read_contents(open_to_read(file.path()), file.path());
    other = read_results(file.path());
    for (Launch& launch : other.launches) launch.started = "2025-" + launch.started.substr(5);
  }

  InputFile file;
  std::string bytes;
  Contents contents;
  Results other;  // of the same machine, launched at another time
};

const RightFile& right_file() {
  static const RightFile right;
  return right;
}

// Bytes that the child says may be wrong too.
void damage(std::string& messages, Decisions& decisions) {
  for (std::size_t changes = 1 + decisions.below(3); changes > 0; --changes)
    messages[decisions.number(3) % messages.size()] = static_cast<char>(decisions.number(1));
  if (decisions.below(4) == 3) messages.resize(decisions.number(3) % messages.size());
}

// No text from a file commands the terminal (docs/security.md), and JSON is JSON.
void check_printed(const std::string& text, ReportFormat format) {
  const auto obeyed = [](char c) { return (static_cast<unsigned char>(c) < 0x20 && c != '\n') || c == 0x7f; };
  if (std::ranges::any_of(text, obeyed) || (format == ReportFormat::json && !nlohmann::json::accept(text))) {
    std::fputs("the report has control characters, or is not JSON\n", stderr);
    std::abort();
  }
}

void print_report(const Results& results, Decisions& how) {
  using enum ReportFormat;
  constexpr std::array formats{text, markdown, csv, text, text, csv, text, json};
  report::ReportRequest request{.format = how.one_of(formats)};
  if (how.below(2) == 1 && request.format != csv && request.format != json)
    request.sections = {std::string(report::every_section)};
  if (how.below(2) == 1) request.memory_limit_bytes = 1ull << 30;
  if (how.below(2) == 1) request.price_an_hour = 2.5;
  check_printed(report::make_report(results, request), request.format);
}

void read_and_use(const std::string& path, Decisions& decisions) {
  constexpr std::array ways{Way::report, Way::report_whole_parts, Way::join, Way::check};
  const Way way = decisions.one_of(ways);
  std::vector<std::string> left_out;
  if (way == Way::check) {
    value_faults_in(read_any_values(path, left_out));
    return;
  }
  std::vector<std::string>* damaged = way == Way::report_whole_parts ? &left_out : nullptr;
  Results results = read_machines({path}, damaged).front().results;
  if (way == Way::join) results = as_one({right_file().other, std::move(results)});
  if (!results.runs.empty()) print_report(results, decisions);
}

std::string refusal_of_cells(const std::string& input) {
  Decisions decisions(input);
  Decisions how(decisions.take(8));
  const std::size_t wrong = how.below(8);
  Decisions damages(decisions.take(wrong == 6 ? 12 : 0));
  ChangedContents changed(right_file().contents);
  changed.change(decisions);
  if (wrong != 7) changed.make_checksums_right();
  std::string messages = changed.messages();
  if (wrong == 6) damage(messages, damages);
  let_child_say(std::move(messages));
  try {
    read_and_use(right_file().file.path(), how);
    return {};
  } catch (const Failure& failure) {
    return failure.what();
  }
}

std::string refusal_of_file(const std::string& input) {
  static const InputFile file;
  Decisions decisions(input);
  Decisions how(decisions.take(8));
  file.set(right_file().bytes);
  change_file(file.path(), decisions);
  try {
    if (how.below(32) == 31) {  // takes longest
      const std::vector<std::string> faults = find_schema_faults(open_to_read(file.path()), file.path());
      return faults.empty() ? "" : faults.front();
    }
    read_and_use(file.path(), how);
    return {};
  } catch (const Failure& failure) {
    return failure.what();
  }
}

}  // namespace

std::vector<Target> results_targets() {
  return {{"results-files", refusal_of_file}, {"results-cells", refusal_of_cells}};
}

}  // namespace breakeven::fuzz
