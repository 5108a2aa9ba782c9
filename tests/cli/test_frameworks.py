# SPDX-License-Identifier: Apache-2.0
"""Files of two frameworks, merged: the report compares each with its own single GPU, as docs/report.md says, and names it;
advise puts all into one table, against the fastest single GPU of any. The files are those of examples/minimal.py."""
import json
import os
import pathlib
import re
import subprocess
import sys

import program
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
WRITER = (ROOT / "examples/minimal.py").read_text(encoding="utf-8")
STEP_SECONDS = {"pytorch": {1: 0.012, 2: 0.008}, "ours": {1: 0.010, 2: 0.006}}  # by framework and GPUs
PYTHON = pathlib.Path(os.environ.get("BREAKEVEN_PYTHON", "/nonexistent/python"))


@pytest.fixture(scope="module")
def merged(folder: pathlib.Path) -> str:
    for framework, seconds in STEP_SECONDS.items():
        changes = {'"mine.h5"': repr(str(folder / f"{framework}.h5")), '"ddp"': f'"{framework}-ddp"', '"#': f'"{framework} #',
                   'gemm="mine"': f'gemm="{framework}"', "0.010 / gpus": f"{seconds}[gpus]"}
        code = WRITER
        for before, after in changes.items():
            assert before in code, before
            code = code.replace(before, after)
        subprocess.run([sys.executable, "-c", code], check=True, timeout=100)
    files = [str(folder / f"{framework}.h5") for framework in STEP_SECONDS]
    program.said("merge", *files, "--output", str(folder / "all.h5"))
    return str(folder / "all.h5")


def test_the_report_compares_each_with_its_own_single_gpu(merged: str) -> None:
    cases = json.loads(program.said("report", merged, "--format", "json"))["cases"]
    found = {(case["gemm"], case["strategy"]): case["speedup"] for case in cases if case["gpus"] == 2}
    assert found == {(name, f"{name}-ddp"): pytest.approx(seconds[1] / seconds[2]) for name, seconds in STEP_SECONDS.items()}
    text = " ".join(program.said("report", merged).split())
    for name in STEP_SECONDS:
        assert re.search(rf"mine, gemm {name} on 2x [^:]* {name}-ddp: ", text), text


def test_advise_has_one_table_against_the_fastest_single_gpu(merged: str) -> None:
    advice = json.loads(program.said("advise", merged, "--model", "mine", "--batch", "64", "--format", "json"))
    fastest = min(seconds[1] for seconds in STEP_SECONDS.values())
    expected = sorted((seconds[gpus], gpus, "single" if gpus == 1 else f"{name}-ddp", fastest / seconds[gpus])
                      for name, seconds in STEP_SECONDS.items() for gpus in (1, 2))
    rows = [(row["step_seconds"], row["gpus"], row["strategy"], row["speedup"]) for row in advice["configurations"]]
    for row, wanted in zip(rows, expected, strict=True):
        assert row[1:3] == wanted[1:3] and (row[0], row[3]) == pytest.approx((wanted[0], wanted[3]))
    text = program.said("advise", merged, "--model", "mine", "--batch", "64")
    assert "ours-ddp on 2 GPUs in fp32 is the fastest" in text and "against the fastest single GPU" in text


@pytest.mark.skipif(not PYTHON.exists(), reason="the package of analysis/ is not installed here")
def test_the_page_has_both(merged: str, folder: pathlib.Path) -> None:
    page = folder / "page.html"
    subprocess.run([PYTHON, "-m", "breakeven_analysis.page.command", merged, "--output", page], check=True, timeout=100)
    text = page.read_text(encoding="utf-8")
    assert all(f"{name}-ddp" in text and f'"{name}"' in text for name in STEP_SECONDS)
