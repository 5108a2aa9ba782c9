# SPDX-License-Identifier: Apache-2.0
"""A run from its first step to its last: warm-up, settling, measured steps, by the rules of docs/measuring.md.

All ranks go from stage to stage in the same step."""

import math
from collections.abc import Callable
from enum import Enum
from typing import Any

import numpy as np

from breakeven_analysis.errors import RecorderError
from breakeven_analysis.record.case import Protocol
from breakeven_analysis.record.device import Monitor
from breakeven_analysis.record.meeting import Message
from breakeven_analysis.record.part import Part
from breakeven_analysis.record.steadiness import (
    FEWEST_FOR_QUARTERS,
    LARGEST_DRIFT,
    MARGIN,
    MOST_STEPS_A_WINDOW,
    WINDOW_SECONDS,
    Window,
    are_steady,
    quarters_agree,
)
from breakeven_analysis.record.stretch import MARK_PHASES, SHORTEST_ENERGY_SECONDS, Stretch
from breakeven_analysis.record.timers import Timer

Loss = Callable[[], Any]
Gather = Callable[[Message], list[Message]]  # of all ranks' messages; raises RanksGone
NOT_SETTLED, STEADY, TIME_LIMIT = 0.0, 1.0, 2.0  # settle_end of the results file


class RanksGone(RecorderError):  # noqa: N818
    """Another rank ended, or closed its recorder."""


class Stage(Enum):
    WARM_UP = "warm-up"
    LOSSES = "the steps whose losses are kept"
    SETTLING = "settling"
    MEETING = "the step that brings the ranks together"
    MEASURING = "the measured steps"
    DONE = "the end"


def kept(loss: Loss) -> Any:
    """A tensor is read later, when its memory may hold another step's loss; no copy waits for the device."""
    value = loss()
    if hasattr(value, "detach") and math.prod(value.shape) == 1:
        return value.detach().clone()
    try:
        return float(value)
    except (TypeError, ValueError) as error:
        raise RecorderError(
            f"loss returned {type(value).__name__} {str(value)[:40]!r} and must return one number, or a tensor of one"
        ) from error


class Measurement:
    def __init__(
        self,
        timer: Timer,
        monitor: Monitor,
        protocol: Protocol,
        gather: Gather,
        write: Callable[[Part], None],
        quiet_seconds: float,
    ) -> None:
        """`quiet_seconds`: what the recorder takes in a step in which it has nothing to do."""
        self._timer, self._monitor, self._protocol = timer, monitor, protocol
        self._gather, self._write, self._quiet_seconds = gather, write, quiet_seconds
        self._uses_phases = self._has_last_loss = False
        self._losses: list[Any] = []
        self._windows: list[Window] = []
        self._window_steps = 0
        self._apart = 1
        self._numbers: dict[str, float] = {
            "settle_seconds": 0.0,
            "settle_steps": 0.0,
            "settle_end": NOT_SETTLED,
            "last_loss": math.nan,
            "began_seconds": timer.now(),
        }
        self._stretch = Stretch(timer, protocol.steps, 1, False)
        self._enter(Stage.WARM_UP)

    def begin(self) -> None:
        if self._protocol.warmup == 0:
            self._begin_after_warm_up()

    def end_steps(self, steps: int, began: float, loss: Loss | None) -> None:
        """Of which all but the last were quiet. `began`: when the recorder began to work on the end of the last one."""
        self._made += steps
        if self.stage is Stage.MEASURING:
            if self._stretch.end_steps(steps, began):
                self._end_measuring(loss)
        elif self.stage is Stage.WARM_UP:
            self._end_warm_up_step(loss)
        elif self.stage is Stage.MEETING:
            self._begin_stretch()
        elif self.stage is Stage.LOSSES:
            self._end_loss_step(loss)
        elif self._made == self._window_steps:
            self._end_window()

    def quiet_steps(self) -> int:
        """At the end of so many of the next steps there is nothing to do."""
        if self.stage is Stage.MEASURING:
            return self._stretch.quiet_steps()
        return self._window_steps - self._made - 1 if self.stage is Stage.SETTLING else 0

    def begin_phase(self) -> None:
        if self.stage is Stage.MEASURING:
            if not self._stretch.has_phases:
                raise RecorderError(MARK_PHASES)
            self._stretch.begin_phase()
        self._uses_phases = True

    def end_phase(self, name: str) -> None:
        if self.stage is Stage.MEASURING:
            self._stretch.end_phase(name)

    # ------------------------------------------------------------ warm-up and settling

    def _enter(self, stage: Stage) -> None:
        self.stage, self._made = stage, 0
        self._stage_began = self._timer.now()

    def _begin_after_warm_up(self) -> None:
        if self._protocol.settle > 0:
            self._enter(Stage.LOSSES)
        else:
            self._begin_measuring()

    def _end_warm_up_step(self, loss: Loss | None) -> None:
        if self._made == 1:
            if loss is not None:
                kept(loss)  # a wrong one is told now
            self._timer.synchronize()
            now = self._timer.now()
            self._numbers["first_step_seconds"] = now - self._stage_began
            self._stage_began = now
        if self._made < self._protocol.warmup:
            return
        self._timer.synchronize()
        self._numbers["warmup_seconds"] = self._timer.now() - self._stage_began
        self._begin_after_warm_up()

    def _end_loss_step(self, loss: Loss | None) -> None:
        if loss is not None:
            self._losses.append(kept(loss))
        if self._made < self._protocol.steps:
            return
        self._timer.synchronize()
        seconds = self._timer.now() - self._stage_began
        self._begin_window(max(one["seconds"] for one in self._gather({"seconds": seconds / self._made})))

    def _begin_window(self, step_seconds: float) -> None:
        steps = MARGIN * WINDOW_SECONDS / step_seconds if step_seconds > 0 else MOST_STEPS_A_WINDOW
        self._window_steps = max(1, math.ceil(min(steps, MOST_STEPS_A_WINDOW)))
        self._enter(Stage.SETTLING)

    def _end_window(self) -> None:
        reading = self._monitor.read()
        self._timer.synchronize()
        seconds = self._timer.now() - self._stage_began
        self._windows.append(
            Window(seconds, seconds / self._made, reading.sm_clock_hz, reading.power_share, reading.is_slowed())
        )
        self._numbers["settle_steps"] += self._made
        own = {
            "step_seconds": seconds / self._made,
            "steady": are_steady(self._windows, self._protocol.settle_tolerance),
            "seconds": sum(window.seconds for window in self._windows),
        }
        messages = self._gather(own)
        step_seconds = max(one["step_seconds"] for one in messages)
        self._numbers["settle_seconds"] = max(one["seconds"] for one in messages)
        is_steady = all(one["steady"] for one in messages)
        if not is_steady and self._numbers["settle_seconds"] < self._protocol.settle:
            self._begin_window(step_seconds)
            return
        self._numbers["settle_end"] = STEADY if is_steady else TIME_LIMIT
        self._apart = self._protocol.steps_apart(step_seconds, self._timer.seconds_between_marks)
        self._begin_measuring()

    # ------------------------------------------------------------ the measured steps

    def _begin_measuring(self) -> None:
        self._stretch = Stretch(self._timer, self._protocol.steps, self._apart, self._uses_phases)
        self._stretch.prepare()
        ranks = len(self._gather({}))
        self._before, self._before_seconds = self._monitor.read(), self._timer.now()
        if ranks == 1:
            self._begin_stretch()
        else:
            self._enter(Stage.MEETING)

    def _begin_stretch(self) -> None:
        self._enter(Stage.MEASURING)
        self._stretch.begin()

    def _end_measuring(self, loss: Loss | None) -> None:
        # NVML is read while the device works. Where it waited for the host, reading first would count as its time.
        ends_soon = self._stretch.ends_soon()
        running = None if ends_soon else self._monitor.read()
        self._stretch.finish()
        joules = self._monitor.energy_joules() - self._before.energy_joules
        passed = self._timer.now() - self._before_seconds
        running = running or self._monitor.read()
        if self._is_to_be_measured_again():
            self._begin_measuring()
            return
        self._numbers |= self._stretch.numbers(self._quiet_seconds)
        self._numbers |= self._stretch.telemetry(
            running, joules / passed if passed >= SHORTEST_ENERGY_SECONDS else math.nan
        )
        try:
            if loss is not None:
                self._numbers["last_loss"], self._has_last_loss = float(kept(loss)), True
        finally:
            self._write_part()

    def _is_to_be_measured_again(self) -> bool:
        """Settled runs whose measured steps are not steady, until the time for settling is over."""
        if self._numbers["settle_end"] != STEADY:
            return False
        own = {"seconds": self._stretch.step_seconds().tolist(), "whole": self._stretch.host_seconds}
        try:
            messages = self._gather(own)
        except RanksGone:
            return False
        slowest = np.max([one["seconds"] for one in messages], axis=0)
        tolerance = max(LARGEST_DRIFT, self._protocol.settle_tolerance)
        if len(slowest) < FEWEST_FOR_QUARTERS or quarters_agree(slowest, tolerance):
            return False
        settled = self._numbers["settle_seconds"] + max(one["whole"] for one in messages)
        if not settled < self._protocol.settle:
            self._numbers["settle_end"] = TIME_LIMIT
            return False
        self._numbers["settle_seconds"] = settled
        self._numbers["settle_steps"] += self._stretch.trained_steps
        return True

    def _write_part(self) -> None:
        losses = [float(value) for value in self._losses]
        flags = {"has_losses": len(losses) == self._protocol.steps, "has_last_loss": self._has_last_loss}
        self._write(self._stretch.part(losses, self._numbers, flags))
        self.stage = Stage.DONE

    def _can_finish(self) -> bool:
        try:
            self._stretch.finish()
        except RuntimeError:  # of PyTorch, where the device failed
            return False
        return True

    def stop(self) -> tuple[int, str]:
        """Before the measured steps are complete; those that are whole are kept. How many, and a sentence about it."""
        stage, made = self.stage, self._stretch.steps_made
        if stage is Stage.MEASURING and made > 0 and self._can_finish():
            self._numbers |= self._stretch.numbers(self._quiet_seconds)
            self._write_part()
            return made, f"after {made} of {self._protocol.steps} measured steps, which are kept"
        self._stretch = Stretch(self._timer, self._protocol.steps, 1, False)
        self._write_part()
        return 0, (
            f"in {stage.value}, before the first measured step. Nothing was recorded: train on until recorder.done, or "
            f"pass Recorder a smaller warmup ({self._protocol.warmup}), steps ({self._protocol.steps}) or settle "
            f"({self._protocol.settle:g} s)"
        )
