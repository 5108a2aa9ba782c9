#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes a results file with the variables that every file must have (docs/results-file.md), with h5py alone.

    python3 examples/minimal.py && breakeven check mine.h5 && breakeven report mine.h5
"""

from datetime import datetime, timezone

import h5py
import numpy as np

RUNS, RANKS, STEPS = [(1, "single"), (2, "ddp")], 2, 20
TABLE = {  # by dimensions: names and types, in the order of the page's table; without a type: float64
    "": "rank:i4 step:i4 phase:O peer:i4 launch:i4 run:O",
    "run": "model:O batch:u4 gpus:i4 strategy:O precision:O gemm:O collective:O scaling:O instrument:O graph:i1 data:O "
    "repeat:u4 order:u4 launch_index:u4 warmup:u4 steps:u4 parameters:u8 status:u1",
    "run rank step phase": "seconds", "run rank step": "host_seconds loss",
    "run rank": "steps_host_seconds steps_device_seconds setup_seconds first_step_seconds warmup_seconds busy_fraction "
    "peak_memory_bytes exchange_bytes exchange_calls test_accuracy utilization_percent sm_clock_hz temperature_celsius "
    "power_watts energy_joules throttle_reasons device_memory_bytes checksum:u8",
    "launch": "started:O command_line:O git_revision:O versions:O settings:O environment:O ranks:u4",
    "launch rank": "host:O backend:O gpu_name:O gpu_uuid:O pci_address:O "
    "multiprocessors:i4 compute_capability:i4 memory_bytes:u8 numa_node:i4",
    "launch rank peer": "link:O peer_access:i1 link_bytes_per_second link_latency_seconds link_data_right:i1"}
COORDINATES = {"rank": range(RANKS), "step": range(STEPS), "peer": range(RANKS), "launch": [0], "run": ["#0", "#1"],
               "phase": "input forward backward collect exchange broadcast wait optimizer overhead step".split()}
with h5py.File("mine.h5", "w", track_order=True) as file:
    file.attrs["Conventions"] = np.bytes_("breakeven-results-1")
    for dimensions, words in TABLE.items():
        for name, _, kind in (word.partition(":") for word in words.split()):
            shape = [len(COORDINATES[one]) for one in (dimensions or name).split()]
            dtype = h5py.string_dtype() if kind == "O" else kind or "f8"
            data = file.create_dataset(name, shape, dtype, fillvalue=None if kind else np.nan)
            for axis, one in enumerate(dimensions.split()):
                data.dims[axis].attach_scale(file[one])
            if not dimensions:
                data.make_scale(name)
                data.write_direct(np.array(COORDINATES[name], data.dtype))
    for name, value in dict(model="mine", batch=64, precision="fp32", gemm="mine", scaling="strong", instrument="total",
                            steps=STEPS, status=1, ranks=RANKS, backend="host", versions="{}", environment="{}",
                            settings='{"recorder": "mine", "recorded-loss": "none"}',
                            started=datetime.now(timezone.utc).isoformat()).items():
        file[name][...] = value
    for run, (gpus, strategy) in enumerate(RUNS):
        file["gpus"][run], file["strategy"][run] = gpus, strategy
        file["seconds"][run, :gpus, :, -1] = np.full(STEPS, 0.010 / gpus)  # the steps that you measured
        for rank in range(gpus):
            checksum = 14695981039346656037
            for name in (word for names in list(TABLE.values())[2:5] for word in names.split()[:17]):
                for byte in file[name][run, rank].tobytes():
                    checksum = (checksum ^ byte) * 1099511628211 % 2**64
            file["checksum"][run, rank] = checksum
