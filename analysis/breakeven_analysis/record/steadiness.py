# SPDX-License-Identifier: Apache-2.0
"""When has training become steady? The rules of the program: src/measure/steady_windows.h and quarters_agree() in
src/statistics/steady_state.h. A test compares the constants with those sources."""

import math
import statistics
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

WINDOW_SECONDS = 0.2
MARGIN = 1.2
MOST_STEPS_A_WINDOW = 1_000_000
CLOCK_QUANTUM_HZ = 15e6
FEW_WINDOWS, WINDOWS_NEAR_LIMIT = 2, 4
SECONDS_NEAR_LIMIT = 1.5
SHARE_NEAR_LIMIT = 0.5
LARGEST_DRIFT = 0.02
FEWEST_FOR_QUARTERS = 8
QUARTERS_LEVEL = 0.99


@dataclass(frozen=True)
class Window:
    seconds: float
    step_seconds: float
    clock_hz: float = math.nan
    power_share: float = math.nan
    is_slowed: bool = False


def agree(one: float, other: float, tolerance: float) -> bool:
    return abs(one / other - 1) <= tolerance


def are_steady(windows: list[Window], tolerance: float) -> bool:
    recent = windows[-WINDOWS_NEAR_LIMIT:]
    near_limit = any(window.is_slowed or window.power_share >= SHARE_NEAR_LIMIT for window in recent)
    count = WINDOWS_NEAR_LIMIT if near_limit else FEW_WINDOWS
    last = windows[-count:]
    if len(last) < count or any(window.seconds < WINDOW_SECONDS for window in last):
        return False
    if not halves_agree(last, tolerance):
        return False
    steps = [window.step_seconds for window in last]
    return not near_limit or (
        sum(window.seconds for window in windows) >= SECONDS_NEAR_LIMIT
        and agree(max(steps), min(steps), max(LARGEST_DRIFT, tolerance))
    )


def halves_agree(windows: list[Window], tolerance: float) -> bool:
    """Where no clock can be read, the step times alone decide."""
    half = len(windows) // 2
    steps = [statistics.mean(one.step_seconds for one in some) for some in (windows[:half], windows[half:])]
    clocks = [statistics.fmean(one.clock_hz for one in some) for some in (windows[:half], windows[half:])]
    clock_agrees = not all(map(math.isfinite, clocks)) or agree(
        clocks[0], clocks[1], tolerance + CLOCK_QUANTUM_HZ / clocks[1]
    )
    return agree(steps[0], steps[1], tolerance) and clock_agrees


def quarters_agree(seconds: npt.NDArray[np.float64], tolerance: float) -> bool:
    size = len(seconds)
    if size < FEWEST_FOR_QUARTERS or not bool(np.all(np.isfinite(seconds) & (seconds > 0))):
        return False
    means = [float(np.mean(quarter)) for quarter in np.array_split(seconds, 4)]
    deviation = math.sqrt(float(np.sum(np.diff(seconds) ** 2)) / 2 / (size - 1))
    error = deviation * math.sqrt(8 / size)
    quantile = t_quantile(2 * (size - 1) // 3, 1 - (1 - QUARTERS_LEVEL) / 6)
    return max(means) - min(means) <= max(tolerance * min(means), quantile * error)


def t_quantile(degrees: int, level: float) -> float:
    """So much of Student's t lies within +- this (Hill, "Algorithm 396", CACM 13, 1970); for four degrees or more."""
    tail = 1 - level
    a = 1 / (degrees - 0.5)
    b = 48 / a**2
    c = ((20700 * a / b - 98) * a - 16) * a + 96.36
    d = ((94.5 / (b + c) - 3) / b + 1) * math.sqrt(a * math.pi / 2) * degrees
    y = (d * tail) ** (2 / degrees)
    if y > 0.05 + a:
        x = statistics.NormalDist().inv_cdf(tail / 2)
        y = x**2
        if degrees < 5:
            c += 0.3 * (degrees - 4.5) * (x + 0.6)
        c += (((0.05 * d * x - 5) * x - 7) * x - 2) * x + b
        y = (((((0.4 * y + 6.3) * y + 36) * y + 94.5) / c - y - 3) / b + 1) * x
        y = math.expm1(a * y**2)
    else:
        y = (
            (1 / (((degrees + 6) / (degrees * y) - 0.089 * d - 0.822) * (degrees + 2) * 3) + 0.5 / (degrees + 4)) * y
            - 1
        ) * (degrees + 1) / (degrees + 2) + 1 / y
    return math.sqrt(degrees * y)
