# SPDX-License-Identifier: Apache-2.0
"""The machine of a launch in words, as the report names it (src/report/machine.cpp)."""

from collections import Counter

import xarray as xr


def machine_names(labels: xr.Dataset) -> list[str]:
    """One name for each launch of a file, such as "2x NVIDIA H200"."""
    return [machine_name(labels.isel(launch=launch)) for launch in range(labels.sizes["launch"])]


def machine_name(launch: xr.Dataset) -> str:
    ranks = int(launch["ranks"])
    devices: Counter[str] = Counter()
    for name, backend in zip(launch["gpu_name"].values[:ranks], launch["backend"].values[:ranks], strict=True):
        devices[f"{name} (host backend)" if backend == "host" else str(name)] += 1
    text = " and ".join(f"{count}x {name}" for name, count in devices.items())
    hosts = len(set(launch["host"].values[:ranks]))
    if hosts > 1:
        text += f" on {hosts} hosts"
    return text or "an unknown machine"
