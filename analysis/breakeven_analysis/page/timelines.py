# SPDX-License-Identifier: Apache-2.0
"""A few steps of one run per case, from the file: each rank's phases."""

from typing import Any

import numpy as np
import xarray as xr

from breakeven_analysis.answers import Vocabulary
from breakeven_analysis.page.cases import key_of

STEPS = 3
MOST_RANKS = 8
MOST_NUMBERS = 200_000  # of all timelines together: 1.5 MB of the page
DIGITS = 4  # more are invisible

Row = dict[str, Any]


def add_timelines(cases: list[Row], dataset: xr.Dataset, vocabulary: Vocabulary) -> list[Row]:
    """The middle steps of each case's first complete run with phase timing.

    `timeline` of a case becomes its number in the list; None if it has no such run, or if the page is full.
    """
    timelines: list[Row] = []
    room = MOST_NUMBERS
    phases = list(vocabulary.phases)
    runs = first_runs(dataset, vocabulary.case_axes)
    for case in cases:
        case["timeline"] = None
        run = runs.get(key_of(case, vocabulary.case_axes))
        if run is None or room <= 0:
            continue
        case["timeline"] = len(timelines)
        timelines.append(timeline_of(dataset.isel(run=run), phases))
        room -= STEPS * len(phases) * len(timelines[-1]["ranks"])
    return timelines


def first_runs(dataset: xr.Dataset, axes: tuple[str, ...]) -> dict[tuple[Any, ...], int]:
    """The number of each case's first complete run with phase timing."""
    values = [dataset[axis].to_numpy().tolist() for axis in axes]
    is_wanted = (dataset["instrument"].to_numpy() == "phases") & (dataset["status"].to_numpy() > 0)
    runs: dict[tuple[Any, ...], int] = {}
    for number in np.flatnonzero(is_wanted):
        runs.setdefault(tuple(axis[number] for axis in values), int(number))
    return runs


def timeline_of(run: xr.Dataset, phases: list[str]) -> Row:
    """Seconds by rank, step and phase; and when each rank began, in seconds after the first rank.

    `begins` is None if the file has no clock that all ranks share.
    """
    steps = int(run["steps"])
    first = max(0, (steps - STEPS) // 2)
    ranks = min(int(run["gpus"]), MOST_RANKS)
    chosen = run["seconds"].isel(rank=slice(ranks), step=slice(first, min(first + STEPS, steps)))
    seconds = chosen.sel(phase=phases).transpose("rank", "step", "phase").to_numpy()
    return {
        "run": str(run["run"].item()),
        "first": first,
        "begins": begins_of(run, ranks, first),
        "ranks": [[[rounded(value) for value in step] for step in rank] for rank in seconds],
    }


def begins_of(run: xr.Dataset, ranks: int, step: int) -> list[float | None] | None:
    if "start_seconds" not in run:
        return None
    starts = run["start_seconds"].isel(rank=slice(ranks), step=step).to_numpy()
    return [rounded(start) for start in starts - starts.min()] if np.isfinite(starts).all() else None


def rounded(value: float) -> float | None:
    return float(f"{value:.{DIGITS}g}") if np.isfinite(value) else None
