# SPDX-License-Identifier: Apache-2.0
"""The page in a real browser without network: no errors, choices change it, and it prints numbers like the report."""

import re
import subprocess
from pathlib import Path
from urllib.parse import quote

import pytest
from conftest import RESULTS, SCALING
from reader import read_in_browser

from breakeven_analysis import Report, find_program, open_results, read_report
from breakeven_analysis.page import page_data, page_of

SEED = RESULTS / "h200-2" / "seed.h5"
PLANTED = '<script>document.title = "planted"</script><img src=x onerror="document.title=1">'

READ = """
  const cells = (row) => [...row.cells].map((cell) => cell.textContent);
  const read = () => ({
    answer: document.getElementById("answer").textContent,
    loss: document.getElementById("loss").textContent,
    labelled: ["conditions", "verdicts-note", "costs-note", "speedup"].map(
      (id) => document.getElementById(id).textContent),
    rows: [...document.querySelectorAll("#verdicts tbody tr")].map(cells),
    costs: [...document.querySelectorAll("#costs tbody tr")].map(cells),
    shapes: ["map", "speedup", "configurations", "timeline", "phases", "budget", "links"].map(
      (id) => document.querySelectorAll(`#${id} svg rect, #${id} svg path`).length),
  });
  const pick = (axis, value) => {
    const select = document.getElementById(`choose-${axis}`);
    select.value = value;
    if (select.value !== value) throw new Error(`${axis} has no ${value}`);
    select.dispatchEvent(new Event("change"));
  };
"""


@pytest.fixture(scope="module")
def seed_page() -> str:
    return page_of(page_data(read_report(SEED), open_results(SEED)))


def test_choosing_changes_sentence_table_and_pictures(map_report: Report, map_page: str, tmp_path: Path) -> None:
    lines = f"""{READ}
      const first = read();
      pick("model", "xl");
      pick("configuration", String(page.configurations.findIndex((one) => one.label === "zero1 on 2")));
      pick("batch", "4096");
      return [first, read(), decodeURIComponent(location.hash), document.getElementById("budget-note").textContent];
    """
    seen = read_in_browser(map_page, tmp_path, lines)
    assert seen.console == []
    first, then, address, budget = seen.answer
    own = next(
        row for row in map_report.said["answers"] if row["strategy"] == map_report.said["verdicts"][0]["strategy"]
    )
    assert [first["answer"], first["loss"]] == [own[key] for key in ("sentence", "loss")]
    assert all("within one launch" in label for label in first["labelled"] + then["labelled"])
    assert first["answer"] != then["answer"] and first["rows"] != then["rows"]
    assert then["answer"] in map_report.answers and then["answer"].startswith("xl (") and "zero1 on 2" in then["answer"]
    assert [row[1] for row in then["costs"]] == ["GPU time per sample"] * len(then["rows"]), "no price, no energy"
    speedups = [float(row[1].split(" ")[0]) for row in then["rows"]]
    assert [float(row[4].split(" ")[0]) for row in then["costs"]] == pytest.approx([s / 2 for s in speedups], abs=0.006)
    withheld = first["shapes"].pop(4)
    assert withheld == 0, "phase timing changed these short steps by over 5 %"
    assert all(count > 0 for count in first["shapes"] + then["shapes"]), (first["shapes"], then["shapes"])
    assert address == "#model=xl&configuration=zero1 on 2&batch=4096" and budget.startswith(
        "xl, batch 4,096, zero1 on 2"
    )


def test_the_table_is_printed_like_the_report(tmp_path: Path, seed_page: str) -> None:
    """The page prints numbers with its own functions, so each is compared with the program's text."""
    line = [str(find_program()), "report", str(SEED), "--sections", "speed", "--format", "markdown"]
    text = subprocess.run(line, capture_output=True, text=True, encoding="utf-8", check=True).stdout
    said = re.findall(r"^\| (\d+) \| ddp on 2 \| (.*) \|$", text, re.MULTILINE)
    speeds = [[batch, *rest.split(" | ")] for batch, rest in said if rest.endswith("does not pay")]
    seen = read_in_browser(
        seed_page, tmp_path, f"{READ} const one = read(); pick('model', 'large'); return [one, read()];"
    )
    shown = [[row[0], *row[3:5], row[1], *row[5:], row[2].lstrip("▼")] for one in seen.answer for row in one["rows"]]
    assert len(shown) == 8 and shown == speeds


def test_ratios_have_the_digits_of_the_report(seed_page: str, tmp_path: Path) -> None:
    """The interval decides."""
    ends = [(2.0, 1.4, 2.8), (0.4, 0.18, 0.87), (1.154, 1.151, 1.156), (12.34, 12.1, 12.6), (0.0256, 0.0224, 0.0292)]
    shown = ["2.0 (1.4–2.8)", "0.40 (0.18–0.87)", "1.154 (1.151–1.156)", "12.3 (12.1–12.6)", "0.026 (0.022–0.029)"]
    lines = f"return {[list(one) for one in ends]}.map((one) => interval(...one))"
    assert read_in_browser(seed_page, tmp_path, lines).answer == shown
    vocabulary = read_report(SEED).vocabulary
    assert [vocabulary.ratio(*one) for one in ends] == shown


def test_the_rules_of_numbers_are_the_programs(tmp_path: Path) -> None:
    """Planted rules change what the page and the package print."""
    said = read_report(SEED).said
    rules = {"percent": {"digits": 3, "whole_from": 50}, "ratio": said["vocabulary"]["ratio"] | {"decimals": 4}}
    planted = Report(said | {"vocabulary": said["vocabulary"] | rules})
    for report, shown in (
        (Report(said), ["4.3 %", "43 %", "1.25", "12.5", "1.25 (1.20–1.30)"]),
        (planted, ["4.31 %", "43.2 %", "1.2500", "12.5", "1.2500 (1.2000–1.3000)"]),
    ):
        lines = "return [percent(0.0431), percent(0.432), ratio(1.25), ratio(12.5), interval(1.25, 1.2, 1.3)]"
        page = page_of(page_data(report, open_results(SEED)))
        assert read_in_browser(page, tmp_path, lines).answer == shown
        words = report.vocabulary
        shares, ratios = [words.percent(0.0431), words.percent(0.432)], [words.ratio(1.25), words.ratio(12.5)]
        assert [*shares, *ratios, words.ratio(1.25, 1.2, 1.3)] == shown


def test_an_address_leads_to_a_case(map_page: str, tmp_path: Path) -> None:
    """This also shows that the browser's errors are seen."""
    address = f"#model=large&configuration={quote('tensor on 2')}&batch=64"
    lines = """
      const chosen = () => [choice.model, chosenLabel(), choice.batch];
      const asked = chosen();
      choose({model: "nobody", configuration: 99, batch: null});
      console.error("a complaint");
      return [asked, chosen()];
    """
    seen = read_in_browser(map_page, tmp_path, lines, address)
    assert seen.answer == [["large", "tensor on 2", 64], ["256-256-256-64", "ddp on 2", 8192]]
    assert len(seen.console) == 1 and "a complaint" in seen.console[0]


def test_a_click_on_the_map_chooses_and_a_pointer_shows_a_tip(map_page: str, tmp_path: Path) -> None:
    lines = """
      const cell = document.querySelector("#map g.choosable");
      cell.dispatchEvent(new PointerEvent("pointerenter", {clientX: 300, clientY: 300}));
      const tip = document.getElementById("tip").textContent;
      cell.dispatchEvent(new MouseEvent("click", {bubbles: true}));
      return [tip, choice.model, choice.batch, document.getElementById("answer").textContent];
    """
    tip, model, batch, answer = read_in_browser(map_page, tmp_path, lines).answer
    assert (
        tip.startswith("xxl, batch 16, ddp on 2\nspeed-up over one GPU: 0.40")
        and (model, batch) == ("xxl", 16)
        and answer.startswith("xxl (")
    )


def test_a_narrow_window_needs_no_scrolling_sideways(map_page: str, tmp_path: Path) -> None:
    lines = """
      const words = (id) => [...document.querySelectorAll(`#${id} svg > text.soft`)].map((one) => one.textContent);
      return [document.documentElement.scrollWidth, window.innerWidth, [words("map"), words("speedup")]];"""
    wide, window, batches = read_in_browser(map_page, tmp_path, lines, width=500).answer
    assert wide <= window <= 500
    assert all({"16", "256", "1k"} <= set(words) for words in batches), "which have room in any window"


def test_planted_html_stays_text(scaling_report: Report, tmp_path: Path) -> None:
    said = scaling_report.said
    cases = [row | {"model": PLANTED} for row in said["cases"] if row["model"] == "xl"]
    answers = [row | {"model": PLANTED, "sentence": PLANTED} for row in said["answers"] if row["model"] == "xl"]
    own = {
        "cases": cases,
        "answers": answers,
        "loss_budgets": [],
        "fastest": [],
        "headline": [PLANTED],
        "warnings": [PLANTED],
        "machine": PLANTED,
    }
    page = page_of(page_data(Report(said | own), open_results(SCALING)))
    lines = f"{READ} return [read().answer, document.querySelectorAll('img').length, document.title]"
    answer, images, title = read_in_browser(page, tmp_path, lines).answer
    assert answer == PLANTED and images == 0 and title.endswith(f"on {PLANTED}")


def test_time_to_quality_has_a_table(scaling_report: Report, tmp_path: Path) -> None:
    """Planted: every configuration takes 1,000 steps. The section is hidden if the launch asked for no quality."""
    told = {"quality": "loss=0.5", "quality_verdict": "pays", "quality_speedup": 1.5, "quality_speedup_low": 1.45}
    cases = [
        row | told | {"quality_speedup_high": 1.55, "seconds_to_quality": 1000 * row["step_seconds"]}
        for row in scaling_report.said["cases"]
    ]
    page = page_of(page_data(Report(scaling_report.said | {"cases": cases}), open_results(SCALING)))
    lines = f"""{READ}
      const rows = () => [...document.querySelectorAll("#quality tbody tr")].map(cells);
      const whole = [rows(), document.getElementById("quality-note").textContent];
      page.cases.quality.fill("");
      choose({{}});
      return [...whole, read().rows.length, document.getElementById("quality-section").hidden];
    """
    rows, note, batches, is_hidden = read_in_browser(page, tmp_path, lines).answer
    assert len(rows) == batches and "trained until loss=0.5" in note and is_hidden
    assert {row[3] for row in rows} == {"1.50 (1.45–1.55)"} and {row[4] for row in rows} == {"▲pays"}
    assert all(re.fullmatch(r"[0-9.]+ (m?s)", cell) for row in rows for cell in row[1:3])


def test_a_file_of_single_gpus_says_so(scaling_report: Report, tmp_path: Path) -> None:
    cases = [row for row in scaling_report.said["cases"] if row["gpus"] == 1]
    own = {"cases": cases, "answers": [], "verdicts": [], "loss_budgets": [], "fastest": [], "break_evens": []}
    own["headline"] = ["Nothing was compared with one GPU."]
    page = page_of(page_data(Report(scaling_report.said | own), open_results(SCALING)))
    lines = """
      const [headline, chosen, links] = ["headline", "chosen", "links"].map((id) => document.getElementById(id));
      return [headline.textContent, chosen.checkVisibility(), links.textContent];
    """
    seen = read_in_browser(page, tmp_path, lines)
    assert seen.answer[0] == own["headline"][0] and seen.console == []
    assert not seen.answer[1] and "GB/s" in seen.answer[2], "links need no comparison"


@pytest.mark.parametrize(("width", "screens"), [(1200, 1), (500, 2)])
def test_without_javascript_the_first_screens_hold_the_answers(
    map_page: str, tmp_path: Path, width: int, screens: int
) -> None:
    page = re.sub(r"<script>.*?</script>", "", map_page, flags=re.DOTALL)
    lines = """
      const shown = [...document.querySelectorAll("h1, #break-evens td")].filter((one) => one.checkVisibility());
      const whole = document.documentElement;
      return [whole.scrollHeight, shown.length, whole.scrollWidth, window.innerWidth];
    """
    height, shown, wide, window = read_in_browser(page, tmp_path, lines, width=width).answer
    assert height < 1000 * screens and shown == 1 + 9 * 3 and wide <= window


def test_without_phases_the_loss_is_not_called_unexplained(scaling_report: Report, tmp_path: Path) -> None:
    """Recorded: whole steps only."""
    page = page_of(page_data(scaling_report, open_results(SCALING)))
    lines = """
      const ids = ["timeline", "budget-note", "budget", "loss"];
      const [timeline, ...others] = ids.map((id) => document.getElementById(id));
      return [timeline.checkVisibility(), ...others.map((one) => one.textContent)];
    """
    has_timeline, note, picture, loss = read_in_browser(
        page, tmp_path, lines, "#model=xl&configuration=ddp on 4"
    ).answer
    assert not has_timeline
    assert "unexplained" not in f"{note} {picture} {loss}"
    assert all(
        "Phases were not recorded" in words and "--timing steps,phases" in words for words in (note + picture, loss)
    )
