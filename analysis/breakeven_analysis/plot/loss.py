# SPDX-License-Identifier: Apache-2.0
"""Training loss against time: a fast step is worth less if it lowers the loss less."""

from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import xarray as xr
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from breakeven_analysis.answers import Report
from breakeven_analysis.errors import PictureError
from breakeven_analysis.plot.choice import (
    choose_runs,
    configuration_names,
    finished_runs,
    intervals_words,
    precision_words,
    runs_words,
)
from breakeven_analysis.plot.colours import BLACK, GREY, LINES, Line
from breakeven_analysis.plot.devices import devices_of, machine_words
from breakeven_analysis.plot.figure import draw_interval, head, log_scale, new_figure, row_axis, seconds_unit, styled
from breakeven_analysis.plot.verdicts import counted, paying, undecided_words


class Wanted(NamedTuple):
    """The loss that the launch trained to, a mean over so many steps (docs/measuring.md)."""

    loss: float
    steps: int


class Curve(NamedTuple):
    """One run: the end of every step in seconds, its loss, and the step at which it reached the wanted loss."""

    seconds: np.ndarray
    loss: np.ndarray
    reached: int | None


@styled
def loss_against_time(
    dataset: xr.Dataset, report: Report, model: str, batch: int, strategies: list[str], **axes: Any
) -> Figure:
    """One line per run. A step's loss is the sum over ranks, its time that of the slowest rank.

    Warm-up steps train the model too: each counts with the run's mean step time. If the launch had `--until loss=X`,
    the loss is the mean of the last `--smooth` steps, a line ends where it reached X, and the rows below show the
    report's times to X with their intervals. Data set and report come from the same file.
    """
    if len(strategies) > len(LINES):
        raise PictureError(f"{len(strategies)} strategies are too many for one picture: choose at most {len(LINES)}")
    wanted = wanted_of(report)
    axes |= {"model": model, "batch": batch}
    chosen = [choose_runs(dataset, strategy=name, instrument="total", **axes) for name in strategies]
    curves = [curves_of(runs, report, wanted) for runs in chosen]
    for name, own in zip(strategies, curves, strict=True):
        if not any(np.isfinite(curve.loss).any() for curve in own):
            raise PictureError(f"strategy {name} has no recorded loss")
    size, unit = seconds_unit(max(float(curve.seconds[-1]) for own in curves for curve in own))
    figure, upper, last = panels(len(strategies) if wanted else 0)
    for line, own in zip(LINES, curves, strict=False):
        draw_strategy(upper, own, line, size)
    scale_losses(upper, [curve.loss for own in curves for curve in own])
    upper.set_ylabel(f"loss, mean of {wanted.steps} steps" if wanted else "loss")
    upper.grid(True)
    cases = cases_of(chosen, report)
    names = configuration_names(report, cases)
    below = ""
    if wanted is None:
        upper.legend(handles=[line.handle(name) for line, name in zip(LINES, names, strict=False)])
    else:
        upper.axhline(wanted.loss, color=BLACK, linewidth=1)
        below = f"; below: the time to that loss, {intervals_words(cases, 'interval_covers')}"
        draw_times(last, cases, names, size, report.vocabulary.verdicts)
    last.set_xlabel(f"time since the first step began ({unit})")
    last.set_xlim(left=0)
    head(
        figure,
        title_of(cases, wanted, curves, size, unit, devices_of(report.machine).one),
        f"{model} at batch {batch:,} ({precision_words(cases)}); {machine_words(report.machine, cases)}; "
        f"{runs_words(report, cases)}{below}",
    )
    return figure


def cases_of(chosen: list[xr.Dataset], report: Report) -> pd.DataFrame:
    """The report's row of each case, in the order of the runs."""
    axes = list(report.vocabulary.case_axes)
    said = report.timed().set_index(axes, drop=False)
    return pd.DataFrame([said.loc[tuple(runs[axis][0].item() for axis in axes)] for runs in chosen])


def title_of(
    cases: pd.DataFrame, wanted: Wanted | None, curves: list[list[Curve]], size: float, unit: str, device: str
) -> str:
    """The finding: how many configurations reach the loss before one GPU, by the report's verdicts.

    Where the launch asked for no loss, the losses and times at which all runs end.
    """
    several = cases[cases["gpus"] > 1]
    if wanted is None or several.empty:
        losses = range_words([curve.loss[-1] for own in curves for curve in own])
        times = range_words([curve.seconds[-1] / size for own in curves for curve in own])
        return f"Runs end at a loss of {losses}, after {times} {unit}"
    verdict, than = "quality_verdict", f"a loss of {wanted.loss:g} before one {device} does"
    if (several[verdict] == "undecided").all():
        return f"Undecided whether any configuration reaches {than}"
    whole = counted(len(paying(several, verdict)), len(several), "configuration reaches", "configurations reach")
    return f"{whole} {than}{undecided_words(several, verdict)}"


def range_words(values: list[float]) -> str:
    return " to ".join(dict.fromkeys(f"{of(values):.3g}" for of in (min, max)))


def wanted_of(report: Report) -> Wanted | None:
    """None if the launches did not train to one and the same loss."""
    quality, _, value = str(report.said["cases"][0]["quality"]).partition("=")
    return Wanted(float(value), int(report.launches[0]["settings"]["smooth"])) if quality == "loss" else None


def panels(rows: int) -> tuple[Figure, Axes, Axes]:
    """Axes for the curves and for so many rows of times below; the same axes twice without rows."""
    figure = new_figure(8.6, 4.4 + (0.5 + 0.27 * rows if rows else 0))
    if not rows:
        axes = figure.subplots()
        return figure, axes, axes
    upper, lower = figure.subplots(2, 1, sharex=True, height_ratios=[3.6, 0.3 + 0.27 * rows])
    return figure, upper, lower


def curves_of(runs: xr.Dataset, report: Report, wanted: Wanted | None) -> list[Curve]:
    """From the end of the warm-up to the step that reached the wanted loss."""
    gpus, smooth = int(runs["gpus"].max()), wanted.steps if wanted else 1
    means = finished_runs(runs, report)["step_seconds"].to_numpy(float)
    curves = []
    for place, mean in enumerate(means):
        run = runs.isel(run=place)
        part = run.isel(rank=slice(gpus), step=slice(int(run["steps"])))
        took = part["seconds"].sel(phase="step").max("rank", skipna=False).to_numpy()
        loss = part["loss"].sum("rank", skipna=False).to_numpy()
        warmup = int(run["warmup"])
        needed = float(run["steps_to_quality"][0]) if wanted else np.nan
        reached = int(needed) - warmup if np.isfinite(needed) else None
        end = int(np.isfinite(took).sum()) if reached is None else reached
        seconds = warmup * mean + np.cumsum(took[:end])
        judged = np.convolve(loss[:end], np.full(smooth, 1 / smooth), mode="valid")
        curves.append(Curve(seconds[smooth - 1 :], judged, reached))
    return curves


def scale_losses(axes: Axes, losses: list[np.ndarray]) -> None:
    """Logarithmic if the losses span more than a factor of ten, so that the end of the training stays visible."""
    low, high = (float(of(np.concatenate(losses))) for of in (np.nanmin, np.nanmax))
    if 0 < low < high / 10:
        log_scale(axes, "y")


def draw_strategy(axes: Axes, curves: list[Curve], line: Line, size: float) -> None:
    """Markers on a few steps of the first run; a larger marker where a run reached the wanted loss."""
    for number, curve in enumerate(curves):
        axes.plot(
            curve.seconds / size,
            curve.loss,
            color=line.colour,
            linestyle=line.dashes,
            linewidth=1.1,
            alpha=0.85,
            clip_on=False,
            marker=line.marker if number == 0 else None,
            markevery=max(1, len(curve.loss) // 8),
            markersize=5,
        )
        if curve.reached is not None:
            end = (curve.seconds[-1] / size, curve.loss[-1])
            axes.plot(*end, color=line.colour, marker=line.marker, markersize=8, markeredgecolor=BLACK, zorder=4)


def draw_times(axes: Axes, cases: pd.DataFrame, names: list[str], size: float, verdicts: dict[str, str]) -> None:
    """Each strategy's time to the loss, its speed-up by that time, and the verdict."""
    for row, (case, line) in enumerate(zip(cases.to_dict("records"), LINES, strict=False)):
        low, middle, high = (case[f"seconds_to_quality{end}"] / size for end in ("_low", "", "_high"))
        draw_interval(axes, row, (low, middle, high), line.colour, marker=line.marker, markersize=6)
        label = verdicts.get(case["quality_verdict"], "")
        if not np.isfinite(case["seconds_to_quality"]):
            label = f"reached in {case['quality_reached_runs']} of {case['runs_done']} runs"
        elif label:
            label = f"{case['quality_speedup']:.2f}×: {label}" if np.isfinite(case["quality_speedup"]) else ""
        place = {"xy": (1.01, row), "xycoords": ("axes fraction", "data"), "va": "center"}
        axes.annotate(label, **place, fontsize=8.5, color=GREY)
    row_axis(axes, names, len(names) - 0.4, -0.6)
