# SPDX-License-Identifier: Apache-2.0
"""Scaling curve: the program's points, band and bounds, without unknown ones."""

import numpy as np
import pytest
from conftest import RESULTS
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from text_layout import cut_marks, faults_of

from breakeven_analysis import Prediction, plot, read_prediction

FILE = RESULTS / "h200-4-2026-11-22" / "scaling.h5"
OF_DDP = RESULTS / "h200-4-2026-11-21" / "scaling.h5"  # Amdahl's law holds for it


@pytest.fixture(scope="module")
def prediction() -> Prediction:
    return read_prediction(OF_DDP, "xl", 2048, "2..16")


def line_of(figure: Figure, label: str) -> Line2D | None:
    return next((line for line in figure.axes[0].lines if line.get_label() == label), None)


def test_lines_are_the_programs(prediction: Prediction) -> None:
    figure = plot.scaling_curve(prediction)
    curve, measured = prediction.table("curve"), prediction.table("measured")
    for label, column in (("perfect scaling", "ideal"), ("Amdahl bound", "amdahl"), ("link bound", "link")):
        line = line_of(figure, label)
        assert line is not None
        np.testing.assert_array_equal(line.get_xydata(), curve[["gpus", column]].to_numpy(float))
    marks = line_of(figure, "fastest measured configuration")
    assert marks is not None
    np.testing.assert_array_equal(marks.get_xydata(), measured[["gpus", "speedup"]].to_numpy(float))
    assert list(measured["gpus"]) == [1, 2, 4]
    band = figure.axes[0].collections[0].get_paths()[0].vertices
    for row in curve[curve["gpus"] > 1].to_dict("records"):
        ends = band[band[:, 0] == row["gpus"], 1]
        assert ends.min() == row["speedup_low"] and ends.max() == row["speedup_high"]


def test_measured_points_are_filled(prediction: Prediction) -> None:
    figure, curve = plot.scaling_curve(prediction), prediction.table("curve")
    for label, are in (
        ("best configuration, measured", curve["basis"] == "measured"),
        ("best configuration, predicted (band: 95 %)", curve["basis"] != "measured"),
    ):
        line = line_of(figure, label)
        assert line is not None and list(line.get_xdata()) == list(curve.loc[are, "gpus"])


def test_no_mark_is_cut() -> None:
    assert cut_marks(plot.scaling_curve(read_prediction(FILE, "xl", 4096, "2..64"))) == []


def test_an_unknown_bound_has_no_line() -> None:
    weak = plot.scaling_curve(read_prediction(FILE, "xl", 3000, "8,32", "--scaling", "weak"))
    assert line_of(weak, "Amdahl bound") is None and line_of(weak, "fastest measured configuration") is None
    assert [text.get_text().split("\n")[0] for text in weak.axes[0].get_xticklabels()] == ["1", "8", "32"]


def test_a_band_above_a_bound_is_explained() -> None:
    def words(gpus: str) -> str:
        return " ".join(text.get_text() for text in plot.scaling_curve(read_prediction(FILE, "xl", 4096, gpus)).texts)

    assert "the band reaches above a bound" in words("2..64") and "above a bound" not in words("2,4")


def test_it_says_why_more_are_not_recommended() -> None:
    """In the words of the answer."""

    def caption(gpus: str) -> str:
        figure = plot.scaling_curve(read_prediction(FILE, "xl", 4096, gpus))
        assert faults_of(figure) == []
        return figure.texts[1].get_text()

    assert caption("2..64").startswith("Not recommended: 8 to 64 GPUs (efficiency under 25 %); xl at batch 4,096")
    assert caption("2,4").startswith("xl at batch 4,096")


@pytest.mark.parametrize(
    ("high", "title"),
    [
        (0.99, "One GPU is the fastest: 4 GPUs reach 0.927× by ddp"),
        (1.2, "Undecided whether more GPUs are faster: 4 GPUs reach 0.927× by ddp"),
    ],
)
def test_what_is_slower_than_one_is_not_recommended(prediction: Prediction, high: float, title: str) -> None:
    speeds = {2: 0.8, 4: 0.927, 8: 0.6, 16: 0.4}
    rows = [
        row | {"speedup": speeds[row["gpus"]], "speedup_low": 0.1, "speedup_high": high, "strategy": "ddp"}
        if row["gpus"] > 1
        else row
        for row in prediction.said["curve"]
    ]
    assert {row["recommended"] for row in rows} >= {"yes"}
    figure = plot.scaling_curve(Prediction(prediction.said | {"curve": rows}))
    assert figure.texts[0].get_text() == title


def test_refusals() -> None:
    with pytest.raises(ValueError, match="more than one GPU"):
        plot.scaling_curve(read_prediction(FILE, "xl", 4096, "1"))
