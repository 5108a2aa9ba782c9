# SPDX-License-Identifier: Apache-2.0
"""The scaling curve: the predicted speed-up by number of GPUs, with its bounds and the measured speed-ups."""

import math
import re

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import NullLocator

from breakeven_analysis.answers import Prediction
from breakeven_analysis.errors import PictureError
from breakeven_analysis.plot.colours import BLACK, BLUE, GREEN, GREY, VERMILION
from breakeven_analysis.plot.devices import Devices, devices_of
from breakeven_analysis.plot.figure import BOUNDS_ARE, bottom_legend, head, new_figure, styled, times

BOUNDS = {
    "ideal": ("perfect scaling", GREY, (5, 3)),
    "amdahl": ("Amdahl bound", GREEN, (1, 1.5)),
    "link": ("link bound", VERMILION, (6, 2, 1, 2)),
}


BEYOND = f"; the band reaches above a bound where its error is larger than the distance: {BOUNDS_ARE}"


@styled
def scaling_curve(prediction: Prediction) -> Figure:
    """The best configuration for each number of GPUs, named below, with its 95 % interval as a band.

    Filled points were measured, hollow ones are predicted. A square is the fastest measured configuration on as many
    GPUs; it may be another one than the curve's.
    """
    curve, devices = prediction.table("curve"), devices_of(prediction.machine)
    device = devices.one
    if (curve["gpus"] > 1).sum() == 0:
        raise PictureError(f"the prediction has only one {device}: read it for more than one {device}, such as '2..64'")
    if curve.loc[curve["gpus"] > 1, "speedup"].isna().all():
        raise PictureError(f"the prediction has no speed-up: breakeven predict has no single {device} to compare with")
    figure = new_figure(max(8.2, 1.6 + 0.9 * len(curve)), 4.9)
    axes = figure.subplots()
    axes.set_xscale("log", base=2)
    axes.set_yscale("log", base=2)
    axes.axhline(1, color=BLACK, linewidth=1, label=f"one {device}")
    draw_bounds(axes, curve)
    draw_curve(axes, curve)
    draw_measured(axes, prediction.table("measured"))
    finish(axes, curve, prediction.table("measured"), devices)
    bottom_legend(figure, axes.get_legend_handles_labels()[0], 3, handlelength=3)
    said = prediction.said
    batch = f"batch {said['batch']:,}" + (f" per {device}" if said["scaling"] == "weak" else "")
    head(
        figure,
        finding(curve, devices),
        refusal_words(prediction, devices)
        + f"{said['model']} at {batch}, measured on {prediction.machine}; predicted for {said['topology']}"
        + (BEYOND if is_beyond(curve) else ""),
    )
    return figure


def finding(curve: pd.DataFrame, devices: Devices) -> str:
    """Whether more GPUs are faster; then which numbers of them can be recommended, and the speed-up on the most."""
    several = curve[(curve["gpus"] > 1) & curve["speedup"].notna() & curve["fits"].astype(bool)]
    if not several.empty and not (several["speedup"] > 1).any():
        best = several.loc[several["speedup"].idxmax()]
        is_sure = (several["speedup_high"] < 1).all()
        said = (
            f"One {devices.one} is the fastest" if is_sure else f"Undecided whether more {devices.several} are faster"
        )
        return f"{said}: {best['gpus']} {devices.several} reach {best['speedup']:.3g}× by {best['strategy']}"
    advised = several[(several["recommended"] == "yes") & (several["speedup"] > 1)]
    if advised.empty:
        return f"No number of {devices.several} up to {curve['gpus'].max()} is recommended"
    best = advised.iloc[-1]
    return f"At most {best['gpus']} {devices.several} are recommended: {best['speedup']:.3g}× by {best['strategy']}"


def refusal_words(prediction: Prediction, devices: Devices) -> str:
    """Why more are not recommended although they may be faster: the answer's sentence."""
    found = re.search(r"Not recommended: .*?\)(?=\.)", prediction.answer)
    return f"{found[0].replace('GPUs', devices.several)}; " if found else ""


def is_beyond(curve: pd.DataFrame) -> bool:
    """Whether the band reaches above a bound."""
    return bool((curve["speedup_high"] > curve[list(BOUNDS)].min(axis="columns")).any())


def draw_bounds(axes: Axes, curve: pd.DataFrame) -> None:
    """An unknown bound, such as Amdahl's for weak scaling, has no line."""
    for column, (name, colour, dashes) in BOUNDS.items():
        if curve.loc[curve["gpus"] > 1, column].notna().any():
            axes.plot(curve["gpus"], curve[column], color=colour, dashes=dashes, linewidth=1.4, label=name)


def draw_curve(axes: Axes, curve: pd.DataFrame) -> None:
    gpus = curve["gpus"]
    axes.fill_between(gpus, curve["speedup_low"], curve["speedup_high"], color=BLUE, alpha=0.18, linewidth=0)
    axes.plot(gpus, curve["speedup"], color=BLUE, linewidth=1.6, zorder=3)
    measured, fits = curve["basis"] == "measured", curve["fits"].astype(bool)
    kinds = [
        ("best configuration, measured", measured & fits, "o", BLUE),
        ("best configuration, predicted (band: 95 %)", ~measured & fits, "o", "white"),
        ("exceeds the memory limit", ~fits, "X", "white"),
    ]
    for name, are, marker, face in kinds:
        if are.any():
            look = {"color": BLUE, "linestyle": "none", "marker": marker, "markersize": 6.5, "markerfacecolor": face}
            axes.plot(curve.loc[are, "gpus"], curve.loc[are, "speedup"], zorder=4, label=name, **look)


def draw_measured(axes: Axes, measured: pd.DataFrame) -> None:
    if measured.empty:
        return
    low, high = measured["speedup_low"], measured["speedup_high"]
    axes.vlines(measured["gpus"], low, high, color=BLACK, linewidth=2.2, zorder=4.5)
    look = {"color": BLACK, "linestyle": "none", "marker": "s", "markersize": 11, "markerfacecolor": "none"}
    axes.plot(measured["gpus"], measured["speedup"], zorder=5, label="fastest measured configuration", **look)


def finish(axes: Axes, curve: pd.DataFrame, measured: pd.DataFrame, devices: Devices) -> None:
    names = [f"{row['gpus']}\n" + str(row["strategy"]).replace(":", "\n") for row in curve.to_dict("records")]
    axes.set_xticks(curve["gpus"], names)
    axes.xaxis.set_minor_locator(NullLocator())
    axes.set_xlabel(f"{devices.several} and best configuration")
    axes.set_ylabel(f"speed-up over one {devices.one} ({curve['precision'].iloc[0]})")
    axes.yaxis.set_major_formatter(times)
    axes.grid(True, axis="y")
    axes.tick_params(length=2.5)
    shown = pd.concat([curve, measured])
    low = np.nanmin(shown[["speedup", "speedup_low"]].to_numpy(float))
    high = np.nanmax(shown[["speedup", "speedup_high", "ideal"]].to_numpy(float))
    room = (high / low) ** 0.05  # for the largest mark
    axes.set_ylim(2 ** (math.floor(4 * math.log2(low)) / 4) / max(1.1, room), high * max(1.15, room))
