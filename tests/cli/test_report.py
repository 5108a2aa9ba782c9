# SPDX-License-Identifier: Apache-2.0
"""The report of a file that the program itself has measured: four formats that agree, and refusals."""
import csv
import io
import json
import math
import os
import pathlib
import re
import shlex
import subprocess

import program
import pytest

BATCHES = [12, 24]
REPEATS = 3
RECORDED = pathlib.Path(__file__).parents[2] / "results"
CASES = 3 * 2 * len(BATCHES)  # single and ddp on 1, ddp on 2; two instruments


def said(*arguments: str) -> str:
    done = program.ended_well(program.alone("report", *arguments))
    assert done.stderr == "", done.stderr
    return done.stdout


def refused(code: int, words: str, *arguments: str) -> None:
    done = program.alone("report", *arguments)
    program.check_refusal(done, code, words)
    assert len(done.stderr.splitlines()) == 1, done.stderr


@pytest.fixture(scope="module")
def results(folder: pathlib.Path) -> str:
    path = str(folder / "results.h5")
    program.run_well(2, "run", "--backend", "host", "--models", "33-17-5", "--batches", ",".join(map(str, BATCHES)),
                     "--warmup", "2", "--steps", "4", "--repeats", str(REPEATS), "--output", path)
    return path


@pytest.fixture(scope="module")
def text(results: str) -> str:
    return said(results, "--sections", "all")


@pytest.fixture(scope="module")
def whole(results: str) -> dict:
    return json.loads(said(results, "--format", "json"))


@pytest.fixture(scope="module")
def markdown(results: str) -> str:
    return said(results, "--format", "markdown")


def test_text_begins_with_the_answer_and_counts_the_runs(text: str) -> None:
    flat = " ".join(text.split())
    assert "ddp on 2 host devices " in flat, text
    assert f"{CASES * REPEATS} done of {CASES * REPEATS} planned, {CASES * REPEATS} of them read back" in flat, text


@pytest.mark.parametrize("heading", [
    "Speed:", "Time of a step", "Strategy overhead", "Communication cost breakdown", "Exchange / wait by rank",
    "Timelines", "Roofline:", "Quality of measurement", "Start-up", "The devices"])
def test_text_has_the_section(text: str, heading: str) -> None:
    assert heading in text


def test_every_batch_has_a_timeline(text: str) -> None:
    assert text.count("├── Forward pass") == len(BATCHES), text


def test_every_case_has_its_figure_of_merit(text: str) -> None:
    merits = re.findall(r"^FOM (\S+) samples_per_second: (\S+) .* verdict: (\S+)$", text, re.MULTILINE)
    assert len(merits) == CASES // 2, merits
    assert all(float(rate) > 0 for _, rate, _ in merits), merits  # NaN fails


def test_csv_agrees_with_json(results: str, whole: dict) -> None:
    rows = list(csv.DictReader(io.StringIO(said(results, "--format", "csv"))))
    assert whole["version"] == 5
    assert len(rows) == len(whole["cases"]) == CASES
    for row, case in zip(rows, whole["cases"], strict=True):
        assert list(row) == list(case)
        for key, value in case.items():
            check_cell(key, row[key], value)


def check_cell(key: str, shown: str, value) -> None:
    if value is None:
        assert shown == "", key
    elif isinstance(value, bool):
        assert shown == str(value).lower(), key
    elif isinstance(value, (int, float)):
        assert float(shown) == value, key
    else:
        assert shown == value, key


def test_speedups_are_of_the_speeds_beside_them(whole: dict) -> None:
    compared = [case for case in whole["cases"] if case["speedup"] is not None]
    for case in compared:
        ratio = case["speedup_samples_per_second"] / case["speedup_base_samples_per_second"]
        assert math.isclose(ratio, case["speedup"], rel_tol=1e-9), case
    bases = [case for case in compared if case["case"] == case["baseline"]]
    assert bases and all((case["speedup"], case["speedup_low"]) == (1, None) for case in bases), bases


def test_three_runs_are_too_few_for_outliers(whole: dict) -> None:
    assert {case["outlier_runs"] for case in whole["cases"]} == {None}
    assert {run["is_outlier"] for run in whole["finished_runs"]} == {None}
    assert not any("outliers" in warning for warning in whole["warnings"])


@pytest.mark.parametrize("file", sorted(RECORDED.glob("*/*.h5")), ids=lambda file: f"{file.parent.name}/{file.name}")
def test_no_part_is_over_a_hundred_percent_of_a_loss(file: pathlib.Path) -> None:
    text = " ".join(said(str(file), "--sections", "answers").split())
    assert all(float(share) <= 100 for share in re.findall(r"([\d,.]+) % of that loss", text)), text


@pytest.mark.parametrize("name", ["h200-2/map.h5", "h200-4-2026-11-21/scaling.h5", "h200-2-2026-11-22/energy.h5"])
def test_without_phases_nothing_is_called_unexplained(name: str) -> None:
    text = " ".join(said(str(RECORDED / name), "--sections", "answers,budget").split())
    assert "unexplained" not in text.lower(), text
    assert "Phases were not recorded. To see where the time is lost, run with --timing steps,phases." in text, text


def test_roofline(whole: dict) -> None:
    assert len(whole["roofline"]) >= 4 * len(BATCHES), whole["roofline"]  # at least input to step of each
    assert all(row["roofline_seconds"] > 0 and row["share"] > 0 for row in whole["roofline"]), whole["roofline"]


def test_exchange(whole: dict) -> None:
    assert [row["batch"] for row in whole["exchange"]] == BATCHES, whole["exchange"]  # of ddp on two
    for row in whole["exchange"]:
        parts = row["latency_seconds"] + row["bandwidth_seconds"]
        assert row["messages"] == 1 and 0 < row["formula_seconds"] < 1, row
        assert abs(parts / row["formula_seconds"] - 1) < 1e-9 and row["measured_seconds"] > 0, row


def test_roofline(whole: dict) -> None:
    assert whole["launches"][0]["copy_method"] == "kernel"
    assert whole["launches"][0]["roofline"]
    for peaks in whole["launches"][0]["roofline"]:
        assert peaks["fp32_flops_per_second"] > 0 and peaks["bf16_flops_per_second"] is None, peaks


def test_markdown_begins_with_the_verdict(markdown: str, whole: dict) -> None:
    assert markdown.startswith("# breakeven report: ") and "\n|---" in markdown
    assert whole["verdicts"][0]["sentence"] in markdown.splitlines()[2], markdown


def test_markdown_links_remedies_where_the_docs_are_said_to_be(results: str) -> None:
    words = [results, "--format", "markdown", "--sections", "warnings"]
    plain, linked = said(*words), said(*words, "--docs", "https://example.org/docs")
    assert "- Few launches: " in plain and "](" not in plain, "a link would lead nowhere from the reader's folder"
    assert "- [Few launches](https://example.org/docs/troubleshooting.md#few-launches): " in linked
    refused(1, "only --format markdown", results, "--docs", "docs")


@pytest.mark.parametrize("path", sorted(RECORDED.glob("*/*.h5")), ids=lambda path: path.stem)
def test_json_has_the_headline_and_the_break_evens_of_the_brief_report(path: pathlib.Path) -> None:
    whole = json.loads(said(str(path), "--format", "json"))
    brief = said(str(path), "--format", "markdown").splitlines()
    assert brief[2].strip("*") == whole["headline"][0]
    leading = [row for row in whole["break_evens"] if row["leads"]]
    printed = [line for line in brief if line.startswith("| batch | ")]
    shown = [[row[key] for key in ("of", "configuration", "sentence")] for row in leading]
    assert all([line.split(" | ")[1], line.split(" | ")[2], line.split(" | ")[-1].rstrip(" |")] in shown
               for line in printed if "the fastest" in line), printed
    assert {row["of"] for row in leading} <= {verdict["sentence"].split(" on ")[0] for verdict in whole["verdicts"]}
    for row in whole["break_evens"]:
        assert (row["strategy"] is not None) or row["fastest"], row
        assert (row["model"] is None) == (row["along"] == "parameters"), row


def test_a_brief_report_names_what_it_leaves_out(results: str, text: str) -> None:
    brief = said(results)
    assert "Timelines" not in brief and "timelines" in brief.split("More\n")[1], brief
    assert "Timelines" in text and len(brief.splitlines()) < len(text.splitlines()) / 2


@pytest.mark.parametrize("path", sorted(RECORDED.glob("*/*.h5")), ids=lambda path: path.stem)
def test_a_brief_report_fits_a_screen_or_two(path: pathlib.Path) -> None:
    lines = said(str(path)).splitlines()
    assert len(lines) <= 60, len(lines)
    wide = [line for line in lines if len(line) > 100]
    assert not wide, wide


def test_speeds_of_two_models_stay_in_brief_beside_both_scalings(folder: pathlib.Path) -> None:
    """The table of strong beside weak scaling stands for them in brief reports of one model only."""
    path = str(folder / "scalings.h5")
    program.run_well(2, "run", "--backend", "host", "--models", "8-16-4,8-24-4", "--batches", "16", "--strategies", "single,ddp",
                     "--scaling", "strong,weak", "--timing", "steps", "--warmup", "2", "--steps", "5", "--repeats", "1",
                     "--output", path)
    assert "samples/s" in said(path)


def test_colour_is_for_terminals_that_want_it(results: str) -> None:
    """`script` gives the program a terminal."""
    def on_terminal(**more: str) -> str:
        command = shlex.join([os.environ["BREAKEVEN"], "report", results])
        return subprocess.run(["script", "-qec", command, "/dev/null"], env={**os.environ, "TERM": "xterm", **more},
                              capture_output=True, text=True, check=True).stdout
    assert "\x1b[" in on_terminal() and "\x1b[" not in on_terminal(NO_COLOR="1") + on_terminal(TERM="dumb")
    assert "\x1b[" in on_terminal(NO_COLOR="")
    assert "\x1b[" not in said(results)


def test_sections_and_cases_are_selected(results: str) -> None:
    one = said(results, "--sections", "steps,fom", "--batches", str(BATCHES[0]), "--strategies", "ddp")
    assert "Time of a step" in one and "Quality of measurement" not in one, one
    merits = re.findall(r"^FOM 33-17-5/b(\d+)/(\S+?)/(\S+?)/", one, re.MULTILINE)
    expected = [(str(BATCHES[0]), gpus, name) for gpus, name in (("1x", "single"), ("1x", "ddp"), ("2x", "ddp"))]
    assert merits == expected, one


@pytest.fixture(scope="module")
def second(folder: pathlib.Path) -> str:
    """The first of the batches alone, with other repeats."""
    path = str(folder / "second.h5")
    program.run_well(2, "run", "--backend", "host", "--models", "33-17-5", "--batches", str(BATCHES[0]), "--warmup", "2",
                     "--steps", "4", "--repeats", "2", "--timing", "steps", "--output", path)
    return path


def test_several_files_are_as_if_the_second_had_been_appended(results: str, second: str) -> None:
    both = json.loads(said(results, second, "--format", "json"))
    assert len(both["launches"]) == 2 and len(both["cases"]) == CASES, both["launches"]
    assert both["runs"]["planned"] == CASES * REPEATS + 3 * 2, both["runs"]
    assert {row["runs_done"] for row in both["cases"]} == {REPEATS, REPEATS + 2}, both["cases"]


def test_one_launch_twice_is_refused(second: str, tmp_path: pathlib.Path) -> None:
    copy = tmp_path / "copy.h5"
    copy.write_bytes(pathlib.Path(second).read_bytes())
    refused(1, "hold the same launch", second, str(copy))


def test_output_is_what_is_printed(results: str, markdown: str, tmp_path: pathlib.Path) -> None:
    output = tmp_path / "report.md"
    assert said(results, "--format", "markdown", "--output", str(output)) == ""
    assert output.read_text(encoding="utf-8") == markdown


def test_output_overwrites_no_results_file(results: str, second: str) -> None:
    before = pathlib.Path(results).read_bytes()
    for read, output in (([], results.replace("/results.h5", "/./results.h5")), ([second], second), ([], second)):
        refused(1, "would overwrite the results file", results, *read, "--output", output)
    matmul = program.alone("matmul", "--backend", "host", "--sizes", "8", "--output", results)
    assert matmul.returncode == 1 and "would overwrite" in matmul.stderr, matmul
    assert pathlib.Path(results).read_bytes() == before


def test_output_into_no_folder(results: str, tmp_path: pathlib.Path) -> None:
    refused(5, "cannot be written to", results, "--output", str(tmp_path / "none" / "report.md"))


@pytest.mark.parametrize("code, words, options", [
    (1, "not one of text, markdown, csv, json", ["--format", "xml"]),
    (1, "--help", ["--formatt", "text"]),
    (1, "not one of answers, break-even, warnings, speed, ", ["--sections", "answers,tables"]),
    (1, f"is not in this file. It has {BATCHES[0]}, {BATCHES[1]}", ["--batches", "13"]),
    (1, "csv and json are always whole", ["--models", "33-17-5", "--format", "csv"]),
    (5, "another.h5", ["another.h5"]),
])
def test_refusals(results: str, code: int, words: str, options: list[str]) -> None:
    refused(code, words, results, *options)


def test_no_file_is_refused(tmp_path: pathlib.Path) -> None:
    refused(1, "needs the results file")
    refused(5, "nothing.h5", str(tmp_path / "nothing.h5"))


def test_another_file_is_refused(tmp_path: pathlib.Path) -> None:
    other = tmp_path / "other.h5"
    other.write_text("this is no results file", encoding="utf-8")
    refused(5, "other.h5", str(other))


def test_an_old_name_of_a_section_is_taken_with_a_warning(results: str) -> None:
    done = program.ended_well(program.alone("report", results, "--sections", "steps,merits"))
    assert done.stderr == "breakeven report: warning: --sections steps,merits is deprecated: pass --sections steps,fom\n"
    assert done.stdout == said(results, "--sections", "steps,fom")


def test_help() -> None:
    assert "--sections" in said("--help")


def test_a_case_has_one_interval_in_both_break_even_tables() -> None:
    """By batch and by parameters it is the fastest of as many configurations."""
    text = program.said("report", str(RECORDED / "h200-2-2026-11-22" / "map.h5"), "--sections", "break-even", "--format", "markdown")
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in text.splitlines() if "the fastest on 2" in line]
    found = {row[-1].split(": ")[1] for row in rows if (row[1], row[-1][:12]) in (
        ("1024-1024-1024-256", "ddp at 8,192"), ("batch 8,192", "ddp at 1024-"))}
    assert len([row for row in rows if row[0] == "parameters"]) > 1 and len(found) == 1, (found, rows)
