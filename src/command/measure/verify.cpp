// SPDX-License-Identifier: Apache-2.0
// `breakeven verify`: checks that every strategy computes what it claims to.
#include <fmt/format.h>

#include "src/command/command.h"
#include "src/command/measure/launch.h"
#include "src/command/measure/usage_answers.h"
#include "src/command/measure/verify_random.h"
#include "src/command/measure/with_session.h"
#include "src/core/terminate.h"
#include "src/core/text/output.h"
#include "src/measure/run_context.h"
#include "src/report/declared_table.h"
#include "src/verify/plain_descent.h"
#include "src/verify/references.h"
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
         report::words("", "losses, relative difference from replayed updates", "of `async-server`"),
         report::words("", "updates lost or applied twice", "of `async-server`")}}};

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
