# SPDX-License-Identifier: Apache-2.0
"""Marks in a step: events on the current CUDA stream where PyTorch has CUDA, else readings of the host's clock."""

import sys
import time
from typing import Any, Protocol

SOON_SECONDS = 2e-3


class Timer(Protocol):
    """Marks are read after the last one only, so that none waits for the device."""

    backend: str
    seconds_between_marks: float  # so long that a mark takes less than 0.5 % of it

    def now(self) -> float: ...
    def prepare(self, marks: int) -> None: ...
    def mark(self) -> Any: ...
    def seconds(self, first: Any, last: Any) -> float: ...
    def is_over(self, mark: Any) -> bool: ...  # the device has come to the mark
    def seen(self, mark: Any) -> float | None: ...  # when the host saw that; None if it lasts
    def synchronize(self) -> None: ...


class HostTimer:
    backend = "host"
    seconds_between_marks = 0.0

    def now(self) -> float:
        """A clock that nobody sets, the same for all processes of a host."""
        return time.monotonic()

    def prepare(self, marks: int) -> None:
        pass

    def mark(self) -> float:
        return self.now()

    def seconds(self, first: float, last: float) -> float:
        return last - first

    def is_over(self, mark: float) -> bool:
        return True

    def seen(self, mark: float) -> float | None:
        return mark

    def synchronize(self) -> None:
        pass


class CudaTimer(HostTimer):
    backend = "cuda"
    seconds_between_marks = 0.04  # a mark took the host 49 to 102 us (results/h200-4/gpt2.h5)

    def __init__(self, cuda: Any) -> None:
        self.cuda = cuda
        self.spare: list[Any] = []

    def prepare(self, marks: int) -> None:
        """CUDA makes an event when it is first recorded, which takes longer than recording it."""
        self.spare = [self.cuda.Event(enable_timing=True) for _ in range(marks)]
        for event in self.spare:
            event.record()
        self.synchronize()

    def mark(self) -> Any:
        event = self.spare.pop() if self.spare else self.cuda.Event(enable_timing=True)
        event.record()
        return event

    def seconds(self, first: Any, last: Any) -> float:
        return float(first.elapsed_time(last)) / 1e3

    def is_over(self, mark: Any) -> bool:
        return bool(mark.query())

    def seen(self, mark: Any) -> float | None:
        end = self.now() + SOON_SECONDS
        while not (is_over := self.is_over(mark)) and self.now() < end:
            pass
        return self.now() if is_over else None

    def synchronize(self) -> None:
        self.cuda.synchronize()


def make_timer() -> Timer:
    torch: Any = sys.modules.get("torch")
    has_cuda = torch is not None and torch.cuda.is_available()
    return CudaTimer(torch.cuda) if has_cuda else HostTimer()
