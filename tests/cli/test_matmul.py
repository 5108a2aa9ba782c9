# SPDX-License-Identifier: Apache-2.0
"""`breakeven matmul` on the host: its four formats agree, the JSON has its documented fields, bad options are refused."""
import csv
import io
import json
import pathlib

import program
import pytest

FORMS = ["naive", "overlapped", "resident", "library", "summa"]
PARTS = ["split_seconds", "send_seconds", "compute_seconds", "collect_seconds"]
SMALL = ["--backend", "host", "--sizes", "50,17", "--repeats", "3", "--chunks", "2"]


def matmul(ranks: int, *arguments: str) -> str:
    return program.run_well(ranks, "matmul", *arguments).stdout


@pytest.fixture(scope="module")
def output(folder: pathlib.Path) -> pathlib.Path:
    """On three ranks. 50 and 17 are not divisible by the number of ranks or chunks."""
    path = folder / "matmul.json"
    printed = matmul(3, *SMALL, "--gpus", "1,all", "--precisions", "fp32,bf16", "--format", "json", "--output", str(path))
    path.with_suffix(".printed").write_text(printed, encoding="utf-8")
    return path


@pytest.fixture(params=["printed", "json"], scope="module")
def report(request: pytest.FixtureRequest, output: pathlib.Path) -> dict:
    """The JSON that is printed, and that of --output."""
    return json.loads(output.with_suffix(f".{request.param}").read_text(encoding="utf-8"))


def test_json_says_what_was_measured(report: dict) -> None:
    assert report["format"] == "breakeven matmul" and report["version"] == 1
    for key in ("machine", "command_line", "revision", "versions", "settings", "links"):
        assert report[key], key
    assert report["protocol"] == {"repeats": 3, "warmup": 2, "chunks": 2, "seed": 42, "transport": "mpi"}


def test_json_has_a_row_for_each_product(report: dict) -> None:
    found = [(row["size"], row["form"], row["gpus"], row["precision"], row["gemm"]) for row in report["rows"]]
    expected = {(size, form, gpus, precision, "openblas") for size in (17, 50) for precision in ("fp32", "bf16")
                for form in FORMS for gpus in (1, 3)}
    expected |= {(size, "single", 1, precision, "openblas") for size in (17, 50) for precision in ("fp32", "bf16")}
    assert len(found) == len(expected) and set(found) == expected, found


@pytest.mark.parametrize("form", ["single", *FORMS])
def test_rows_are_right(report: dict, form: str) -> None:
    rows = [row for row in report["rows"] if row["form"] == form]
    assert rows
    for row in rows:
        check_row(row)


def check_row(row: dict) -> None:
    assert row["right"] and row["error"] <= row["error_limit"], row
    assert row["median_seconds"] > 0 and row["repeats"] == 3, row
    assert row["mean_seconds_low"] <= row["mean_seconds"] <= row["mean_seconds_high"], row
    assert abs(sum(row[part] for part in PARTS) - row["mean_seconds"]) <= 1e-9 + 1e-6 * row["mean_seconds"], row
    flops = 2 * row["size"] ** 3
    assert abs(row["flops_per_second"] * row["median_seconds"] / flops - 1) < 1e-9, row
    if row["form"] == "single":
        assert row["gpus"] == 1 and row["speedup"] is None and row["verdict"] is None, row
    else:
        assert row["speedup_low"] <= row["speedup"] <= row["speedup_high"] and row["verdict"], row
    assert row["counted"] == ("in_place" if row["form"] in ("resident", "summa") else "root_to_root"), row
    if row["form"] in ("single", "resident"):
        assert row["split_seconds"] == row["send_seconds"] == row["collect_seconds"] == 0, row


def test_break_even(report: dict) -> None:
    break_even = report["break_even"]
    assert [(b["form"], b["precision"]) for b in break_even] == [(f, p) for p in ("fp32", "bf16") for f in FORMS]
    for found in break_even:
        assert found["gpus"] == 3 and found["break_even_size"] in (None, 17, 50), found
        assert (found["smallest_measured"], found["largest_measured"]) == (17, 50), found


def test_csv() -> None:
    rows = list(csv.DictReader(io.StringIO(matmul(2, *SMALL, "--format", "csv", "--forms", "naive,summa"))))
    assert [(row["size"], row["form"], row["gpus"]) for row in rows] == [
        (size, form, gpus) for size in ("17", "50") for form, gpus in (("single", "1"), ("naive", "2"), ("summa", "2"))]


def test_text() -> None:
    text = " ".join(matmul(2, *SMALL).split())
    assert text.startswith("Matrix products on ") and "WRONG: " not in text, text
    assert "What is timed in each form" in text and "resident: computation only" in text, text


def test_markdown() -> None:
    markdown = matmul(2, *SMALL, "--format", "markdown", "--forms", "resident")
    assert markdown.startswith("# Matrix products on ") and markdown.count("| 50 | resident | 2 |") == 2, markdown


def test_one_rank_has_no_break_even() -> None:
    assert "Only one GPU was measured" in " ".join(matmul(1, *SMALL, "--forms", "library").split())


def test_every_kernel_has_its_own_single_device_product() -> None:
    """Each kernel is compared with itself on one device; the form library keeps the vendor's kernel."""
    rows = json.loads(matmul(2, *SMALL, "--gemm", "naive,openblas", "--forms", "naive,library", "--format", "json"))["rows"]
    assert sorted({(row["form"], row["gemm"]) for row in rows}) == [
        ("library", "openblas"), ("naive", "naive"), ("naive", "openblas"), ("single", "naive"), ("single", "openblas")]
    assert all(row["speedup"] for row in rows if row["form"] != "single")


@pytest.mark.parametrize("words, arguments", [
    ("'fast' is not one of all, naive, overlapped, resident, library, summa", ["--forms", "fast"]),
    ("--sizes '0' is not a whole number", ["--sizes", "64,0"]),
    ("--sizes '-4'", ["--sizes=-4"]),
    ("'fp8' is not one of", ["--precisions", "fp8"]),
    ("--gemm 'fast' is not one of auto, ", ["--gemm", "fast"]),
    ("is not available on", ["--gemm", "cublas"]),
    ("--repeats must be from 3", ["--repeats", "2"]),
    ("--warmup must be", ["--warmup", "0"]),
    ("--chunks must be", ["--chunks", "0"]),
    ("--timeout must be", ["--timeout", "0"]),
    ("not one of text, markdown, csv, json", ["--format", "xml"]),
    ("nonsense", ["--nonsense"]),
])
def test_refusals(words: str, arguments: list[str]) -> None:
    program.check_refusal(program.alone("matmul", "--backend", "host", *arguments), 1, words)


def test_more_gpus_than_ranks_are_refused() -> None:
    program.check_refusal(program.run(2, "matmul", "--backend", "host", "--gpus", "1,3"), 1,
                          "--gpus 3 needs 3 ranks; this launch has 2. Run: mpirun -np 3 breakeven matmul")


def test_help() -> None:
    assert "--chunks" in program.said("matmul", "--help")
