// SPDX-License-Identifier: Apache-2.0
// Files of `breakeven run`, of wrap and of a Recorder: what to run next, and how steps were timed.
#include <string>

#include <gtest/gtest.h>

#include "src/core/failure.h"
#include "src/report/advice/advice_report.h"
#include "tests/support/report_text.h"
#include "tests/support/results_by_hand.h"

namespace breakeven {
namespace {

TEST(RecordedBy, AdviceFitsTheProgramThatRecordedTheFile) {
  Results results;
  results.launches.push_back(launch_by_hand(1));
  results.runs.push_back(run_by_hand(case_by_hand(64, 1, "single"), 0, 1e-3));
  const auto says = [&](const std::string& words) { return contains(on_one_line(text_of(results)), words); };
  EXPECT_TRUE(says("To compare, run: mpirun -np 2 breakeven run --models medium --append"));
  EXPECT_TRUE(says("To measure it, leave out --settle 0."));
  std::string& line = results.launches[0].command_line;
  line = "breakeven wrap --gpus 1 -- python3 train.py";
  EXPECT_TRUE(says("To compare, repeat the command with --gpus 1,2 and --resume."));
  EXPECT_TRUE(says("To measure it, leave out settle=0 of the Recorder."));
  results.launches[0].settings = {{"step-times", "printed seconds"}};
  EXPECT_TRUE(says("To measure it, leave out --settle 0."));
  results.launches[0].settings = {{"step-times", "wall time"}};
  EXPECT_TRUE(says("To measure it, use another source of step times than --total."));
  line = "/usr/bin/python3 train.py";
  EXPECT_TRUE(says("To compare, run the program on 1 and on more GPUs, with the same output."));
  results.runs[0].status = RunStatus::planned;
  EXPECT_TRUE(says("To measure them, run the program again with the same output."));
}

TEST(RecordedBy, ACommandFromAFileIsOneCommandInAShell) {
  Results results;
  results.launches.push_back(launch_by_hand(1));
  results.runs.push_back(run_by_hand(case_by_hand(64, 1, "single"), 0, 1e-3));
  results.launches[0].command_line =
      "breakeven run --output 'my own.h5' --batches '16, 32'; curl x|sh # $(y)";
  EXPECT_TRUE(contains(
      on_one_line(text_of(results)),
      "mpirun -np 2 breakeven run --output 'my own.h5' --batches '16, 32;' curl 'x|sh' '#' '$(y)' --append"))
      << text_of(results);
}

TEST(RecordedBy, PhasesAreRecordedByTheMeansOfThatProgram) {
  Results results = results_by_hand();
  const auto has_phases_on_more = [](const RecordedRun& run) {
    return run.planned.what.timing == Timing::phases && run.planned.what.gpus > 1;
  };
  std::erase_if(results.runs, has_phases_on_more);
  const auto says = [&](const std::string& sentence) {
    const std::string text = on_one_line(text_of(results));
    return contains(text, sentence) && json_of(results)["vocabulary"]["phases_not_recorded"] == sentence;
  };
  const std::string see = " To see where the time is lost, ", by_run = "run with --timing steps,phases.",
                    by_program = "name them in the program with recorder.phase(...) (docs/own-loop.md).";
  EXPECT_TRUE(says("Phases were recorded on one GPU only." + see + by_run)) << text_of(results);
  std::erase_if(results.runs,
                [](const RecordedRun& run) { return run.planned.what.timing == Timing::phases; });
  EXPECT_TRUE(says("Phases were not recorded." + see + by_run)) << text_of(results);
  for (const char* line : {"breakeven wrap --gpus 1,2 -- python3 train.py", "python3 train.py"}) {
    results.launches[0].command_line = line;
    EXPECT_TRUE(says("Phases were not recorded." + see + by_program)) << text_of(results);
  }
}

TEST(RecordedBy, OnlyFilesOfBreakevenRunAreSentToPredict) {
  Results results = results_by_hand();
  report::AdviceRequest request;
  request.query.model = "medium";
  request.query.batch = 64;
  request.query.most_gpus = 8;
  const auto refusal = [&] {
    const analysis::FileAnalysis file(results);
    try {
      report::make_advice_report(file, request, report::ReportFormat::text);
    } catch (const Failure& failure) {
      return std::string(failure.what());
    }
    return std::string();
  };
  EXPECT_TRUE(contains(refusal(), "run: breakeven predict"));
  results.launches[0].command_line = "python3 train.py";
  EXPECT_TRUE(refusal().ends_with("--gpus 8 is more than the 2 that 'results.h5' measured")) << refusal();
}

TEST(RecordedBy, LaunchesThatTimeTheirStepsInDifferentWaysAreToldApart) {
  const std::string warning = "The launches time their steps in different ways: ";
  Results results = results_by_hand();
  results.launches.push_back(launch_by_hand(2));
  EXPECT_FALSE(contains(text_of(results), "time their steps"));
  for (Launch& launch : results.launches) launch.settings = {{"step-times", "printed seconds"}};
  EXPECT_FALSE(contains(on_one_line(text_of(results)), warning));
  results.launches[0].settings = {{"step-times", "printed samples per second"}};
  EXPECT_TRUE(contains(on_one_line(text_of(results)),
                       "Step times: " + warning + "--step-seconds; --samples-per-second. Do not compare"));
  results.launches[0].settings.clear();
  results.launches[1].settings = {{"step-times", "wall time"}};
  EXPECT_TRUE(contains(on_one_line(text_of(results)), warning + "a Recorder or breakeven run; --total."));
}

}  // namespace
}  // namespace breakeven
