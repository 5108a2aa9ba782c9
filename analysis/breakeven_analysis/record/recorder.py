# SPDX-License-Identifier: Apache-2.0
"""Records the steps of a training loop in a results file (docs/own-loop.md)."""

import atexit
import contextlib
import math
import os
import sys
from itertools import count
from pathlib import Path
from types import TracebackType

from breakeven_analysis.errors import RecorderError
from breakeven_analysis.limits import MOST_PARAMETERS, MOST_SAMPLES
from breakeven_analysis.record.case import Protocol, check_whole, describe_case
from breakeven_analysis.record.device import Monitor, describe_device
from breakeven_analysis.record.marks import PhaseMark, StepMark
from breakeven_analysis.record.measurement import Loss, Measurement, RanksGone, Stage
from breakeven_analysis.record.meeting import GONE, Meeting, Message
from breakeven_analysis.record.part import Part, PartsFolder
from breakeven_analysis.record.provenance import describe_start
from breakeven_analysis.record.ranks import find_rank
from breakeven_analysis.record.replacing import WRAPPED, output_of, parts_beside
from breakeven_analysis.record.store import add_run, join_left_parts, wait_for_parts
from breakeven_analysis.record.stretch import PHASES_TO_MARK
from breakeven_analysis.record.timers import make_timer
from breakeven_analysis.said import printable

QUIET_STEPS_TO_TIME = 1000
SEQUENCE = count()  # of the recorders of this process: all ranks make them in the same order


class Recorder:
    """Times the steps of a training loop on every rank.

        recorder = Recorder(model="gpt2-small", parameters=124_000_000, batch=64, strategy="ddp", precision="bf16")
        for samples in loader:
            with recorder.step(loss=lambda: loss.item()):
                ...
            if recorder.done:
                break
        recorder.close()

    `batch` counts the samples of a step over all ranks. On one rank the strategy is 'single', which is what the others
    are compared with. A further run with the same output adds to the file. Under `breakeven wrap` the output is wrap's.
    """

    def __init__(
        self,
        *,
        model: str,
        parameters: int,
        batch: int,
        strategy: str = "ddp",
        precision: str = "fp32",
        output: str | Path = "results.h5",
        framework: str | None = None,
        transport: str | None = None,
        scaling: str = "strong",
        data: str = "streamed",
        warmup: int = Protocol.warmup,
        steps: int = Protocol.steps,
        settle: float = Protocol.settle,
        settle_tolerance: float = Protocol.settle_tolerance,
        seconds: float = Protocol.seconds,
    ) -> None:
        self._process = os.getpid()
        self._rank = find_rank()
        self._protocol = Protocol(warmup, steps, settle, settle_tolerance, seconds)
        words = {"model": model, "precision": precision, "scaling": scaling, "data": data}
        self._case = describe_case(self._rank, strategy, batch, words, framework, transport)
        check_whole("parameters", parameters, 0, MOST_PARAMETERS)
        self._parameters = int(parameters)
        self._wrapped = os.environ.get(WRAPPED, "")
        self._output = Path(output) if self._wrapped else output_of(Path(output), self._rank)
        self._timer = make_timer()
        self._device = describe_device(self._timer, self._rank)
        self._closed = False
        self._phase = self._nothing = ""
        self._samples: int | None = None
        self._step_mark, self._phase_mark = StepMark(self), PhaseMark(self)
        self._quiet_steps = 0  # before the next one that is not
        self._meet()
        monitor = Monitor(self._device, self._rank)
        self._measurement = Measurement(
            self._timer, monitor, self._protocol, self._gather, self._write_part, self._time_quiet_step()
        )
        atexit.register(self._close_and_say)
        self._measurement.begin()

    # ------------------------------------------------------------ what a training loop calls

    @property
    def done(self) -> bool:
        """The measured steps are complete; further steps are not recorded."""
        return self._is_forked or self._measurement.stage is Stage.DONE

    @property
    def _is_forked(self) -> bool:
        """This is a child of the process that records, which has files and marks of its own: a child changes none."""
        return os.getpid() != self._process

    def step(self, loss: Loss | None = None, samples: int | None = None) -> StepMark:
        """The body of one step. `loss` is called in the first step, after the warm-up and after the last measured step,
        never between measured steps. `samples` is what this rank trains on, to check that it does not change."""
        if loss is not None and not callable(loss):
            raise RecorderError(f"loss is {type(loss).__name__} and must be a function: loss=lambda: loss.item()")
        if samples is not None and samples != self._samples:
            check_whole("samples", samples, 1, MOST_SAMPLES)
            if self._samples is not None:
                raise RecorderError(
                    f"This step has {samples} samples and the one before had {self._samples}. All steps of a run need "
                    "the same batch: leave out the last, smaller one (drop_last=True), and make a Recorder per batch"
                )
            self._samples = samples
        self._step_mark.ask(loss)
        return self._step_mark

    def phase(self, name: str) -> PhaseMark:
        """A part of a step: 'input', 'forward', 'backward', 'collect', 'exchange', 'broadcast' or 'optimizer'."""
        self._phase_mark.name = name
        return self._phase_mark

    def __enter__(self) -> "Recorder":
        return self

    def __exit__(self, kind: type[BaseException] | None, _: object, __: TracebackType | None) -> None:
        if kind is None:
            self.close()
        else:
            self._close_and_say()

    def close(self) -> None:
        """Writes what was measured. Rank 0 joins the parts of all ranks to the results file. Raises RecorderError at
        the end if nothing was recorded, or if it is not in the results file."""
        if self._closed or self._is_forked:
            return
        self._write_and_join()
        if self._nothing:
            raise RecorderError(self._nothing)

    def _close_and_say(self) -> None:
        """Where an exception would hide another one, or would not change the exit code."""
        if not (self._closed or self._is_forked):
            self._write_and_join()
            self._say(self._nothing)

    def _write_and_join(self) -> None:
        self._closed = True
        atexit.unregister(self._close_and_say)
        if not self.done:
            self._stop("the loop ended")
        try:
            self._join()
        except RecorderError as error:
            self._nothing = self._nothing or str(error)
        except OSError as error:
            self._nothing = self._nothing or f"the parts of the run cannot be joined: {error}"
        self._held.close()

    def _join(self) -> None:
        self._meeting.leave(f"rank {self._rank.rank} has closed its recorder")
        if self._rank.rank == 0:
            wait_for_parts(self._folder, self._rank.ranks, self._meeting.patience)
            self._meeting.remove()
            if not self._wrapped:
                self._say(add_run(self._output, self._folder))

    # ------------------------------------------------------------ the ranks

    def _meet(self) -> None:
        parts = Path(self._wrapped) if self._wrapped else parts_beside(self._output)
        try:
            self._meet_in(parts)
        except OSError as error:
            with contextlib.suppress(OSError):  # others have files there
                parts.rmdir()
            raise RecorderError(f"The folder '{parts}' cannot be written: {error.strerror or error}") from error

    def _meet_in(self, parts: Path) -> None:
        if self._rank.rank == 0 and not self._wrapped:
            self._say(join_left_parts(self._output))
        self._meeting = Meeting(parts, self._rank, next(SEQUENCE))
        try:
            self._compare()
            self._folder = PartsFolder(parts / self._meeting.token)
            self._held = self._folder.describe(self._rank.rank, self._description())
        except OSError:
            self._meeting.abandon()
            raise

    def _compare(self) -> None:
        compared = {**self._case, **self._protocol.settings(), "parameters": self._parameters}
        for rank, other in enumerate(self._gather(compared)):
            wrong = [name for name in compared if other.get(name) != compared[name]]
            if wrong:
                self._meeting.leave("the ranks made different recorders")
                raise RecorderError(
                    f"Rank {rank} has {wrong[0]} {other.get(wrong[0])}, and rank {self._rank.rank} has "
                    f"{compared[wrong[0]]}. All ranks must make the same Recorder"
                )

    def _description(self) -> Message:
        planned = {"warmup": self._protocol.warmup, "steps": self._protocol.steps, "parameters": self._parameters}
        return {
            "case": self._case,
            "device": self._device,
            "start": describe_start(self._protocol.settings()) if self._rank.rank == 0 else {},
            "planned": planned,
        }

    def _gather(self, message: Message) -> list[Message]:
        messages = self._meeting.gather({**message, "samples": self._samples})
        for one in messages:
            if GONE in one:
                raise RanksGone(f"{one[GONE]}. All ranks must make the same steps")
        samples = [one["samples"] for one in messages]
        if None not in samples and sum(samples) != self._case["batch"]:
            raise RecorderError(
                f"The ranks train on {sum(samples)} samples a step, and batch is {self._case['batch']}. batch counts "
                "the samples of all ranks"
            )
        return messages

    def _write_part(self, part: Part) -> None:
        part.numbers["samples"] = math.nan if self._samples is None else float(self._samples)
        try:
            self._folder.write(self._rank.rank, part)
        except OSError as error:  # training goes on
            self._nothing = f"the part of rank {self._rank.rank} cannot be written: {error}"
            self._held.close()  # nobody waits for it

    def _say(self, sentence: str) -> None:
        if sentence:
            print(printable(f"breakeven: {sentence}"), file=sys.stderr)

    # ------------------------------------------------------------ steps and phases

    def _refuse_step(self) -> None:
        if self._is_forked:
            return
        if self._closed:
            raise RecorderError("A step began after close(). Make a new Recorder for another run")
        raise RecorderError("A step began within a step. Write one `with recorder.step():` around each step")

    def _end_step(self, loss: Loss | None, failed: bool) -> None:
        began = self._timer.now()
        if self.done:
            return
        if failed:
            self._stop("a step ended with an exception")
            return
        try:
            self._measurement.end_steps(self._quiet_steps + 1, began, loss)
        except RanksGone as gone:
            self._stop(str(gone))
        self._quiet_steps = self._step_mark.quiet_steps = self._measurement.quiet_steps()

    def _time_quiet_step(self) -> float:
        began = self._timer.now()
        for _ in range(QUIET_STEPS_TO_TIME):
            self._step_mark.quiet_steps = 1
            with self.step():
                pass
        return (self._timer.now() - began) / QUIET_STEPS_TO_TIME

    def _stop(self, why: str) -> None:
        recorded, what = self._measurement.stop()
        if recorded:
            self._say(f"{why}, {what}")
        else:
            self._nothing = f"{why}, {what}"

    def _begin_phase(self, name: str) -> None:
        if self._is_forked:
            return
        if not self._step_mark.is_open:
            raise RecorderError(f"phase('{name}') stands outside of a step. Put it into `with recorder.step():`")
        if self._phase:
            raise RecorderError(f"phase('{name}') began within phase('{self._phase}'). Phases follow one another")
        if name not in PHASES_TO_MARK:
            raise RecorderError(f"There is no phase '{name}'. The phases are {', '.join(PHASES_TO_MARK)}")
        self._phase = name
        self._measurement.begin_phase()

    def _end_phase(self, name: str) -> None:
        self._phase = ""
        if not self._is_forked:
            self._measurement.end_phase(name)
