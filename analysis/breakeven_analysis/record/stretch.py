# SPDX-License-Identifier: Apache-2.0
"""One stretch of measured steps: a mark at every border between recorded steps, which are read at the end only."""

import math
from typing import Any

import numpy as np

from breakeven_analysis.record.device import Reading, peak_memory_bytes
from breakeven_analysis.record.part import OVERHEAD, STEP, Numbers, Part
from breakeven_analysis.record.tables import PHASES
from breakeven_analysis.record.timers import Timer

PHASES_TO_MARK = tuple(name for name in PHASES if name not in ("wait", "overhead", "step"))
SHORTEST_ENERGY_SECONDS = 1.0  # NVML's energy counter advances in ticks of up to a tenth of a second


class Stretch:
    """Each of the `steps` recorded steps stands for `apart` successive ones.

    Its time is their mean, or with phases that of the last one.
    """

    def __init__(self, timer: Timer, steps: int, apart: int, has_phases: bool) -> None:
        self.timer, self.steps, self.apart, self.has_phases = timer, steps, apart, has_phases
        self.trained_steps = 0
        self.own_seconds = 0.0  # that marks took
        self.borders: list[Any] = []
        self.begins: list[Any] = []  # of the recorded steps, where they do not begin at a border
        self.host_borders: list[float] = []
        self.phases: list[tuple[int, str, Any, Any]] = []
        self.open_phase: Any = None
        self.start = self.host_seconds = self.uncertainty_seconds = math.nan

    @property
    def steps_made(self) -> int:
        return max(0, len(self.borders) - 1)

    def quiet_steps(self) -> int:
        """So many of the next steps need no mark."""
        return self.apart - 1 - self.trained_steps % self.apart if not self.has_phases else 0

    def begin(self) -> None:
        marks_a_step = 2 + 2 * len(PHASES_TO_MARK) if self.has_phases else 1
        self.timer.prepare(1 + self.steps * marks_a_step)
        self.timer.synchronize()
        before = self.timer.now()
        self.borders.append(self.timer.mark())
        self.timer.synchronize()
        after = self.timer.now()
        self.start, self.uncertainty_seconds = (before + after) / 2, (after - before) / 2
        self.host_borders.append(after)

    def end_steps(self, steps: int, began: float) -> bool:
        """Whether that was the last one. All but the last of them were quiet. `began`: when the recorder began to work
        on its end."""
        self.trained_steps += steps
        place = self.trained_steps % self.apart
        if place == 0:
            self.borders.append(self.timer.mark())
            self.host_borders.append(began)
        elif place == self.apart - 1 and self.has_phases:
            self.begins.append(self.timer.mark())
        self.own_seconds += self.timer.now() - began
        return len(self.borders) > self.steps

    def is_recorded(self) -> bool:
        return (self.trained_steps + 1) % self.apart == 0

    def begin_phase(self) -> None:
        if self.is_recorded():
            began = self.timer.now()
            self.open_phase = self.timer.mark()
            self.own_seconds += self.timer.now() - began

    def end_phase(self, name: str) -> None:
        if self.is_recorded() and self.open_phase is not None:
            began = self.timer.now()
            self.phases.append((self.steps_made, name, self.open_phase, self.timer.mark()))
            self.own_seconds += self.timer.now() - began

    def is_over(self) -> bool:
        """The device has made all steps."""
        return self.timer.is_over(self.borders[-1])

    def finish(self) -> None:
        self.timer.synchronize()
        self.host_seconds = self.timer.now() - self.host_borders[0]

    def step_seconds(self) -> Numbers:
        firsts = self.begins if self.has_phases and self.apart > 1 else self.borders
        steps = 1 if self.has_phases else self.apart
        return np.array(
            [
                self.timer.seconds(first, last) / steps
                for first, last in zip(firsts, self.borders[1:], strict=False)  # one more border than steps
            ]
        )

    def phase_seconds(self) -> Numbers:
        """[step, phase]. A phase that no step has takes no time."""
        seconds = np.full((self.steps_made, len(PHASES)), 0.0 if self.has_phases else math.nan)
        for step, name, first, last in self.phases:
            if step < self.steps_made:
                seconds[step, PHASES.index(name)] += self.timer.seconds(first, last)
        steps = self.step_seconds()
        if self.has_phases:
            seconds[:, OVERHEAD] = steps - seconds.sum(axis=1)
        seconds[:, STEP] = steps
        return seconds

    def part(self, losses: list[float], numbers: dict[str, float], flags: dict[str, bool]) -> Part:
        steps = self.steps_made
        starts = [self.start + self.timer.seconds(self.borders[0], border) for border in self.borders[:-1]]
        losses = (losses + steps * [math.nan])[:steps]
        return Part(
            seconds=self.phase_seconds(),
            host_seconds=np.diff(self.host_borders) / self.apart if steps else np.empty(0),
            start_seconds=np.array(starts, np.float64),
            loss=np.array(losses, np.float64),
            numbers=numbers,
            flags=flags | {"has_phases": self.has_phases},
        )

    def numbers(self, quiet_seconds: float) -> dict[str, float]:
        return {
            "steps_host_seconds": self.host_seconds,
            "steps_device_seconds": self.timer.seconds(self.borders[0], self.borders[-1]),
            "steps_made": float(self.steps_made),
            "steps_a_launch": 1.0,
            "steps_apart": float(self.apart),
            "recorder_seconds": quiet_seconds + self.own_seconds / self.trained_steps,
            "start_uncertainty_seconds": self.uncertainty_seconds,
            "peak_memory_bytes": peak_memory_bytes(self.timer),
        }

    def telemetry(self, before: Reading, running: Reading, after: Reading) -> dict[str, float]:
        is_long = self.host_seconds >= SHORTEST_ENERGY_SECONDS
        return {
            "utilization_percent": running.utilization_percent,
            "sm_clock_hz": running.sm_clock_hz,
            "temperature_celsius": running.temperature_celsius,
            "power_watts": running.power_watts,
            "energy_joules": after.energy_joules - before.energy_joules if is_long else math.nan,
            "throttle_reasons": running.throttle_reasons,
            "device_memory_bytes": after.device_memory_bytes,
        }
