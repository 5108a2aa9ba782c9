# SPDX-License-Identifier: Apache-2.0
"""The steps of a program without a Recorder, by the recorder's rules: those that it prints, or the difference of two
runs' wall times."""

import math

import numpy as np

from breakeven_analysis.program_tables import PHASES
from breakeven_analysis.record.case import Protocol
from breakeven_analysis.record.measurement import NOT_SETTLED, STEADY, TIME_LIMIT
from breakeven_analysis.record.part import STEP, Numbers, Part
from breakeven_analysis.record.steadiness import WINDOW_SECONDS, Window, are_steady
from breakeven_analysis.wrap.printed import NoStepsError

WALL_TIME = "wall time"  # as a source of step times
FEWEST_MEASURED = 20  # fewer say nothing about how steps vary
LEAST_DIFFERENCE = 0.1  # of two runs' wall times, as a share of the shorter one: below, it may be noise
MOST_RECORDED = 1000  # of more steps, each recorded one is the mean of several successive ones


def are_enough(seconds: list[float], protocol: Protocol) -> bool:
    """Settled, with as many measured steps as a recorder makes: more steps would not change when they settled."""
    after = seconds[protocol.warmup :]
    settled, end = settling_of(after, protocol)
    is_over = end != TIME_LIMIT or sum(after) >= 2 * protocol.settle
    measured = after[settled:]
    return is_over and len(measured) >= protocol.steps and sum(measured) >= protocol.seconds


def part_of_steps(seconds: list[float], protocol: Protocol, steps_a_print: float = 1) -> Part:
    """The program's steps by the rules of the recorder: warm-up, settling, measured steps. Settling takes at most half
    of the steps, since the program decides how many there are. What a print says of several steps is their mean, so
    each recorded step is the mean of as many."""
    after = seconds[protocol.warmup :]
    settled, end = settling_of(after, protocol)
    measured = np.array(after[settled:], np.float64)
    if not len(measured):
        raise NoStepsError(f"{len(seconds)} steps were printed, and {protocol.warmup} are warm-up: train longer")
    apart = steps_apart(len(measured), steps_a_print)
    recorded = measured[: len(measured) // apart * apart].reshape(-1, apart).mean(axis=1)
    first = seconds[0] if protocol.warmup else math.nan
    settling = {"settle_seconds": sum(after[:settled]), "settle_steps": float(settled), "settle_end": end}
    warm_up = {"first_step_seconds": first, "warmup_seconds": sum(seconds[1 : protocol.warmup])}
    return part_of(recorded, apart, warm_up | settling)


def steps_apart(steps: int, steps_a_print: float) -> int:
    """Few enough of them are left over at the end."""
    least = max(math.ceil(steps / MOST_RECORDED), min(steps, math.ceil(steps_a_print)))
    return min(range(least, min(2 * least, steps + 1)), key=lambda apart: (steps % apart, apart))


def measured_steps(part: Part) -> int:
    return round(part.numbers["steps_made"] * part.numbers["steps_apart"])


def part_of_enough_steps(seconds: list[float], protocol: Protocol, steps_a_print: float = 1) -> Part:
    part = part_of_steps(seconds, protocol, steps_a_print)
    measured = measured_steps(part)
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
