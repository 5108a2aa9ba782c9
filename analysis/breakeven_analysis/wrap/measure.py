# SPDX-License-Identifier: Apache-2.0
"""One run: the program is started for one case, and what it left becomes a run of the results file."""

import os
import shutil
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from breakeven_analysis.errors import RecorderError
from breakeven_analysis.record.case import describe_case
from breakeven_analysis.record.part import Part, PartsFolder, Run, join
from breakeven_analysis.record.provenance import describe_start, git_revision
from breakeven_analysis.record.ranks import Rank
from breakeven_analysis.record.replacing import WRAPPED
from breakeven_analysis.wrap.gpus import VISIBLE, chooses_itself, describe_devices, environment_for, find_gpus
from breakeven_analysis.wrap.options import Options
from breakeven_analysis.wrap.plan import STEPS, Case, fill
from breakeven_analysis.wrap.processes import Ended, Runner
from breakeven_analysis.wrap.times import SETTING, WALL_TIME, NoStepsError, part_of_difference, part_of_enough_steps

LAST_LINE_BYTES = 4096
NOTHING_RECORDED = (
    "no steps recorded: the program made no Recorder, or did not reach its measured steps. Without a Recorder, pass "
    "--step-seconds, --samples-per-second or --total"
)


@dataclass(frozen=True)
class Outcome:
    run: Run | None
    problem: str = ""  # why there is no run
    seconds: float = 0.0


class Measurer:
    def __init__(self, options: Options, folder: Path) -> None:
        self.options = options
        self.parts = folder.resolve() / "parts"
        self.runner = Runner()
        self.gpus = [] if chooses_itself(options.command, os.environ) else find_gpus()

    def commands(self, case: Case) -> list[list[str]]:
        """Two for --total, the shorter one first."""
        warmup, total = self.options.protocol.warmup, self.options.total
        lengths = [{}] if total is None else [{STEPS: str(max(1, warmup))}, {STEPS: str(max(1, warmup) + total)}]
        return [fill(self.options.command, case.words | length) for length in lengths]

    def environment(self, case: Case) -> dict[str, str]:
        """What is added to this program's."""
        return environment_for(case.gpus, self.gpus, os.environ)

    def measure(self, case: Case, launch: str, log: Path) -> Outcome:
        """`launch`: when it started, by which the file knows it."""
        remove(self.parts)
        environment = {**os.environ, **self.environment(case), WRAPPED: str(self.parts)}
        ends: list[Ended] = []
        logs = [log] if self.options.total is None else [log.with_suffix(".short.log"), log]
        for command, one in zip(self.commands(case), logs, strict=True):
            try:
                ends.append(self.runner.run(command, environment, one, self.options.timeout))
            except OSError as error:
                return Outcome(None, f"it cannot be started: {error.strerror}: {error.filename}")
            if ends[-1].problem:
                break
        seconds = sum(end.seconds for end in ends)
        if ends[-1].problem:
            return Outcome(None, f"{ends[-1].problem}{last_line_of(one)}", seconds)
        try:
            run = self.recorded(case) if self.options.is_recorded else self.timed(case, ends, log)
            return Outcome(replace(run, launch=launch, start=run.start | self.start_of(launch)), "", seconds)
        except (NoStepsError, RecorderError) as error:
            return Outcome(None, str(error), seconds)
        finally:
            remove(self.parts)

    def start_of(self, launch: str) -> dict[str, Any]:
        return {"started": launch, "command_line": self.options.command_to_store()}

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
        return replace(runs[0], case=self.labelled(found, case))

    def labelled(self, labels: dict[str, Any], case: Case) -> dict[str, Any]:
        """With the words of the plan, where it has any."""
        chosen = {"strategy": case.strategy, "precision": case.precision, **case.labels}
        own = {name: word for name, word in chosen.items() if word and (case.gpus > 1 or name != "collective")}
        model = own.get("model", labels["model"]) + case.suffix
        return labels | own | {"model": model, "scaling": self.options.scaling}

    # ------------------------------------------------------------ without one

    def timed(self, case: Case, ends: list[Ended], log: Path) -> Run:
        options, given = self.options, self.options.given
        part = self.part_of(case, ends, log)
        words = {
            "model": given.get("model", Path(program_in(options.command)).name),
            "precision": "unknown",
            "data": given.get("data", "streamed"),
            "scaling": options.scaling,
        }
        rank = Rank(0, case.gpus)
        framework, transport = given.get("framework", "other"), given.get("transport", "other")
        labels = describe_case(rank, case.strategy or "ddp", case.batch, words, framework, transport)
        visible = self.environment(case).get(VISIBLE, os.environ.get(VISIBLE))
        planned = {"warmup": options.protocol.warmup, "steps": part.steps, "parameters": given.get("parameters", 0)}
        return Run(
            case=self.labelled(labels, case) | {"instrument": "total"},
            start=dict(self.own_start),
            devices=describe_devices(case.gpus, self.visible_gpus, visible),
            planned=planned,
            parts=[part] * case.gpus,
        )

    def part_of(self, case: Case, ends: list[Ended], log: Path) -> Part:
        """The same on every rank: the program has one time for a step of all."""
        options = self.options
        if options.printed is not None:
            return part_of_enough_steps(options.printed.seconds(log, case.batch, ends[0].seconds), options.protocol)
        assert options.total is not None
        return part_of_difference(ends[0].seconds, ends[1].seconds, options.total)

    @cached_property
    def own_start(self) -> dict[str, Any]:
        options = self.options
        source = options.printed.source if options.printed is not None else WALL_TIME
        kept = {"recorder", "warmup", "settle", "settle-tolerance"}
        settings = {name: value for name, value in options.protocol.settings().items() if name in kept}
        start = describe_start(settings | {SETTING: source, "recorded-loss": "none"})
        return start | {"git_revision": git_revision(Path.cwd())}

    @cached_property
    def visible_gpus(self) -> list[dict[str, str]]:
        return self.gpus or find_gpus()


def program_in(command: list[str]) -> str:
    """The script that is trained with, for a name: the first word that ends like one, else the first of all."""
    return next((word for word in command if word.endswith((".py", ".sh", ".jl"))), command[0])


def remove(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)


def last_line_of(log: Path) -> str:
    """What a program said last is often why it failed."""
    with log.open("rb") as stream:
        stream.seek(max(0, log.stat().st_size - LAST_LINE_BYTES))
        lines = stream.read().decode(errors="replace").split("\n")
    said = next((line.strip() for line in reversed(lines) if line.strip()), "")
    return f" ({said[:100]})" if said else ""
