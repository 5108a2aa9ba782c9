# SPDX-License-Identifier: Apache-2.0
"""`breakeven wrap`, from its options to its exit code."""

import contextlib
import shutil
import signal
from collections.abc import Iterator
from pathlib import Path
from types import FrameType

from breakeven_analysis.errors import RecorderError, WrapError
from breakeven_analysis.record.ranks import find_rank
from breakeven_analysis.said import say, warn
from breakeven_analysis.wrap.gpus import chooses_itself
from breakeven_analysis.wrap.options import Options
from breakeven_analysis.wrap.plan import placeholders_in
from breakeven_analysis.wrap.resume import FILE
from breakeven_analysis.wrap.session import Session

FAILED_RUNS, INTERRUPTED = 3, 6  # exit codes
STOPPING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Interrupted(BaseException):
    """A signal asks this program to stop. Nothing but main() catches it."""


def measure(options: Options) -> int:
    refuse_ranks()
    refuse_removed_folder()
    session = Session(options)
    check_program(session)
    if options.dry_run:
        session.describe()
        return 0
    with interruptible():
        try:
            session.measure_all()
        except Interrupted:
            session.measurer.runner.stop_all()
            warn(
                f"interrupted; {session.measured} of {session.planned} runs are measured. Continue with: "
                f"{options.command_to_resume()}"
            )
            return INTERRUPTED
    return conclude(session)


def conclude(session: Session) -> int:
    output = session.options.output
    if session.measured:
        say(f"results: {output}, {session.measured} of {session.planned} runs measured")
    if session.failed:
        kept = "" if session.measured else f", and there is no {output}"
        failed = f"{session.failed} of {session.planned} runs failed"
        if session.not_started:
            warn(f"{failed} for this reason, so {session.not_started} were not started{kept}. Correct the command")
        else:
            warn(f"{failed}{kept}. To repeat only these: {session.options.command_to_resume()}")
        return FAILED_RUNS
    say(f"breakeven report {output} answers from them")
    return 0


def refuse_ranks() -> None:
    try:
        ranks = find_rank().ranks
    except RecorderError:
        ranks = 2
    if ranks > 1:
        raise WrapError(
            "this is one of several ranks. Start wrap once, and put the launcher (mpirun, torchrun) behind '--'"
        )


def refuse_removed_folder() -> None:
    try:
        Path.cwd()
    except FileNotFoundError as error:
        raise WrapError("the current folder was removed. Change to another one", FILE) from error


def check_program(session: Session) -> None:
    """The program exists, and learns the number of GPUs."""
    options, measurer = session.options, session.measurer
    for case in options.cases:
        program = measurer.commands(case, False)[0][0]
        if shutil.which(program) is None:
            raise WrapError(f"'{program}' is no program on PATH and no executable file")
    tells_by_command = "gpus" in placeholders_in(options.command)
    if len(options.gpus) > 1 and not tells_by_command and not all(map(measurer.environment, options.cases)):
        why = (
            "chooses the GPUs by CUDA_VISIBLE_DEVICES"
            if chooses_itself(options.command)
            else f"{len(measurer.gpus)} GPUs are visible here"
        )
        raise WrapError(
            f"the command does not contain {{gpus}}, and {why}, so several numbers of --gpus would be the same run"
        )
    if 1 not in options.gpus:
        warn("note: without 1 in --gpus there is no speed-up over one GPU")


@contextlib.contextmanager
def interruptible() -> Iterator[None]:
    """SIGINT, SIGTERM and SIGHUP end the run in progress, once."""

    def stop(_: int, __: FrameType | None) -> None:
        for number in STOPPING:
            signal.signal(number, signal.SIG_IGN)
        raise Interrupted

    before = {number: signal.getsignal(number) for number in STOPPING}
    for number in STOPPING:
        if number != signal.SIGHUP or before[number] != signal.SIG_IGN:  # nohup
            signal.signal(number, stop)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
