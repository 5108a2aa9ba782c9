# SPDX-License-Identifier: Apache-2.0
"""Numbers of a data set as a tidy table: one row per number, one column per label."""

import numpy as np
import pandas as pd
import xarray as xr


def to_frame(dataset: xr.Dataset, *variables: str) -> pd.DataFrame:
    """One row per value of the variables, such as "seconds"; all variables must have the same dimensions.

    The labels of the run, or of the launch, are columns. Ranks and steps that a run does not have give no rows. A
    missing measurement gives NaN.
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
    """The labels of every run or launch."""
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
            f"no variable is called {', '.join(unknown)}; choose from {', '.join(map(str, dataset.data_vars))}"
        )
    if any(dataset[name].dims != dataset[variables[0]].dims for name in variables):
        raise ValueError(f"{', '.join(variables)} have different dimensions: make one table for each")


def has_place(frame: pd.DataFrame) -> "pd.Series[bool]":
    """Whether the run or launch has the row's rank, peer and step."""
    exists = pd.Series(True, index=frame.index)
    ranks = "gpus" if "gpus" in frame else "ranks"
    for place, count in (("rank", ranks), ("peer", ranks), ("step", "steps")):
        if place in frame and count in frame:
            exists &= frame[place] < frame[count]
    return exists
