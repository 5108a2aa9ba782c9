# SPDX-License-Identifier: Apache-2.0
"""The time of communication calls by message size: latency bounds small messages, bandwidth large ones."""

from typing import Any

import numpy as np
import xarray as xr
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator, NullLocator

from breakeven_analysis.errors import PictureError
from breakeven_analysis.plot.choice import check_launch, only_value
from breakeven_analysis.plot.colours import LINES
from breakeven_analysis.plot.figure import head, new_figure, seconds_unit, styled


@styled
def call_times(dataset: xr.Dataset, launch: int = 0, transport: str | None = None, group: int | None = None) -> Figure:
    """One line per operation, as the launch measured it among `group` ranks (default: all).

    An unmeasured size breaks the line.
    """
    check_launch(launch, dataset.sizes["launch"])
    calls = dataset.get("message_seconds")  # own training loops have none
    if calls is not None:
        calls = calls.isel(launch=launch).dropna("transport", how="all").dropna("group", how="all")
    if calls is None or not calls.size:
        raise PictureError(f"launch {launch} measured no communication calls")
    group = only_value("group", calls["group"].to_numpy(), int(calls["group"].max()) if group is None else group)
    transport = only_value("transport", calls["transport"].to_numpy(), transport)
    calls = calls.sel(group=group, transport=transport).dropna("operation", how="all").load()
    figure = new_figure(8.2, 4.6)
    axes = figure.subplots()
    names = [str(name) for name in calls["operation"].to_numpy()]
    for line, name in zip(LINES, names, strict=False):
        line.draw(axes, calls["message"], calls.sel(operation=name))
    axes.set_xscale("log", base=2)
    axes.xaxis.set_major_locator(LogLocator(16.0))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter(size_words)
    axes.set_yscale("log")
    axes.yaxis.set_major_formatter(time_words)
    axes.grid(True)
    axes.set_xlabel("message size")
    axes.set_ylabel("time per call")
    axes.legend(handles=[line.handle(name) for line, name in zip(LINES, names, strict=False)])
    first, last = calls.min(), calls.dropna("message", how="all").isel(message=-1)
    machine = dataset["machine"].to_numpy()[np.flatnonzero(dataset["launch_index"].to_numpy() == launch)[0]]
    head(
        figure,
        f"A call takes at least {time_words(first)}; {size_words(int(last['message']))} take "
        f"{time_words(last.min())} to {time_words(last.max())}",
        f"{group} ranks by {transport}; {machine}; back-to-back calls, the slowest rank counts; "
        f"start of launch {launch}",
    )
    return figure


def size_words(count: float, _: Any = None) -> str:
    for size, unit in ((2**30, "GiB"), (2**20, "MiB"), (2**10, "KiB")):
        if count >= size:
            return f"{count / size:g} {unit}"
    return f"{count:g} B"


def time_words(seconds: Any, _: Any = None) -> str:
    size, unit = seconds_unit(float(seconds) * (1 + 1e-9))
    return f"{seconds / size:.3g} {unit}"
