# SPDX-License-Identifier: Apache-2.0
"""jobs/reframe_check.py as ReFrame runs it: it passes with a figure of merit for each case, and fails where nothing is measured.
ReFrame is taken from PATH or from the environment that `make python` makes; where there is none the test is skipped."""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
import program  # noqa: E402

PROJECT = pathlib.Path(__file__).parents[2]
PROGRAM = pathlib.Path(os.environ["BREAKEVEN"])
SITE = """site_configuration = {
    "systems": [{"name": "here", "hostnames": [".*"], "partitions": [
        {"name": "node", "scheduler": "local", "launcher": "mpirun", "environs": ["plain"]}]}],
    "environments": [{"name": "plain"}]}
"""


def check(reframe: str, folder: pathlib.Path, options: str) -> tuple[int, str, dict]:
    """ReFrame's exit code, what it says, and its report."""
    (folder / "site.py").write_text(SITE)
    done = subprocess.run(
        [reframe, "-C", str(folder / "site.py"), "--prefix", str(folder), "-c", str(PROJECT / "jobs/reframe_check.py"),
         "-S", f"program={PROGRAM}", "-S", f"options={options}", "--report-file", str(folder / "report.json"), "-r"],
        capture_output=True, text=True, timeout=100, cwd=folder, check=False)
    return done.returncode, done.stdout + done.stderr, json.loads((folder / "report.json").read_text())


def main() -> None:
    beside = PROGRAM.parents[1] / "python/bin/reframe"
    reframe = str(beside) if beside.exists() else shutil.which("reframe")
    if reframe is None:
        print("skipped: ReFrame is not installed (pip install reframe-hpc)")
        sys.exit(program.SKIPPED)
    with tempfile.TemporaryDirectory() as name:
        code, said, report = check(reframe, pathlib.Path(name), "--backend host --repeats 2")
        assert code == 0, said
        figures = report["runs"][-1]["testcases"][0]["perfvalues"]
        assert len(figures) == 12, figures  # the quick suite: two models, two batches, three ways
        assert all("/b" in case and values[0] > 0 for case, values in figures.items()), figures
    with tempfile.TemporaryDirectory() as name:  # refused, so that nothing is measured
        code, said, _ = check(reframe, pathlib.Path(name), "--backend host --repeats 0")
        assert code != 0 and "sanity" in said, said


if __name__ == "__main__":
    main()
