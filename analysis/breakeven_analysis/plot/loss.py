# SPDX-License-Identifier: Apache-2.0
"""Loss against time: what the steps of a fast strategy are worth."""

from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import xarray as xr
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from breakeven_analysis.plot.choice import choose
from breakeven_analysis.plot.runs import choose_runs, said_of
from breakeven_analysis.plot.style import BLACK, GREY, LINES, Line, head, new_figure, seconds_unit, styled
from breakeven_analysis.report import Report
from breakeven_analysis.vocabulary import Vocabulary


class Wanted(NamedTuple):
    """What the launch trained until (docs/measuring.md): the mean loss of so many steps."""

    loss: float
    steps: int


class Curve(NamedTuple):
    """One run: the end of every step, its loss, and the step at which the wanted loss was reached."""

    seconds: np.ndarray
    loss: np.ndarray
    reached: int | None


@styled
def loss_against_time(
    dataset: xr.Dataset, report: Report, model: str, batch: int, strategies: list[str], precision: str | None = None
) -> Figure:
    """One line a run. A step's loss is the sum of the ranks' shares, its time the longest rank's; the warm-up steps,
    which teach the model too, count as long as the run's mean step.

    Of a launch with `--until loss=X` the loss is that which was judged, the mean of the last `--smooth` steps; a line
    ends where it was reached, and below stand the report's times to it with their intervals. `dataset` is of the
    report's one file.
    """
    if len(strategies) > len(LINES):
        raise ValueError(f"{len(strategies)} strategies are more than a picture can tell apart, which is {len(LINES)}")
    wanted = wanted_of(report)
    chosen = {
        strategy: choose_runs(
            dataset, model=model, batch=batch, strategy=strategy, gpus=None, instrument="total", precision=precision
        )
        for strategy in strategies
    }
    curves = {strategy: curves_of(runs, report, wanted) for strategy, runs in chosen.items()}
    size, unit = seconds_unit(max(float(curve.seconds[-1]) for own in curves.values() for curve in own))
    figure, upper, last = panels(len(strategies) if wanted else 0)
    for line, own in zip(LINES, curves.values(), strict=False):
        draw_strategy(upper, own, line, size)
    scale_losses(upper, [curve.loss for own in curves.values() for curve in own])
    upper.set_ylabel(f"loss, mean of {wanted.steps} steps" if wanted else "loss")
    upper.grid(True)
    names = [f"{strategy} on {int(runs['gpus'][0])}" for strategy, runs in chosen.items()]
    if wanted is None:
        upper.legend(handles=[line.handle(name) for line, name in zip(LINES, names, strict=False)])
    else:
        upper.axhline(wanted.loss, color=BLACK, linewidth=1)
        cases = choose(report.timed(), model=model, batch=batch, strategy=strategies, precision=precision)
        draw_times(
            last,
            [own_case(cases, strategy, chosen[strategy]) for strategy in strategies],
            names,
            size,
            report.vocabulary,
        )
    last.set_xlabel(f"time from the first step on ({unit})")
    last.set_xlim(left=0)
    one = chosen[strategies[0]].isel(run=0)
    what = f"Loss of {model} at batch {batch:,} against time"
    runs = ", ".join(sorted({str(runs.sizes["run"]) for runs in chosen.values()}))
    below = f"; below the time to a loss of {wanted.loss:g} with its 95 % interval, beside one GPU's" if wanted else ""
    head(
        figure, f"{what} ({one['precision'].item()})", f"{one['machine'].item()}; {runs} runs each, a line a run{below}"
    )
    return figure


def wanted_of(report: Report) -> Wanted | None:
    """None where the launches did not train until one and the same loss."""
    quality, _, value = str(report.said["cases"][0]["quality"]).partition("=")
    return Wanted(float(value), int(report.launches[0]["settings"]["smooth"])) if quality == "loss" else None


def panels(rows: int) -> tuple[Figure, Axes, Axes]:
    """The curves, and below them so many rows of times; the same axes twice where there are none."""
    figure = new_figure(8.6, 4.4 + (0.5 + 0.27 * rows if rows else 0))
    if not rows:
        axes = figure.subplots()
        return figure, axes, axes
    upper, lower = figure.subplots(2, 1, sharex=True, height_ratios=[3.6, 0.3 + 0.27 * rows])
    return figure, upper, lower


def curves_of(runs: xr.Dataset, report: Report, wanted: Wanted | None) -> list[Curve]:
    """Behind the warm-up, up to the step that reached the wanted loss."""
    gpus, smooth = int(runs["gpus"].max()), wanted.steps if wanted else 1
    means = said_of(runs, report)["step_seconds"].to_numpy(float)
    curves = []
    for place, mean in enumerate(means):
        run = runs.isel(run=place)
        part = run.isel(rank=slice(gpus), step=slice(int(run["steps"])))
        took = part["seconds"].sel(phase="step").max("rank", skipna=False).to_numpy()
        loss = part["loss"].sum("rank", skipna=False).to_numpy()
        made = int(np.isfinite(took).sum())
        warmup = int(run["warmup"])
        needed = float(run["steps_to_quality"][0]) if wanted else np.nan
        reached = int(needed) - warmup if np.isfinite(needed) else None
        end = made if reached is None else reached
        seconds = warmup * mean + np.cumsum(took[:end])
        judged = np.convolve(loss[:end], np.full(smooth, 1 / smooth), mode="valid")
        curves.append(Curve(seconds[smooth - 1 :], judged, reached))
    return curves


def scale_losses(axes: Axes, losses: list[np.ndarray]) -> None:
    """Logarithmic where the highest would leave no room for what matters, near the end."""
    low, high = (float(of(np.concatenate(losses))) for of in (np.nanmin, np.nanmax))
    if not 0 < low < high / 10:
        return
    axes.set_yscale("log")
    ticks = [base * 10.0**power for power in range(-9, 9) for base in (1, 2, 5)]
    axes.set_yticks([tick for tick in ticks if low / 1.1 <= tick <= high * 1.1])
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:g}")
    axes.minorticks_off()


def draw_strategy(axes: Axes, curves: list[Curve], line: Line, size: float) -> None:
    """Marks on a few steps of the first run tell lines apart in grey; a larger one is where the loss was reached."""
    for number, curve in enumerate(curves):
        axes.plot(
            curve.seconds / size,
            curve.loss,
            color=line.colour,
            linestyle=line.dashes,
            linewidth=1.1,
            alpha=0.85,
            marker=line.marker if number == 0 else None,
            markevery=max(1, len(curve.loss) // 8),
            markersize=5,
        )
        if curve.reached is not None:
            end = (curve.seconds[-1] / size, curve.loss[-1])
            axes.plot(*end, color=line.colour, marker=line.marker, markersize=8, markeredgecolor=BLACK, zorder=4)


def own_case(cases: pd.DataFrame, strategy: str, runs: xr.Dataset) -> dict[str, Any]:
    own = cases[(cases["strategy"] == strategy) & (cases["gpus"] == int(runs["gpus"][0]))]
    return {str(name): value for name, value in own.iloc[0].items()}


def draw_times(axes: Axes, cases: list[dict[str, Any]], names: list[str], size: float, vocabulary: Vocabulary) -> None:
    """The report's time to the loss by every strategy, its speed-up by that time, and the verdict."""
    for row, (case, line) in enumerate(zip(cases, LINES, strict=False)):
        middle, low, high = (case[f"seconds_to_quality{end}"] / size for end in ("", "_low", "_high"))
        axes.plot([low, high], [row, row], color=line.colour, linewidth=2.4)
        axes.plot([middle], [row], color=line.colour, marker=line.marker, markersize=6)
        place = {"xy": (1.01, row), "xycoords": ("axes fraction", "data"), "va": "center"}
        axes.annotate(words_of(case, vocabulary), **place, fontsize=8.5, color=GREY)
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(len(names) - 0.4, -0.6)
    axes.tick_params(axis="y", length=0)
    axes.grid(True, axis="x")


def words_of(case: dict[str, Any], vocabulary: Vocabulary) -> str:
    if not np.isfinite(case["seconds_to_quality"]):
        return f"reached in {case['quality_reached_runs']} of {case['runs_done']} runs"
    label = vocabulary.verdicts.get(case["quality_verdict"], "")
    if not label or not np.isfinite(case["quality_speedup"]):
        return ""
    return f"{case['quality_speedup']:.2f}×: {label}"
