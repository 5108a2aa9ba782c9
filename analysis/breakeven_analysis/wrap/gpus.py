# SPDX-License-Identifier: Apache-2.0
"""The GPUs of this host, by nvidia-smi: which ones a run sees, and how the results file describes them."""

import subprocess
from collections.abc import Mapping
from typing import Any

from breakeven_analysis.record.device import describe_device
from breakeven_analysis.record.ranks import Rank
from breakeven_analysis.record.timers import HostTimer

VISIBLE = "CUDA_VISIBLE_DEVICES"
FIELDS = ("index", "uuid", "name", "memory.total", "pci.bus_id", "compute_cap")
MEBIBYTE = 2**20


def find_gpus() -> list[dict[str, str]]:
    """By the fields of nvidia-smi; none without a driver."""
    call = ["nvidia-smi", f"--query-gpu={','.join(FIELDS)}", "--format=csv,noheader,nounits"]
    try:
        done = subprocess.run(call, capture_output=True, text=True, errors="replace", timeout=60, check=True)
    except (OSError, subprocess.SubprocessError):
        return []
    rows = [line.split(", ") for line in done.stdout.splitlines()]
    return [dict(zip(FIELDS, row, strict=True)) for row in rows if len(row) == len(FIELDS)]


def chooses_itself(command: list[str], environment: Mapping[str, str]) -> bool:
    return VISIBLE in environment or any(VISIBLE in word for word in command)


def environment_for(gpus: int, found: list[dict[str, str]], environment: Mapping[str, str]) -> dict[str, str]:
    """What is added to the environment of a run: the first GPUs in nvidia-smi's order. Nothing for more than this host
    has: the command's launcher then knows other hosts."""
    if not 0 < gpus <= len(found):
        return {}
    order = {"CUDA_DEVICE_ORDER": environment.get("CUDA_DEVICE_ORDER", "PCI_BUS_ID")}
    return {VISIBLE: ",".join(gpu["index"] for gpu in found[:gpus]), **order}


def describe_devices(gpus: int, found: list[dict[str, str]], visible: str | None) -> list[dict[str, Any]]:
    """The labels of so many ranks of a program that does not describe them itself. `visible`: CUDA_VISIBLE_DEVICES."""
    host = describe_device(HostTimer(), Rank(0, 1))
    words = [word.strip() for word in visible.split(",")] if visible is not None else [gpu["index"] for gpu in found]
    chosen = [gpu for word in words for gpu in found if word and (word == gpu["index"] or gpu["uuid"].startswith(word))]
    if not chosen:
        return [dict(host) for _ in range(gpus)]
    return [labels_of(chosen[rank % len(chosen)], host["host"]) for rank in range(gpus)]


def labels_of(gpu: dict[str, str], host: str) -> dict[str, Any]:
    memory, capability = gpu["memory.total"], gpu["compute_cap"].replace(".", "")
    return {
        "host": host,
        "backend": "cuda",
        "numa_node": -1,
        "gpu_name": gpu["name"],
        "gpu_uuid": gpu["uuid"],
        "pci_address": gpu["pci.bus_id"],
        "compute_capability": int(capability) if capability.isdecimal() else 0,
        "memory_bytes": int(memory) * MEBIBYTE if memory.isdecimal() else 0,
    }
