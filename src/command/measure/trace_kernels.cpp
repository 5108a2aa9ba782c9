// SPDX-License-Identifier: Apache-2.0
// `breakeven trace --kernels`: trains one case and shows what each GPU does in a step, kernel by kernel.
#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "kernels/kernel_recorder.h"
#include "mpi/topology.h"
#include "src/command/answer/file_command.h"
#include "src/command/command.h"
#include "src/command/measure/auto_cases.h"
#include "src/command/measure/launch.h"
#include "src/command/measure/with_session.h"
#include "src/core/terminate.h"
#include "src/core/text/output.h"
#include "src/core/text/text_file.h"
#include "src/measure/recorded_environment.h"
#include "src/measure/trace_case.h"
#include "src/report/trace/run_trace.h"
#include "src/report/trace/waterfall_report.h"

namespace breakeven::command {
namespace {

constexpr std::uint32_t default_steps = 60;  // small networks make 20 in a launch

measure::RunOptions case_defaults() {
  measure::RunOptions defaults = measure::run_defaults();
  defaults.axes[Axis::batch] = {"64"};
  defaults.axes[Axis::gpus] = {"all"};
  defaults.axes[Axis::strategy] = {"single"};
  defaults.axes[Axis::timing].resize(1);  // whole steps
  defaults.steps = default_steps;
  defaults.repeats = 1;
  defaults.output = "";
  return defaults;
}

// What is wrong with the options of `run`, or "".
std::string problem_of(const LaunchSetup& setup, const std::string& json) {
  const measure::RunOptions& options = setup.options;
  if (options.until || options.target_ci > 0 || options.repeats != 1 || options.append || options.resume ||
      options.dry_run || options.loss_budget || options.memory_limit_bytes > 0)
    return "trace --kernels trains one run and takes none of --until, --target-ci, --repeats, --append, "
           "--resume, --dry-run, --loss-budget and --memory-limit";
  if (setup.cases.size() != 1)
    return fmt::format(
        "trace --kernels takes one case, but these options name {}: {}, {}, … Give one value to each "
        "of --models, --batches, --gpus, --strategies and --precisions",
        setup.cases.size(), label_of(setup.cases[0]), label_of(setup.cases[1]));
  if (is_auto(setup.cases.front())) return "trace --kernels takes one strategy by its name, not 'auto'";
  if (setup.cases.front().timing == Timing::phases)
    return "trace --kernels records whole steps: leave --timing out, or give 'steps'";
  if (!json.empty() && is_same_file(options.output, json))
    return "--output and --kernels-output name the same file";
  if (const std::string wrong = problem_of_output("output", options.output); !wrong.empty()) return wrong;
  if (const std::string wrong = problem_of_overwriting("kernels-output", json); !wrong.empty()) return wrong;
  return problem_of_output("kernels-output", json);
}

// What all ranks need before they train. Throws Failure(environment).
std::unique_ptr<KernelRecorder> recorder_for(const Device& device) {
  if (device.info().is_host())
    throw Failure(
        ExitCode::environment,
        fmt::format("trace --kernels records the kernels of a GPU, but this device is the host ({}). Run it "
                    "on a machine with an NVIDIA GPU; 'breakeven trace FILE' works everywhere",
                    device.info().name));
  return make_kernel_recorder();
}

Results as_results(const report::KernelTrace& trace, const Case& what) {
  RecordedRun run;
  run.planned.what = what;
  run.label = trace.label;
  run.status = RunStatus::complete;
  run.steps = trace.ranks.front().record.steps;
  for (const TracedRank& rank : trace.ranks) run.ranks.push_back(rank.record);
  Results results;
  results.launches.push_back(trace.launch);
  results.runs.push_back(std::move(run));
  return results;
}

ExitCode write(const report::KernelTrace& trace, const Case& what, const LaunchSetup& setup,
               const std::string& json) {
  if (!json.empty())
    write_text(waterfall_report(trace, report::ReportFormat::json), json, "the recorded kernels");
  if (!setup.options.output.empty()) {
    std::vector<NodeRecording> kernels;
    for (const TracedRank& rank : trace.ranks) kernels.push_back(rank.recording);
    const Results results = as_results(trace, what);
    write_text(report::run_trace(results, 0, 0, results.runs.front().steps, kernels), setup.options.output,
               "the trace");
  }
  write_text(waterfall_report(trace, report::ReportFormat::text), "", "the waterfall");
  const std::string problem = problem_of(trace);
  if (problem.empty()) return ExitCode::success;
  print_error("breakeven: {}\n", problem);
  return ExitCode::wrong_numbers;
}

ExitCode trace_one(const LaunchSetup& setup, const std::string& json, KernelRecorder& recorder, int argc,
                   char** argv) {
  const Session& session = *setup.session;
  const Case& what = setup.cases.front();
  measure::RunContext context(session, *setup.device, setup.options, setup.dataset.get());
  report_activity_as("trace " + label_of(what));
  Launch launch = measure::describe_launch(argc, argv, settings_of(setup.options),
                                           context.monitor().driver_version(), setup.options.nccl);
  launch.topology.ranks = gather_ranks(session, setup.device->info());
  std::vector<TracedRank> ranks;
  if (session.rank() < what.gpus)
    ranks = measure::gather_traces(measure::trace_case(what, context, recorder), context.group(what.gpus));
  session.sleepy_barrier();
  warn_of_pauses(session);
  return write_on_root(session, [&] {
    launch.topology.ranks.resize(ranks.size());
    return write(report::make_kernel_trace(std::move(launch), label_of(what), std::move(ranks)), what, setup,
                 json);
  });
}

ExitCode trace_kernels(const Session& session, int argc, char** argv) {
  std::string json;
  bool kernels = false;  // main() has seen it
  const auto add_more = [&](CommandOptions& options) {
    options.begin_group("Kernels");
    options.add_switch("kernels", kernels, "train one case and record its kernels");
    options.add("kernels-output", json,
                "everything that was recorded, as JSON; --output is the timeline for Perfetto", "FILE");
  };
  std::string name = "trace --kernels";
  std::vector<char*> words{name.data()};
  std::copy_if(argv + 1, argv + argc, std::back_inserter(words),
               [](std::string_view word) { return word != "--kernels"; });
  const auto count = static_cast<int>(words.size());
  words.push_back(nullptr);
  const LaunchSetup setup = set_up_launch(session, count, words.data(), case_defaults(), add_more);
  if (!setup.go_on) return setup.code;
  const std::string wrong = session.is_root() ? problem_of(setup, json) : "";
  if (session.any(!wrong.empty())) return refuse_options(session, wrong);
  std::unique_ptr<KernelRecorder> recorder;
  const ExitCode able = on_every_rank(session, [&] { recorder = recorder_for(*setup.device); });
  if (able != ExitCode::success) return able;
  return trace_one(setup, json, *recorder, argc, argv);
}

}  // namespace

ExitCode trace_kernels_command(int argc, char** argv) { return with_session(argc, argv, trace_kernels); }

}  // namespace breakeven::command
