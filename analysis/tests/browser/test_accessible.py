# SPDX-License-Identifier: Apache-2.0
"""The page for readers without a mouse, with a screen reader, or with a narrow window."""

import importlib.util
import re
from pathlib import Path

import pytest
from conftest import RESULTS, STRATEGIES
from reader import read_in_browser

from breakeven_analysis import Report, open_results, read_report
from breakeven_analysis.page import page_data, page_of
from breakeven_analysis.plot.colours import FASTER, SLOWER

SEED = RESULTS / "h200-2" / "seed.h5"
OWN_LOOP = RESULTS / "h200-4" / "gpt2.h5"  # without links and phases; "undecided, 16 more launches"
QUALITY = RESULTS / "h200-2-2026-11-22" / "quality.h5"
NARROW = 'document.body.style.width = "390px"; choose({});'  # headless Chromium has windows of at least 500 px


def page_from(path: Path) -> str:
    return page_of(page_data(read_report(path), open_results(path)), "../docs")


@pytest.fixture(scope="module")
def strategies_page() -> str:
    return page_from(STRATEGIES)


@pytest.mark.parametrize("file", [SEED, STRATEGIES, QUALITY], ids=lambda file: file.stem)
def test_axe_finds_nothing(file: Path, tmp_path: Path) -> None:
    found = importlib.util.find_spec("axe_core_python")
    if found is None or not found.submodule_search_locations:
        pytest.skip("axe is not there: `pip install axe-core-python` brings it")
    axe = (Path(found.submodule_search_locations[0]) / "axe.min.js").read_text(encoding="utf-8")
    lines = """
      for (const one of document.querySelectorAll("details")) one.open = true;
      const { violations, passes } = await axe.run(document);
      return [violations.map((one) => `${one.help}: ${one.nodes[0].html}`), passes.length];
    """
    violations, passes = read_in_browser(page_from(file), tmp_path, lines, library=axe).answer
    assert violations == [] and passes > 30


def test_the_keyboard_reaches_everything_that_a_pointer_does(strategies_page: str, tmp_path: Path) -> None:
    lines = """
      const reached = (one) => one.closest("[tabindex], button, select, input");
      const shown = [...document.querySelectorAll("#chosen svg g[aria-label], #links svg g[aria-label]")];
      const missed = shown.filter((one) => !reached(one) && one.getAttribute("aria-label") !== "rank 0" &&
        !one.getAttribute("aria-label").startsWith("rank 1")).map((one) => one.getAttribute("aria-label"));
      const rows = [...document.querySelectorAll("#verdicts tbody tr")];
      const batches = rows.map((row) => row.querySelector("button").textContent);
      rows[0].querySelector("button").click();
      const cell = document.querySelector("#map g.choosable");
      const before = [choice.model, choice.batch];
      cell.dispatchEvent(new KeyboardEvent("keydown", {key: "Enter"}));
      const tip = document.getElementById("tip");
      const bar = document.querySelector("#timeline g[tabindex]");
      bar.focus();
      const words = tip.hidden ? "" : tip.textContent;
      window.dispatchEvent(new KeyboardEvent("keydown", {key: "Escape"}));
      return [missed, batches, before, [choice.model, choice.batch], words, tip.hidden];
    """
    missed, batches, before, after, words, is_hidden = read_in_browser(strategies_page, tmp_path, lines).answer
    assert missed == [] and batches[0] == "128" and before[1] == 128 and before != after
    assert "forward: " in words and "backward: " in words and is_hidden


def test_a_narrow_window_has_readable_bars(strategies_page: str, tmp_path: Path) -> None:
    lines = f"""
      {NARROW}
      const box = (one) => one.getBoundingClientRect();
      const apart = (a, b) =>
        a.right <= b.left + 1 || b.right <= a.left + 1 || a.bottom <= b.top + 1 || b.bottom <= a.top + 1;
      const all = (id, what) => [...document.querySelectorAll(`#${{id}} > svg ${{what}}`)];
      return ["timeline", "phases", "budget"].flatMap((id) => {{
        const bars = all(id, "rect").filter((one) => one.getAttribute("fill") !== "transparent");
        const widest = Math.max(...(id === "budget" ? bars : all(id, "g[tabindex]")).map((one) => box(one).width));
        const bad = all(id, "text").filter((one) =>
          bars.some((bar) => !apart(box(one), box(bar))) || box(one).right > 391);
        return [widest > 180 ? "" : `${{id}}: ${{widest}} px`, ...bad.map((one) => `${{id}}: ${{one.textContent}}`)];
      }}).filter((one) => one);
    """
    assert read_in_browser(strategies_page, tmp_path, lines).answer == []


@pytest.mark.parametrize("width", [390, 900])
@pytest.mark.parametrize("low", [1.5e-5, 1e-12])
def test_the_ticks_of_wide_intervals_are_not_cut(tmp_path: Path, low: float, width: int) -> None:
    """Intervals of few noisy launches reach over many powers of ten."""
    report = read_report(SEED)
    cases = [row | ({"speedup_low": low} if row["gpus"] > 1 else {}) for row in report.said["cases"]]
    page = page_of(page_data(Report(report.said | {"cases": cases}), open_results(SEED)))
    lines = f"""
      document.body.style.width = "{width}px";
      choose({{}});
      const edge = document.querySelector("#speedup > svg").getBoundingClientRect().left;
      const ticks = [...document.querySelectorAll("#speedup > svg > text[text-anchor=end]")];
      const boxes = ticks.map((one) => one.getBoundingClientRect());
      const cut = ticks.filter((one, number) => boxes[number].left < edge).map((one) => one.textContent);
      const closest = Math.min(...boxes.slice(1).map((box, number) => boxes[number].top - box.bottom));
      return [ticks.length, cut, closest > 0];
    """
    ticks, cut, are_apart = read_in_browser(page, tmp_path, lines, width=1000).answer
    assert ticks >= 3 and cut == [] and are_apart


def test_what_is_withheld_keeps_its_number_at_390_px(tmp_path: Path) -> None:
    lines = f"""
      {NARROW}
      const words = [...document.querySelectorAll("#phases text")].map((one) => one.textContent);
      return words.filter((one) => one.startsWith("withheld"));
    """
    words = read_in_browser(page_from(SEED), tmp_path, lines).answer
    assert words and all(re.fullmatch(r"withheld \([+−][0-9.]+ %\)", one) for one in words), words


def test_the_map_has_the_colours_of_the_picture(tmp_path: Path) -> None:
    """Orange is slower than one GPU, green faster; also in the legend. A verdict is told by its mark alone."""
    lines = """
      const used = [cellColour(4), cellColour(0.25)].map((one) => one.match(/--[a-z_]+/)[0]);
      const own = getComputedStyle(document.documentElement);
      const legend = document.querySelector("#map .legend").textContent;
      const marks = [...document.querySelectorAll("#map svg text[style]")].length;
      return [used.map((one) => own.getPropertyValue(one).trim()), legend, marks];
    """
    used, legend, coloured_marks = read_in_browser(page_from(SEED), tmp_path, lines).answer
    assert used == [FASTER, SLOWER] and legend.startswith("slower than one GPUfaster") and coloured_marks == 0


@pytest.mark.parametrize("file", [OWN_LOOP, STRATEGIES, QUALITY], ids=lambda file: file.stem)
def test_no_table_is_cut_at_900_px(file: Path, tmp_path: Path) -> None:
    lines = """
      const wide = [...document.querySelectorAll("#chosen .wide")].filter((one) => one.checkVisibility());
      const cut = wide.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.id);
      return [wide.length, cut, window.innerWidth];
    """
    tables, cut, window = read_in_browser(page_from(file), tmp_path, lines, width=900).answer
    assert tables >= 3 and cut == [] and window <= 900


@pytest.mark.parametrize("file", [OWN_LOOP, STRATEGIES], ids=lambda file: file.stem)
def test_verdicts_can_be_read_at_390_px(file: Path, tmp_path: Path) -> None:
    lines = f"""
      {NARROW}
      const verdicts = [...document.querySelectorAll("#verdicts tr")].map((row) => row.children[2]);
      const ends = verdicts.map((one) => Math.max(one.getBoundingClientRect().right, one.scrollWidth));
      return [verdicts.map((one) => one.textContent), Math.max(...ends)];
    """
    words, end = read_in_browser(page_from(file), tmp_path, lines).answer
    assert words[0] == "Verdict" and len(words) > 3 and end <= 390, words


def test_links_that_were_not_measured_are_not_wrong(tmp_path: Path) -> None:
    lines = """
      const cells = [...document.querySelectorAll("#links g[tabindex]")];
      return cells.map((one) => [one.getAttribute("aria-label"), one.querySelector("rect").getAttribute("fill")]);
    """
    cells = read_in_browser(page_from(OWN_LOOP), tmp_path, lines).answer
    assert len(cells) == 4 * 3 and all("not measured" in words and "WRONG" not in words for words, _ in cells)
    assert {fill for _, fill in cells} == {"var(--raised)"}


def test_the_timeline_has_an_axis(strategies_page: str, tmp_path: Path) -> None:
    lines = """
      const words = [...document.querySelectorAll("#timeline > svg > text")].map((one) => one.textContent);
      return [words.slice(0, 3), timelineRows(chosenCase(), STEPS).map((row) => row.begin + lengthOf(row.steps))];
    """
    words, ends = read_in_browser(strategies_page, tmp_path, lines).answer
    assert words == ["0", "500 µs", "1.00 ms"] and 0.001 < max(ends) < 0.004


def test_phases_have_their_timing_overhead_or_are_withheld(strategies_page: str, tmp_path: Path) -> None:
    """The report does not explain speeds by phases of steps that phase timing changed by over 5 %."""
    lines = """
      const words = () => [...document.querySelectorAll("#phases text")].map((one) => one.textContent);
      const bars = () => document.querySelectorAll("#phases > svg rect").length;
      const overheads = casesOf(choice.model, choice.configuration).map(overheadOf);
      return [words(), bars(), overheads, document.getElementById("timeline-note").textContent];
    """
    words, bars, overheads, note = read_in_browser(strategies_page, tmp_path, lines).answer
    assert any(abs(one) <= 0.05 for one in overheads) and any(" (+" in word for word in words)
    assert bars > 0 and "Phase timing changed the length of a step: one GPU +" in note
    words, bars, overheads, _ = read_in_browser(page_from(SEED), tmp_path, lines).answer
    assert bars == 0 and all(one > 0.05 for one in overheads)
    assert sum(word.startswith("withheld: phase timing changed this step by +") for word in words) == 2 * len(overheads)
