# SPDX-License-Identifier: Apache-2.0
"""All runs of a plan: which ones the file lacks, their order, and what is said about each."""

import contextlib
import fcntl
import json
import math
import re
import statistics
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from breakeven_analysis.errors import NotResultsError, WrapError
from breakeven_analysis.record.layout import stored_bytes
from breakeven_analysis.record.meeting import HeldFile
from breakeven_analysis.record.own_files import fault_of_folder, open_own
from breakeven_analysis.record.part import STEP, Run
from breakeven_analysis.record.replacing import alone, beside, shortage_of_space
from breakeven_analysis.record.store import place_run
from breakeven_analysis.said import say, shell_line, warn
from breakeven_analysis.wrap.hidden_words import HiddenWords
from breakeven_analysis.wrap.measure import Measurer
from breakeven_analysis.wrap.options import Options
from breakeven_analysis.wrap.plan import Case, order_of
from breakeven_analysis.wrap.resume import FILE, launches_in

FEWEST_TO_STOP = 2  # runs


class Session:
    def __init__(self, options: Options) -> None:
        self.options = options
        self.folder = beside(options.output, ".wrap")
        if fault := fault_of_folder(self.folder):
            raise WrapError(fault, FILE)
        self.measurer = Measurer(options, self.folder)
        self.done = launches_in(options)
        self.planned = len(options.cases) * max(options.launches, len(self.done))
        self.failed = self.unreadable = self.not_started = 0
        self.unmeasured: list[Run] = []  # of the failed ones, what is known
        self.took = Durations(self.folder / "durations.jsonl")

    @property
    def measured(self) -> int:
        return sum(map(len, self.done.values()))

    def to_do(self) -> list[tuple[int, list[Case]]]:
        """The launches that lack cases, from 0 on, and which they lack, in order."""
        options, known = self.options, list(self.done.values())
        plan = []
        for launch in range(max(options.launches, len(known))):
            has = known[launch] if launch < len(known) else set()
            order = order_of(options.cases, options.scaling, options.seed, launch)
            plan.append((launch, [case for case in order if case not in has]))
        return [(launch, cases) for launch, cases in plan if cases]

    def describe(self) -> None:
        """What --dry-run prints."""
        begun: set[Case] = set()
        for launch, cases in self.to_do():
            say(f"launch {launch + 1} of {self.options.launches}:")
            for case in cases:
                is_first = case not in begun
                begun.add(case)
                added = [f"{name}={value}" for name, value in self.measurer.environment(case).items()]
                for command in self.measurer.commands(case, is_first):
                    say("  " + " ".join([*added, shell_line(command)]))
        left = [case for _, cases in self.to_do() for case in cases]
        expected = self.took.expected(left)
        runs = f"{len(left)} runs" + (f" of {self.planned}" if self.measured else "")
        say(f"{runs}; expected time: {in_words(expected) if expected else 'unknown before a first run'}")

    def measure_all(self) -> None:
        with self.alone():
            plan = self.to_do()
            shortage = self.shortage_of_space() if plan else ""
            if shortage:
                raise WrapError(shortage, FILE)
            HiddenWords(self.options).keep()
            for launch, cases in plan:
                starts = list(self.done)
                start = starts[launch] if launch < len(starts) else now()
                self.done.setdefault(start, set())
                for place, case in enumerate(cases):
                    if self.is_in_vain():
                        self.not_started += 1
                        continue
                    self.measure(launch, start, case, cases[place + 1 :])
            for run in self.unmeasured if self.measured else []:
                self.store(run)

    def is_in_vain(self) -> bool:
        """The first runs all print what is no number, and the others would too. One alone may be an odd case."""
        return self.measured == 0 and self.unreadable == self.failed >= FEWEST_TO_STOP

    def shortage_of_space(self) -> str:
        """Why the disk or a limit cannot hold the file; "" if they can."""
        options = self.options
        gpus, launches = max(options.gpus), max(options.launches, len(self.done))
        steps = 1 if options.total is not None else options.protocol.steps
        places = {"run": self.planned, "launch": launches, "rank": gpus, "peer": gpus, "step": steps}
        return shortage_of_space(options.output, stored_bytes(places))

    def alone(self) -> Any:
        """The lock of this file's folder, which holds logs and unfinished parts."""
        try:
            return HeldFile(self.folder / "lock", fcntl.LOCK_EX | fcntl.LOCK_NB).stream
        except BlockingIOError as error:
            raise WrapError(f"'{self.options.output}' is being written by another `breakeven wrap`", FILE) from error
        except OSError as error:
            raise WrapError(f"'{self.folder}' cannot be written: {error.strerror}", FILE) from error

    def measure(self, launch: int, start: str, case: Case, left: list[Case]) -> None:
        log = self.folder / f"launch-{launch + 1}-{name_of(case)}.log"
        outcome = self.measurer.measure(case, start, log)
        if outcome.run is not None:
            self.store(outcome.run)
        head = f"launch {launch + 1} of {self.options.launches}, {case}"
        if outcome.run is None:
            self.failed += 1
            self.unreadable += outcome.is_unreadable
            self.unmeasured += [outcome.planned] if outcome.planned else []
            said, where = f"failed: {outcome.problem}", f". Log: {log}"
        else:
            self.done[start].add(case)
            self.took.add(case, outcome.seconds)
            kept = f"; {outcome.problem}, and its steps are kept" if outcome.problem else ""
            said = f"{1e3 * step_seconds(outcome.run):.4g} ms a step, took {in_words(outcome.seconds)}{kept}"
            where = ""
        further = self.options.launches - launch - 1
        rest = self.took.expected([*left, *(self.options.cases * further)])
        place = f"run {self.measured + self.failed} of {self.planned}"
        tell = warn if outcome.run is None else say
        tell(f"{place} ({head}): {said}{f'; {in_words(rest)} left' if rest else ''}{where}")
        if outcome.doubt:
            warn(f"{place}: {outcome.doubt}. Log: {log}")

    def store(self, run: Run) -> None:
        try:
            with alone(self.options.output):  # a Recorder may add to the same file
                place_run(self.options.output, run)
        except (NotResultsError, OSError, RuntimeError) as error:
            why = (isinstance(error, OSError) and error.strerror) or error
            raise WrapError(f"the run is not in '{self.options.output}': {why}", FILE) from error


def name_of(case: Case) -> str:
    """The case in the name of its log."""
    return re.sub(r"[^\w.=+-]+", "-", str(case), flags=re.ASCII)[:150]


def step_seconds(run: Run) -> float:
    return statistics.fmean(run.parts[0].seconds[:, STEP].tolist())


def now() -> str:
    """The time in milliseconds, because launches may be shorter than a second."""
    return datetime.now(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def in_words(seconds: float) -> str:
    if seconds < 100:
        return f"{math.ceil(seconds)} s"
    return f"{math.ceil(seconds / 60)} min" if seconds < 7200 else f"{seconds / 3600:.1f} h"


class Durations:
    """How long the runs of each case took, kept beside the file for the next start."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.by_case: dict[str, list[float]] = {}
        if path.exists():
            for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
                with contextlib.suppress(ValueError, LookupError, TypeError):  # not written to its end, or damaged
                    entry = json.loads(line)
                    self.by_case.setdefault(str(entry["case"]), []).append(float(entry["seconds"]))

    def add(self, case: Case, seconds: float) -> None:
        self.by_case.setdefault(str(case), []).append(seconds)
        with contextlib.suppress(OSError), open_own(self.path, "a") as stream:
            stream.write(json.dumps({"case": str(case), "seconds": round(seconds, 3)}) + "\n")

    def expected(self, cases: list[Case]) -> float:
        """The time of all runs; 0 if nothing is known. A case without a run counts as the mean of the others."""
        if not self.by_case:
            return 0.0
        mean = {case: statistics.fmean(seconds) for case, seconds in self.by_case.items()}
        usual = statistics.fmean(mean.values())
        return sum(mean.get(str(case), usual) for case in cases)
