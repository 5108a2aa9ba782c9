# SPDX-License-Identifier: Apache-2.0
"""What a launch told NCCL that can change an exchange: an axis of its cases, as the report has it
(src/core/records/results.cpp)."""

import json

import xarray as xr


def nccl_settings(dataset: xr.Dataset) -> list[str]:
    """Of every run, such as "NCCL_ALGO=Ring NCCL_P2P_DISABLE=1"; "" where NCCL was left as it is, or not used."""
    told = [settings_of(json.loads(str(text) or "{}")) for text in dataset["environment"].to_numpy()]
    transports, launches = dataset["collective"].to_numpy(), dataset["launch_index"].to_numpy()
    pairs = zip(transports, launches, strict=True)
    return [told[launch] if transport == "nccl" else "" for transport, launch in pairs]


def settings_of(environment: dict[str, str]) -> str:
    return " ".join(sorted(f"{name}={value}" for name, value in environment.items() if changes_exchange(name, value)))


def changes_exchange(name: str, value: str) -> bool:
    """Not a container's note of what it holds, what NCCL prints, and the program's own default."""
    changes_nothing = (
        name == "NCCL_VERSION" or name.startswith("NCCL_DEBUG") or (name, value) == ("NCCL_NVLS_ENABLE", "0")
    )
    return name.startswith("NCCL_") and not changes_nothing
