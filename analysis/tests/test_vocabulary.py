# SPDX-License-Identifier: Apache-2.0
"""The report's vocabulary names its columns and verdicts; new phases, parts and verdicts are drawn too."""

import ast
import copy
import re
from pathlib import Path

import numpy as np
import pytest

from breakeven_analysis import Report, plot
from breakeven_analysis.page import document
from breakeven_analysis.page.cases import cases_of
from breakeven_analysis.page.document import style
from breakeven_analysis.plot import colours


def test_the_vocabulary_names_columns_and_verdicts(strategies_report: Report, map_report: Report) -> None:
    for report in (strategies_report, map_report):
        words, cases, budgets = report.vocabulary, report.cases, report.table("loss_budgets")
        assert set(words.case_axes) <= set(cases) and {f"{phase}_seconds" for phase in words.phases} <= set(cases)
        parts = {f"loss_{part}_{unit}" for part in words.loss_parts for unit in ("seconds", "share")}
        whole = {"loss_seconds", "loss_half_width_seconds"}
        assert {name for name in budgets if name.startswith("loss_")} == parts | whole
        assert set(cases["verdict"]) <= set(words.verdicts)
        assert {claim["verdict"] for claim in report.said["claims"]} <= set(words.claim_verdicts)
        assert {row["verdict_key"] for row in report.said["fastest"]} <= set(words.verdicts)
        assert all(
            row["verdict"].startswith(words.verdicts[row["verdict_key"]].split(" within")[0])
            for row in report.said["fastest"]
        )


def test_every_phase_and_part_has_its_colour(map_report: Report) -> None:
    assert set(map_report.vocabulary.phases) == set(colours.PHASES)
    assert set(map_report.vocabulary.loss_parts) == set(colours.PARTS)
    assert set(colours.MARKS) <= set(map_report.vocabulary.verdicts)
    assert all(f"--{name}:" in style() for name in (*colours.PHASES, *colours.MARKS))


def test_the_page_has_no_colours_of_its_own_for_what_pictures_draw() -> None:
    assets = Path(document.__file__).parent / "assets"
    text = "".join(path.read_text(encoding="utf-8") for path in assets.iterdir())
    own = {*colours.ON_DARK, *colours.ON_DARK.values(), *(mark.symbol for mark in colours.MARKS.values())}
    assert {one for one in own if one in text} == set()
    light, dark = style().split("@media screen", 1)
    assert f"--pays: {colours.GREEN};" in light and f"--pays: {colours.ON_DARK[colours.GREEN]};" in dark


LITERAL = re.compile(r"[\[{]([^\[\]{}]*)[\]}]")  # of JavaScript, the innermost


def lists_in(path: Path) -> list[set[str]]:
    """The words of each list, and the keys of each table."""
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".py":
        return [set(re.findall(r"\w+", words)) for words in LITERAL.findall(text)]
    nodes = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Tuple | ast.List | ast.Set | ast.Dict)]
    words = [node.keys if isinstance(node, ast.Dict) else node.elts for node in nodes]
    return [{one.value for one in own if isinstance(one, ast.Constant) and isinstance(one.value, str)} for own in words]


def second_lists(folder: Path, report: Report) -> set[str]:
    """The files that name at least half of the phases, verdicts, parts of a loss or axes in one list."""
    said = report.said["vocabulary"]
    terms = {what: {term["key"] for term in said[what]} for what in ("phases", "verdicts", "loss_parts", "axes")}
    paths = [path for path in folder.rglob("*") if path.suffix in (".py", ".js")]
    return {
        f"{path.relative_to(folder)}: {what}"
        for path in paths
        for words in lists_in(path)
        for what, keys in terms.items()
        if len(words & keys) >= len(keys) / 2
    }


def test_lists_of_the_program_come_from_its_vocabulary(map_report: Report, tmp_path: Path) -> None:
    """Colours are by key; a test above compares their keys. `graph` and others are arguments of a run's case."""
    folder = Path(colours.__file__).parents[1]
    colourful = {f"plot/colours.py: {what}" for what in ("phases", "verdicts", "loss_parts")}
    assert second_lists(folder, map_report) == colourful
    (tmp_path / "planted.js").write_text("const MARKS = { pays: 1, does_not_pay: 2, same: 3, undecided: 4 };")
    (tmp_path / "planted.py").write_text(f"PHASES = {list(map_report.vocabulary.phases)}")
    assert second_lists(tmp_path, map_report) == {"planted.js: verdicts", "planted.py: phases"}


def test_settings_are_worded_by_the_program(strategies_report: Report) -> None:
    said = copy.deepcopy(strategies_report.said)
    words = {"gemm": "tiled", "graph": False, "nccl_settings": "", "data": "resident", "precision": "fp32"}
    shown = ["gemm tiled", "no graph", "NCCL defaults", "resident data", "fp32"]
    assert [strategies_report.vocabulary.setting(axis, value) for axis, value in words.items()] == shown
    for axis in said["vocabulary"]["axes"]:
        axis.update(phrase="<{}>", phrase_without="")
    assert Report(said).vocabulary.setting("gemm", "tiled") == "<tiled>"


def test_baselines_are_rows_of_the_report(strategies_report: Report) -> None:
    rows = strategies_report.said["cases"]
    by_name = {(row["case"], row["timing"]): row for row in rows}
    assert len(by_name) == len(rows), "no two rows have one name"
    for row in (row for row in rows if row["runs_done"] > 0):
        base = by_name[row["baseline"], row["timing"]]
        assert (base["strategy"], base["gpus"]) == ("single", 1)
        assert base["step_seconds"] == row["base_step_seconds"] and base["model"] == row["model"]
    without = copy.deepcopy(strategies_report.said)
    for row in without["cases"]:
        row["baseline"] = None
    assert {case["base"] for case in cases_of(Report(without))} == {-1}


def test_a_new_phase_part_and_verdict_are_drawn(strategies_report: Report) -> None:
    said = copy.deepcopy(strategies_report.said)
    said["vocabulary"]["phases"].append({"key": "dream", "label": "dreaming", "meaning": "planted"})
    said["vocabulary"]["loss_parts"].append({"key": "dreams", "label": "lost to dreams", "meaning": "planted"})
    said["vocabulary"]["verdicts"].append({"key": "perhaps", "label": "perhaps", "meaning": "planted"})
    for row in said["cases"]:
        row["dream_seconds"], row["verdict"] = 0.25, "perhaps"
    for row in said["loss_budgets"]:
        row["loss_dreams_seconds"] = 0.5
    figure = plot.phases_and_losses(Report(said), "xl", 8192, ["ddp"])
    widths = [[bar.get_width() for bar in axes.patches] for axes in figure.axes]
    assert np.isclose(widths[0], 250).any() and np.isclose(widths[1], 500).any()
    labels = [text.get_text() for legend in figure.legends for text in legend.get_texts()]
    assert {"dreaming", "lost to dreams"} <= set(labels)
    ranking = plot.strategy_ranking(Report(said), "xl", 8192)
    assert [text.get_text() for text in ranking.legends[0].get_texts()] == ["perhaps"]
    with pytest.raises(KeyError):
        Report({}).vocabulary  # noqa: B018
