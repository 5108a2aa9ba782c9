# SPDX-License-Identifier: Apache-2.0
"""The recorder's variables, phases and labels of runs are those of the program."""

import csv
import os
import re
import shlex
import shutil
import subprocess
import sys
from importlib import resources
from pathlib import Path

import pytest
from conftest import STRATEGIES

from breakeven_analysis import find_program, open_results
from breakeven_analysis.program_tables import PHASES
from breakeven_analysis.record.store import label_of

ROOT = Path(__file__).resolve().parents[2]
MEASURED = "src/hdf5/measured_variables.cpp"
SOURCES_OF_TABLES = (
    *("results/update-layout", "results/marked_part.py", "docs/results-file.md", "src/core/phase.h"),
    MEASURED,
)
TABLES = tuple(f"analysis/breakeven_analysis/record/{name}.csv" for name in ("layout", "phases"))


def rows_of_the_page() -> list[list[str]]:
    page = (ROOT / "docs" / "results-file.md").read_text(encoding="utf-8")
    table = page.split("<!-- schema -->")[1].split("<!-- end of schema -->")[0]
    rows, dimensions = [], ""
    for line in table.strip().splitlines()[2:]:
        name, kind, units, meaning = [cell.strip().strip("`") for cell in line[1:-1].split("|")]
        if name.startswith("**"):
            dimensions = name.strip("*").replace(", ", " ")
            continue
        own = name if dimensions == "coordinates" else dimensions
        rows.append([name, own, kind or "float64", units or ("" if kind == "text" else "1"), meaning])
    return rows


def test_the_layout_is_that_of_the_results_file() -> None:
    """Without what only the program measures: roofline, calls, autotuning."""
    text = resources.files("breakeven_analysis.record").joinpath("layout.csv").read_text(encoding="utf-8")
    layout = [[value for key, value in row.items() if key != "addition"] for row in csv.DictReader(text.splitlines())]
    page = rows_of_the_page()
    first_of_the_program = [row[0] for row in page].index("copy_bytes_per_second")
    of_the_program = {"transport", "group", "operation", "message", "candidate", "product_precision"}
    assert layout == [row for row in page[:first_of_the_program] if row[0] not in of_the_program]


@pytest.mark.parametrize(
    ("source", "old", "new", "stale"),
    [
        ("src/core/phase.h", '"broadcast"', '"spread"', "phases.csv is stale"),
        (MEASURED, "&RunRecord::staleness, later", "&RunRecord::staleness", "layout.csv is stale"),
        ("docs/results-file.md", "model, by name or by its layers", "planted", "layout.csv is stale"),
        ("docs/results-file.md", "", "", ""),
    ],
)
def test_the_recorders_tables_are_made_from_the_programs(
    tmp_path: Path, source: str, old: str, new: str, stale: str
) -> None:
    for name in (*SOURCES_OF_TABLES, *TABLES):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    planted = tmp_path / source
    planted.write_text(planted.read_text(encoding="utf-8").replace(old, new, 1), encoding="utf-8")
    script = tmp_path / "results" / "update-layout"
    done = subprocess.run([sys.executable, script, "--check"], capture_output=True, text=True, check=False)
    assert (done.returncode == 0) == (not stale) and stale in done.stderr, done.stderr
    subprocess.run([sys.executable, script], check=True)
    assert all((ROOT / name).read_bytes() == (tmp_path / name).read_bytes() for name in TABLES) == (not stale)


def test_the_phases_are_those_of_the_program() -> None:
    source = (ROOT / "src" / "core" / "phase.h").read_text(encoding="utf-8")
    assert re.findall(r'\.name = "(\w+)"', source) == list(PHASES)


def test_runs_are_labelled_as_by_the_program(tmp_path: Path) -> None:
    measured = tmp_path / "measured.h5"
    axes = ["--strategies", "single,ddp", "--scaling", "strong,weak", "--data", "resident,streamed", "--repeats", "2"]
    model = ["--backend", "host", "--models", "33-17-5", "--batches", "12", "--output", str(measured)]
    steps = ["--warmup", "2", "--samples", "240", "--settle", "0", "--steps", "5", "--timing", "steps,phases"]
    launcher = [*shlex.split(os.environ["BREAKEVEN_MPIRUN"]), "-np", "2"]
    subprocess.run([*launcher, str(find_program()), "run", *axes, *model, *steps], check=True, capture_output=True)
    labels = []
    for path in (measured, STRATEGIES):
        runs = open_results(path)
        axes = [str(name) for name in runs.coords if runs[name].dims == ("run",)]
        cases = runs[axes].reset_coords().to_dataframe().to_dict("records")
        labels += runs["run"].to_numpy().tolist()
        assert labels[-len(cases) :] == [f"{label_of(case)} #{place}" for place, case in enumerate(cases)]
    for word in (" weak streamed phases #", " graph "):
        assert any(word in label for label in labels)
