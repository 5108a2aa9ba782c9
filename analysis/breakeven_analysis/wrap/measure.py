# SPDX-License-Identifier: Apache-2.0
"""One run: the program is started for one case, and what it left becomes a run of the results file."""

import contextlib
import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from breakeven_analysis.apart import ODD
from breakeven_analysis.errors import RecorderError
from breakeven_analysis.record.case import describe_case
from breakeven_analysis.record.part import Part, PartsFolder, Run, join, planned_run
from breakeven_analysis.record.provenance import describe_start
from breakeven_analysis.record.ranks import Rank
from breakeven_analysis.record.replacing import WRAPPED
from breakeven_analysis.record.revision import git_revision
from breakeven_analysis.wrap.cause import cause_in
from breakeven_analysis.wrap.gpus import chooses_itself, describe_devices, environment_for, find_gpus, visible_gpus
from breakeven_analysis.wrap.options import Options
from breakeven_analysis.wrap.plan import STEPS, Case, fill
from breakeven_analysis.wrap.printed import SETTING, NoStepsError, Output, UnreadableError
from breakeven_analysis.wrap.processes import Ended, Runner
from breakeven_analysis.wrap.times import (
    FEWEST_MEASURED,
    WALL_TIME,
    are_enough,
    measured_steps,
    part_of_difference,
    part_of_enough_steps,
)

# Else the last steps that a stopped program printed are not in its log, and tqdm prints running means.
FOR_PRINTS = {"PYTHONUNBUFFERED": "1", "TQDM_SMOOTHING": "1"}
NOTHING_RECORDED = (
    "no steps recorded: the program made no Recorder, or did not reach its measured steps. Without a Recorder, pass "
    "--step-seconds, --samples-per-second, --steps-per-second or --total"
)


@dataclass(frozen=True)
class Outcome:
    run: Run | None
    problem: str = ""  # why there is no run, or why the program did not end itself
    seconds: float = 0.0
    planned: Run | None = None  # without a run: what was to be measured, if that is known
    is_unreadable: bool = False  # the regex finds what is no number
    doubt: str = ""  # why the step times may be wrong


class Measurer:
    def __init__(self, options: Options, folder: Path) -> None:
        self.options = options
        self.parts = folder.resolve() / "parts"
        self.runner = Runner()
        self.begun: set[Case] = set()  # whose first start, which may compile or cache, is over
        self.gpus = [] if chooses_itself(options.command) else visible_gpus(self.found_gpus, os.environ)

    def commands(self, case: Case, is_first: bool) -> list[list[str]]:
        """The commands to start: one, or for --total a shorter and a longer one, and first a short one that does not
        count: what a case's first start compiles would make the shorter one the longer."""
        total = self.options.total
        if total is None:
            return [fill(self.options.command, case.words)]
        least = max(1, self.options.protocol.warmup)
        lengths = [least, least, least + total] if is_first else [least, least + total]
        return [fill(self.options.command, case.words | {STEPS: str(length)}) for length in lengths]

    def environment(self, case: Case) -> dict[str, str]:
        """What is added to the environment of this program."""
        return environment_for(case.gpus, self.gpus, os.environ)

    def measure(self, case: Case, launch: str, log: Path) -> Outcome:
        """`launch`: when it started, by which the file knows it."""
        remove(self.parts)
        environment = {**FOR_PRINTS, **os.environ, **self.environment(case), WRAPPED: str(self.parts)}
        ends: list[Ended] = []
        commands = self.commands(case, case not in self.begun)
        logs = [*[log.with_suffix(".short.log")] * (len(commands) - 1), log]
        output = Output(log)
        for command, one in zip(commands, logs, strict=True):
            try:
                end = self.runner.run(command, environment, one, self.options.timeout, self.enough_of(case, output))
            except OSError as error:
                return Outcome(None, f"it cannot be started: {error.strerror}: {error.filename}")
            ends.append(end)
            if end.problem:
                break
        seconds = sum(end.seconds for end in ends)
        output.end = end.log_bytes
        if end.problem and (not end.is_late or self.options.total is not None):
            cause = cause_in(one)
            problem = f"{end.problem} ({cause})" if cause else end.problem
            return Outcome(None, problem, seconds, self.planned(case, launch))
        if self.options.total is not None and any(end.was_suspended for end in ends):
            problem = "breakeven wrap was suspended meanwhile, so the program's time is not known"
            return Outcome(None, problem, seconds, self.planned(case, launch))
        self.begun.add(case)
        try:
            run = self.recorded(case) if self.options.is_recorded else self.timed(case, ends, output)
            doubt = output.doubt(end.seconds) if self.options.printed is not None else ""
            return Outcome(self.in_launch(run, launch), end.problem, seconds, doubt=doubt)
        except (NoStepsError, RecorderError) as error:
            problem = f"{end.problem}: {error}" if end.problem else str(error)
            return Outcome(
                None, problem, seconds, self.planned(case, launch), is_unreadable=isinstance(error, UnreadableError)
            )
        finally:
            remove(self.parts)

    def in_launch(self, run: Run, launch: str) -> Run:
        start = {"started": launch, "command_line": self.options.command_to_store()}
        return replace(run, launch=launch, start=run.start | start)

    def planned(self, case: Case, launch: str) -> Run | None:
        """A run without numbers, by which the report names what failed."""
        if not self.options.is_recorded:
            return self.in_launch(self.unmeasured(case), launch)
        runs = [plan_in(PartsFolder(path)) for path in sorted(self.parts.glob("*/"))]
        found = next((run for run in runs if run is not None and len(run.devices) == case.gpus), None)
        return found and self.in_launch(replace(found, case=self.labelled(found.case, case)), launch)

    # ------------------------------------------------------------ with a Recorder

    def recorded(self, case: Case) -> Run:
        joined = [join(PartsFolder(path)) for path in sorted(self.parts.glob("*/"))]
        runs = [run for run, _ in joined if run is not None and run.parts]
        if not runs:
            why = [sentence for _, sentence in joined if sentence]
            raise NoStepsError(why[0] if why else NOTHING_RECORDED)
        if len(runs) > 1:
            raise NoStepsError(f"the program made {len(runs)} Recorders, and a run has one: make one for each start")
        found = runs[0].case
        if (found["gpus"], found["batch"]) != (case.gpus, case.batch):
            raise NoStepsError(
                f"the Recorder has {found['gpus']} ranks and batch {found['batch']}, where the plan has {case.gpus} "
                f"and {case.batch}: pass the command {{gpus}}, and {{batch}} or {{batch_per_gpu}}"
            )
        measured = measured_steps(runs[0].parts[0])
        if measured < FEWEST_MEASURED:
            raise NoStepsError(
                f"the Recorder has {measured} measured steps of {FEWEST_MEASURED} at least: train until recorder.done"
            )
        return replace(runs[0], case=self.labelled(found, case))

    def labelled(self, labels: dict[str, Any], case: Case) -> dict[str, Any]:
        """With the words of the plan, where it has any."""
        chosen = {"strategy": case.strategy, "precision": case.precision, **case.labels}
        own = {name: word for name, word in chosen.items() if word and (case.gpus > 1 or name != "collective")}
        model = own.get("model", labels["model"]) + case.suffix
        return labels | own | {"model": model, "scaling": self.options.scaling}

    # ------------------------------------------------------------ without one

    def enough_of(self, case: Case, output: Output) -> Callable[[float], bool] | None:
        """Whether the program may be stopped that prints its step times."""
        printed, protocol = self.options.printed, self.options.protocol
        if printed is None:
            return None

        def has_enough(passed: float) -> bool:
            try:
                return are_enough(printed.seconds(output, case.batch, passed, protocol.warmup, False), protocol)
            except NoStepsError:  # which the end of the program tells; a line that is wrong stays wrong
                return output.problem is not None

        return has_enough

    def timed(self, case: Case, ends: list[Ended], output: Output) -> Run:
        part, run = self.part_of(case, ends, output), self.unmeasured(case)
        return replace(run, planned=run.planned | {"steps": part.steps}, parts=[part] * case.gpus)

    def unmeasured(self, case: Case) -> Run:
        options, given = self.options, self.options.given
        words = {
            "model": given.get("model", Path(program_in(options.command)).name),
            "precision": "unknown",
            "data": given.get("data", "streamed"),
            "scaling": options.scaling,
        }
        rank = Rank(0, case.gpus)
        framework, transport = given.get("framework", "other"), given.get("transport", "other")
        labels = describe_case(rank, case.strategy or "ddp", case.batch, words, framework, transport)
        protocol = options.protocol
        planned = {"warmup": protocol.warmup, "steps": protocol.steps, "parameters": given.get("parameters", 0)}
        return Run(
            case=self.labelled(labels, case) | {"instrument": "total"},
            start=dict(self.own_start),
            devices=describe_devices(case.gpus, self.found_gpus, visible_gpus(self.found_gpus, os.environ)),
            planned=planned,
            parts=[],
        )

    def part_of(self, case: Case, ends: list[Ended], output: Output) -> Part:
        """The same on every rank: the program has one time for a step of all."""
        options, end = self.options, ends[0]
        if options.printed is not None:
            warmup, has_ended = options.protocol.warmup, end.code is not None
            seconds = options.printed.seconds(output, case.batch, end.seconds, warmup, has_ended)
            return part_of_enough_steps(seconds, options.protocol, output.steps_a_print)
        assert options.total is not None
        return part_of_difference(ends[-2].seconds, ends[-1].seconds, options.total)

    @cached_property
    def own_start(self) -> dict[str, Any]:
        options = self.options
        source = options.printed.source if options.printed is not None else WALL_TIME
        kept = {"recorder", "warmup", "settle", "settle-tolerance"}
        settings = {name: value for name, value in options.protocol.settings().items() if name in kept}
        start = describe_start(settings | {SETTING: source, "recorded-loss": "none"})
        return start | {"git_revision": git_revision(Path.cwd())}

    @cached_property
    def found_gpus(self) -> list[dict[str, str]]:
        return find_gpus()


def program_in(command: list[str]) -> str:
    """The script that is trained with, for a name: the first word that ends like one, else the first of all."""
    return next((word for word in command if word.endswith((".py", ".sh", ".jl"))), command[0])


def plan_in(folder: PartsFolder) -> Run | None:
    with contextlib.suppress(*ODD):  # damaged parts plan nothing
        return planned_run(folder)
    return None


def remove(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
