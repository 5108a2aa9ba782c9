# SPDX-License-Identifier: Apache-2.0
"""Training loops whose steps take known times: the clock moves only when a step says so."""

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest

from breakeven_analysis import Recorder
from breakeven_analysis.record import recorder as module
from breakeven_analysis.record.part import PHASES
from breakeven_analysis.record.timers import HostTimer

STEP = PHASES.index("step")
SETTINGS: dict[str, Any] = {"model": "toy", "parameters": 1000, "batch": 64, "precision": "fp64"}
SHORT = {"warmup": 2, "settle": 0, "steps": 5}


class FakeTimer(HostTimer):
    def __init__(self) -> None:
        self.time = 100.0

    def now(self) -> float:
        return self.time


def use_fake_clock(monkeypatch: pytest.MonkeyPatch) -> FakeTimer:
    timer = FakeTimer()
    monkeypatch.setattr(module, "make_timer", lambda: timer)
    for name in ("RANK", "WORLD_SIZE", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "PMI_RANK", "SLURM_PROCID"):
        monkeypatch.delenv(name, raising=False)
    return timer


def train(
    timer: FakeTimer,
    output: Path,
    seconds_of: Callable[[int], float],
    most: int = 100_000,
    loss: Callable[[], Any] | None = lambda: 1.0,
    **settings: Any,
) -> int:
    """Makes steps until the recorder is done, and says how many. Step n takes seconds_of(n)."""
    recorder = Recorder(**{**SETTINGS, "output": output, **settings})
    made = 0
    while not recorder.done and made < most:
        with recorder.step(loss=loss):
            timer.time += seconds_of(made)
        made += 1
    recorder.close()
    return made


def numbers(output: Path, name: str, run: int = -1, rank: int = 0) -> np.ndarray:
    with h5py.File(output) as file:
        return file[name][run, rank]


def label(output: Path, name: str, run: int = -1) -> Any:
    with h5py.File(output) as file:
        value = file[name][run]
    return value.decode() if isinstance(value, bytes) else value


def is_nan(value: float) -> bool:
    return math.isnan(value)
