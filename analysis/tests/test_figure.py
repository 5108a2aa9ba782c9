# SPDX-License-Identifier: Apache-2.0
"""What all pictures share: titles and legends fit, and colours can be told apart in grey."""

import io
import json
from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest
import xarray as xr
from matplotlib.colors import rgb_to_hsv, to_rgb
from matplotlib.figure import Figure
from matplotlib.text import Text
from text_layout import faults_of

from breakeven_analysis import Report, plot
from breakeven_analysis.plot.break_even import ABOVE_ONE, BELOW_ONE
from breakeven_analysis.plot.colours import FASTER, LINES, ON_DARK, SLOWER, mark_of
from breakeven_analysis.plot.figure import bottom_legend, head, new_figure


def lightness(colour: object) -> float:
    """CIE L* of an sRGB colour, from 0 to 100: what remains of it in grey."""
    linear = [
        channel / 12.92 if channel <= 0.04045 else ((channel + 0.055) / 1.055) ** 2.4 for channel in to_rgb(colour)
    ]
    luminance = float(np.dot([0.2126, 0.7152, 0.0722], linear))
    return 116 * np.cbrt(luminance) - 16 if luminance > 0.008856 else 903.3 * luminance


def test_long_titles_and_legends_fit() -> None:
    figure = new_figure(4.0, 3.0)
    figure.subplots()
    bottom_legend(figure, [line.handle(f"a configuration with settings, {line.marker}") for line in LINES], 6)
    head(figure, "A finding that needs more than one line of the figure", "source; " * 30)
    assert faults_of(figure) == []


def test_faults_are_found() -> None:
    figure = new_figure(4.0, 3.0)
    figure.text(0.9, 0.5, "beyond the border")
    figure.text(0.1, 0.2, "one")
    figure.text(0.1, 0.21, "other")
    assert faults_of(figure) == ["'beyond the border' leaves the canvas", "'one' and 'other' overlap"]


def test_neighbours_in_a_bar_differ_in_grey(strategies_report: Report) -> None:
    figure = plot.phases_and_losses(strategies_report, "xl", 8192)
    checked = 0
    for axes in figure.axes:
        bars = sorted(axes.patches, key=lambda bar: (bar.get_y(), bar.get_x()))
        for one, other in pairwise(bars):
            if one.get_y() == other.get_y() and other.get_x() == pytest.approx(one.get_x() + one.get_width()):
                shades = [lightness(bar.get_facecolor()) for bar in (one, other)]
                assert abs(shades[0] - shades[1]) >= 20, (one.get_facecolor(), other.get_facecolor())
                checked += 1
    assert checked > 100


def test_a_colour_has_one_meaning(strategies_report: Report) -> None:
    """On both sides of the picture."""
    left, right = plot.phases_and_losses(strategies_report, "xl", 8192).legends
    looks = [
        {
            patch.get_facecolor(): text.get_text()
            for text, patch in zip(legend.get_texts(), legend.get_patches(), strict=True)
        }
        for legend in (left, right)
    ]
    same = {(name, looks[1][colour]) for colour, name in looks[0].items() if colour in looks[1]}
    assert same == {("wait", "waiting"), ("exchange", "communication: bandwidth")}


def test_slower_and_faster_differ_in_hue_and_in_grey() -> None:
    """The map's colours become lighter throughout, with a step at 1. Colour-blind readers see yellow and blue."""
    shades = [lightness(colour[:3]) for half in (BELOW_ONE, ABOVE_ONE) for colour in half(np.linspace(0, 1, 8))]
    assert (np.diff(shades) > 0).all() and shades[8] - shades[7] > 8
    assert all(red > blue for red, _, blue, _ in BELOW_ONE(np.linspace(0, 1, 8)))
    assert all(red < blue for red, _, blue, _ in ABOVE_ONE(np.linspace(0, 1, 8)))


def test_a_verdict_has_the_hue_of_its_side_of_the_map() -> None:
    """Also on a dark ground. What is the same or undecided has neither hue."""

    def hue(colour: object) -> float:
        return float(rgb_to_hsv(to_rgb(colour))[0])

    for verdict, side, shades in (("does_not_pay", SLOWER, BELOW_ONE), ("pays", FASTER, ABOVE_ONE)):
        mark = mark_of(verdict).colour
        like = [ON_DARK[mark], side, ON_DARK[side], *(shade[:3] for shade in shades(np.linspace(0, 1, 5)))]
        assert all(abs(hue(one) - hue(mark)) < 0.06 for one in like), (verdict, [hue(one) for one in [mark, *like]])
    assert abs(hue(SLOWER) - hue(FASTER)) > 0.25 and lightness(FASTER) - lightness(SLOWER) > 20
    assert lightness(ON_DARK[FASTER]) - lightness(ON_DARK[SLOWER]) > 10
    assert all(abs(hue(mark_of("same").colour) - hue(side)) > 0.1 for side in (SLOWER, FASTER))


DOLLARS = {"xl": r"x$\frac{$", "NVIDIA H200": r"N$\frac{$", "zero1": r"z$\frac{$"}
MODEL, STRATEGY = DOLLARS["xl"], DOLLARS["zero1"]


def with_dollars(text: str) -> str:
    for word, odd in DOLLARS.items():
        text = text.replace(word, odd)
    return text


@pytest.mark.parametrize(
    "draw",
    [
        lambda report, dataset: plot.speedup_by_batch(report, MODEL, [STRATEGY, "ddp"]),
        lambda report, dataset: plot.strategy_ranking(report, MODEL, 8192),
        lambda report, dataset: plot.cost_and_energy(report, MODEL, 8192, 2.5),
        lambda report, dataset: plot.phases_and_losses(report, MODEL, 8192),
        lambda report, dataset: plot.link_matrix(report),
        lambda report, dataset: plot.call_times(dataset, transport="nccl"),
        lambda report, dataset: plot.step_distributions(dataset, MODEL, 8192, STRATEGY),
        lambda report, dataset: plot.loss_against_time(dataset, report, MODEL, 8192, ["single", STRATEGY]),
    ],
)
def test_dollars_in_names_are_no_formulas(
    strategies_report: Report, strategies: xr.Dataset, draw: Callable[[Report, xr.Dataset], Figure]
) -> None:
    odd = {json.dumps(word)[1:-1]: json.dumps(own)[1:-1] for word, own in DOLLARS.items()}
    text = json.dumps(strategies_report.said)
    for word, own in odd.items():
        text = text.replace(word, own)
    names = [name for name, labels in strategies.coords.items() if labels.dtype.kind == "U" and labels.dims == ("run",)]
    renamed = {name: ("run", [with_dollars(str(label)) for label in strategies[name].to_numpy()]) for name in names}
    figure = draw(Report(json.loads(text)), strategies.assign_coords(renamed))
    figure.savefig(io.BytesIO())
    drawn = [text.get_text() for text in figure.findobj(Text)]
    assert any("$" in text for text in drawn) and not any("mathdefault" in text for text in drawn)
