# SPDX-License-Identifier: Apache-2.0
"""Step times that a program prints: a regular expression finds them in its output."""

import contextlib
import math
import re
import signal
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from breakeven_analysis.errors import WrapError
from breakeven_analysis.integrity import SHORTEST_STEP

SETTING = "step-times"  # of a launch in the results file: where its step times come from
PRINTED_SECONDS, PRINTED_RATES = "printed seconds", "printed samples per second"
PRINTED_STEP_RATES = "printed steps per second"
UNITS = {"s": 1.0, "ms": 1e-3}  # a group of such a name counts a step's seconds or milliseconds
COUNTER = "step"  # the name of a group that finds the step's number
# Digits in groups of three, as English and Python write them.
GROUPED = re.compile(r"[1-9]\d{0,2}(?:(?:,\d{3})+|(?:_\d{3})+)(?:\.\d*)?")
MOST_BYTES_A_LOOK, CHUNK_BYTES, MOST_BYTES_A_LINE = 2**26, 2**20, 2**16
LONGEST_MATCH_SECONDS = 5
MOST_STEPS = 10**7
# A program that trains spends most of its time in steps. The other half may be evaluation and checkpoints.
LEAST_EXPLAINED = 0.5
# Seconds until the program's end, which may take one, or else until it last printed.
SHORTEST_TO_EXPLAIN, SHORTEST_PRINTING = 2.0, 0.25


class NoStepsError(ValueError):
    """A program's output holds no step times; one sentence."""


class UnreadableError(NoStepsError):
    """The regex finds what is no number."""


def compiled(option: str, pattern: str) -> re.Pattern[str]:
    try:
        regex = re.compile(pattern)
    except (re.error, OverflowError, RecursionError) as error:
        raise WrapError(f"{option} '{pattern}' is not a regular expression: {error}") from error
    units = sum(name in UNITS for name in regex.groupindex)
    others = regex.groups - units - (COUNTER in regex.groupindex)
    if not (others <= 1 <= units + others):
        raise WrapError(
            f"{option} '{pattern}' has {regex.groups} groups and needs one, around the number: step ([0-9.]+) s. "
            f"Further ones are (?P<s>...), (?P<ms>...) and (?P<{COUNTER}>...); (?:...) is no group"
        )
    return regex


@dataclass(frozen=True)
class Printed:
    """The regex has a group, whose number is a step's seconds, its samples per second over all GPUs, or the steps per
    second."""

    source: str
    regex: re.Pattern[str]

    def seconds(
        self, output: "Output", batch: int, wall_seconds: float, warmup: int = 0, has_ended: bool = True
    ) -> list[float]:
        """`wall_seconds`: how long the program ran, which its steps after the warm-up cannot exceed. Before, running
        means may repeat a long first step. Of a program that has not ended itself, the last line may not be whole."""
        if output.problem:
            raise output.problem
        with limited(f"the regex '{self.regex.pattern}' takes over {LONGEST_MATCH_SECONDS} s for a line") as begin:
            for line in output.new_lines(has_ended):
                begin()
                for match in self.regex.finditer(line):
                    try:
                        output.add(self.seconds_in(match, batch, line), self.step_in(match, line))
                    except NoStepsError as error:
                        output.problem = error
                        raise
        if not output.seconds:
            raise NoStepsError(f"no steps recorded: no line of the output matches '{self.regex.pattern}'")
        if not has_ended:
            output.note_look(wall_seconds)
        found = output.by_step()
        if sum(found[warmup:]) > wall_seconds:
            raise NoStepsError(
                f"the printed steps add up to {sum(found[warmup:]):.3g} s, and the program ran for {wall_seconds:.3g} "
                f"s: the regex finds another number or unit ((?P<ms>...) counts milliseconds, (?P<{COUNTER}>...) "
                "steps), or several ranks print"
            )
        return found

    def seconds_in(self, match: re.Match[str], batch: int, line: str) -> float:
        names = {place: name for name, place in self.regex.groupindex.items()}
        places = [place for place in range(1, self.regex.groups + 1) if names.get(place) != COUNTER]
        place = next((place for place in places if match[place] is not None), places[0])
        number = number_in(match[place] or "", line)
        if not 0 < number < math.inf:
            raise NoStepsError(not_a_number(match[place], line))
        seconds = {PRINTED_RATES: batch / number, PRINTED_STEP_RATES: 1 / number}.get(self.source, number)
        if names.get(place) in UNITS:
            seconds = number * UNITS[names[place]]
        if seconds < SHORTEST_STEP:
            raise NoStepsError(f"the regex found '{match[place]}', a step of {seconds:.3g} s, in '{shown(line)}'")
        return seconds

    def step_in(self, match: re.Match[str], line: str) -> int | None:
        text = match.groupdict().get(COUNTER)
        if not text:
            return None
        number = number_in(text, line)
        if not (number >= 0 and number.is_integer()):
            raise UnreadableError(f"(?P<{COUNTER}>...) found '{text}', which is not a whole number, in '{shown(line)}'")
        return int(number)


def number_in(text: str, line: str) -> float:
    is_grouped = GROUPED.fullmatch(text)
    if "_" in text and not is_grouped:
        raise UnreadableError(not_a_number(text, line))
    try:
        return float(re.sub("[,_]", "", text) if is_grouped else text)
    except ValueError as error:
        raise UnreadableError(not_a_number(text, line)) from error


def not_a_number(text: str, line: str) -> str:
    hint = ". Numbers are like 34302.7, 3.4e4, 34,302.7 or 34_302.7" if {*"_,"} & {*text} else ""
    return f"the regex found '{text}', which is not a number above 0, in '{shown(line)}'{hint}"


def shown(line: str) -> str:
    return line.strip()[:80]


class Output:
    """What a program has printed, of which each look reads what is new. What it prints after `end` bytes does not
    count."""

    def __init__(self, log: Path) -> None:
        self.log = log
        self.end: int | None = None  # None: it still runs
        self.offset = 0
        self.rest = b""  # of the last line, which is not whole yet
        self.seconds: list[float] = []  # that were found so far
        self.steps: list[int] = []  # that each of them stands for
        self.counter: int | None = None  # the step of the last one
        self.began: float | None = None  # how long the program had run when a look first found some
        self.last = 0.0  # the same of the last look that found new ones
        self.known = 0  # how many these were
        self.problem: NoStepsError | None = None  # with a line that was read

    def add(self, seconds: float, counter: int | None) -> None:
        """By a counter, a print stands for the steps since the last one; the first print, for as many as the second.
        Of several prints of a step the last one counts. A counter that falls has begun again at 0."""
        before, self.counter = self.counter, counter
        if counter is not None and counter == before:
            self.seconds[-1] = seconds
            return
        made = 1
        if counter is not None and before is not None:
            made = counter - before if counter > before else max(1, counter)
            if len(self.steps) == 1 and counter > before:
                self.steps[0] = max(1, min(before, made))
        self.seconds.append(seconds)
        self.steps.append(made)

    @property
    def steps_a_print(self) -> float:
        return sum(self.steps) / len(self.steps)

    def by_step(self) -> list[float]:
        """A number for each step."""
        if sum(self.steps) > MOST_STEPS:
            raise NoStepsError(
                f"(?P<{COUNTER}>...) counted over {MOST_STEPS} steps: does it find the number of a step?"
            )
        return np.repeat(self.seconds, self.steps).tolist()

    def note_look(self, wall_seconds: float) -> None:
        """After a look at a program that still runs."""
        if self.began is None:
            self.began = wall_seconds
        if len(self.seconds) > self.known:
            self.known, self.last = len(self.seconds), wall_seconds

    def doubt(self, wall_seconds: float) -> str:
        """Too small a number adds up to too little; "" where the steps explain how long the program ran."""
        began = wall_seconds if self.began is None else self.began
        ran = wall_seconds - began
        if ran < SHORTEST_TO_EXPLAIN:
            ran = self.last - began
        explained = float(np.dot(self.seconds, self.steps))
        if ran < SHORTEST_PRINTING or explained >= LEAST_EXPLAINED * ran:
            return ""
        return (
            f"the printed steps add up to {explained:.3g} s, and the program ran for {ran:.3g} s after the first of "
            f"them: unless it evaluates, saves or prints only some steps (count them by (?P<{COUNTER}>...)), the regex "
            "finds another number"
        )

    def new_lines(self, is_whole: bool) -> Iterator[str]:
        """At most MOST_BYTES_A_LOOK of a program that runs, so that a look ends however fast it prints. A progress bar
        returns to the beginning of its line, which counts as a line's end. `is_whole`: the last line."""
        end = self.offset + MOST_BYTES_A_LOOK if self.end is None else self.end
        with self.log.open("rb") as stream:
            stream.seek(self.offset)
            while read := stream.read(min(CHUNK_BYTES, end - self.offset)):
                self.offset += len(read)
                *lines, rest = (self.rest + read).replace(b"\r", b"\n").split(b"\n")
                self.rest = rest[-MOST_BYTES_A_LINE:]
                yield from (line.decode(errors="replace") for line in lines)
        if is_whole and self.rest:
            yield self.rest.decode(errors="replace")
            self.rest = b""


@contextlib.contextmanager
def limited(sentence: str) -> Iterator[Callable[[], object]]:
    """Ends a match that takes too long since the last call: Python looks for signals while it matches."""

    def end(*_: object) -> None:
        raise WrapError(f"{sentence}: simplify it")

    before = signal.signal(signal.SIGALRM, end)
    try:
        yield lambda: signal.setitimer(signal.ITIMER_REAL, LONGEST_MATCH_SECONDS)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
