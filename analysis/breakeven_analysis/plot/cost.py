# SPDX-License-Identifier: Apache-2.0
"""The cost of a million samples: money by the price of a GPU-hour, and energy if it was measured."""

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from breakeven_analysis.answers import Report
from breakeven_analysis.errors import PictureError
from breakeven_analysis.plot.choice import choose, configuration_names, intervals_words, precision_words, runs_words
from breakeven_analysis.plot.colours import BLACK, BLUE, VERMILION
from breakeven_analysis.plot.devices import devices_of, machine_words
from breakeven_analysis.plot.figure import draw_interval, head, log_scale, new_figure, row_axis, styled
from breakeven_analysis.plot.verdicts import counted, is_open, paying, undecided_words

HOUR = 3600.0
COUNTS = ((1e6, "million", 1e3, "kJ"), (1e9, "billion", 1e6, "MJ"), (1e12, "trillion", 1e9, "GJ"))
ENDS = ("_low", "", "_high")


@styled
def cost_and_energy(
    report: Report,
    model: str,
    batch: int,
    price_an_hour: float,
    strategies: list[str] | None = None,
    currency: str = "$",
    **axes: Any,
) -> Figure:
    """One row per configuration, the cheapest on top; a star is one GPU. The price is that of one GPU.

    Money is price times GPU time per sample (docs/report.md, Costs). Energy is the telemetry's over the measured steps;
    host devices and runs that are shorter than the counter's period have none.
    """
    if not price_an_hour > 0:
        raise PictureError("price_an_hour must be above 0: the price of one GPU for an hour")
    cases = choose(report, report.timed(), model=model, batch=batch, strategy=strategies, **axes)
    # On one GPU, only the baseline: other strategies there measure their own overhead.
    is_shown = (cases["gpus"] > 1) | (cases[["strategy", "chosen"]] == "single").any(axis="columns")
    cases = cases[is_shown & cases["step_seconds"].notna()]
    if cases.empty:
        raise PictureError("no case is left to draw: no training of these cases has a step time")
    cases = with_costs(cases, price_an_hour)
    samples, count, joules, unit = next((row for row in COUNTS if row[0] * cases["cost"].min() >= 0.01), COUNTS[-1])
    has_energy = bool(cases["joules_per_sample"].notna().any())
    devices = devices_of(report.machine)
    figure = new_figure(9.6, 1.7 + 0.27 * len(cases))
    panels = figure.subplots(1, 1 + has_energy, sharey=True, squeeze=False, width_ratios=[3, 2][: 1 + has_energy])[0]
    is_single = cases["gpus"] == 1
    if is_single.any():
        panels[0].axvline(cases.loc[is_single, "cost"].min() * samples, color=BLACK, linewidth=1)
    draw(panels[0], cases[[f"cost{end}" for end in ENDS]] * samples, is_single, (BLUE, BLACK), "o")
    row_axis(panels[0], configuration_names(report, cases), -0.7, len(cases) - 0.3)
    money = f"{currency} per {count} samples, at {currency}{price_an_hour:g} per {devices.one}-hour"
    panels[0].set_xlabel(money)
    if has_energy:
        energy = cases[[f"joules_per_sample{end}" for end in ENDS]] * samples / joules
        draw(panels[1], energy, is_single, (VERMILION, VERMILION), "D")
        panels[1].tick_params(axis="y", length=0)
        panels[1].set_xlabel(f"{unit} per {count} samples, by telemetry")
    head(
        figure,
        finding(cases[cases["gpus"] > 1], devices.one),
        f"{model} at batch {batch:,} in {precision_words(cases)}; {machine_words(report.machine, cases)}; "
        f"{intervals_words(cases, 'interval_covers')}, "
        + runs_words(report, cases)
        + ("" if has_energy else f"; energy not measured: {devices.no_energy}"),
    )
    return figure


def finding(several: pd.DataFrame, device: str) -> str:
    """How many configurations are cheaper, by the report's verdicts."""
    verdict = "gpu_hours_verdict"
    if several.empty:
        return f"Only one {device} was measured"
    if is_open(several, verdict):
        return f"Undecided whether any configuration is cheaper than one {device}"
    cheaper = counted(len(paying(several, verdict)), len(several), "configuration is", "configurations are")
    return f"{cheaper} cheaper than one {device}{undecided_words(several, verdict)}"


def with_costs(cases: pd.DataFrame, price_an_hour: float) -> pd.DataFrame:
    """The cost of one sample with its interval; the most expensive first."""
    costs = {f"cost{end}": price_an_hour / HOUR * cases[f"gpu_seconds_per_sample{end}"] for end in ENDS}
    return cases.assign(**costs).sort_values("cost", ascending=False, kind="stable").reset_index(drop=True)


def draw(axes: Axes, values: pd.DataFrame, is_single: "pd.Series[bool]", colours: tuple[str, str], marker: str) -> None:
    """Columns of `values`: low, middle, high. Rows without a value stay empty."""
    for row, (ends, single) in enumerate(zip(values.itertuples(index=False, name=None), is_single, strict=True)):
        if np.isfinite(ends[1]):
            mark = {"marker": "*", "markersize": 9} if single else {"marker": marker, "markersize": 6}
            draw_interval(axes, row, ends, colours[int(single)], **mark)
    low, high = values.min(axis=None), values.max(axis=None)
    axes.grid(True, axis="x")
    if not 0 < 10 * low < high:
        axes.set_xlim(0, 1.06 * high)
    else:  # else the most expensive would leave no room for the others
        log_scale(axes, "x")
        axes.set_xlim(low / 1.2, high * 1.2)
