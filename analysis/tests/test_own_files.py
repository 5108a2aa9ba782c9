# SPDX-License-Identifier: Apache-2.0
"""Every picture of small files, as users make them: drawn so that all text can be read, or refused in one sentence."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import xarray as xr
from conftest import runs_where
from matplotlib.figure import Figure
from own_files import BATCH, FILES, MODEL
from text_layout import cut_marks, drawn_texts, faults_of

from breakeven_analysis import (
    PictureError,
    ProgramError,
    Report,
    open_results,
    plot,
    read_advice,
    read_prediction,
    read_report,
)


class Own(NamedTuple):
    name: str
    path: Path
    dataset: xr.Dataset
    report: Report
    strategy: str = "ddp"
    axes: dict[str, str] = {}  # noqa: RUF012 -- what is chosen among the file's cases


def timeline(own: Own) -> Figure:
    """Of a run with phase timing, or of the first run of a file without."""
    runs = runs_where(own.dataset, strategy=own.strategy, instrument="phases")
    return plot.step_timeline(own.dataset, (runs if runs.sizes["run"] else own.dataset)["run"].to_numpy()[0])


PICTURES: dict[str, Callable[[Own], Figure]] = {
    "break_even_map": lambda own: plot.break_even_map(own.report, read_advice(own.path, MODEL, BATCH, "--map")),
    "call_times": lambda own: plot.call_times(own.dataset),
    "cost_and_energy": lambda own: plot.cost_and_energy(own.report, MODEL, BATCH, 2.5, **own.axes),
    "link_matrix": lambda own: plot.link_matrix(own.report),
    "loss_against_time": lambda own: plot.loss_against_time(
        own.dataset, own.report, MODEL, BATCH, list(dict.fromkeys(["single", own.strategy])), **own.axes
    ),
    "phases_and_losses": lambda own: plot.phases_and_losses(own.report, MODEL, BATCH, **own.axes),
    "scaling_curve": lambda own: plot.scaling_curve(read_prediction(own.path, MODEL, BATCH, "2..64")),
    "speedup_by_batch": lambda own: plot.speedup_by_batch(own.report, **own.axes),
    "step_distributions": lambda own: plot.step_distributions(own.dataset, MODEL, BATCH, own.strategy, **own.axes),
    "step_series": lambda own: plot.step_series(own.dataset, own.report, MODEL, BATCH, own.strategy, **own.axes),
    "step_timeline": timeline,
    "strategy_ranking": lambda own: plot.strategy_ranking(own.report, MODEL, BATCH, **own.axes),
}
SOMETIMES = "(?#sometimes)"  # a comment of a regular expression
# What a file does not hold is refused.
WITHOUT = {
    "tutorial": {"phases_and_losses": "run with --timing steps,phases", "step_timeline": "a run with phase timing"},
    "all failed": {
        "break_even_map": "no measurements|all runs of",
        "cost_and_energy": "no training of these cases has a step time",
        "loss_against_time": "its training failed",
        "phases_and_losses": "no training of these cases has a step time",
        "scaling_curve": "no measurements|all runs of",
        "speedup_by_batch": "none of these cases has more than one host device and a baseline",
        "step_series": "its training failed",
        "strategy_ranking": "not measured on more than one host device with a baseline",
    },
    "one rank": {
        "break_even_map": "the map has no prediction",
        "call_times": "launch 0 measured no communication calls",
        "link_matrix": "launch 0 has one rank and no links",
        "phases_and_losses": "these cases were measured on one host device only",
        "scaling_curve": "no measured strategy can train",
        "speedup_by_batch": "none of these cases has more than one host device and a baseline",
        "strategy_ranking": "not measured on more than one host device with a baseline",
    },
    "two scalings": {  # its steps may be too noisy to predict from
        "break_even_map": SOMETIMES + "no prediction|no measurements",
        "scaling_curve": SOMETIMES + "no speed-up|no measure",
    },
    "wrapped": {
        "break_even_map": "the map has no prediction",
        "call_times": "launch 0 measured no communication calls",
        "loss_against_time": "has no recorded loss",
        "phases_and_losses": "name them in the program with recorder.phase",
        "scaling_curve": "no measurements|all runs of",
        "step_timeline": "a run with phase timing",
    },
}
CHOSEN: dict[str, dict[str, Any]] = {
    "one rank": {"strategy": "single"},
    "two scalings": {"axes": {"scaling": "strong"}},
}


@pytest.fixture(scope="module", params=FILES)
def own(request: pytest.FixtureRequest, own_file: Callable[[str], Path]) -> Own:
    path = own_file(request.param)
    return Own(request.param, path, open_results(path), read_report(path), **CHOSEN.get(request.param, {}))


def test_all_pictures_are_named() -> None:
    assert list(PICTURES) == plot.__all__


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_can_be_read(own: Own, name: str) -> None:
    refusal = WITHOUT.get(own.name, {}).get(name)
    try:
        figure = PICTURES[name](own)
    except (PictureError, ProgramError) as refused:
        assert refusal is not None and re.search(refusal, str(refused)) and "\n" not in str(refused), refused
    else:
        assert refusal is None or refusal.startswith(SOMETIMES)
        assert faults_of(figure) == [] and cut_marks(figure) == []
        texts = [words for words, _ in drawn_texts(figure)]
        assert not [words for words in texts if re.search("GPU|processor cores", words)], "they are host devices"
        if own.name == "wrapped":
            assert not [words for words in texts if re.search(r"\(0\)|\bunknown(?! precision)|short bars", words)]


def test_the_axis_that_divides_the_cases_is_named(own: Own) -> None:
    """A single GPU has no transport, so cases of both scalings have two; but only the scaling tells them apart."""
    if own.name != "two scalings":
        pytest.skip("one scaling only")
    for name in ("cost_and_energy", "loss_against_time", "speedup_by_batch", "step_series", "strategy_ranking"):
        with pytest.raises(PictureError, match="have several values of scaling: choose one of"):
            PICTURES[name](own._replace(axes={}))


def test_links_that_were_not_measured_are_not_wrong(own: Own) -> None:
    if own.name != "wrapped":
        pytest.skip("links were measured, or there are none")
    title, below = (text.get_text() for text in plot.link_matrix(own.report).texts)
    assert title == "No link was measured" and "measured at" not in below


def test_runs_that_were_not_judged_are_no_outliers(own: Own) -> None:
    """The report judges no case of fewer than ten runs."""
    if own.name == "tutorial":
        upper = plot.step_series(own.dataset, own.report, MODEL, BATCH, "ddp").axes[0]
        assert {line.get_marker() for line in upper.lines if len(line.get_xdata())} == {"."}


def test_a_long_step_leaves_the_others_without_a_name(own: Own) -> None:
    runs = runs_where(own.dataset, strategy="ddp", instrument="phases")
    if runs.sizes["run"] == 0:
        pytest.skip("no run with phase timing")
    stretched = runs.isel(run=[0]).load()
    alike = stretched["seconds"].median("step").expand_dims(step=stretched["step"])  # a busy machine measures any
    stretched["seconds"] = (alike * xr.where(stretched["step"] == 1, 200, 1)).transpose(*stretched["seconds"].dims)
    figure = plot.step_timeline(stretched, 0)
    assert faults_of(figure) == []
    assert [text.get_text() for text in figure.axes[0].texts if text.get_text().startswith("step ")] == ["step 1"]
