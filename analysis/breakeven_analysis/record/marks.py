# SPDX-License-Identifier: Apache-2.0
"""What a training loop holds open: a step, and the phases within it."""

from typing import TYPE_CHECKING

from breakeven_analysis.errors import RecorderError
from breakeven_analysis.record.measurement import Loss

if TYPE_CHECKING:
    from breakeven_analysis.record.recorder import Recorder


class StepMark:
    """What `recorder.step()` returns: the body of one step. In most measured steps this is all that runs."""

    def __init__(self, recorder: "Recorder") -> None:
        self.recorder = recorder
        self.loss: Loss | None = None
        self.is_asked = self.is_open = False
        self.quiet_steps = 0  # so many of the next ones need nothing

    def ask(self, loss: Loss | None) -> None:
        if self.is_asked and not self.recorder.done:
            raise RecorderError(
                "recorder.step() was called without `with`. Write `with recorder.step():` around each step"
            )
        self.loss, self.is_asked = loss, True

    def __enter__(self) -> None:
        self.is_asked = False
        if self.is_open or self.recorder._closed:
            self.recorder._refuse_step()
        self.is_open = True

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self.is_open = False
        if self.quiet_steps > 0 and kind is None:
            self.quiet_steps -= 1
        else:
            self.recorder._end_step(self.loss, kind is not None)


class PhaseMark:
    def __init__(self, recorder: "Recorder") -> None:
        self.recorder = recorder
        self.name = ""

    def __enter__(self) -> None:
        self.recorder._begin_phase(self.name)

    def __exit__(self, *_: object) -> None:
        self.recorder._end_phase(self.name)
