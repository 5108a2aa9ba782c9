# SPDX-License-Identifier: Apache-2.0
"""Loss against time: the sum over ranks at the time of the slowest rank; lines end at the wanted loss."""

from typing import Any

import numpy as np
import pytest
import xarray as xr
from conftest import RESULTS, runs_where
from matplotlib.figure import Figure

from breakeven_analysis import Report, open_results, plot, read_report

QUALITY = RESULTS / "h200-2-2026-11-22" / "quality.h5"
REACHED, SMOOTH = 12, 4  # measured steps


@pytest.fixture(scope="module")
def first(strategies: xr.Dataset) -> xr.Dataset:
    """The first run of stale."""
    runs = runs_where(strategies, strategy="stale", model="xl", batch=8192, instrument="total")
    return runs.isel(run=int(np.argmin(runs["order"].to_numpy())))


def times_of(run: xr.Dataset, report: Report) -> np.ndarray:
    """The end of every step in milliseconds."""
    mean = report.table("finished_runs").set_index("label")["step_seconds"][run["run"].item()]
    seconds = np.cumsum(run["seconds"].sel(phase="step").max("rank").to_numpy())
    return 1e3 * (int(run["warmup"]) * mean + seconds)


def test_curves_are_the_runs(strategies: xr.Dataset, strategies_report: Report, first: xr.Dataset) -> None:
    axes = plot.loss_against_time(strategies, strategies_report, "xl", 8192, ["single", "stale"]).axes[0]
    assert len(axes.lines) == 10, "five runs of each"
    np.testing.assert_allclose(axes.lines[5].get_ydata(), first["loss"].sum("rank").to_numpy())
    np.testing.assert_allclose(axes.lines[5].get_xdata(), times_of(first, strategies_report))


def test_labels_name_what_differs(strategies: xr.Dataset, strategies_report: Report) -> None:
    """Planted: stale was measured in fp32 and without peer access. Everything else is said once, above the picture."""
    names = ["single", "ddp", "zero1", "stale"]
    rows = [row | {"lossy": row["strategy"] == "stale"} for row in strategies_report.said["cases"]]
    figure = plot.loss_against_time(strategies, Report(strategies_report.said | {"cases": rows}), "xl", 8192, names)
    assert labels_of(figure) == [
        "one GPU",
        "ddp",
        "zero1",
        "stale (lossy)",
    ] and "xl at batch 8,192 (bf16); 2x NVIDIA H200" in words_of(figure)
    planted = {"precision": "fp32", "nccl_settings": "NCCL_P2P_DISABLE=1"}
    is_stale = strategies["strategy"] == "stale"
    dataset = strategies.assign_coords(
        {axis: ("run", xr.where(is_stale, value, strategies[axis]).to_numpy()) for axis, value in planted.items()}
    )
    cases = [row | (planted if row["strategy"] == "stale" else {}) for row in rows]
    figure = plot.loss_against_time(dataset, Report(strategies_report.said | {"cases": cases}), "xl", 8192, names)
    assert labels_of(figure) == ["one GPU", "ddp", "zero1", "stale (lossy), fp32, NCCL_P2P_DISABLE=1"]
    assert "(bf16, fp32)" in words_of(figure) and "; bf16, NCCL defaults unless named" in words_of(figure)


def labels_of(figure: Figure) -> list[str]:
    return [text.get_text() for text in figure.axes[0].get_legend().get_texts()]


def words_of(figure: Figure) -> str:
    return " ".join(text.get_text() for text in figure.texts)


def test_lines_end_at_the_wanted_loss(strategies: xr.Dataset, strategies_report: Report, first: xr.Dataset) -> None:
    """Planted: all recorded runs reach it after REACHED steps, and the report says so."""
    steps = strategies["warmup"].expand_dims(rank=strategies.sizes["rank"], axis=1).astype(float) + REACHED
    report = with_quality(strategies_report)
    dataset = strategies.assign(steps_to_quality=steps)
    upper, lower = plot.loss_against_time(dataset, report, "xl", 8192, ["single", "stale"]).axes
    (curve, end) = upper.lines[10:12]
    loss = first["loss"].sum("rank").to_numpy()
    judged = [loss[place - SMOOTH : place].mean() for place in range(SMOOTH, REACHED + 1)]
    np.testing.assert_allclose(curve.get_ydata(), judged)
    np.testing.assert_allclose(curve.get_xdata(), times_of(first, report)[SMOOTH - 1 : REACHED])
    assert [end.get_xdata()[0], end.get_ydata()[0]] == [curve.get_xdata()[-1], curve.get_ydata()[-1]]
    case = report.timed().query("model == 'xl' and batch == 8192 and strategy == 'single'").iloc[0]
    interval, middle = lower.lines[:2]
    ends = [case["seconds_to_quality_low"], case["seconds_to_quality_high"]]
    np.testing.assert_allclose(interval.get_xdata(), 1e3 * np.array(ends))
    np.testing.assert_allclose(middle.get_xdata(), 1e3 * case["seconds_to_quality"])
    assert [text.get_text() for text in lower.texts] == ["1.00×: one GPU", "reached in 3 of 5 runs"]


def test_a_launch_that_trained_to_a_loss() -> None:
    """Every run's line ends at the wanted loss; their mean time is the report's."""
    report = read_report(QUALITY)
    figure = plot.loss_against_time(open_results(QUALITY), report, "64-4096-4096-4096-16", 8192, ["single", "stale"])
    upper, lower = figure.axes
    width = figure.get_figwidth() * figure.dpi
    assert all(text.get_window_extent().x1 <= width for text in figure.texts), "no caption is cut off"
    assert figure.texts[0].get_text() == "0 of 1 configuration reaches a loss of 0.1 before one GPU does"
    assert upper.get_yscale() == "log" and len(upper.lines) == 2 * 2 * 5 + 1
    ends = [line for line in upper.lines if len(line.get_xdata()) == 1]
    assert all(0.09 < line.get_ydata()[0] <= 0.1 for line in ends)
    for place, middle in ((0, lower.lines[1]), (5, lower.lines[3])):
        reached = np.mean([line.get_xdata()[0] for line in ends[place : place + 5]])
        np.testing.assert_allclose(middle.get_xdata()[0], reached, rtol=0.02)


def with_quality(report: Report) -> Report:
    """Two runs of stale do not reach it."""

    def told(case: dict[str, Any]) -> dict[str, Any]:
        step = case["step_seconds"]
        if step is None:  # its numbers were wrong
            return case
        ends = {"seconds_to_quality_low": 10 * step, "seconds_to_quality_high": 20 * step, "quality_speedup": 1.0}
        time = None if case["strategy"] == "stale" else 15 * step
        return (
            case
            | ends
            | {"quality": "loss=1.01", "seconds_to_quality": time, "quality_verdict": "base"}
            | {"quality_reached_runs": 3 if time is None else case["runs_done"]}
        )

    launches = [launch | {"settings": launch["settings"] | {"smooth": str(SMOOTH)}} for launch in report.launches]
    return Report(report.said | {"cases": list(map(told, report.said["cases"])), "launches": launches})


def test_refusals(strategies: xr.Dataset, strategies_report: Report) -> None:
    with pytest.raises(ValueError, match="no run has strategy 'none'; choose from"):
        plot.loss_against_time(strategies, strategies_report, "xl", 8192, ["none"])
    with pytest.raises(ValueError, match="too many for one picture"):
        plot.loss_against_time(strategies, strategies_report, "xl", 8192, ["ddp"] * 9)
