# SPDX-License-Identifier: Apache-2.0
"""Break-even map: predictions as areas, measurements as marks."""

import numpy as np
import pytest
from conftest import MAP
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from breakeven_analysis import Advice, Report, plot, read_advice

SHAPE = "2048-2048-2048-512"


@pytest.fixture(scope="module")
def advice() -> Advice:
    return read_advice(MAP, SHAPE, 64, "--map")


def marks_of(figure: Figure) -> np.ndarray:
    """Batch, parameters and speed-up of every mark of the first panel."""
    scatters = [drawn for drawn in figure.axes[0].collections if len(drawn.get_offsets()) and drawn.get_zorder() == 4]
    return np.concatenate([np.column_stack([drawn.get_offsets(), drawn.get_array()]) for drawn in scatters])


def test_marks_are_the_measured_cases(map_report: Report, advice: Advice) -> None:
    drawn = marks_of(plot.break_even_map(map_report, advice, "zero1"))
    cases = map_report.timed().query("strategy == 'zero1' and gpus == 2 and speedup.notna()")
    expected = cases[["batch", "parameters", "speedup"]].to_numpy(float)
    np.testing.assert_array_equal(drawn[np.lexsort(drawn.T)], expected[np.lexsort(expected.T)])


def test_the_only_panel_has_the_fastest_strategies(map_report: Report, advice: Advice) -> None:
    figure = plot.break_even_map(map_report, advice)
    assert [axes.get_title(loc="left") for axes in figure.axes] == ["fastest strategy", ""], (
        "one panel, and its colours"
    )
    cases = map_report.timed().query("gpus == 2")
    np.testing.assert_array_equal(
        np.sort(marks_of(figure)[:, 2]), np.sort(cases.groupby(["model", "batch"])["speedup"].max().dropna())
    )


def test_the_line_is_where_predictions_are_one(map_report: Report, advice: Advice) -> None:
    axes = plot.break_even_map(map_report, advice, "tensor").axes[0]
    line = [drawn for drawn in axes.collections if len(drawn.get_linewidth()) and drawn.get_linewidth()[0] == 2]
    batch, parameters = line[-1].get_paths()[0].vertices.T
    sizes = advice.table("map").query("strategy == 'tensor' and batch == 16").sort_values("parameters")
    at_16 = np.interp(1, sizes["speedup"], sizes["parameters"])
    np.testing.assert_allclose(parameters[np.argmin(batch)], at_16, rtol=0.01)


def test_areas_reach_to_the_outermost_marks(map_report: Report, advice: Advice) -> None:
    figure = plot.break_even_map(map_report, advice)
    area = figure.axes[0].collections[0].get_datalim(figure.axes[0].transData)
    marks = marks_of(figure)[:, :2]
    assert (marks * 1.001 > [area.x0, area.y0]).all() and (marks < np.multiply([area.x1, area.y1], 1.001)).all()


@pytest.mark.parametrize(("slowest", "ends"), [(0.035, "min"), (0.25, "neither")])
def test_the_colour_bar_is_open_where_a_mark_lies_beyond_it(
    map_report: Report, advice: Advice, slowest: float, ends: str
) -> None:
    rows = map_report.said["cases"]
    first = next(row for row in rows if row["strategy"] == "zero1" and row["speedup"] and row["timing"] == "total")
    changed = [row | {"speedup": slowest} if row is first else row for row in rows]
    figure = plot.break_even_map(Report(map_report.said | {"cases": changed}), advice, "zero1")
    assert figure.axes[-1]._colorbar.extend == ends


def test_dark_marks_stand_out_and_the_legend_lists_what_is_drawn(map_report: Report, advice: Advice) -> None:
    slow = {"speedup": 0.11, "speedup_low": 0.1, "speedup_high": 0.12}
    report, slower = (
        type(one)(one.said | {key: [row | (slow if row["speedup"] else {}) for row in one.said[key]]})
        for one, key in ((map_report, "cases"), (advice, "map"))
    )
    figure = plot.break_even_map(report, slower)
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    grey = np.asarray(canvas.buffer_rgba())[::-1, :, :3].mean(axis=2)
    for x, y in figure.axes[0].transData.transform(marks_of(figure)[:, :2]).astype(int):
        assert np.ptp(grey[y - 8 : y + 9, x - 8 : x + 9]) > 200, "a light ring around the dark mark"
    words = {text.get_text() for text in figure.legends[0].get_texts()}
    assert not any(word.startswith(("predicted break-even", "undecided")) for word in words)
    drawn = plot.break_even_map(map_report, advice).legends[0].get_texts()
    assert "predicted break-even" in {text.get_text() for text in drawn}


def test_refusals(map_report: Report, advice: Advice) -> None:
    with pytest.raises(ValueError, match="--map"):
        plot.break_even_map(map_report, read_advice(MAP, SHAPE, 64))
    with pytest.raises(ValueError, match="no 'fsdp'"):
        plot.break_even_map(map_report, advice, "fsdp")
    with pytest.raises(ValueError, match="values of gpus: 2"):
        plot.break_even_map(map_report, advice, gpus=3)
