# SPDX-License-Identifier: Apache-2.0
"""The device of this rank, and what NVML tells of it where pynvml is installed."""

import contextlib
import importlib
import math
import os
import socket
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from breakeven_analysis.errors import RecorderError
from breakeven_analysis.record.ranks import Rank
from breakeven_analysis.record.timers import Timer

NAN = math.nan
SLOWED = (
    0x4 | 0x8 | 0x10 | 0x20 | 0x40 | 0x80 | ~0x1FF
)  # NVML's bits of a power or heat limit (src/report/warnings/throttle.cpp)


@dataclass(frozen=True)
class Reading:
    utilization_percent: float = NAN
    sm_clock_hz: float = NAN
    temperature_celsius: float = NAN
    power_watts: float = NAN
    energy_joules: float = NAN
    throttle_reasons: float = NAN
    device_memory_bytes: float = NAN
    power_share: float = NAN  # of the power limit

    def is_slowed(self) -> bool:
        return not math.isnan(self.throttle_reasons) and bool(int(self.throttle_reasons) & SLOWED)


def describe_device(timer: Timer, rank: Rank) -> dict[str, Any]:
    """The labels of a rank in the results file."""
    if timer.backend == "host":
        cores = len(os.sched_getaffinity(0))
        memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
        device: dict[str, Any] = {"gpu_name": processor_name(), "multiprocessors": cores, "memory_bytes": memory}
    else:
        cuda: Any = sys.modules["torch"].cuda
        if rank.local_rank > 0 and cuda.device_count() > 1 and cuda.current_device() == 0:
            raise RecorderError(
                f"Rank {rank.rank} would share GPU 0. Call torch.cuda.set_device({rank.local_rank}), its local rank, "
                "before you make a Recorder"
            )
        properties = cuda.get_device_properties(cuda.current_device())
        device = {
            "gpu_name": properties.name,
            "gpu_uuid": uuid_of(properties),
            "multiprocessors": properties.multi_processor_count,
            "compute_capability": 10 * properties.major + properties.minor,
            "memory_bytes": properties.total_memory,
        }
    return {"host": socket.gethostname(), "backend": timer.backend, "numa_node": -1, **device}


def uuid_of(properties: Any) -> str:
    """As nvidia-smi prints it; older versions of PyTorch do not tell it."""
    text = str(getattr(properties, "uuid", ""))
    return f"GPU-{text}" if text and not text.startswith("GPU-") else text


def processor_name() -> str:
    for line in Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines():
        name, colon, value = line.partition(": ")
        if colon and name.startswith("model name"):
            return value
    return "host processor"


class Monitor:
    """Reads NVML; everything is NaN without pynvml, without a GPU, and where NVML does not support a reading."""

    def __init__(self, device: dict[str, Any], rank: Rank) -> None:
        self.nvml: Any = None
        self.handle: Any = None
        if device["backend"] != "cuda":
            return
        with contextlib.suppress(Exception):  # NVML's own errors have no base class that is known without it
            pynvml: Any = importlib.import_module("pynvml")

            pynvml.nvmlInit()
            uuid = device.get("gpu_uuid")
            self.handle = (
                pynvml.nvmlDeviceGetHandleByUUID(uuid.encode())
                if uuid
                else pynvml.nvmlDeviceGetHandleByIndex(rank.local_rank)
            )
            self.nvml = pynvml

    def ask(self, function: str, *arguments: Any) -> Any:
        """None where there is no answer."""
        if self.nvml is None:
            return None
        try:
            return getattr(self.nvml, function)(self.handle, *arguments)
        except Exception:
            return None

    def number(self, function: str, *arguments: Any, unit: float = 1.0) -> float:
        answer = self.ask(function, *arguments)
        return NAN if answer is None else float(answer) * unit

    def energy_joules(self) -> float:
        """Since the driver was loaded."""
        return self.number("nvmlDeviceGetTotalEnergyConsumption", unit=1e-3)

    def read(self) -> Reading:
        if self.nvml is None:
            return Reading()
        rates, memory = self.ask("nvmlDeviceGetUtilizationRates"), self.ask("nvmlDeviceGetMemoryInfo")
        power = self.number("nvmlDeviceGetPowerUsage", unit=1e-3)
        return Reading(
            utilization_percent=NAN if rates is None else float(rates.gpu),
            sm_clock_hz=self.number("nvmlDeviceGetClockInfo", 1, unit=1e6),
            temperature_celsius=self.number("nvmlDeviceGetTemperature", 0),
            power_watts=power,
            energy_joules=self.energy_joules(),
            throttle_reasons=self.number("nvmlDeviceGetCurrentClocksThrottleReasons"),
            device_memory_bytes=NAN if memory is None else float(memory.used),
            power_share=power / self.number("nvmlDeviceGetEnforcedPowerLimit", unit=1e-3),
        )


def peak_memory_bytes(timer: Timer) -> float:
    """Of PyTorch's allocations; not known on the host."""
    return float(sys.modules["torch"].cuda.max_memory_allocated()) if timer.backend == "cuda" else NAN
