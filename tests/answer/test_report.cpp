// SPDX-License-Identifier: Apache-2.0
// Whole reports of results made by hand: what is said, in which format, and what is not claimed.
#include <gtest/gtest.h>

#include <numeric>
#include <sstream>

#include "src/analysis/file_analysis.h"
#include "src/analysis/loss_budget.h"
#include "src/core/phase.h"
#include "src/core/text/display_width.h"
#include "src/hdf5/schema.h"
#include "tests/support/report_text.h"
#include "tests/support/results_by_hand.h"

namespace breakeven {
namespace {

nlohmann::json case_in(const nlohmann::json& report, std::uint32_t batch, int gpus,
                       const std::string& instrument) {
  for (const auto& row : report["cases"]) {
    if (row["batch"] == batch && row["gpus"] == gpus && row["timing"] == instrument) return row;
  }
  return {};
}

TEST(Report, AnswersTheQuestionInASentence) {
  EXPECT_TRUE(contains(
      on_one_line(text_of(results_by_hand())),
      "medium (258,432 parameters) on 2x NVIDIA H200: ddp on 2 GPUs pays at batch 128, the largest "
      "measured. Same within 2 % at batch 64. Its speed-up over one GPU is 0.738 (0.735–0.742) at batch 16 "
      "(one GPU: 2,118 samples/s, 7.55 ms a step), and 1.496 (1.489–1.503) at batch 128 (one GPU: 14,720 "
      "samples/s, 8.70 ms a step)."));
}

TEST(Report, SaysWhereItPaidNowhereAndWhereEverywhere) {
  Results results;
  results.launches.push_back(launch_by_hand(2));
  add_pair(results, 16, 6.6e-3, 0.84);
  add_pair(results, 128, 7.6e-3, 0.73);
  EXPECT_TRUE(
      contains(on_one_line(text_of(results)), "ddp on 2 GPUs pays at no measured batch (16 to 128)."));

  results.runs.clear();
  add_pair(results, 16, 6.6e-3, 1.4);
  add_pair(results, 128, 7.6e-3, 1.7);
  EXPECT_TRUE(
      contains(on_one_line(text_of(results)), "ddp on 2 GPUs pays at every measured batch (16 to 128)."));

  results.runs.clear();
  add_pair(results, 16, 6.6e-3, 1.4);
  add_pair(results, 128, 7.6e-3, 0.7);
  EXPECT_TRUE(contains(on_one_line(text_of(results)), "ddp on 2 GPUs pays only at batch 16."));
}

TEST(Report, TwoRepeatsGiveNoVerdict) {
  Results results;
  results.launches.push_back(launch_by_hand(2));
  add_pair(results, 16, 6.6e-3, 3.0, 2);
  const std::string text = on_one_line(text_of(results));
  EXPECT_TRUE(contains(text, "undecided, 1 more repeat"));
  EXPECT_TRUE(contains(text, "no verdict can be given"));
  EXPECT_FALSE(contains(text, "GPUs pays"));
}

TEST(Report, NaNIsNeverAVerdictNorANumber) {
  Results results = results_by_hand();
  for (RecordedRun& run : results.runs) {
    if (run.planned.what.batch == 128) run.ranks[0].at(0, Phase::step) = not_measured;
  }
  const std::string text = on_one_line(text_of(results));
  EXPECT_TRUE(contains(text, "Not measured at batch 128."));
  EXPECT_FALSE(contains(text, "GPUs pays"));
  const auto row = case_in(json_of(results), 128, 2, "total");
  EXPECT_EQ(row["verdict"], "not_measured");
  EXPECT_TRUE(row["speedup"].is_null());
  EXPECT_TRUE(row["step_seconds"].is_null());
  EXPECT_TRUE(contains(text, "finished runs lack a step's time on some rank"));
}

TEST(Report, HasTheColumnsThatRowsOfPerStepVariablesName) {
  Results results = results_by_hand();
  for (RecordedRun& run : results.runs) {
    for (RunRecord& rank : run.ranks)
      for (const hdf5::StepColumn& column : hdf5::step_columns())
        std::iota((rank.*column.values).begin(), (rank.*column.values).end(), 1.0);
  }
  const nlohmann::json report = json_of(results);
  for (const hdf5::StepColumn& column : hdf5::step_columns()) {
    const bool is_final = column.reduction == hdf5::Reduction::final_sum;
    const double value = column.reduction == hdf5::Reduction::mean ? 2.5 : 4;  // of 1, 2, 3, 4
    for (const auto& row : report["cases"])
      EXPECT_EQ(row[column.key], is_final ? value * row["gpus"].get<int>() : value) << column.key;
    if (is_final) continue;
    for (const char* table : {"ranks", "finished_runs"})
      for (const auto& row : report[table]) EXPECT_EQ(row[column.key], value) << column.key;
  }
}

// The report counts the cases of each warning.
TEST(Report, WarningsOfACaseStandInItsResult) {
  Results results;
  results.launches.push_back(launch_by_hand(2));
  add_pair(results, 16, 6.6e-3, 3.0, 2);
  add_pair(results, 128, 6.6e-3, 3.0);
  std::erase_if(results.runs, [](const RecordedRun& run) {
    return run.planned.what.batch == 128 && run.planned.what.gpus == 1;
  });
  const analysis::FileAnalysis file(results);
  for (const analysis::CaseResult& result : file.case_results()) {
    const Case& what = result.measured->what;
    EXPECT_EQ(result.warnings.few_repeats, what.batch == 16 && what.gpus == 2);
    EXPECT_EQ(result.warnings.no_baseline, what.batch == 128 && what.gpus == 2);
    EXPECT_FALSE(result.warnings.by_phases_only || result.warnings.late_warm_up);
  }
}

TEST(Report, WarningsAreNamed) {
  Results results = results_by_hand();
  for (RecordedRun& run : results.runs) {
    for (RunRecord& rank : run.ranks) {
      rank.steps_host_seconds = 1.1 * rank.steps_device_seconds;
      rank.telemetry.throttle_reasons = 0x4;
      rank.skipped_steps = run.planned.what.batch == 16 ? 3 : 0;
      if (run.planned.what.timing == Timing::steps) continue;
      for (double& seconds : rank.seconds) seconds *= 1.2;
    }
  }
  results.launches[0].git_revision += "-dirty";
  results.launches[0].topology.links[1].data_right = false;
  const std::string text = on_one_line(text_of(results));
  EXPECT_TRUE(contains(text, "changed the step time by more than 5 % in 6 of 6 cases (most: 21 %"));
  EXPECT_TRUE(contains(text, "differ by more than 2 % over the measured steps"));
  EXPECT_TRUE(contains(text, "GPU clocks were throttled in 12 of 12 cases (power cap)"));
  EXPECT_TRUE(contains(text, "skipped updates in 4 of 12 cases (most: 3.0 steps a run"));
  EXPECT_TRUE(contains(text, "Build 0123abc-dirty had uncommitted changes"));
  EXPECT_TRUE(contains(text, "links delivered other data than was sent"));
}

TEST(Report, NamesCasesWithWrongNumbers) {
  Results results = results_by_hand();
  results.runs.front().ranks.back().loss.back() = not_measured;
  EXPECT_TRUE(contains(on_one_line(text_of(results)),
                       "In 2 of 12 cases a loss is not a number: the training failed. They have no speed and "
                       "no energy: medium b16 1x single fp32 tiled none "));
}

TEST(Report, NoWarningsWhereAllIsWell) {
  Results results = results_by_hand();
  results.launches.insert(results.launches.end(), 2, launch_by_hand(2));
  settle(results);
  EXPECT_FALSE(contains(text_of(results), "Read before trusting these numbers"));
}

TEST(Report, WeakScalingIsToldFromStrong) {
  Results results = results_by_hand();
  for (std::uint32_t repeat = 0; repeat < 4; ++repeat) {
    Case weak = case_by_hand(32, 2, "ddp");
    Case base = case_by_hand(16, 1, "single");
    weak.scaling = base.scaling = Scaling::weak;
    results.runs.push_back(run_by_hand(base, repeat, 6.6e-3));
    results.runs.push_back(run_by_hand(weak, repeat, 6.6e-3));
  }
  const std::string text = on_one_line(text_of(results));
  EXPECT_TRUE(contains(
      text,
      "ddp on 2 GPUs (weak) pays. Its speed-up over one GPU is 2.000 (2.000–2.000) at batch 16 a GPU (32 "
      "over all; one GPU: 2,424 samples/s, 6.60 ms a step)."));
  EXPECT_TRUE(contains(text, "ddp on 2 GPUs (strong) pays"));
  EXPECT_FALSE(contains(text, "one GPU is faster"));  // the same settings, planned twice
}

TEST(Report, RunsNotDoneAreListedByNumber) {
  Results results = results_by_hand();
  for (const std::size_t number : {0u, 4u, 8u}) {
    results.runs[number].status = RunStatus::planned;
    results.runs[number].ranks.clear();
  }
  const std::string text = on_one_line(text_of(results));
  EXPECT_TRUE(contains(text, "3 of 4 runs are missing (number 0, 4, 8)"));
  EXPECT_TRUE(contains(text, "45 done of 48 planned"));
  EXPECT_EQ(json_of(results)["runs"]["not_done"].size(), 3u);
}

TEST(Report, AFileInWhichNothingIsDoneIsStillReported) {
  Results results = results_by_hand();
  for (RecordedRun& run : results.runs) {
    run.status = RunStatus::planned;
    run.ranks.clear();
  }
  EXPECT_TRUE(contains(text_of(results), "Nothing was compared with one GPU."));
  EXPECT_TRUE(contains(report::make_report(results, {.sections = {"provenance"}}), "0 done of 48 planned"));
  EXPECT_EQ(case_in(json_of(results), 16, 2, "total")["verdict"], "not_measured");
}

TEST(Report, AnEmptyFileIsStillReported) {
  EXPECT_TRUE(contains(text_of(Results{}), "Nothing was compared with one GPU."));
  EXPECT_EQ(json_of(Results{})["cases"].size(), 0u);
}

TEST(Report, HostDevicesAreNotCalledGpus) {
  Results results = results_by_hand();
  for (RankInfo& rank : results.launches[0].topology.ranks) rank.device.backend = "host";
  const std::string text = on_one_line(text_of(results));
  EXPECT_TRUE(contains(text, "ddp on 2 host devices pays"));
  EXPECT_TRUE(contains(text, "the figures say nothing about GPUs"));
}

TEST(Report, StrategyOverheadOnOneGpuIsNoSpeedUp) {
  Results results = results_by_hand();
  for (std::uint32_t repeat = 0; repeat < 4; ++repeat) {
    results.runs.push_back(
        run_by_hand(case_by_hand(16, 1, "ddp"), repeat, 6.6e-3 * (1 + 0.1 * repeat) * 1.04));
  }
  const std::string text = text_of(results);
  EXPECT_TRUE(contains(text, "Strategy overhead: a multi-GPU strategy"));
  EXPECT_TRUE(contains(text, "1.040 (1.040–1.040)"));
  EXPECT_TRUE(contains(text, "medium/b16/1x/ddp/fp32/tiled/nccl/strong/graph/resident"));
  EXPECT_TRUE(contains(text, "verdict: strategy_overhead"));
}

TEST(Report, BarsAreOfOneScale) {
  const std::string text = text_of(results_by_hand());
  EXPECT_TRUE(contains(text, "├── Forward pass"));
  EXPECT_TRUE(contains(text, "└── Overhead"));
  EXPECT_TRUE(contains(text, "medium, batch 16             single on 1: 7.67 ms (timed: 7.59 ms)"));
}

// Command lines, long by nature, and the lines for harnesses aside, everything fits a terminal.
TEST(Report, TextFitsItsColumns) {
  std::istringstream lines(text_of(results_by_hand()));
  std::size_t checked = 0;
  for (std::string line; std::getline(lines, line); ++checked) {
    if (line.starts_with("FOM ")) continue;
    EXPECT_LE(display_width(line), 112u) << line;
    EXPECT_FALSE(line.ends_with(' ')) << "'" << line << "'";
  }
  EXPECT_GT(checked, 80u);
}

TEST(Report, CsvHasOneRowACaseWithEveryAxis) {
  std::istringstream lines(report::make_report(results_by_hand(), {.format = report::ReportFormat::csv}));
  std::string header;
  std::getline(lines, header);
  EXPECT_TRUE(header.starts_with(
      "model,batch,gpus,strategy,precision,gemm,collective,nccl_settings,scaling,timing,graph,data,"));
  std::size_t rows = 0;
  for (std::string line; std::getline(lines, line); ++rows) {
    EXPECT_FALSE(contains(line, "nan"));
    EXPECT_TRUE(line.starts_with("medium,"));
  }
  EXPECT_EQ(rows, 12u);
}

TEST(Report, JsonIsWhole) {
  const auto report = json_of(results_by_hand());
  EXPECT_EQ(report["format"], "breakeven report");
  EXPECT_EQ(report["version"], report::report_version);
  EXPECT_EQ(report["machine"], "2x NVIDIA H200");
  EXPECT_EQ(report["answers"].size(), 1u);
  EXPECT_EQ(report["ranks"].size(), 18u);
  EXPECT_EQ(report["launches"][0]["links"][0]["bytes_per_second"], nullptr);
  const auto row = case_in(report, 128, 2, "total");
  EXPECT_EQ(row["verdict"], "pays");
  EXPECT_NEAR(row["speedup"].get<double>(), 1.4963, 1e-4);
  const auto base = case_in(report, 128, 1, "total");
  EXPECT_EQ(base["verdict"], "base");
  EXPECT_EQ(row["baseline"], base["case"]);
  EXPECT_NE(row["baseline"], row["case"]);
}

TEST(Report, JsonHasItsVocabulary) {
  const auto report = json_of(results_by_hand());
  const auto row = case_in(report, 128, 2, "total");
  const auto& words = report["vocabulary"];
  EXPECT_EQ(words["phases"].size(), phase_count - 1);
  for (const auto& phase : words["phases"])
    EXPECT_TRUE(row.contains(phase["key"].get<std::string>() + "_seconds")) << phase;
  EXPECT_EQ(words["loss_parts"].size(), analysis::loss_parts.size());
  for (const auto& part : words["loss_parts"]) EXPECT_FALSE(part["label"].get<std::string>().empty()) << part;
  for (const auto& [name, format] : words["formats"].items()) {
    double before = 0;
    for (const auto& unit : format["units"]) {
      EXPECT_GT(unit["size"], before) << name;
      before = unit["size"];
    }
  }
}

TEST(Report, JsonSurvivesTextThatIsNotUtf8) {
  Results results = results_by_hand();
  results.launches[0].topology.ranks[0].host = "node\xFF";
  EXPECT_EQ(json_of(results)["version"], report::report_version);
}

}  // namespace
}  // namespace breakeven
