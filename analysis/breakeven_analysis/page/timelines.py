# SPDX-License-Identifier: Apache-2.0
"""A few steps of one run per case, from the file: each rank's phases."""

import dataclasses
from typing import Any

import dask
import numpy as np
import xarray as xr

from breakeven_analysis.answers import Vocabulary
from breakeven_analysis.page.cases import key_of

STEPS = 3
MOST_RANKS = 8
MOST_NUMBERS = 200_000  # of all timelines together: 1.5 MB of the page
DIGITS = 4  # more are invisible

Row = dict[str, Any]


@dataclasses.dataclass(frozen=True)
class Excerpt:
    """The middle steps of a run, on its first ranks."""

    run: int
    ranks: int
    first: int
    end: int

    @classmethod
    def of(cls, run: int, gpus: int, steps: int) -> "Excerpt":
        first = max(0, (steps - STEPS) // 2)
        return cls(run, min(gpus, MOST_RANKS), first, min(first + STEPS, steps))

    def of_steps(self, values: Any) -> Any:
        return values[self.run, : self.ranks, self.first : self.end]

    def of_first(self, values: Any) -> Any:
        return values[self.run, : self.ranks, self.first]


def add_timelines(cases: list[Row], dataset: xr.Dataset, vocabulary: Vocabulary) -> list[Row]:
    """The middle steps of each case's first complete run with phase timing.

    `timeline` of a case becomes its number in the list; None if it has no such run, or if the page is full.
    """
    runs = first_runs(dataset, vocabulary.case_axes)
    gpus, steps = (dataset[name].to_numpy().tolist() for name in ("gpus", "steps"))
    chosen: list[Excerpt] = []
    room = MOST_NUMBERS
    for case in cases:
        case["timeline"] = None
        run = runs.get(key_of(case, vocabulary.case_axes))
        if run is None or room <= 0:
            continue
        case["timeline"] = len(chosen)
        chosen.append(Excerpt.of(run, gpus[run], steps[run]))
        room -= STEPS * len(vocabulary.phases) * chosen[-1].ranks
    return timelines_of(chosen, dataset, list(vocabulary.phases))


def first_runs(dataset: xr.Dataset, axes: tuple[str, ...]) -> dict[tuple[Any, ...], int]:
    """The number of each case's first complete run with phase timing."""
    values = [dataset[axis].to_numpy().tolist() for axis in axes]
    is_wanted = (dataset["instrument"].to_numpy() == "phases") & (dataset["status"].to_numpy() > 0)
    runs: dict[tuple[Any, ...], int] = {}
    for number in np.flatnonzero(is_wanted):
        runs.setdefault(tuple(axis[number] for axis in values), int(number))
    return runs


def timelines_of(chosen: list[Excerpt], dataset: xr.Dataset, phases: list[str]) -> list[Row]:
    """Seconds by rank, step and phase; and when each rank began, in seconds after the first rank.

    `begins` is None if the file has no clock that all ranks share. The file is read once for all excerpts.
    """
    seconds = dataset["seconds"].transpose("run", "rank", "step", "phase").data
    starts = dataset["start_seconds"].transpose("run", "rank", "step").data if "start_seconds" in dataset else None
    pieces = [(part.of_steps(seconds), None if starts is None else part.of_first(starts)) for part in chosen]
    read = dask.compute(*pieces)
    columns = dataset.get_index("phase").get_indexer(phases)
    names = dataset["run"].to_numpy()
    return [
        {
            "run": str(names[part.run]),
            "first": part.first,
            "begins": begins_of(began),
            "ranks": [[[rounded(value) for value in step[columns]] for step in rank] for rank in of_steps],
        }
        for part, (of_steps, began) in zip(chosen, read, strict=True)
    ]


def begins_of(starts: np.ndarray | None) -> list[float | None] | None:
    if starts is None or not np.isfinite(starts).all():
        return None
    return [rounded(start) for start in starts - starts.min()]


def rounded(value: float) -> float | None:
    return float(f"{value:.{DIGITS}g}") if np.isfinite(value) else None
