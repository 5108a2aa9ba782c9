# SPDX-License-Identifier: Apache-2.0
"""Which cases of a report a picture is of."""

from typing import Any

import pandas as pd

from breakeven_analysis.axes import IDENTITY, SETTINGS


def choose(cases: pd.DataFrame, **axes: Any) -> pd.DataFrame:
    """The cases that have these values; None leaves an axis free, a list takes any of them.

    Where a value is nowhere, and where two cases of the same model, batch, GPUs and strategy are left, one
    sentence says what there is to choose from.
    """
    for axis, wanted in axes.items():
        if wanted is None:
            continue
        values = list(wanted) if isinstance(wanted, list | tuple | set) else [wanted]
        there = cases[axis].unique().tolist()
        missing = [value for value in values if value not in there]
        if missing:
            raise ValueError(f"no case has {axis} {missing[0]!r}; there are {', '.join(map(str, there))}")
        cases = cases[cases[axis].isin(values)]
    twice = cases[cases.duplicated(list(IDENTITY), keep=False)]
    for setting in SETTINGS:
        if twice[setting].nunique() > 1:
            names = ", ".join(map(str, twice[setting].unique()))
            raise ValueError(f"the same cases were measured with several values of {setting}: choose one of {names}")
    if cases.empty:
        raise ValueError("no case is left to be drawn")
    return cases


def by_size(cases: pd.DataFrame) -> list[str]:
    """The models, the smallest first."""
    sizes: pd.Series[int] = cases.groupby("model")["parameters"].first()
    return [str(model) for model in sizes.sort_values(kind="stable").index]


def runs_words(cases: pd.DataFrame) -> str:
    """How many runs the figures are of: "5 runs each", "3 to 5 runs each"."""
    least, most = int(cases["runs_done"].min()), int(cases["runs_done"].max())
    return f"{most} runs each" if least == most else f"{least} to {most} runs each"


def way(strategy: str, gpus: int, several: bool) -> str:
    """A strategy as a legend names it: with its GPUs where several numbers of them are in the picture."""
    return f"{strategy} on {gpus}" if several else strategy
