# SPDX-License-Identifier: Apache-2.0
"""A GPU that is none: what the recorder reads of its clocks, its energy and its memory."""

import math
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import h5py
import pytest
from loops import SETTINGS, SHORT, label, numbers

from breakeven_analysis import Recorder
from breakeven_analysis.program_tables import PHASES
from breakeven_analysis.record.timers import CudaTimer


class FakeCuda(ModuleType):
    """A device that works behind the host: its clock moves by what was enqueued, and events are read at the end."""

    def __init__(self) -> None:
        super().__init__("torch.cuda")
        self.device_time = self.host_time = 0.0
        self.waits: list[float] = []

    def is_available(self) -> bool:
        return True

    def synchronize(self) -> None:
        self.waits.append(self.host_time)
        self.host_time = max(self.host_time, self.device_time)

    def Event(self, enable_timing: bool) -> Any:  # noqa: N802
        cuda = self

        class Event:
            time = math.nan

            def record(self) -> None:
                self.time = max(cuda.device_time, cuda.host_time)

            def query(self) -> bool:
                cuda.host_time += 1e-4
                return self.time <= cuda.host_time

            def elapsed_time(self, other: "Event") -> float:
                return 1e3 * (other.time - self.time)

        assert enable_timing
        return Event()

    def current_device(self) -> int:
        return 0

    def device_count(self) -> int:
        return 1

    def max_memory_allocated(self) -> int:
        return 12345

    def get_device_properties(self, _: int) -> Any:
        return SimpleNamespace(
            name="NVIDIA Fake", uuid="abc", multi_processor_count=132, major=9, minor=0, total_memory=10**9
        )


@pytest.fixture
def cuda(monkeypatch: pytest.MonkeyPatch) -> FakeCuda:
    cuda = FakeCuda()
    torch = ModuleType("torch")
    torch.cuda, torch.__version__, torch.version = cuda, "2.9", SimpleNamespace(cuda="13.0")
    monkeypatch.setitem(sys.modules, "torch", torch)
    monkeypatch.setattr(CudaTimer, "now", lambda _: cuda.host_time)
    return cuda


class FakeNvml(ModuleType):
    def __init__(self) -> None:
        super().__init__("pynvml")
        self.energy = 0.0

    def __getattr__(self, name: str) -> Any:
        values = {
            "nvmlDeviceGetHandleByUUID": "handle",
            "nvmlDeviceGetUtilizationRates": SimpleNamespace(gpu=97),
            "nvmlDeviceGetMemoryInfo": SimpleNamespace(used=2e9),
            "nvmlDeviceGetPowerUsage": 300_000,
            "nvmlDeviceGetEnforcedPowerLimit": 700_000,
            "nvmlDeviceGetClockInfo": 1980,
            "nvmlDeviceGetCurrentClocksThrottleReasons": 0,
        }
        if name == "nvmlDeviceGetTotalEnergyConsumption":
            self.energy += 250_000
            return lambda _: self.energy
        if name == "nvmlDeviceGetTemperature":
            raise AttributeError(name)
        return lambda *_: values.get(name)


def test_events_time_the_device_without_waiting_for_it(
    cuda: FakeCuda, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The host enqueues a step in 0.1 s, and the device takes 0.5 s for it."""
    monkeypatch.setitem(sys.modules, "pynvml", FakeNvml())
    output = tmp_path / "mine.h5"
    recorder = Recorder(**SETTINGS, **SHORT, output=output)
    waits: list[int] = []
    for _ in range(7):
        with recorder.step(loss=lambda: 1.0):
            cuda.host_time += 0.1
            cuda.device_time = max(cuda.device_time, cuda.host_time - 0.1) + 0.5
        waits.append(len(cuda.waits))
    recorder.close()
    assert waits[1] == waits[5] < waits[6], "none from the beginning of the measured steps to the end of the last one"
    assert numbers(output, "seconds")[:, PHASES.index("step")] == pytest.approx(5 * [0.5])
    assert numbers(output, "host_seconds")[:4] == pytest.approx(4 * [0.1])
    assert label(output, "gemm") == "pytorch" and numbers(output, "peak_memory_bytes") == 12345
    with h5py.File(output) as file:
        assert file["gpu_uuid"][0, 0] == b"GPU-abc" and file["compute_capability"][0, 0] == 90
    assert numbers(output, "power_watts") == 300 and numbers(output, "sm_clock_hz") == 1.98e9
    assert numbers(output, "energy_joules") == 500 and math.isnan(numbers(output, "temperature_celsius"))


def test_energy_is_that_of_the_steps(cuda: FakeCuda, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """At 100 W, a meeting of the ranks and a reading take a second each, the steps 2.5 s."""

    class MeteredNvml(FakeNvml):
        def __getattr__(self, name: str) -> Any:
            if name == "nvmlDeviceGetTotalEnergyConsumption":
                return lambda _: 100_000 * cuda.host_time
            if name == "nvmlDeviceGetUtilizationRates":
                cuda.host_time += 1
            return super().__getattr__(name)

    monkeypatch.setitem(sys.modules, "pynvml", MeteredNvml())
    output = tmp_path / "mine.h5"
    recorder = Recorder(**SETTINGS, **SHORT, output=output)
    gather = recorder._measurement._gather

    def slow_gather(message: dict) -> list:
        cuda.host_time += 1
        return gather(message)

    monkeypatch.setattr(recorder._measurement, "_gather", slow_gather)
    for _ in range(7):
        with recorder.step(loss=lambda: 1.0):
            cuda.host_time += 0.5
            cuda.device_time = cuda.host_time
    recorder.close()
    assert numbers(output, "energy_joules") == pytest.approx(250)


@pytest.mark.parametrize(("host", "device"), [(0.1, 0.05), (0.1, 0.5)])
def test_reading_nvml_takes_no_time_of_the_steps(
    cuda: FakeCuda, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, host: float, device: float
) -> None:
    """Whether the device waits for the host or the host for the device, which then works while NVML is read."""
    readings: list[bool] = []

    class SlowNvml(FakeNvml):
        def __getattr__(self, name: str) -> Any:
            if name == "nvmlDeviceGetUtilizationRates":
                readings.append(cuda.device_time > cuda.host_time)
                cuda.host_time += 0.01
            return super().__getattr__(name)

    monkeypatch.setitem(sys.modules, "pynvml", SlowNvml())
    output = tmp_path / "mine.h5"
    recorder = Recorder(**SETTINGS, **SHORT, output=output)
    for _ in range(7):
        with recorder.step():
            began = max(cuda.device_time, cuda.host_time)
            cuda.host_time += host
            cuda.device_time = max(began + device, cuda.host_time)
    recorder.close()
    slower = max(host, device)
    assert numbers(output, "steps_device_seconds") == pytest.approx(5 * slower)
    assert numbers(output, "steps_host_seconds") == pytest.approx(5 * slower, abs=5e-4)
    assert readings[1] == (device > host), "read at work where the device is behind"
