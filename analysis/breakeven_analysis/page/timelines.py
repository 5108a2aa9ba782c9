# SPDX-License-Identifier: Apache-2.0
"""A few steps of a run of every case, as they are in the file: each rank's phases."""

from typing import Any

import numpy as np
import xarray as xr

from breakeven_analysis.axes import CASE_AXES
from breakeven_analysis.page.cases import axes_of

STEPS = 3
MOST_RANKS = 8
MOST_NUMBERS = 200_000  # of all timelines together: 1.5 MB of the page
DIGITS = 4

Row = dict[str, Any]


def add_timelines(cases: list[Row], dataset: xr.Dataset, phases: list[str]) -> list[Row]:
    """Of the first complete run with phases of each case, the steps in its middle.

    `timeline` of a case becomes its place in the list; None where the case has no such run, and where the steps of the
    cases before have filled the page.
    """
    timelines: list[Row] = []
    room = MOST_NUMBERS
    runs = first_runs(dataset)
    for case in cases:
        case["timeline"] = None
        run = runs.get(axes_of(case))
        if run is None or room <= 0:
            continue
        case["timeline"] = len(timelines)
        timelines.append(timeline_of(dataset, run, phases))
        room -= STEPS * len(phases) * len(timelines[-1]["ranks"])
    return timelines


def first_runs(dataset: xr.Dataset) -> dict[tuple[Any, ...], int]:
    """The place of the first complete run with phases of each case."""
    axes = [dataset[axis].to_numpy().tolist() for axis in CASE_AXES]
    is_wanted = (dataset["instrument"].to_numpy() == "phases") & (dataset["status"].to_numpy() > 0)
    runs: dict[tuple[Any, ...], int] = {}
    for place in np.flatnonzero(is_wanted):
        runs.setdefault(tuple(axis[place] for axis in axes), int(place))
    return runs


def timeline_of(dataset: xr.Dataset, place: int, phases: list[str]) -> Row:
    """Seconds by rank, step and phase, in the order of `phases`; and when each rank began, after the first of them, by
    the clock that they share: None where the file has no such clock."""
    run = dataset.isel(run=place)
    made = int(run["steps"])
    first = max(0, (made - STEPS) // 2)
    ranks = min(int(run["gpus"]), MOST_RANKS)
    chosen = run["seconds"].isel(rank=slice(ranks), step=slice(first, min(first + STEPS, made)))
    seconds = chosen.sel(phase=phases).transpose("rank", "step", "phase").to_numpy()
    return {
        "run": str(run["run"].item()),
        "first": first,
        "begins": begins_of(run, ranks, first),
        "ranks": [rank_of(values) for values in seconds],
    }


def begins_of(run: xr.Dataset, ranks: int, step: int) -> list[float] | None:
    if "start_seconds" not in run:
        return None
    starts = run["start_seconds"].isel(rank=slice(ranks), step=step).to_numpy()
    return [float(f"{start:.{DIGITS}g}") for start in starts - starts.min()] if np.isfinite(starts).all() else None


def rank_of(seconds: np.ndarray[Any, np.dtype[np.float64]]) -> list[list[float | None]]:
    """Rounded to digits that no eye tells apart."""
    return [[float(f"{value:.{DIGITS}g}") if np.isfinite(value) else None for value in step] for step in seconds]
