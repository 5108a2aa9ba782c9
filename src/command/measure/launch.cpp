// SPDX-License-Identifier: Apache-2.0
#include "src/command/measure/launch.h"

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>

#include "kernels/gemm_table.h"
#include "mpi/open_device.h"
#include "mpi/transports.h"
#include "mpi/watchdog.h"
#include "src/analysis/one_gpu.h"
#include "src/autotune/candidates.h"
#include "src/command/measure/with_session.h"
#include "src/core/model/model_shape.h"
#include "src/core/strategy/description.h"
#include "src/core/terminate.h"
#include "src/core/text/usage.h"
#include "src/measure/recorded_environment.h"

namespace breakeven::command {
namespace {

// NCCL reads most of its variables once per process, so they are set before anything of it starts.
void set_nccl_variables(const measure::RunOptions& options) {
  for (const auto& [name, value] : options.nccl) setenv(name.c_str(), value.c_str(), 1);
}

// Why a model cannot be trained on the user's data to the --until target, or "".
std::string data_mismatch(const data::DatasetFile& file, const std::vector<Case>& cases,
                          const measure::RunOptions& options) {
  const bool has_accuracy = file.test.samples > 0 && file.loss == LossKind::softmax_cross_entropy;
  if (options.until && options.until->measure == QualityMeasure::accuracy && !has_accuracy) {
    return fmt::format("--until accuracy needs class numbers as targets, and a test part; '{}' has {}",
                       options.dataset,
                       file.test.samples > 0 ? "targets that are not class numbers" : "no test_features");
  }
  for (const Case& what : cases) {
    const ModelShape shape = what.model.value();
    if (shape.inputs() != file.training.inputs || shape.outputs() != file.outputs) {
      return fmt::format(
          "model '{}' has {} inputs and {} outputs, but the data set has {} and {}. Use a model of these "
          "widths: --models {}-...-{}",
          what.model, shape.inputs(), shape.outputs(), file.training.inputs, file.outputs,
          file.training.inputs, file.outputs);
    }
  }
  return "";
}

// `chooses`: the command takes the strategy `auto`.
std::variant<measure::OfferedStrategy, UsageError> offered_strategy(const std::string& text, bool chooses) {
  if (chooses && text == auto_strategy) return measure::OfferedStrategy{.chooses = true};
  const auto parsed = parse_strategy(text);
  if (const auto* error = std::get_if<UsageError>(&parsed)) {
    const std::string name = text.substr(0, text.find(':'));
    if (chooses && name == auto_strategy) return UsageError{"--strategies 'auto' takes no options"};
    std::vector<std::string> names = strategy_names();
    const bool is_known = std::ranges::find(names, name) != names.end();
    if (chooses) names.emplace_back(auto_strategy);
    return UsageError{is_known ? error->sentence : problem_of_word("strategies", name, names)};
  }
  const StrategyDescription& info = *std::get<StrategyChoice>(parsed).info;
  return measure::OfferedStrategy{info.exchanges, info.traits.copies, info.traits.capturable};
}

std::string refusal_of_ranks(Transport transport, int ranks) {
  const int most = traits_of(transport).most_ranks;
  return most == 0 || ranks <= most
             ? ""
             : fmt::format("{} connects at most {} GPUs, not {}", name_of(transport), most, ranks);
}

std::string refusal_of_strategy(const Case& what) {
  const StrategyChoice& choice = what.strategy.value();
  const ModelShape& shape = what.model.value();
  const std::string reason = choice.info->refusal(choice.options, {shape, what.batch, what.gpus});
  if (reason.empty()) return "";
  return fmt::format("--strategies '{}' on {} GPUs with model '{}' and batch {}: {}", what.strategy,
                     what.gpus, what.model, what.batch, reason);
}

// One that is asked for by its name or by "all" is tried, before anything is measured.
void offer_transports(const LaunchSetup& setup, measure::Offer& offer) {
  const TransportSite site = site_of(*setup.session, *setup.device, setup.options.share_gpus);
  const std::vector<std::string>& asked = setup.options.axes[Axis::transport];
  const auto is_asked = [&](std::string_view word) { return std::ranges::find(asked, word) != asked.end(); };
  for (const TransportInfo& info : transports()) {
    const std::string_view name = name_of(info.transport);
    const auto chosen = choose_transport("transports", name, site);
    if (const auto* error = std::get_if<UsageError>(&chosen)) {
      offer.refused_transports.push_back({info.transport, error->sentence});
      continue;
    }
    const std::string too_many = refusal_of_ranks(info.transport, setup.session->size());
    const bool is_tried = too_many.empty() && (is_asked("all") || is_asked(name));
    const std::string fault = is_tried ? info.trial(setup.session->world()) : "";
    if (!fault.empty() && is_asked(name)) {
      offer.refused_transports.push_back(
          {info.transport, fmt::format("--transports {}: {}. Use {}", name, fault,
                                       name_of(usable_transports(site).front()))});
      continue;
    }
    const std::string& problem = too_many.empty() ? fault : too_many;
    if (is_asked("all") && !problem.empty() && setup.session->is_root())
      print_error("breakeven: --transports all leaves out {}: {}\n", name, problem);
    offer.transports.push_back({info.transport, info.capturable(site), !problem.empty()});
  }
}

measure::Offer offer_of(const LaunchSetup& setup, const std::string& command_line) {
  measure::Offer offer;
  offer.ranks = setup.session->size();
  offer.command_line = command_line;
  offer_transports(setup, offer);
  for (const PrecisionInfo& info : precisions) {
    const std::span<const GemmKernel> kernels = setup.device->gemm_kernels(info.precision);
    offer.precisions.push_back({info.precision, {kernels.begin(), kernels.end()}});
  }
  offer.candidates = autotune::candidates_named(setup.options.axes.candidates);
  const bool chooses = !offer.candidates.empty();
  offer.strategy = [chooses](const std::string& text) { return offered_strategy(text, chooses); };
  offer.refusal = [](const Case& what) {
    const std::string reason = refusal_of_ranks(what.transport.value(), what.gpus);
    return reason.empty() ? refusal_of_strategy(what) : "--transports: " + reason;
  };
  return offer;
}

// The files that options name, but for --output.
void read_inputs(LaunchSetup& setup) {
  const measure::RunOptions& options = setup.options;
  if (!options.gemm_table.empty()) setup.device->use_gemm_table(read_gemm_table(options.gemm_table));
  if (options.dataset.empty()) return;
  report_activity_as("reading " + options.dataset);
  setup.dataset = std::make_unique<data::DatasetFile>(data::read_dataset_file(options.dataset));
}

// For --loss-budget. Cases that a strategy cannot run on one GPU stay unmeasured.
void add_shares_on_one_gpu(LaunchSetup& setup) {
  for (const Case& what : analysis::wanted_on_one_gpu(setup.cases)) {
    if (refusal_of_strategy(what).empty()) setup.cases.push_back(what);
  }
}

}  // namespace

LaunchSetup set_up_launch(const Session& session, int argc, char** argv, const measure::RunOptions& defaults,
                          const measure::AddOptions& add_more) {
  LaunchSetup setup;
  setup.session = &session;
  const auto parsed = measure::parse_run_options(argc, argv, defaults, add_more);
  if (const auto code = answer_usage(*setup.session, parsed)) {
    setup.code = *code;
    return setup;
  }
  setup.options = std::get<measure::RunOptions>(parsed);
  set_time_limit(setup.options.timeout_seconds);
  set_nccl_variables(setup.options);
  report_activity_as("opening the device");
  setup.device = open_device(*setup.session, setup.options.backend, setup.options.share_gpus);
  if (setup.device == nullptr) {  // rank 0 has said why
    setup.code = ExitCode::environment;
    return setup;
  }
  setup.code = on_every_rank(session, [&] { read_inputs(setup); });
  if (setup.code != ExitCode::success) return setup;
  setup.offer = offer_of(setup, measure::recorded_command_line(argc, argv));
  if (setup.options.random_cases > 0) {  // `verify --random` draws its cases
    setup.go_on = true;
    return setup;
  }
  const auto planned = measure::plan_cases(setup.options.axes, setup.offer);
  if (const auto* error = std::get_if<UsageError>(&planned)) {
    setup.code = refuse_options(*setup.session, error->sentence);
    return setup;
  }
  setup.cases = std::get<std::vector<Case>>(planned);
  if (setup.options.loss_budget) add_shares_on_one_gpu(setup);
  if (setup.dataset != nullptr) {
    const std::string mismatch = data_mismatch(*setup.dataset, setup.cases, setup.options);
    if (!mismatch.empty()) {
      setup.code = refuse_options(*setup.session, mismatch);
      return setup;
    }
  }
  setup.go_on = true;
  return setup;
}

}  // namespace breakeven::command
