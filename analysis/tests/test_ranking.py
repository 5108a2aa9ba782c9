# SPDX-License-Identifier: Apache-2.0
"""Ranking of strategies: in order, with the report's intervals and verdicts."""

import numpy as np
import pytest
from matplotlib.text import Text

from breakeven_analysis import Report, plot
from breakeven_analysis.plot.choice import intervals_words
from breakeven_analysis.plot.colours import mark_of


def test_in_order_with_verdicts(strategies_report: Report) -> None:
    figure = plot.strategy_ranking(strategies_report, "xl", 8192)
    axes = figure.axes[0]
    cases = strategies_report.timed().query("model == 'xl' and batch == 8192 and gpus == 2").sort_values("speedup")
    names = [text.get_text().removesuffix(" (unconnected copies)") for text in axes.get_yticklabels()]
    assert [name.split(", ")[0] for name in names] == cases["strategy"].tolist()
    assert [name for name in names if ", " in name] == ["async-server, no graph"], "the others have one"
    assert "; graph unless named" in " ".join(text.get_text() for text in figure.texts)
    points = [line for line in axes.lines if len(line.get_xdata()) == 1]
    np.testing.assert_array_equal([point.get_xdata()[0] for point in points], cases["speedup"])
    assert [point.get_marker() for point in points] == [mark_of(verdict).marker for verdict in cases["verdict"]]
    bars = [line.get_xdata() for line in axes.lines if len(line.get_xdata()) == 2][-len(points) :]
    np.testing.assert_array_equal(bars, cases[["speedup_low", "speedup_high"]])


def test_intervals_say_what_they_cover(strategies_report: Report) -> None:
    figure = plot.strategy_ranking(strategies_report, "xl", 8192)
    assert any("95 % intervals (within one launch)" in text.get_text() for text in figure.findobj(Text))
    cases = strategies_report.timed()
    several = cases.assign(speedup_covers=["between 5 launches", *["within one launch"] * (len(cases) - 1)])
    assert intervals_words(several) == "95 % intervals (between 5 launches; within one launch)"


def test_refusals(strategies_report: Report) -> None:
    with pytest.raises(ValueError, match="no case has batch 7"):
        plot.strategy_ranking(strategies_report, "xl", 7)
    with pytest.raises(ValueError, match="no axis 'precison'"):
        plot.strategy_ranking(strategies_report, "xl", 8192, precison="bf16")
    with pytest.raises(ValueError, match="not measured on more than one GPU"):
        plot.strategy_ranking(strategies_report, "xl", 128, gpus=1)
