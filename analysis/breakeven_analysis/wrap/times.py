# SPDX-License-Identifier: Apache-2.0
"""Step times of a program without a Recorder: those that it prints, or the difference of two runs' wall times."""

import contextlib
import math
import re
import signal
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from breakeven_analysis.errors import WrapError
from breakeven_analysis.record.case import Protocol
from breakeven_analysis.record.measurement import NOT_SETTLED, STEADY, TIME_LIMIT
from breakeven_analysis.record.part import STEP, Numbers, Part
from breakeven_analysis.record.steadiness import WINDOW_SECONDS, Window, are_steady
from breakeven_analysis.record.tables import PHASES

SETTING = "step-times"  # of a launch in the results file: where its step times come from
PRINTED_SECONDS, PRINTED_RATES, WALL_TIME = "printed seconds", "printed samples per second", "wall time"
PRINTED_STEP_RATES = "printed steps per second"
UNITS = {"s": 1.0, "ms": 1e-3}  # a group of such a name counts a step's seconds or milliseconds
COUNTER = "step"  # the name of a group that finds the step's number: the last line of a step counts
FEWEST_MEASURED = 20  # fewer say nothing about how steps vary
MOST_BYTES_A_LOOK, CHUNK_BYTES, MOST_BYTES_A_LINE = 2**26, 2**20, 2**16
LONGEST_MATCH_SECONDS = 5
LEAST_DIFFERENCE = 0.1  # of two runs' wall times, as a share of the shorter one: below, it may be noise
MOST_RECORDED = 1000  # of more steps, each recorded one is the mean of several successive ones


class NoStepsError(ValueError):
    """A program's output holds no step times; one sentence."""


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
        found = output.seconds
        if output.problem:
            raise NoStepsError(output.problem)
        with limited(f"the regex '{self.regex.pattern}' takes over {LONGEST_MATCH_SECONDS} s for a line") as begin:
            for line in output.new_lines(has_ended):
                begin()
                for match in self.regex.finditer(line):
                    step = match.groupdict().get(COUNTER) or ""
                    if step and step == output.counted:
                        found.pop()
                    output.counted = step
                    try:
                        found.append(self.seconds_in(match, batch, line))
                    except NoStepsError as error:
                        output.problem = str(error)
                        raise
        if not found:
            raise NoStepsError(f"no steps recorded: no line of the output matches '{self.regex.pattern}'")
        if sum(found[warmup:]) > wall_seconds:
            raise NoStepsError(
                f"the printed steps add up to {sum(found[warmup:]):.3g} s, and the program ran for {wall_seconds:.3g} "
                "s: the regex finds another number or unit ((?P<ms>...) counts milliseconds), or several ranks print"
            )
        return found

    def seconds_in(self, match: re.Match[str], batch: int, line: str) -> float:
        names = {place: name for name, place in self.regex.groupindex.items()}
        places = [place for place in range(1, self.regex.groups + 1) if names.get(place) != COUNTER]
        place = next((place for place in places if match[place] is not None), places[0])
        text = match[place] or ""
        try:
            number = float(text)
        except ValueError:
            number = math.nan
        if not 0 < number < math.inf:
            raise NoStepsError(f"the regex found '{text}', which is not a number above 0, in '{line.strip()[:80]}'")
        if names.get(place) in UNITS:
            return number * UNITS[names[place]]
        return {PRINTED_RATES: batch / number, PRINTED_STEP_RATES: 1 / number}.get(self.source, number)


class Output:
    """What a program has printed, of which each look reads what is new. What it prints after `end` bytes does not
    count."""

    def __init__(self, log: Path) -> None:
        self.log = log
        self.end: int | None = None  # None: it still runs
        self.offset = 0
        self.rest = b""  # of the last line, which is not whole yet
        self.seconds: list[float] = []  # that were found so far
        self.counted = ""  # the step of the last one
        self.problem = ""  # with a line that was read

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


def are_enough(seconds: list[float], protocol: Protocol) -> bool:
    """Settled, with as many measured steps as a recorder makes: more steps would not change when they settled."""
    after = seconds[protocol.warmup :]
    settled, end = settling_of(after, protocol)
    is_over = end != TIME_LIMIT or sum(after) >= 2 * protocol.settle
    measured = after[settled:]
    return is_over and len(measured) >= protocol.steps and sum(measured) >= protocol.seconds


def part_of_steps(seconds: list[float], protocol: Protocol) -> Part:
    """The program's steps by the rules of the recorder: warm-up, settling, measured steps. Settling takes at most half
    of the steps, since the program decides how many there are."""
    after = seconds[protocol.warmup :]
    settled, end = settling_of(after, protocol)
    measured = np.array(after[settled:], np.float64)
    if not len(measured):
        raise NoStepsError(f"{len(seconds)} steps were printed, and {protocol.warmup} are warm-up: train longer")
    apart = math.ceil(len(measured) / MOST_RECORDED)
    recorded = measured[: len(measured) // apart * apart].reshape(-1, apart).mean(axis=1)
    first = seconds[0] if protocol.warmup else math.nan
    settling = {"settle_seconds": sum(after[:settled]), "settle_steps": float(settled), "settle_end": end}
    warm_up = {"first_step_seconds": first, "warmup_seconds": sum(seconds[1 : protocol.warmup])}
    return part_of(recorded, apart, warm_up | settling)


def part_of_enough_steps(seconds: list[float], protocol: Protocol) -> Part:
    part = part_of_steps(seconds, protocol)
    measured = round(part.numbers["steps_made"] * part.numbers["steps_apart"])
    if measured < FEWEST_MEASURED:
        raise NoStepsError(
            f"{len(seconds)} steps were printed. {protocol.warmup} are warm-up, {part.numbers['settle_steps']:.0f} "
            f"settled, and {measured} are left of {FEWEST_MEASURED} at least: train longer"
        )
    return part


def settling_of(seconds: list[float], protocol: Protocol) -> tuple[int, float]:
    """How many steps were trained until the program was steady, and how that ended."""
    if protocol.settle == 0:
        return 0, NOT_SETTLED
    limit = min(protocol.settle, sum(seconds) / 2)
    windows: list[Window] = []
    began = total = 0.0
    first = 0
    for place, step in enumerate(seconds):
        total += step
        if total > limit:
            return place, TIME_LIMIT
        if total - began < WINDOW_SECONDS:
            continue
        windows.append(Window(total - began, (total - began) / (place + 1 - first)))
        if are_steady(windows, protocol.settle_tolerance):
            return place + 1, STEADY
        began, first = total, place + 1
    return len(seconds), TIME_LIMIT


def part_of_difference(short: float, long: float, steps: int) -> Part:
    """`long` and `short` are the wall times of two runs, of which one made `steps` steps more. What both do once, such
    as starting up, is not in their difference."""
    if not long - short >= LEAST_DIFFERENCE * short:
        raise NoStepsError(
            f"the run with {steps} steps more took {long:.2f} s, the other one {short:.2f} s, which differ by less "
            f"than {100 * LEAST_DIFFERENCE:.0f} %: use more steps (--total), and {{steps}} in the command as its number"
        )
    return part_of(np.array([(long - short) / steps]), steps, {"settle_seconds": 0.0, "settle_end": NOT_SETTLED})


def part_of(recorded: Numbers, apart: int, numbers: dict[str, float]) -> Part:
    """One clock measured these steps, so that both clocks of the file have the same numbers."""
    steps = len(recorded)
    total = float(recorded.sum()) * apart
    phases = np.full((steps, len(PHASES)), math.nan)
    phases[:, STEP] = recorded
    return Part(
        seconds=phases,
        host_seconds=recorded,
        start_seconds=np.full(steps, math.nan),
        loss=np.full(steps, math.nan),
        numbers={
            "steps_host_seconds": total,
            "steps_device_seconds": total,
            "steps_made": float(steps),
            "steps_a_launch": 1.0,
            "steps_apart": float(apart),
            **numbers,
        },
    )
