# SPDX-License-Identifier: Apache-2.0
"""`breakeven kernels` on the host: four formats that agree, the fields that readers rely on, a table that the
tuner writes and that is read again, and refusals."""
import csv
import io
import json
import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
import program  # noqa: E402

SMALL = ["--backend", "host", "--models", "33-17-5", "--batches", "12", "--squares", "none", "--rounds", "2"]
PRODUCTS = [("nt", 12, 17, 33), ("tn", 17, 33, 12), ("nt", 12, 5, 17), ("nn", 12, 17, 5), ("tn", 5, 17, 12)]
PRECISIONS = ["fp32", "tf32x3", "tf32", "bf16", "fp16"]
KERNELS = ["openblas", "naive"]
TABLES = pathlib.Path(__file__).parents[2] / "kernels/cuda/gemm/tuned"
LIMITS = {"tf32": 1e-3, "bf16": 1e-2, "fp16": 1e-2}


def kernels(*arguments: str) -> subprocess.CompletedProcess:
    """Without a launcher, as a user would."""
    command = [os.environ["BREAKEVEN"], "kernels", *arguments]
    return subprocess.run(command, capture_output=True, text=True, encoding="utf-8", timeout=50, check=False)


def said(*arguments: str) -> str:
    done = kernels(*arguments)
    assert done.returncode == 0, (arguments, done.returncode, done.stdout, done.stderr)
    return done.stdout


def refused(words: str, *arguments: str) -> None:
    check_refusal(words, kernels(*arguments))


def check_refusal(words: str, done: subprocess.CompletedProcess) -> None:
    assert done.returncode == 1, (done.args, done.returncode, done.stderr)
    assert done.stdout == "" and words in done.stderr, done.stderr


def check_json(text: str) -> None:
    whole = json.loads(text)
    assert whole["format"] == "breakeven kernels" and whole["version"] == 1
    for key in ("machine", "command_line", "revision", "versions", "device", "protocol"):
        assert whole[key], key
    assert whole["ceilings"]["copy_bytes_per_second"] > 0
    rows = whole["rows"]
    found = [(row["precision"], row["gemm"], row["layout"], row["m"], row["n"], row["k"]) for row in rows]
    expected = {(p, g, *product) for p in PRECISIONS for g in KERNELS for product in PRODUCTS}
    assert len(found) == len(expected) and set(found) == expected, found
    assert len(whole["fused_rows"]) == len(PRECISIONS) * len(KERNELS) * 2
    for row in [*rows, *whole["fused_rows"]]:
        assert row["right"] and row["error"] <= row["error_limit"], row
        assert row["error_limit"] == LIMITS.get(row["precision"], 1e-6 * row["k"] ** 0.5), row
        assert 0 < row["seconds_low"] <= row["seconds"] <= row["seconds_high"], row
        assert row["cold_seconds"] > 0 and row["rounds"] == 2, row
        assert row["cublas_seconds"] is None and row["speedup_vs_cublas"] is None, row
    assert len(whole["summary"]) == 2 * len(PRECISIONS) * len(KERNELS)


def check_formats() -> None:
    check_json(said(*SMALL, "--format", "json"))
    rows = list(csv.DictReader(io.StringIO(said(*SMALL, "--format", "csv"))))
    assert len(rows) == len(PRECISIONS) * len(KERNELS) * (len(PRODUCTS) + 2)
    assert all(float(row["seconds"]) > 0 and row["cublas_seconds"] == "" for row in rows)
    text = said(*SMALL)
    assert "cuBLAS was not measured beside them" in " ".join(text.split()) and "WRONG: " not in text
    assert "Against" not in text, text  # no empty columns
    assert text.count("nt 12x17x33") == len(PRECISIONS) * len(KERNELS) * 2
    markdown = said(*SMALL, "--format", "markdown", "--gemm", "openblas", "--precisions", "bf16")
    assert markdown.startswith("# Kernels on ") and markdown.count("| nn 12x17x5 | openblas |") == 1


def check_output(folder: pathlib.Path) -> None:
    output = folder / "kernels.json"
    text = said(*SMALL, "--output", str(output))
    assert text.startswith("Kernels on ")
    check_json(output.read_text(encoding="utf-8"))
    squares = json.loads(said("--backend", "host", "--shapes", "tn:3x4x5", "--squares", "16", "--rounds", "1",
                              "--precisions", "fp32", "--format", "json"))
    assert [row["square"] for row in squares["rows"]] == [False, False, True, True]
    failed = kernels(*SMALL, "--output", str(folder / "none" / "kernels.json"))
    assert failed.returncode == 5 and "the kernels' results" in failed.stderr, failed.stderr


def check_tune(folder: pathlib.Path) -> None:
    table = folder / "products.txt"
    text = said("--backend", "host", "--shapes", "nt:16x8x24,tn:7x5x3", "--rounds", "2", "--precisions",
                "bf16,tf32", "--tune", str(table))
    assert text == f"{table}: 4 of 4 products\n", text
    lines = table.read_text(encoding="utf-8").splitlines()
    assert all(line.startswith("# ") for line in lines[:6]), lines
    assert any(line.startswith("# command:  breakeven kernels") for line in lines), lines
    rows = [line.split() for line in lines if not line.startswith("#")]
    assert sorted(row[:5] for row in rows) == [["bf16", "nt", "16", "8", "24"], ["bf16", "tn", "7", "5", "3"],
                                               ["tf32", "nt", "16", "8", "24"], ["tf32", "tn", "7", "5", "3"]]
    assert all(len(row) == 9 and row[5] in KERNELS and float(row[8]) > 0 for row in rows), rows


def check_gemm_table(folder: pathlib.Path) -> None:
    """The table that is used is named in the results, and one that cannot be read ends the program."""
    def table_in(text: str) -> str:
        return json.loads(text)["settings"]["gemm-table"]

    small = ["--backend", "host", "--shapes", "nt:3x4x5", "--rounds", "1", "--precisions", "fp32"]
    assert table_in(said(*small, "--format", "json")) == "built in"
    assert "gemm-table=built in" in said(*small)
    for table in [folder / "products.txt", *TABLES.glob("sm_*.txt")]:  # the tuner's, and those of the program
        assert table_in(said(*small, "--format", "json", "--gemm-table", str(table))) == str(table)
        assert f"gemm-table={table}" in said(*small, "--gemm-table", str(table))
    missing = kernels(*small, "--gemm-table", str(folder / "none.txt"))
    assert missing.returncode == 5, missing
    assert f"{folder}/none.txt: the table of products cannot be read" in missing.stderr, missing.stderr
    broken = folder / "broken.txt"
    broken.write_text("# a table\nfp31 nt 8 8 8 tiled 0 1 1\n", encoding="utf-8")
    failed = kernels(*small, "--gemm-table", str(broken))
    assert failed.returncode == 5 and f"{broken}:2: 'fp31' is no precision" in failed.stderr, failed.stderr
    refused("--tune measures every variant", *small, "--gemm-table", str(broken), "--tune", str(folder / "new.txt"))


def check_refusals() -> None:
    refused("not one of text, markdown, csv, json", *SMALL, "--format", "xml")
    refused("is not of the form LAYOUT:MxNxK", "--backend", "host", "--shapes", "nt:16x8")
    refused("batch '0'", "--backend", "host", "--batches", "0")
    refused("'fp8' is not one of", *SMALL, "--precisions", "fp8")
    refused("neither all nor one of", *SMALL, "--gemm", "fast")
    refused("has no such kernel", *SMALL, "--gemm", "hopper")
    refused("--rounds must be", *SMALL[:-1], "0")
    check_refusal("one device", program.run(2, "kernels", *SMALL))
    assert "--tune" in said("--help") and "--gemm-table" in said("--help")


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        check_formats()
        check_output(pathlib.Path(name))
        check_tune(pathlib.Path(name))
        check_gemm_table(pathlib.Path(name))
        check_refusals()


if __name__ == "__main__":
    main()
