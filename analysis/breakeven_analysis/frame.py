# SPDX-License-Identifier: Apache-2.0
"""Numbers of a data set as a tidy table: one row a number, every label a column."""

import numpy as np
import pandas as pd
import xarray as xr


def to_frame(dataset: xr.Dataset, *variables: str) -> pd.DataFrame:
    """One row for each place of the variables, which must have the same dimensions, such as "seconds".

    The run's or launch's labels are columns. A rank that takes no part in a run, and a step that a shorter run
    does not have, is no row; what was to be measured and was not is a row with NaN.
    """
    check_variables(dataset, variables)
    dims = dataset[variables[0]].dims
    owner = "run" if "run" in dims else "launch"
    places = np.arange(dataset.sizes[owner])
    chosen = dataset.reset_coords()[list(variables)].assign_coords({owner: places})
    numbers = chosen.to_dataframe().reset_index()
    labels = labels_of(dataset, owner, variables)
    frame = labels.iloc[numbers[owner].to_numpy()].reset_index(drop=True).join(numbers.drop(columns=owner))
    return frame[has_place(frame)].reset_index(drop=True)


def labels_of(dataset: xr.Dataset, owner: str, left_out: tuple[str, ...] = ()) -> pd.DataFrame:
    """The labels of every run, or of every launch."""
    labels = {
        str(name): array.to_numpy()
        for name, array in dataset.coords.items()
        if array.dims == (owner,) and name not in left_out
    }
    return pd.DataFrame({owner: labels.pop(owner), **labels})


def check_variables(dataset: xr.Dataset, variables: tuple[str, ...]) -> None:
    if not variables:
        raise ValueError("to_frame needs the name of a variable, such as 'seconds'")
    unknown = [name for name in variables if name not in dataset.variables]
    if unknown:
        raise KeyError(
            f"no variable is called {', '.join(unknown)}; there are {', '.join(map(str, dataset.data_vars))}"
        )
    if any(dataset[name].dims != dataset[variables[0]].dims for name in variables):
        raise ValueError(f"{', '.join(variables)} have different dimensions: ask for them one by one")


def has_place(frame: pd.DataFrame) -> "pd.Series[bool]":
    """Which rows are of a rank and a step that the run, or the launch, has."""
    exists = pd.Series(True, index=frame.index)
    ranks = "gpus" if "gpus" in frame else "ranks"
    for place, count in (("rank", ranks), ("peer", ranks), ("step", "steps")):
        if place in frame and count in frame:
            exists &= frame[place] < frame[count]
    return exists
