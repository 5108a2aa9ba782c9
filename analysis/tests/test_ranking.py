# SPDX-License-Identifier: Apache-2.0
"""Ranking of strategies: in order, with the report's intervals and verdicts."""

import re

import numpy as np
import pytest
from matplotlib.text import Text
from text_layout import faults_of

from breakeven_analysis import Report, plot
from breakeven_analysis.plot.choice import intervals_words
from breakeven_analysis.plot.colours import mark_of


def test_in_order_with_verdicts(strategies_report: Report) -> None:
    figure = plot.strategy_ranking(strategies_report, "xl", 8192)
    axes = figure.axes[0]
    cases = strategies_report.timed().query("model == 'xl' and batch == 8192 and gpus == 2").sort_values("speedup")
    names = [re.sub(r" \(.*?\)", "", text.get_text()) for text in axes.get_yticklabels()]
    assert [name.split(", ")[0] for name in names] == cases["strategy"].tolist()
    assert [name for name in names if ", " in name] == ["async-server, no graph"], "the others have one"
    assert "; graph unless named" in " ".join(text.get_text() for text in figure.texts)
    points = [line for line in axes.lines if len(line.get_xdata()) == 1]
    np.testing.assert_array_equal([point.get_xdata()[0] for point in points], cases["speedup"])
    assert [point.get_marker() for point in points] == [mark_of(verdict).marker for verdict in cases["verdict"]]
    bars = [line.get_xdata() for line in axes.lines if len(line.get_xdata()) == 2][-len(points) :]
    np.testing.assert_array_equal(bars, cases[["speedup_low", "speedup_high"]])


def test_lossy_strategies_are_marked(strategies_report: Report) -> None:
    for lossy, names in (({"local-sgd"}, {"local-sgd (lossy)"}), (set(), set())):
        rows = [row | {"lossy": row["strategy"] in {*lossy, "independent"}} for row in strategies_report.said["cases"]]
        figure = plot.strategy_ranking(Report(strategies_report.said | {"cases": rows}), "xl", 8192)
        ticks = {text.get_text() for text in figure.axes[0].get_yticklabels()}
        assert {name for name in ticks if "lossy" in name} == names
        caption = " ".join(text.get_text() for text in figure.texts)
        assert ("lossy: does not compute what one GPU computes" in caption) == bool(lossy)
        assert faults_of(figure) == []


def test_verdicts_are_corrected_and_copies_are_not_counted(strategies_report: Report) -> None:
    figure = plot.strategy_ranking(strategies_report, "xl", 8192)
    rows, caption = len(figure.axes[0].get_yticks()), " ".join(text.get_text() for text in figure.texts)
    assert f" of {rows - 1} configurations pay" in caption and "; unconnected copies are not counted" in caption
    assert "; verdicts corrected for multiple comparisons" in caption
    rows_without = [row for row in strategies_report.said["cases"] if row["strategy"] != "independent"]
    without = plot.strategy_ranking(Report(strategies_report.said | {"cases": rows_without}), "xl", 8192)
    assert "unconnected" not in " ".join(text.get_text() for text in without.texts)


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
