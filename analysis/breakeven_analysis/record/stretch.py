# SPDX-License-Identifier: Apache-2.0
"""One stretch of measured steps: a mark at every border between recorded steps, which are read at the end only."""

import math
import random
from typing import Any

import numpy as np

from breakeven_analysis.errors import RecorderError
from breakeven_analysis.program_tables import PHASES
from breakeven_analysis.record.device import Reading, peak_memory_bytes
from breakeven_analysis.record.part import OVERHEAD, STEP, Numbers, Part
from breakeven_analysis.record.timers import Timer

PHASES_TO_MARK = tuple(name for name in PHASES if name not in ("wait", "overhead", "step"))
SHORTEST_ENERGY_SECONDS = 1.0  # NVML's energy counter advances in ticks of up to a tenth of a second
MARK_PHASES = "phase() must be called in every step, the warm-up included"


class Stretch:
    """Each of the `steps` recorded steps stands for `apart` successive ones, of which its time is the mean. It is
    divided into phases like one of them, which is drawn at random: the same one on all ranks."""

    def __init__(self, timer: Timer, steps: int, apart: int, has_phases: bool) -> None:
        self.timer, self.steps, self.apart, self.has_phases = timer, steps, apart, has_phases
        self.trained_steps = 0
        self.own_seconds = 0.0  # that marks took
        self.borders: list[Any] = []
        self.host_borders: list[float] = []
        self.samples: list[tuple[Any, Any]] = []  # begin and end of the steps whose phases are marked
        self.phases: list[tuple[int, str, Any, Any]] = []
        self.open_sample: Any = None
        self.open_phase: Any = None
        self.ended: float | None = None  # when the device had made the last step
        self.start = self.uncertainty_seconds = math.nan
        self.dice = random.Random(1)
        self.sampled = self.dice.randrange(apart)

    @property
    def steps_made(self) -> int:
        return max(0, len(self.borders) - 1)

    @property
    def host_seconds(self) -> float:
        return math.nan if self.ended is None else self.ended - self.host_borders[0]

    def quiet_steps(self) -> int:
        """So many of the next steps need no mark."""
        return self.apart - 1 - self.trained_steps % self.apart if not self.has_phases else 0

    def prepare(self) -> None:
        marks_a_step = 3 + 2 * len(PHASES_TO_MARK) if self.has_phases else 1
        self.timer.prepare(1 + self.steps * marks_a_step)

    def begin(self) -> None:
        self.timer.synchronize()
        before = self.timer.now()
        self.borders.append(self.timer.mark())
        self.timer.synchronize()
        after = self.timer.now()
        self.start, self.uncertainty_seconds = (before + after) / 2, (after - before) / 2
        self.host_borders.append(after)
        self.begin_sample()

    def end_steps(self, steps: int, began: float) -> bool:
        """Whether that was the last one. All but the last of them were quiet. `began`: when the recorder began to work
        on its end."""
        self.trained_steps += steps
        is_border = self.trained_steps % self.apart == 0
        end = self.timer.mark() if is_border else None
        self.end_sample(end)
        if is_border:
            self.borders.append(end)
            self.host_borders.append(began)
            self.sampled = self.dice.randrange(self.apart)
        self.begin_sample()
        self.own_seconds += self.timer.now() - began
        return len(self.borders) > self.steps

    # ------------------------------------------------------------ the steps whose phases are marked

    def is_sampled(self) -> bool:
        return self.trained_steps % self.apart == self.sampled

    def begin_sample(self) -> None:
        if self.has_phases and self.is_sampled():
            self.open_sample = self.borders[-1] if self.sampled == 0 else self.timer.mark()

    def end_sample(self, border: Any) -> None:
        if not self.has_phases or (self.trained_steps - 1) % self.apart != self.sampled:
            return
        if not self.phases or self.phases[-1][0] != self.steps_made:
            raise RecorderError(MARK_PHASES)
        self.samples.append((self.open_sample, self.timer.mark() if border is None else border))

    def begin_phase(self) -> None:
        if self.is_sampled():
            began = self.timer.now()
            self.open_phase = self.timer.mark()
            self.own_seconds += self.timer.now() - began

    def end_phase(self, name: str) -> None:
        if self.is_sampled() and self.open_phase is not None:
            began = self.timer.now()
            self.phases.append((self.steps_made, name, self.open_phase, self.timer.mark()))
            self.own_seconds += self.timer.now() - began

    # ------------------------------------------------------------ the end

    def ends_soon(self) -> bool:
        """Whether the device has made all steps, or makes them so soon that it has nothing else to do."""
        self.ended = self.timer.seen(self.borders[-1])
        return self.ended is not None

    def finish(self) -> None:
        """If the device has made the last step already, the host saw its end about when it marked it."""
        if self.ended is None and self.timer.is_over(self.borders[-1]):
            self.ended = self.host_borders[-1]
        self.timer.synchronize()
        if self.ended is None:
            self.ended = self.timer.now()

    def step_seconds(self) -> Numbers:
        lasted = [self.timer.seconds(*pair) for pair in zip(self.borders, self.borders[1:], strict=False)]
        return np.array(lasted) / self.apart

    def phase_seconds(self) -> Numbers:
        """[step, phase]. A phase that no step has takes no time."""
        seconds = np.full((self.steps_made, len(PHASES)), 0.0 if self.has_phases else math.nan)
        steps = self.step_seconds()
        for step, name, first, last in self.phases:
            if step < self.steps_made:
                sample = self.timer.seconds(*self.samples[step])
                scale = steps[step] / sample if sample > 0 else 0.0
                seconds[step, PHASES.index(name)] += scale * self.timer.seconds(first, last)
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
            "steps_device_seconds": self.device_seconds(),
            "steps_made": float(self.steps_made),
            "steps_a_launch": 1.0,
            "steps_apart": float(self.apart),
            "recorder_seconds": quiet_seconds + self.own_seconds / self.trained_steps,
            "start_uncertainty_seconds": self.uncertainty_seconds,
            "peak_memory_bytes": peak_memory_bytes(self.timer),
        }

    def device_seconds(self) -> float:
        return self.timer.seconds(self.borders[0], self.borders[-1])

    def telemetry(self, running: Reading, mean_watts: float) -> dict[str, float]:
        """`mean_watts`: from before the first step to the end of the last one."""
        return {
            "utilization_percent": running.utilization_percent,
            "sm_clock_hz": running.sm_clock_hz,
            "temperature_celsius": running.temperature_celsius,
            "power_watts": running.power_watts,
            "energy_joules": mean_watts * self.device_seconds(),
            "throttle_reasons": running.throttle_reasons,
            "device_memory_bytes": running.device_memory_bytes,
        }
