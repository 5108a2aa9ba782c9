# SPDX-License-Identifier: Apache-2.0
"""jobs/reframe_check.py as ReFrame runs it: it passes with a figure of merit for each case, and fails where nothing is measured.
ReFrame is taken from PATH or from the environment that `make python` makes; where there is none the test is skipped."""
import json
import os
import pathlib
import shutil
import subprocess

import pytest

PROJECT = pathlib.Path(__file__).parents[2]
PROGRAM = pathlib.Path(os.environ["BREAKEVEN"])
BESIDE = PROGRAM.parents[1] / "python/bin/reframe"
REFRAME = str(BESIDE) if BESIDE.exists() else shutil.which("reframe")
SITE = """site_configuration = {
    "systems": [{"name": "here", "hostnames": [".*"], "partitions": [
        {"name": "node", "scheduler": "local", "launcher": "mpirun", "environs": ["plain"]}]}],
    "environments": [{"name": "plain"}]}
"""

pytestmark = pytest.mark.skipif(REFRAME is None, reason="ReFrame is not installed (pip install reframe-hpc)")


def check(folder: pathlib.Path, options: str) -> tuple[int, str, dict]:
    """ReFrame's exit code, what it says, and its report."""
    (folder / "site.py").write_text(SITE)
    done = subprocess.run(
        [REFRAME, "-C", str(folder / "site.py"), "--prefix", str(folder), "-c", str(PROJECT / "jobs/reframe_check.py"),
         "-S", f"program={PROGRAM}", "-S", f"options={options}", "--report-file", str(folder / "report.json"), "-r"],
        capture_output=True, text=True, timeout=300, cwd=folder, check=False)
    return done.returncode, done.stdout + done.stderr, json.loads((folder / "report.json").read_text())


def test_every_case_has_a_figure_of_merit(tmp_path: pathlib.Path) -> None:
    code, said, report = check(tmp_path, "--backend host --repeats 2 --settle 0")
    assert code == 0, said
    figures = report["runs"][-1]["testcases"][0]["perfvalues"]
    assert len(figures) == 8, figures  # the quick suite: two models, two batches, two ways
    assert all("/b" in case and values[0] > 0 for case, values in figures.items()), figures


def test_options_that_are_refused_fail_the_check(tmp_path: pathlib.Path) -> None:
    code, said, _ = check(tmp_path, "--backend host --repeats 0")
    assert code != 0 and "sanity" in said, said
