# SPDX-License-Identifier: Apache-2.0
"""The report of a file that the program itself has measured: four formats that agree, and refusals."""
import csv
import io
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
import program  # noqa: E402

BATCHES = [12, 24]
REPEATS = 3
CASES = 3 * 2 * len(BATCHES)  # single and ddp on 1, ddp on 2; two instruments


def report(*arguments: str) -> subprocess.CompletedProcess:
    command = [os.environ["BREAKEVEN"], "report", *arguments]
    return subprocess.run(command, capture_output=True, text=True, encoding="utf-8", timeout=50, check=False)


def said(*arguments: str) -> str:
    done = report(*arguments)
    assert done.returncode == 0, (arguments, done.returncode, done.stderr)
    assert done.stderr == "", done.stderr
    return done.stdout


def refused(code: int, words: str, *arguments: str) -> None:
    done = report(*arguments)
    assert done.returncode == code, (arguments, done.returncode, done.stderr)
    assert done.stdout == "", done.stdout
    assert len(done.stderr.splitlines()) == 1 and words in done.stderr, done.stderr


def check_text(results: str) -> None:
    text = said(results, "--sections", "all")
    flat = " ".join(text.split())
    assert "ddp on 2 host devices is" in flat, text
    assert f"{CASES * REPEATS} done of {CASES * REPEATS} planned, {CASES * REPEATS} of them read back" in flat, text
    for heading in ("Speed:", "Time of a step", "The machinery of the exchange", "Communication cost breakdown",
                    "Exchange / wait by rank", "Timelines", "Limits:", "Quality of measurement", "First use",
                    "The devices"):
        assert heading in text, heading
    assert text.count("├── Forward pass") == len(BATCHES), text
    merits = re.findall(r"^FOM (\S+) samples_per_second: (\S+) .* verdict: (\S+)$", text, re.MULTILINE)
    assert len(merits) == CASES // 2, merits
    assert all(float(rate) > 0 for _, rate, _ in merits), merits  # NaN fails


def check_formats_agree(results: str) -> None:
    rows = list(csv.DictReader(io.StringIO(said(results, "--format", "csv"))))
    whole = json.loads(said(results, "--format", "json"))
    assert whole["version"] == 2
    assert len(rows) == len(whole["cases"]) == CASES
    for row, case in zip(rows, whole["cases"], strict=True):
        assert list(row) == list(case)
        for key, value in case.items():
            shown = row[key]
            if value is None:
                assert shown == "", (key, shown)
            elif isinstance(value, bool):
                assert shown == str(value).lower(), (key, shown)
            elif isinstance(value, (int, float)):
                assert float(shown) == value, (key, shown, value)
            else:
                assert shown == value, (key, shown, value)
    assert len(whole["limits"]) >= 4 * len(BATCHES), whole["limits"]  # at least input to step of each
    assert all(row["limit_seconds"] > 0 and row["share"] > 0 for row in whole["limits"]), whole["limits"]
    assert [row["batch"] for row in whole["exchange"]] == BATCHES, whole["exchange"]  # of ddp on two
    for row in whole["exchange"]:
        parts = row["latency_seconds"] + row["bandwidth_seconds"]
        assert row["messages"] == 1 and 0 < row["formula_seconds"] < 1, row
        assert abs(parts / row["formula_seconds"] - 1) < 1e-9 and row["measured_seconds"] > 0, row
    for ceilings in whole["launches"][0]["ceilings"]:
        assert ceilings["fp32_flops_per_second"] > 0 and ceilings["bf16_flops_per_second"] is None, ceilings
    markdown = said(results, "--format", "markdown")
    assert markdown.startswith("# breakeven report: ") and "\n|---" in markdown
    assert whole["answers"][0]["sentence"] in markdown
    assert whole["answers"][0]["loss"] in markdown, whole["answers"][0]


def check_sections(results: str) -> None:
    brief, whole = said(results), said(results, "--sections", "all")
    assert "Timelines" not in brief and "timelines (" in brief.split("More\n")[1], brief
    assert "Timelines" in whole and len(brief.splitlines()) < len(whole.splitlines()) / 2
    one = said(results, "--sections", "steps,merits", "--batches", str(BATCHES[0]), "--strategies", "ddp")
    assert "Time of a step" in one and "Quality of measurement" not in one, one
    merits = re.findall(r"^FOM 33-17-5/b(\d+)/(\S+?)/(\S+?)/", one, re.MULTILINE)
    expected = [(str(BATCHES[0]), gpus, name) for gpus, name in (("1x", "single"), ("1x", "ddp"), ("2x", "ddp"))]
    assert merits == expected, one


def check_several_files(folder: pathlib.Path, results: str) -> None:
    """As if the launch of the second had been appended to the first."""
    second = str(folder / "second.h5")
    program.run_well(2, "run", "--backend", "host", "--models", "33-17-5", "--batches", str(BATCHES[0]), "--warmup", "2",
                     "--steps", "4", "--repeats", "2", "--instrument", "total", "--output", second)
    both = json.loads(said(results, second, "--format", "json"))
    assert len(both["launches"]) == 2 and len(both["cases"]) == CASES, both["launches"]
    assert both["runs"]["planned"] == CASES * REPEATS + 3 * 2, both["runs"]
    assert {row["runs_done"] for row in both["cases"]} == {REPEATS, REPEATS + 2}, both["cases"]
    copy = folder / "copy.h5"
    copy.write_bytes(pathlib.Path(second).read_bytes())
    refused(1, "hold the same launch", second, str(copy))
    refused(1, "would overwrite the results file", results, second, "--output", second)


def check_output(folder: pathlib.Path, results: str) -> None:
    output = folder / "report.md"
    assert said(results, "--format", "markdown", "--output", str(output)) == ""
    assert output.read_text(encoding="utf-8") == said(results, "--format", "markdown")
    before = pathlib.Path(results).read_bytes()
    refused(1, "would overwrite the results file", results, "--output", str(folder / "." / "results.h5"))
    assert pathlib.Path(results).read_bytes() == before
    refused(5, "the report to", results, "--output", str(folder / "none" / "report.md"))


def check_refusals(folder: pathlib.Path, results: str) -> None:
    refused(1, "not one of text, markdown, csv, json", results, "--format", "xml")
    refused(1, "--help", results, "--formatt", "text")
    refused(1, "needs the results file")
    refused(1, "not one of answers, break-even, doubts, speed, ", results, "--sections", "answers,tables")
    refused(1, f"not one of those in the file: {BATCHES[0]}, {BATCHES[1]}", results, "--batches", "13")
    refused(1, "csv and json are always whole", results, "--models", "33-17-5", "--format", "csv")
    refused(5, "another.h5", results, "another.h5")
    refused(5, "nothing.h5", str(folder / "nothing.h5"))
    other = folder / "other.h5"
    other.write_text("this is no results file", encoding="utf-8")
    refused(5, "other.h5", str(other))
    assert "--sections" in said("--help")


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        results = str(folder / "results.h5")
        program.run_well(2, "run", "--backend", "host", "--models", "33-17-5", "--batches", ",".join(map(str, BATCHES)),
                         "--warmup", "2", "--steps", "4", "--repeats", str(REPEATS), "--output", results)
        check_text(results)
        check_formats_agree(results)
        check_sections(results)
        check_several_files(folder, results)
        check_output(folder, results)
        check_refusals(folder, results)


if __name__ == "__main__":
    main()
