# SPDX-License-Identifier: Apache-2.0
"""`breakeven matmul` on the host: four formats that agree, the fields that readers rely on, and refusals."""
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

FORMS = ["naive", "overlapped", "resident", "library", "summa"]
PARTS = ["split_seconds", "send_seconds", "compute_seconds", "collect_seconds"]
SMALL = ["--backend", "host", "--sizes", "50,17", "--repeats", "3", "--chunks", "2"]


def matmul(ranks: int, *arguments: str) -> str:
    return program.run_well(ranks, "matmul", *arguments).stdout


def refused(words: str, *arguments: str) -> None:
    """Without a launcher, which waits a while after every program that fails."""
    command = [os.environ["BREAKEVEN"], "matmul", "--backend", "host", *arguments]
    check_refusal(words, subprocess.run(command, capture_output=True, text=True, timeout=50, check=False))


def check_refusal(words: str, done: subprocess.CompletedProcess) -> None:
    assert done.returncode == 1, (done.args, done.returncode, done.stderr)
    assert done.stdout == "" and done.stderr.count("breakeven: ") == 1 and words in done.stderr, done.stderr


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


def check_json(text: str) -> None:
    """Three ranks; 50 and 17 do not divide by three, nor by two and the chunks."""
    whole = json.loads(text)
    assert whole["format"] == "breakeven matmul" and whole["version"] == 1
    for key in ("machine", "command_line", "revision", "versions", "settings", "links"):
        assert whole[key], key
    assert whole["protocol"] == {"repeats": 3, "warmup": 2, "chunks": 2, "seed": 42, "transport": "mpi"}
    found = [(row["size"], row["form"], row["gpus"], row["precision"], row["gemm"]) for row in whole["rows"]]
    expected = {(size, form, gpus, precision, "openblas") for size in (17, 50) for precision in ("fp32", "bf16")
                for form in FORMS for gpus in (1, 3)}
    expected |= {(size, "single", 1, precision, "openblas") for size in (17, 50) for precision in ("fp32", "bf16")}
    assert len(found) == len(expected) and set(found) == expected, found
    for row in whole["rows"]:
        check_row(row)
    break_even = whole["break_even"]
    assert [(b["form"], b["precision"]) for b in break_even] == [(f, p) for p in ("fp32", "bf16") for f in FORMS]
    for found in break_even:
        assert found["gpus"] == 3 and found["break_even_size"] in (None, 17, 50), found
        assert (found["smallest_measured"], found["largest_measured"]) == (17, 50), found


def check_formats(folder: pathlib.Path) -> None:
    output = folder / "matmul.json"
    wide = [*SMALL, "--gpus", "1,all", "--precisions", "fp32,bf16"]
    check_json(matmul(3, *wide, "--format", "json", "--output", str(output)))
    check_json(output.read_text(encoding="utf-8"))
    rows = list(csv.DictReader(io.StringIO(matmul(2, *SMALL, "--format", "csv", "--forms", "naive,summa"))))
    assert [(row["size"], row["form"], row["gpus"]) for row in rows] == [
        (size, form, gpus) for size in ("17", "50") for form, gpus in (("single", "1"), ("naive", "2"), ("summa", "2"))]
    text = " ".join(matmul(2, *SMALL).split())
    assert text.startswith("Matrix products on ") and "WRONG: " not in text, text
    assert "What is counted" in text and "resident: the products alone" in text, text
    markdown = matmul(2, *SMALL, "--format", "markdown", "--forms", "resident")
    assert markdown.startswith("# Matrix products on ") and markdown.count("| 50 | resident | 2 |") == 2, markdown
    assert "no break-even to look for" in " ".join(matmul(1, *SMALL, "--forms", "library").split())


def check_kernels() -> None:
    """Every kernel has its own single-device product to be compared with; library keeps the vendor's."""
    rows = json.loads(matmul(2, *SMALL, "--gemm", "naive,openblas", "--forms", "naive,library", "--format", "json"))["rows"]
    assert sorted({(row["form"], row["gemm"]) for row in rows}) == [
        ("library", "openblas"), ("naive", "naive"), ("naive", "openblas"), ("single", "naive"), ("single", "openblas")]
    assert all(row["speedup"] for row in rows if row["form"] != "single")


def check_refusals() -> None:
    refused("'fast' is neither all nor one of naive, overlapped, resident, library, summa", "--forms", "fast")
    check_refusal("--gpus '3' is neither 'all' nor a number from 1 to 2",
                  program.run(2, "matmul", "--backend", "host", "--gpus", "1,3"))
    refused("--sizes '0' is not a whole number", "--sizes", "64,0")
    refused("--sizes '-4'", "--sizes=-4")
    refused("'fp8' is not one of", "--precisions", "fp8")
    refused("'fast' is neither auto nor one of", "--gemm", "fast")
    refused("has no such kernel for fp32", "--gemm", "cublas")
    refused("--repeats must be from 3", "--repeats", "2")
    refused("--warmup must be", "--warmup", "0")
    refused("--chunks must be", "--chunks", "0")
    refused("--timeout must be", "--timeout", "0")
    refused("not one of text, markdown, csv, json", "--format", "xml")
    refused("nonsense", "--nonsense")
    assert "--chunks" in matmul(1, "--help")


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        check_formats(pathlib.Path(name))
    check_kernels()
    check_refusals()


if __name__ == "__main__":
    main()
