# SPDX-License-Identifier: Apache-2.0
"""`breakeven kernels` on the host: its four formats agree, the JSON has its documented fields, the tuner's table can be
read again, bad options are refused."""
import csv
import io
import json
import pathlib

import program
import pytest

SMALL = ["--backend", "host", "--models", "33-17-5", "--batches", "12", "--squares", "none", "--rounds", "2"]
ONE = ["--backend", "host", "--shapes", "nt:3x4x5", "--rounds", "1", "--precisions", "fp32"]
PRODUCTS = [("nt", 12, 17, 33), ("tn", 17, 33, 12), ("nt", 12, 5, 17), ("nn", 12, 17, 5), ("tn", 5, 17, 12)]
PRECISIONS = program.words_of("--precisions")
KERNELS = ["openblas", "naive"]
TABLES = sorted((pathlib.Path(__file__).parents[2] / "kernels/cuda/gemm/tuned").glob("sm_*.txt"))
LIMITS = {"tf32": 1e-3, "bf16": 1e-2, "fp16": 1e-2}


def said(*arguments: str) -> str:
    return program.said("kernels", *arguments)


@pytest.fixture(scope="module")
def output(folder: pathlib.Path) -> pathlib.Path:
    """The JSON of --output; the printed text is in a file next to it."""
    path = folder / "kernels.json"
    path.with_suffix(".txt").write_text(said(*SMALL, "--output", str(path)), encoding="utf-8")
    return path


@pytest.fixture(params=["--format json", "--output"], scope="module")
def report(request: pytest.FixtureRequest, output: pathlib.Path) -> dict:
    """The JSON that is printed, and that of --output."""
    return json.loads(output.read_text(encoding="utf-8") if request.param == "--output" else said(*SMALL, "--format", "json"))


def test_json_says_what_was_measured(report: dict) -> None:
    assert report["format"] == "breakeven kernels" and report["version"] == 1
    for key in ("machine", "command_line", "revision", "versions", "device", "protocol"):
        assert report[key], key
    assert report["roofline"]["copy_bytes_per_second"] > 0


def test_json_has_a_row_for_each_product(report: dict) -> None:
    found = [(row["precision"], row["gemm"], row["layout"], row["m"], row["n"], row["k"]) for row in report["rows"]]
    expected = {(p, g, *product) for p in PRECISIONS for g in KERNELS for product in PRODUCTS}
    assert len(found) == len(expected) and set(found) == expected, found
    assert len(report["fused_rows"]) == len(PRECISIONS) * len(KERNELS) * 2
    assert len(report["summary"]) == 2 * len(PRECISIONS) * len(KERNELS)


@pytest.mark.parametrize("precision", PRECISIONS)
def test_rows_are_right(report: dict, precision: str) -> None:
    rows = [row for row in [*report["rows"], *report["fused_rows"]] if row["precision"] == precision]
    assert len(rows) == len(KERNELS) * (len(PRODUCTS) + 2)
    for row in rows:
        assert row["right"] and row["error"] <= row["error_limit"], row
        assert row["error_limit"] == LIMITS.get(row["precision"], 1e-6 * row["k"] ** 0.5), row
        assert 0 < row["seconds_low"] <= row["seconds"] <= row["seconds_high"], row
        assert row["cold_seconds"] > 0 and row["rounds"] == 2, row
        assert row["cublas_seconds"] is None and row["speedup_vs_cublas"] is None, row


def test_csv() -> None:
    rows = list(csv.DictReader(io.StringIO(said(*SMALL, "--format", "csv"))))
    assert len(rows) == len(PRECISIONS) * len(KERNELS) * (len(PRODUCTS) + 2)
    assert all(float(row["seconds"]) > 0 and row["cublas_seconds"] == "" for row in rows)


def test_text(output: pathlib.Path) -> None:
    text = output.with_suffix(".txt").read_text(encoding="utf-8")
    assert text.startswith("Kernels on ")
    assert "cuBLAS was not measured (" in " ".join(text.split()) and "WRONG: " not in text
    assert "Against" not in text, text  # no empty columns
    assert text.count("nt 12x17x33") == len(PRECISIONS) * len(KERNELS) * 2


def test_markdown() -> None:
    markdown = said(*SMALL, "--format", "markdown", "--gemm", "openblas", "--precisions", "bf16")
    assert markdown.startswith("# Kernels on ") and markdown.count("| nn 12x17x5 | openblas |") == 1


def test_squares() -> None:
    squares = json.loads(said("--backend", "host", "--shapes", "tn:3x4x5", "--squares", "16", "--rounds", "1",
                              "--precisions", "fp32", "--format", "json"))
    assert [row["square"] for row in squares["rows"]] == [False, False, True, True]


def test_an_unwritable_output_ends_the_program(tmp_path: pathlib.Path) -> None:
    failed = program.alone("kernels", *ONE, "--output", str(tmp_path / "none" / "kernels.json"))
    program.check_refusal(failed, 1, "kernels.json' cannot be written: No such file or directory")


@pytest.fixture(scope="module")
def tuned(folder: pathlib.Path) -> pathlib.Path:
    table = folder / "products.txt"
    text = said("--backend", "host", "--shapes", "nt:16x8x24,tn:7x5x3", "--rounds", "2", "--precisions",
                "bf16,tf32", "--tune", str(table))
    assert text == f"{table}: 4 of 4 products\n", text
    return table


def test_tune(tuned: pathlib.Path) -> None:
    lines = tuned.read_text(encoding="utf-8").splitlines()
    assert all(line.startswith("# ") for line in lines[:6]), lines
    assert any(line.startswith("# command:  breakeven kernels") for line in lines), lines
    rows = [line.split() for line in lines if not line.startswith("#")]
    assert sorted(row[:5] for row in rows) == [["bf16", "nt", "16", "8", "24"], ["bf16", "tn", "7", "5", "3"],
                                               ["tf32", "nt", "16", "8", "24"], ["tf32", "tn", "7", "5", "3"]]
    assert all(len(row) == 9 and row[5] in KERNELS and float(row[8]) > 0 for row in rows), rows


def table_in(text: str) -> str:
    return json.loads(text)["settings"]["gemm-table"]


def test_the_built_in_table_is_recorded() -> None:
    assert table_in(said(*ONE, "--format", "json")) == "built in"
    assert "gemm-table=built in" in said(*ONE)


@pytest.mark.parametrize("table", [None, *TABLES], ids=lambda table: table.name if table else "of --tune")
def test_the_table_in_use_is_recorded(tuned: pathlib.Path, table: pathlib.Path | None) -> None:
    """The table of the tuner, and those that come with the program."""
    table = table or tuned
    assert table_in(said(*ONE, "--format", "json", "--gemm-table", str(table))) == str(table)
    assert f"gemm-table={table}" in said(*ONE, "--gemm-table", str(table))


def test_a_missing_table_ends_the_program(tmp_path: pathlib.Path) -> None:
    missing = program.alone("kernels", *ONE, "--gemm-table", str(tmp_path / "none.txt"))
    assert missing.returncode == 5, missing
    assert f"{tmp_path}/none.txt: the table of products cannot be read" in missing.stderr, missing.stderr


@pytest.fixture
def broken(tmp_path: pathlib.Path) -> pathlib.Path:
    table = tmp_path / "broken.txt"
    table.write_text("# a table\nfp31 nt 8 8 8 tiled 0 1 1\n", encoding="utf-8")
    return table


def test_a_broken_table_ends_the_program(broken: pathlib.Path) -> None:
    failed = program.alone("kernels", *ONE, "--gemm-table", str(broken))
    assert failed.returncode == 5 and f"{broken}:2: 'fp31' is not a precision" in failed.stderr, failed.stderr


def test_tune_takes_no_table(broken: pathlib.Path, tmp_path: pathlib.Path) -> None:
    refused = program.alone("kernels", *ONE, "--gemm-table", str(broken), "--tune", str(tmp_path / "new.txt"))
    program.check_refusal(refused, 1, "--gemm-table does not go with --tune")


@pytest.mark.parametrize("words, arguments", [
    ("not one of text, markdown, csv, json", [*SMALL, "--format", "xml"]),
    ("is not of the form LAYOUT:MxNxK", ["--backend", "host", "--shapes", "nt:16x8"]),
    ("--batches '0'", ["--backend", "host", "--batches", "0"]),
    ("'fp8' is not one of", [*SMALL, "--precisions", "fp8"]),
    ("--gemm 'fast' is not one of all, ", [*SMALL, "--gemm", "fast"]),
    ("is not available on", [*SMALL, "--gemm", "hopper"]),
    ("--rounds must be", [*SMALL[:-1], "0"]),
])
def test_refusals(words: str, arguments: list[str]) -> None:
    program.check_refusal(program.alone("kernels", *arguments), 1, words)


def test_two_ranks_are_refused() -> None:
    refused = program.run(2, "kernels", *SMALL)
    assert refused.returncode == 1 and refused.stdout == "" and "one device" in refused.stderr, refused


@pytest.mark.parametrize("option", ["--tune", "--gemm-table"])
def test_help(option: str) -> None:
    assert option in said("--help")
