# SPDX-License-Identifier: Apache-2.0
"""Series: every step of a case, flagged as the report flags it."""

import numpy as np
import pytest
import xarray as xr
from conftest import SCALING, runs_where
from matplotlib.axes import Axes
from text_layout import cut_marks

from breakeven_analysis import PictureError, Report, open_results, plot


@pytest.fixture(scope="module")
def scaling() -> xr.Dataset:
    return open_results(SCALING)


def flagged(report: Report, **changes: object) -> Report:
    """The report with changes to the third run of xl at batch 8192."""
    rows = report.said["finished_runs"]
    third = [row for row in rows if row["label"].startswith("xl b8192 2x ddp")][2]
    return Report(report.said | {"finished_runs": [row | changes if row is third else row for row in rows]})


def drawn(axes: Axes, marker: str) -> np.ndarray:
    return np.concatenate([[], *(line.get_ydata() for line in axes.lines if line.get_marker() == marker)])


def test_all_steps_in_order_of_measurement(scaling: xr.Dataset, scaling_report: Report) -> None:
    upper, lower = plot.step_series(scaling, scaling_report, "xl", 8192, "ddp", gpus=2).axes
    runs = runs_where(scaling, model="xl", batch=8192, gpus=2).sortby("order")
    seconds = runs["seconds"].sel(phase="step").max("rank").to_numpy()
    points = np.concatenate([line.get_ydata() for line in upper.lines if line.get_marker() in ".x"])
    np.testing.assert_allclose(np.sort(points), np.sort(seconds.ravel()) * 1e3)
    clocks = [segment[0][1] for drawn in lower.collections for segment in drawn.get_segments()]
    np.testing.assert_allclose(clocks, runs["sm_clock_hz"].isel(rank=slice(2)).to_numpy().T.ravel() / 1e9)


def test_no_mark_is_cut(scaling: xr.Dataset, scaling_report: Report) -> None:
    assert cut_marks(plot.step_series(scaling, scaling_report, "xl", 8192, "ddp", gpus=2)) == []


def test_flags_are_the_reports(scaling: xr.Dataset, scaling_report: Report) -> None:
    outlier = flagged(scaling_report, is_outlier=True, steps_set_aside=4)
    before = plot.step_series(scaling, flagged(scaling_report, is_outlier=False), "xl", 8192, "ddp", gpus=2).axes[0]
    after = plot.step_series(scaling, outlier, "xl", 8192, "ddp", gpus=2).axes[0]
    assert len(drawn(after, "x")) == len(drawn(before, "x")) + 16
    assert len(drawn(after, "o")) == 4 and len(drawn(before, "o")) == 0


def test_refusals(scaling: xr.Dataset, map_report: Report) -> None:
    with pytest.raises(ValueError, match="from the same file"):
        plot.step_series(scaling, map_report, "xl", 8192, "ddp", gpus=2)


def test_runs_of_the_same_name_are_refused(scaling: xr.Dataset, scaling_report: Report) -> None:
    label = next(row["label"] for row in scaling_report.said["finished_runs"] if row["label"].startswith("xl b8192 2x"))
    chosen = runs_where(scaling, model="xl", batch=8192, gpus=2)
    same = scaling.assign_coords(
        run=("run", np.where(np.isin(scaling["run"], chosen["run"]), label, scaling["run"].to_numpy()))
    )
    rows = [row for row in scaling_report.said["finished_runs"] if row["label"] == label]
    for report in (scaling_report, Report(scaling_report.said | {"finished_runs": 2 * rows})):
        with pytest.raises(PictureError, match=f"several runs are called '{label}'"):
            plot.step_series(same, report, "xl", 8192, "ddp", gpus=2)
