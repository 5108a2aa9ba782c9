# SPDX-License-Identifier: Apache-2.0
"""What a million samples cost: money by the hour of a GPU, and energy where it was measured."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from breakeven_analysis.plot.choice import choose, runs_words, way
from breakeven_analysis.plot.style import BLACK, BLUE, VERMILION, head, new_figure, styled
from breakeven_analysis.report import Report

HOUR = 3600.0
COUNTS = ((1e6, "million", 1e3, "kJ"), (1e9, "billion", 1e6, "MJ"), (1e12, "trillion", 1e9, "GJ"))


@styled
def cost_and_energy(
    report: Report,
    model: str,
    batch: int,
    price_an_hour: float,
    strategies: list[str] | None = None,
    precision: str | None = None,
    currency: str = "$",
) -> Figure:
    """One row a way, the cheapest on top; the price is of one GPU. A star is one GPU.

    Money is price x GPU time of a sample (docs/report.md, Costs). Energy is what the telemetry read over the measured
    steps; runs that are shorter than its counter's pace have none, and no mark.
    """
    if not price_an_hour > 0:
        raise ValueError("price_an_hour must be above 0: of one GPU for an hour")
    cases = choose(report.timed(), model=model, batch=batch, strategy=strategies, precision=precision)
    cases = cases[(cases["verdict"] != "machinery") & cases["step_seconds"].notna()]
    cases = with_costs(cases, price_an_hour)
    samples, count, joules, unit = next((row for row in COUNTS if row[0] * cases["cost"].min() >= 0.01), COUNTS[-1])
    has_energy = bool(cases["joules_per_sample"].notna().any())
    figure = new_figure(9.6, 1.7 + 0.27 * len(cases))
    panels = figure.subplots(1, 1 + has_energy, sharey=True, squeeze=False, width_ratios=[3, 2][: 1 + has_energy])[0]
    draw_money(panels[0], cases, samples)
    money = currency.replace("$", r"\$")
    panels[0].set_xlabel(f"{money} a {count} samples, at {money}{price_an_hour:g} a GPU and hour")
    if has_energy:
        columns = ["joules_per_sample", "joules_per_sample_low", "joules_per_sample_high"]
        draw_energy(panels[1], cases[columns] * samples / joules, list(cases["gpus"]))
        panels[1].set_xlabel(f"{unit} a {count} samples, by telemetry")
    several = cases.loc[cases["gpus"] > 1, "gpus"].nunique() > 1
    names = [way(str(row["strategy"]), int(row["gpus"]), several) for row in cases.to_dict("records")]
    panels[0].set_yticks(range(len(cases)), names)
    head(
        figure,
        f"What a {count} samples of {model} cost at batch {batch:,} ({cases['precision'].iloc[0]})",
        f"{report.machine}; 95 % intervals, {runs_words(cases)}"
        + ("" if has_energy else "; energy not measured: the runs are shorter than its counter's pace"),
    )
    return figure


def with_costs(cases: pd.DataFrame, price_an_hour: float) -> pd.DataFrame:
    """Of one sample, with its interval; the dearest first."""
    a_second = price_an_hour / HOUR
    costs = {f"cost{end}": a_second * cases[f"gpu_seconds_per_sample{end}"] for end in ("", "_low", "_high")}
    return cases.assign(**costs).sort_values("cost", ascending=False, kind="stable").reset_index(drop=True)


def draw_money(axes: Axes, cases: pd.DataFrame, samples: float) -> None:
    single = cases[cases["gpus"] == 1]
    if not single.empty:
        axes.axvline(single["cost"].min() * samples, color=BLACK, linewidth=1)
    for row, case in enumerate(cases.to_dict("records")):
        colour, marker = (BLACK, "*") if case["gpus"] == 1 else (BLUE, "o")
        axes.plot([case["cost_low"] * samples, case["cost_high"] * samples], [row, row], color=colour, linewidth=2.4)
        axes.plot([case["cost"] * samples], [row], color=colour, marker=marker, markersize=9 if marker == "*" else 6)
    scale(axes, cases["cost"] * samples)
    axes.set_ylim(-0.7, len(cases) - 0.3)
    axes.tick_params(axis="y", length=0)


def draw_energy(axes: Axes, energy: pd.DataFrame, gpus: list[int]) -> None:
    """`energy` has its centre and both ends of its interval."""
    for row, (middle, low, high) in enumerate(energy.to_numpy(float)):
        if not np.isfinite(middle):
            continue
        axes.plot([low, high], [row, row], color=VERMILION, linewidth=2.4)
        marker = "*" if gpus[row] == 1 else "D"
        axes.plot([middle], [row], color=VERMILION, marker=marker, markersize=9 if marker == "*" else 5.5)
    axes.tick_params(axis="y", length=0)
    scale(axes, energy.iloc[:, 0])


def scale(axes: Axes, values: "pd.Series[float]") -> None:
    """From zero on, so that lengths compare; logarithmic where the dearest would leave no room for the others."""
    low, high = values.min(), values.max()
    axes.grid(True, axis="x")
    if high < 10 * low:
        axes.set_xlim(0, 1.06 * high)
        return
    axes.set_xscale("log")
    axes.set_xlim(low / 1.2, high * 1.2)
    ticks = [base * 10.0**power for power in range(-9, 9) for base in (1, 2, 5)]
    axes.set_xticks([tick for tick in ticks if low / 1.2 <= tick <= high * 1.2])
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
    axes.minorticks_off()
