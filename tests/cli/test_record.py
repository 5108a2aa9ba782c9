# SPDX-License-Identifier: Apache-2.0
"""results/record: the suites of a plan in several launches, only what is missing, and no file whose numbers cannot be right."""
import os
import pathlib
import shlex
import shutil
import subprocess
import time

import h5py
import pytest

ROOT = pathlib.Path(__file__).parents[2]
SUITE = ("models = 33-17-5\nbatches = 12\ngpus = all\nstrategies = single,ddp\ntiming = steps\nsettle = 0\nwarmup = 2\n"
         "steps = 5\nrepeats = 1\nbackend = host\n")


def record(folder: pathlib.Path, *arguments: str) -> subprocess.CompletedProcess:
    launcher = [*shlex.split(os.environ["BREAKEVEN_MPIRUN"]), "-np", "2"]
    return subprocess.run([folder / "results" / "record", *arguments, os.environ["BREAKEVEN"], *launcher],
                          env={name: value for name, value in os.environ.items() if name != "PYTHON"},
                          capture_output=True, text=True, timeout=100, check=False)


@pytest.fixture()
def folder(tmp_path: pathlib.Path) -> pathlib.Path:
    """A project with one plan: two suites, one of them in two launches."""
    for name in ("jobs/suites", "results/plans"):
        (tmp_path / name).mkdir(parents=True)
    shutil.copy(ROOT / "jobs" / "common.sh", tmp_path / "jobs")
    shutil.copy(ROOT / "results" / "record", tmp_path / "results")
    for suite in ("one", "other"):
        (tmp_path / "jobs" / "suites" / f"{suite}.ini").write_text(SUITE)
    (tmp_path / "results" / "plans" / "here").write_text("# SUITE LAUNCHES [OPTION...]\none 2\nother 1 --steps 6\n")
    return tmp_path


def launches_of(file: pathlib.Path) -> list[str]:
    with h5py.File(file) as results:
        return [str(name) for name in results["started"].asstr()[:]]


def test_records_the_plan_and_then_only_what_is_missing(folder: pathlib.Path) -> None:
    here = folder / "results" / "here"
    done = record(folder, "here")
    assert done.returncode == 0, done.stdout + done.stderr
    assert len(launches_of(here / "one.h5")) == 2 and len(launches_of(here / "other.h5")) == 1
    assert (here / "one.md").read_text().startswith("# breakeven report: one.h5")
    kept = launches_of(here / "one.launches" / "1.h5")
    (here / "one.h5").unlink()
    (here / "one.launches" / "2.h5").unlink()
    (here / "one.launches" / "2.part.h5").write_bytes(b"cut off")
    again = record(folder, "here")
    assert again.returncode == 0, again.stdout + again.stderr
    assert again.stdout.count(" run --config ") == 1 and "one.launches/2.part" in again.stdout, again.stdout
    assert launches_of(here / "one.h5")[0] == kept[0]


def test_ends_before_the_minutes_are_over(folder: pathlib.Path) -> None:
    began = time.monotonic()
    done = record(folder, "here", "--minutes", "97")  # its output is a pipe, which nobody may keep open
    assert done.returncode == 0 and time.monotonic() - began < 90, done.stdout + done.stderr
    left = subprocess.run(["pgrep", "-f", "^sleep 5820$"], capture_output=True, check=False)
    assert left.returncode == 1, left.stdout


def test_losses_that_are_not_numbers_make_no_file(folder: pathlib.Path) -> None:
    (folder / "results" / "plans" / "here").write_text("one 1 --learning-rate 1e38\n")
    done = record(folder, "here")
    assert done.returncode == 3 and not (folder / "results" / "here" / "one.h5").exists(), done.stdout + done.stderr
    assert "a loss is not a number" in done.stderr, done.stderr


def test_refuses_what_it_does_not_know(folder: pathlib.Path) -> None:
    for arguments, words in ((["there"], "is none of the plans: here"), (["here", "--only", "x"], "--only names no suite"),
                             (["here", "--minutes", "x"], "is not a whole number"), (["here", "--hours", "1"], "unknown option")):
        done = record(folder, *arguments)
        assert done.returncode == 2 and words in done.stderr, done.stderr


def test_names_files_of_another_program(folder: pathlib.Path) -> None:
    (folder / "results" / "plans" / "here").write_text("one 1\n")
    file = folder / "results" / "here" / "one.h5"
    assert record(folder, "here").returncode == 0
    assert "is of commit" not in record(folder, "here").stderr
    old = ROOT / "results" / "h200-2-2026-11-22" / "seed.h5"
    shutil.copy(old, file)
    done = record(folder, "here")
    assert done.returncode == 0 and f"{file.relative_to(folder)} is of commit " in done.stderr, done.stderr
    assert file.read_bytes() == old.read_bytes()
