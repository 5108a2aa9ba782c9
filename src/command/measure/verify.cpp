// SPDX-License-Identifier: Apache-2.0
// `breakeven verify`: checks that every strategy computes what it claims to, in the cases of the options or
// in random ones.
#include <array>
#include <map>
#include <string>

#include <fmt/format.h>

#include "src/command/command.h"
#include "src/command/measure/launch.h"
#include "src/command/measure/with_session.h"
#include "src/core/axes.h"
#include "src/core/strategy/case_strategy.h"
#include "src/core/terminate.h"
#include "src/core/text/output.h"
#include "src/measure/run_context.h"
#include "src/report/format/declared_table.h"
#include "src/verify/plain_descent.h"
#include "src/verify/random_case.h"
#include "src/verify/random_verdict.h"
#include "src/verify/references.h"
#include "src/verify/stable_rate.h"
#include "src/verify/trajectory.h"
#include "src/verify/verdict.h"

namespace breakeven::command {
namespace {

const report::DeclaredTable declared_checks{
    {.command = "verify",
     .title = "Checks",
     .page = "measuring.md#verification",
     .columns = {
         report::words("", "mean of the last ten losses, difference", "from the reference"),
         report::words("", "norms of the gradient, correlation", "with the reference, over the steps"),
         report::words("", "norm of the first gradient, relative difference", "a wrong divisor shows here"),
         report::words("", "weights, mean absolute difference", "after the last step"),
         report::words("", "weights, relative Frobenius norm of the difference", "over all weights together"),
         report::words("", "weights, relative difference from the serial definition",
                       "0 where the same bits are promised"),
         report::words("", "weights whose bits differ between ranks", "how many"),
         report::words("", "weights against plain descent, relative to distance moved",
                       "of strategies that split the model, and where Adam's weights exceed their limits")
             .elsewhere(),
         report::words("", "weights against plain descent, relative Frobenius norm",
                       "of strategies that split the model, and where Adam's weights exceed their limits")
             .elsewhere(),
         report::words("", "losses, relative difference from those in fp32", "in other precisions"),
         report::words("", "steps that only one of the two skipped for overflow", "in fp16"),
         report::words("", "updates that the server did not count", "of `async-server`"),
         report::words("", "parameters read, relative distance from those served", "of `async-server`")}}};

void print_checks(const verify::Verdict& verdict) {
  for (const verify::Check& check : verdict.checks) {
    print_out("  {:<5} {:<58} {:>12.4g} {} {:g}\n", check.passed() ? "ok" : "WRONG", check.what, check.value,
              check.at_least ? ">=" : "<=", check.limit);
  }
}

// A step of a case on the host's few cores takes about a tenth of a second at most.
constexpr double most_flops_on_host = 3e7;
constexpr double most_flops_on_gpu = 3e10;

// How many cases had each level of an axis.
class Census {
 public:
  void add(const verify::RandomCase& drawn) {
    ++total_;
    for (const Axis axis : axes_) ++counts_[axis][word_of(axis, drawn.what)];
    ++counts_[Axis::strategy][std::string(strategy_of_case(drawn.what).info->name)];
    ++by_optimizer_[std::string(name_of(drawn.options.optimizer))];
  }
  void print(std::uint32_t wrong, std::uint64_t seed) const {
    print_out("{} random cases of seed {}: {} ok, {} wrong\n", total_, seed, total_ - wrong, wrong);
    for (const auto& [axis, counts] : counts_) print_line(info_of(axis).label, counts);
    print_line("Optimizer", by_optimizer_);
  }

 private:
  using Counts = std::map<std::string, std::uint32_t>;
  static void print_line(std::string_view name, const Counts& counts) {
    print_out("  {}:", name);
    for (const auto& [word, count] : counts) print_out(" {} {}", word, count);
    print_out("\n");
  }

  // Model and batch have too many levels; NCCL settings and timing are the same in all random cases.
  static constexpr auto axes_ =
      axes_but<Axis::model, Axis::batch, Axis::strategy, Axis::nccl, Axis::timing, Axis::chosen>();
  std::uint32_t total_ = 0;
  std::map<Axis, Counts> counts_;
  Counts by_optimizer_;
};

// What draws the same case again.
std::string command_of(const LaunchSetup& setup, std::uint32_t index) {
  const measure::RunOptions& options = setup.options;
  return fmt::format("mpirun -np {} breakeven verify --random {} --random-case {} --seed {} --backend {}{}",
                     setup.session->size(), options.random_cases, index, options.seed, options.backend,
                     options.share_gpus ? " --share-gpus" : "");
}

void print_case(const LaunchSetup& setup, std::uint32_t index, const verify::RandomCase& drawn,
                const verify::Verdict& verdict) {
  print_out("case {}: {}: {}\n", index, verify::in_words(drawn), verdict.passed() ? "ok" : "WRONG");
  if (verdict.passed()) return;
  print_checks(verdict);
  print_out("  repeat it: {}\n", command_of(setup, index));
}

// On every rank; those that take no part pass.
bool verify_case(const LaunchSetup& setup, std::uint32_t index, verify::RandomCase drawn) {
  const Session& session = *setup.session;
  if (session.rank() >= drawn.what.gpus) return true;
  measure::RunContext context(session, *setup.device, drawn.options, nullptr);
  if (drawn.options.optimizer == OptimizerKind::sgd)
    drawn.options.learning_rate = verify::stable_learning_rate(drawn.what, context);  // the context has it
  const verify::Verdict verdict = verify::verify_twice(drawn.what, context);
  if (session.is_root()) print_case(setup, index, drawn, verdict);
  return verdict.passed();
}

// Verifies the random cases and prints a line for each; of one that fails also its checks and the command
// that repeats it. Ends with how many there were of each strategy, precision, kernel and so on.
ExitCode verify_random(const LaunchSetup& setup) {
  const Session& session = *setup.session;
  const measure::RunOptions& options = setup.options;
  const bool on_host = setup.device->info().is_host();
  const std::uint32_t first = options.random_case.value_or(0);
  const std::uint32_t end = options.random_case ? first + 1 : options.random_cases;
  Census census;
  std::uint32_t wrong = 0;
  for (std::uint32_t index = first; index < end; ++index) {
    const verify::RandomCase drawn = verify::draw_case(options.seed, index, options, setup.offer,
                                                       on_host ? most_flops_on_host : most_flops_on_gpu);
    report_activity_as("verify " + verify::in_words(drawn));
    const bool passed = verify_case(setup, index, drawn);
    session.sleepy_barrier();
    const ExitCode mine = passed ? ExitCode::success : ExitCode::wrong_numbers;
    if (session.agree(mine) != ExitCode::success) ++wrong;
    census.add(drawn);
  }
  if (session.is_root()) census.print(wrong, options.seed);
  return wrong == 0 ? ExitCode::success : ExitCode::wrong_numbers;
}

void print_verdict(const Case& what, const verify::Verdict& verdict) {
  print_out("{}: {}\n", label_of(what), verdict.passed() ? "ok" : "WRONG");
  print_checks(verdict);
}

ExitCode verify_cases(const Session& session, int argc, char** argv) {
  const LaunchSetup setup = set_up_launch(session, argc, argv, measure::verify_defaults());
  if (!setup.go_on) return setup.code;
  if (setup.options.until || setup.options.memory_limit_bytes > 0)
    return refuse_options(session, "verify does not take --until or --memory-limit");
  if (setup.options.random_cases > 0) return verify_random(setup);
  measure::RunContext context(session, *setup.device, setup.options, setup.dataset.get());
  bool all_passed = true;
  for (const Case& what : setup.cases) {
    report_activity_as("verify " + label_of(what));
    if (session.rank() < what.gpus) {
      // Rank 0 alone trains the references; all ranks train the case.
      const verify::Trajectory trajectory = verify::train(what, context);
      report_activity_as("verify " + label_of(what) + ": references");
      verify::References references;
      if (session.is_root()) references = verify::train_references(what, context, trajectory.served);
      verify::Verdict verdict = verify::compare(what, references, trajectory, context.group(what.gpus));
      for (const verify::Check& check : verify::check_plain_descent(what, context))
        verdict.checks.push_back(check);
      verify::settle_by_plain_descent(what, context, verdict);
      if (session.is_root()) print_verdict(what, verdict);
      all_passed = all_passed && verdict.passed();
    }
    session.sleepy_barrier();
  }
  const ExitCode mine = all_passed ? ExitCode::success : ExitCode::wrong_numbers;
  return session.agree(mine);
}

}  // namespace

ExitCode verify_command(int argc, char** argv) { return with_session(argc, argv, verify_cases); }

}  // namespace breakeven::command
