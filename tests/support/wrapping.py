# SPDX-License-Identifier: Apache-2.0
"""`breakeven wrap` and its files, as the tests start and read them. Without its package, tests that import this are skipped."""
import json
import os
import pathlib
import subprocess
import sys

import h5py
import program
import pytest

USAGE, ENVIRONMENT, FAILED, FILE, INTERRUPTED = 1, 2, 3, 5, 6
PYTHON = pathlib.Path(os.environ.get("BREAKEVEN_PYTHON", "/nonexistent/python"))
if not PYTHON.exists():
    pytest.skip("the package of analysis/ is not installed here", allow_module_level=True)
STEP = r"step \d+: (\S+) s"
# A training program: prints steps that take 1 µs a sample, shared by the ranks, and what it was called with.
TRAINER = """import sys, time
ranks, batch, *rest = sys.argv[1:]
print("2026-01-01 00:00:00,123 called with", *map(repr, rest), flush=True)
for step in range(80): print(f"2026-01-01 00:00:{step % 60:02} INFO step {step}: {int(batch) / int(ranks) / 1e6:.9f} s, loss 0.5")
"""


def start(folder: pathlib.Path, *words: str) -> list[str]:
    return [os.environ["BREAKEVEN"], "wrap", "--output", str(folder / "mine.h5"), *words]


def wrap(folder: pathlib.Path, *words: str, code: int = 0, **environment: str) -> subprocess.CompletedProcess:
    done = subprocess.run(start(folder, *words), capture_output=True, text=True, timeout=100, check=False, cwd=folder,
                          env={**os.environ, **environment})
    assert done.returncode == code, (done.args, done.returncode, done.stdout, done.stderr)
    return done


def script(folder: pathlib.Path, text: str = TRAINER) -> list[str]:
    (folder / "train.py").write_text(text)
    return [sys.executable, "train.py", "{gpus}", "{batch}"]


def report(folder: pathlib.Path) -> dict:
    return json.loads(program.said("report", str(folder / "mine.h5"), "--format", "json"))


def logs(folder: pathlib.Path) -> str:
    return "".join(path.read_text() for path in sorted((folder / "mine.h5.wrap").glob("*.log")))


def runs_by_launch(folder: pathlib.Path) -> list[int]:
    with h5py.File(folder / "mine.h5") as file:
        launches = file["launch_index"][...][file["status"][...] > 0]
        return [int((launches == launch).sum()) for launch in range(len(file["launch"]))]


def lives(process: int) -> bool:
    try:
        return pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False
