# SPDX-License-Identifier: Apache-2.0
"""What the calls of an exchange take by size: the floor that small models pay, and the bandwidth of large ones."""

import numpy as np
import xarray as xr
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

from breakeven_analysis.plot.style import LINES, head, new_figure, seconds_unit, styled


@styled
def call_times(dataset: xr.Dataset, launch: int = 0, transport: str | None = None, group: int | None = None) -> Figure:
    """One line a kind of call, as the launch measured it among `group` ranks (all of them without it).

    A size that was not measured breaks a line.
    """
    calls = dataset["message_seconds"].isel(launch=launch).dropna("transport", how="all").dropna("group", how="all")
    if not calls.size:
        raise ValueError(f"launch {launch} measured no calls of the exchange")
    calls = one_of(
        one_of(calls, "group", int(calls["group"].max()) if group is None else group), "transport", transport
    )
    calls = calls.dropna("operation", how="all").load()
    figure = new_figure(8.2, 4.6)
    axes = figure.subplots()
    for line, operation in zip(LINES, calls["operation"].to_numpy(), strict=False):
        line.draw(axes, calls["message"], calls.sel(operation=operation))
    axes.set_xscale("log", base=2)
    axes.xaxis.set_major_locator(LogLocator(16.0))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: size_words(value)))
    axes.set_yscale("log")
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: time_words(value)))
    axes.grid(True)
    axes.set_xlabel("what a call works on")
    axes.set_ylabel("time of a call")
    names = [str(name) for name in calls["operation"].to_numpy()]
    axes.legend(handles=[line.handle(name) for line, name in zip(LINES, names, strict=False)])
    ranks, by = int(calls["group"]), str(calls["transport"].item())
    machine = dataset["machine"].to_numpy()[np.flatnonzero(dataset["launch_index"].to_numpy() == launch)[0]]
    head(
        figure,
        f"Calls of the exchange among {ranks} ranks, over {by}",
        f"{machine}; several calls one behind the other, on the rank where it is longest; start of launch {launch}",
    )
    return figure


def one_of(calls: xr.DataArray, axis: str, wanted: int | str | None) -> xr.DataArray:
    """The named one, or the only one that was measured."""
    there = calls[axis].to_numpy().tolist()
    if wanted is None and len(there) == 1:
        wanted = there[0]
    if wanted not in there:
        raise ValueError(f"choose one of the launch's values of {axis}: {', '.join(map(str, there)) or 'none'}")
    return calls.sel({axis: wanted})


def size_words(count: float) -> str:
    for size, unit in ((2**30, "GiB"), (2**20, "MiB"), (2**10, "KiB")):
        if count >= size:
            return f"{count / size:g} {unit}"
    return f"{count:g} B"


def time_words(seconds: float) -> str:
    size, unit = seconds_unit(seconds * (1 + 1e-9))
    return f"{seconds / size:g} {unit}"
