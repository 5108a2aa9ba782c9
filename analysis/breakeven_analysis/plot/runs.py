# SPDX-License-Identifier: Apache-2.0
"""Which runs of a data set a picture is of."""

from typing import Any

import numpy as np
import pandas as pd
import xarray as xr

from breakeven_analysis.axes import CASE_AXES
from breakeven_analysis.report import Report

AXES = (*CASE_AXES, "instrument", "machine")


def choose_runs(dataset: xr.Dataset, **axes: Any) -> xr.Dataset:
    """The finished runs of one case, in the order in which they were made; None leaves an axis free, or takes the
    most GPUs that there are.

    One sentence says what there is to choose from, where a value is nowhere or several cases are left.
    """
    left = np.flatnonzero(dataset["status"].to_numpy() > 0)
    for axis, wanted in sorted(axes.items(), key=lambda pair: pair[0] == "gpus"):
        values = dataset[axis].to_numpy()[left]
        if wanted is None and axis == "gpus" and values.size:
            wanted = values.max()
        if wanted is None:
            continue
        if not (values == wanted).any():
            names = ", ".join(map(str, sorted(set(values.tolist()))))
            raise ValueError(f"no run has {axis} {wanted!r}" + (f"; there are {names}" if names else ""))
        left = left[values == wanted]
    runs = dataset.isel(run=left)
    for axis in AXES:
        there = sorted(set(runs[axis].to_numpy().tolist()))
        if len(there) > 1:
            raise ValueError(f"the runs have several values of {axis}: choose one of {', '.join(map(str, there))}")
    if not left.size:
        raise ValueError("no finished run is left to be drawn")
    return runs.isel(run=np.lexsort([runs["order"].to_numpy(), runs["launch_index"].to_numpy()]))


def said_of(runs: xr.Dataset, report: Report) -> pd.DataFrame:
    """What the report says of each of the runs, which must be of its one file."""
    said = report.table("finished_runs").set_index("label")
    strangers = [label for label in runs["run"].to_numpy() if label not in said.index]
    if strangers:
        raise ValueError(f"the report does not know run '{strangers[0]}': take data set and report from one file")
    return said.loc[runs["run"].to_numpy()]


def case_words(runs: xr.Dataset) -> str:
    """The case of such runs, as a title names it."""
    one = runs.isel(run=0)
    return (
        f"{one['model'].item()}, batch {int(one['batch']):,}, {one['strategy'].item()} on {int(one['gpus'])} "
        f"({one['precision'].item()})"
    )
