# SPDX-License-Identifier: Apache-2.0
"""The GPUs of this host, by nvidia-smi: which ones a run sees, and how the results file describes them."""

import subprocess
from collections.abc import Mapping
from itertools import takewhile
from typing import Any

from breakeven_analysis.record.device import describe_device
from breakeven_analysis.record.ranks import Rank
from breakeven_analysis.record.timers import HostTimer

VISIBLE = "CUDA_VISIBLE_DEVICES"
FIELDS = ("index", "uuid", "name", "memory.total", "pci.bus_id", "compute_cap")
MEBIBYTE = 2**20


def find_gpus() -> list[dict[str, str]]:
    """All GPUs with the fields that nvidia-smi prints; none without a driver."""
    call = ["nvidia-smi", f"--query-gpu={','.join(FIELDS)}", "--format=csv,noheader,nounits"]
    try:
        done = subprocess.run(call, capture_output=True, text=True, errors="replace", timeout=60, check=True)
    except (OSError, subprocess.SubprocessError):
        return []
    rows = [line.split(", ") for line in done.stdout.splitlines()]
    return [dict(zip(FIELDS, row, strict=True)) for row in rows if len(row) == len(FIELDS)]


def chooses_itself(command: list[str]) -> bool:
    return any(VISIBLE in word for word in command)


def visible_gpus(found: list[dict[str, str]], environment: Mapping[str, str]) -> list[str]:
    """Indices, or beginnings of the UUIDs of GPUs or MIG instances. CUDA takes none from the first wrong word on."""
    if VISIBLE not in environment:
        return [gpu["index"] for gpu in found]
    words = [word.strip() for word in environment[VISIBLE].split(",")]
    return list(takewhile(lambda word: word.isdecimal() or word.startswith(("GPU-", "MIG-")), words))


def environment_for(gpus: int, visible: list[str], environment: Mapping[str, str]) -> dict[str, str]:
    """What is added to the environment of a run: the first of the visible GPUs, by nvidia-smi's order unless the user
    chose them. Nothing for more than this host has: the command's launcher then knows other hosts."""
    if not 0 < gpus <= len(visible):
        return {}
    order = {} if VISIBLE in environment else {"CUDA_DEVICE_ORDER": environment.get("CUDA_DEVICE_ORDER", "PCI_BUS_ID")}
    return {VISIBLE: ",".join(visible[:gpus]), **order}


def describe_devices(gpus: int, found: list[dict[str, str]], visible: list[str]) -> list[dict[str, Any]]:
    """The labels of so many ranks of a program that does not describe them itself."""
    host = describe_device(HostTimer(), Rank(0, 1))
    instance = dict.fromkeys(FIELDS, "") | {"name": "MIG instance"}
    known = [*found, *(instance | {"uuid": word} for word in visible if word.startswith("MIG-"))]
    chosen = [gpu for word in visible for gpu in known if word == gpu["index"] or gpu["uuid"].startswith(word)]
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
