# SPDX-License-Identifier: Apache-2.0
"""The page's break-even map: below a row, the break-even batch with its interval; the legend lists what is drawn."""

import re
from pathlib import Path
from typing import Any

from conftest import MAP
from reader import read_in_browser

from breakeven_analysis import Report, open_results
from breakeven_analysis.page import page_data, page_of

BATCHES = [64, 256, 1024, 4096]  # drawn 100 px apart, from 0
ENDS = ("low", "break_even_low", "break_even", "break_even_high", "high")
DRAWN = """
  const numberOf = (node, name) => Number(node.getAttribute(name));
  const drawn = (mark) => {
    const bar = mark && mark.querySelector("rect.interval");
    const ends = bar && [numberOf(bar, "x"), numberOf(bar, "x") + numberOf(bar, "width")];
    return mark && [ends, mark.querySelectorAll("path.open").length, mark.querySelectorAll("path.estimate").length];
  };
"""


def band(*ends: float | None) -> dict[str, Any]:
    named = dict(zip(ENDS, ends, strict=True))
    return named | {"model": "xl", "configuration": "ddp on 2", "configurations": [], "sentence": "", "fastest": False}


def test_the_bar_is_the_interval_of_the_break_even(map_page: str, tmp_path: Path) -> None:
    """Not the batches next to it that a verdict decides; an end that is not known ends in an arrow."""
    bands = {
        "closed": band(64, 128, 256, 512, 1024),
        "open above": band(64, 512, 1024, None, None),
        "open below": band(None, 0, 64, 512, 1024),
        "not beyond what is decided": band(64, 16, 256, 2048, 1024),
        "no interval": band(64, None, 256, None, 1024),
        "an interval without an end": band(64, 0, 256, None, None),
        "decided on one side only": band(64, None, None, None, None),
    }
    lines = f"""{DRAWN}
      const marks = {list(bands.values())}.map((one) => bandMark(one, {BATCHES}, (number) => 100 * number, 0));
      return marks.map(drawn);
    """.replace("None", "null").replace("False", "false")
    seen = dict(zip(bands, read_in_browser(map_page, tmp_path, lines).answer, strict=True))
    assert seen == {
        "closed": [[50, 150], 0, 1],
        "open above": [[150, 350], 1, 1],
        "open below": [[-50, 150], 1, 1],
        "not beyond what is decided": [[0, 200], 0, 1],
        "no interval": [None, 0, 1],
        "an interval without an end": [None, 0, 1],
        "decided on one side only": None,
    }


def test_an_unknown_size_is_left_out(map_report: Report, tmp_path: Path) -> None:
    rows = [row | {"parameters": 0, "precision": "unknown", "gemm": "other"} for row in map_report.said["cases"]]
    page = page_of(page_data(Report(map_report.said | {"cases": rows, "loss_budgets": []}), open_results(MAP)))
    lines = """
      const words = (what) => [...document.querySelectorAll(what)].map((one) => one.textContent);
      const labels = [...document.querySelectorAll("[aria-label]")].map((one) => one.getAttribute("aria-label"));
      return [words("#choose-model option"), words("#map > svg > text"), words("#verdicts-note")[0], labels];
    """
    models, names, note, labels = read_in_browser(page, tmp_path, lines).answer
    assert "xl" in models and "xl" in names and "ddp on 2 (unknown precision) against" in note
    assert not re.search(r"\(0\)|\b0 parameters", "".join([*models, *names, *labels]))


def test_the_legend_lists_what_is_drawn(map_report: Report, map_page: str, tmp_path: Path) -> None:
    lines = f"""{DRAWN}
      const words = () => [...document.querySelectorAll("#map .legend span")].map((one) => one.textContent);
      const bars = document.querySelectorAll("#map > svg rect.interval").length;
      const first = words();
      page.bands = page.bands.filter((one) => !isNumber(one.break_even));
      page.cases.verdict.fill("pays");
      choose({{map: "configuration"}});
      return [bars, first, words()];
    """
    bars, first, then = read_in_browser(map_page, tmp_path, lines).answer
    own = [
        row
        for row in map_report.said["break_evens"]
        if row["along"] == "batch" and row["configuration"] == "ddp on 2" and row["break_even_high"] is not None
    ]
    assert bars == len(own) > 0
    assert first[-2:] == ["break-even batch", "its 95 % interval"] and "▼does not pay" in first
    assert then == ["slower than one GPU", "faster", "▲pays"]
