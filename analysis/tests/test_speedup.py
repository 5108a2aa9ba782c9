# SPDX-License-Identifier: Apache-2.0
"""Speed-up against batch: the drawn numbers are the report's."""

import numpy as np
import pytest

from breakeven_analysis import Report, plot


def test_points_are_the_reports(map_report: Report) -> None:
    figure = plot.speedup_by_batch(map_report, ["xl"], ["ddp", "tensor"])
    axes = figure.axes[0]
    assert axes.get_title(loc="left").startswith("xl")
    cases = map_report.timed().query("model == 'xl' and strategy == 'tensor' and gpus == 2")
    drawn = [line for line in axes.lines if len(line.get_xdata()) == len(cases) and line.get_marker() == "s"]
    np.testing.assert_array_equal(drawn[0].get_xdata(), cases["batch"])
    np.testing.assert_array_equal(drawn[0].get_ydata(), cases["speedup"])
    intervals = axes.collections[-1].get_segments()
    np.testing.assert_array_equal([segment[0][1] for segment in intervals], cases["speedup_low"])
    bounds = [line for line in axes.lines if line.get_marker() == "_"]
    assert len(bounds) == 2 and np.isfinite(bounds[0].get_ydata()).all()


def test_one_panel_per_model_by_size(map_report: Report) -> None:
    figure = plot.speedup_by_batch(map_report)
    titles = [axes.get_title(loc="left") for axes in figure.axes if axes.get_visible()]
    assert len(titles) == 9 and titles[0].startswith("256-256") and titles[-1].startswith("xxl")
    assert not [line for line in figure.axes[0].lines if line.get_marker() == "_"], "only one or two lines have bounds"


def test_an_unmeasured_batch_breaks_the_line(map_report: Report) -> None:
    rows = [row for row in map_report.said["cases"] if not (row["strategy"] == "ddp" and row["batch"] == 256)]
    figure = plot.speedup_by_batch(Report(map_report.said | {"cases": rows}), ["xl"])
    batches = map_report.timed().query("model == 'xl'")["batch"].nunique()
    drawn = [line for line in figure.axes[0].lines if line.get_marker() == "o" and len(line.get_xdata()) == batches]
    assert np.isnan(drawn[0].get_ydata()[2])


def test_refusals(map_report: Report, strategies_report: Report) -> None:
    with pytest.raises(ValueError, match="no case has model 'nobody'; choose from"):
        plot.speedup_by_batch(map_report, "nobody")
    with pytest.raises(ValueError, match="lines are too many"):
        plot.speedup_by_batch(strategies_report)
    with pytest.raises(ValueError, match="more than one GPU"):
        plot.speedup_by_batch(map_report, gpus=1)
