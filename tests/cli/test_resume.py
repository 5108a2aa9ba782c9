# SPDX-License-Identifier: Apache-2.0
"""`run --resume` finishes an interrupted launch, and `merge` joins several files into one."""
import json
import pathlib
import signal
import subprocess

import h5py
import numpy as np
import program
import pytest
import xarray
from held_ranks import hold, release_when_asked

INTERRUPTED, USAGE, FILE = 6, 1, 5
CASES, REPEATS = 3, 24
RUNS = CASES * REPEATS


def plan(steps: int = 60, repeats: int = REPEATS) -> list[str]:
    return ["run", "--backend", "host", "--models", "medium-50", "--batches", "16", "--timing", "steps", "--warmup",
            "2", "--steps", str(steps), "--repeats", str(repeats)]


def load(file: pathlib.Path) -> xarray.Dataset:
    return xarray.load_dataset(file)


def interrupt(file: pathlib.Path, *options: str) -> None:
    """Stops the program as a batch system does, when a few runs are in the file."""
    job = subprocess.Popen(program.command(2, *plan(), *options, "--output", str(file)), stdout=subprocess.PIPE,
                           stderr=subprocess.PIPE, text=True)
    ranks = hold(2, str(file), file.parent, runs=4)
    job.send_signal(signal.SIGUSR1)
    release_when_asked(ranks)
    out, err = job.communicate(timeout=60)
    assert job.returncode == INTERRUPTED, (job.returncode, out, err)


@pytest.fixture(scope="module")
def stopped(folder: pathlib.Path) -> xarray.Dataset:
    """The file of an interrupted launch."""
    file = folder / "resumed.h5"
    interrupt(file)
    return load(file)


@pytest.fixture(scope="module")
def resumed(stopped: xarray.Dataset, folder: pathlib.Path) -> pathlib.Path:
    """The same file after --resume; the printed text is in a file next to it."""
    file = folder / "resumed.h5"
    said = program.run_well(2, *plan(), "--output", str(file), "--resume").stderr
    file.with_suffix(".txt").write_text(said, encoding="utf-8")
    return file


def runs_done(stopped: xarray.Dataset) -> int:
    return int((stopped.status == 2).sum())


def test_an_interrupted_launch_leaves_complete_and_planned_runs(stopped: xarray.Dataset) -> None:
    done = runs_done(stopped)
    assert 4 <= done < RUNS and int((stopped.status == 0).sum()) == RUNS - done, done


def test_resume_says_what_is_left(stopped: xarray.Dataset, resumed: pathlib.Path) -> None:
    said = resumed.with_suffix(".txt").read_text(encoding="utf-8")
    assert f"{RUNS - runs_done(stopped)} of {RUNS} runs are left" in said, said


def test_resume_measures_the_rest(stopped: xarray.Dataset, resumed: pathlib.Path) -> None:
    after, done = load(resumed), runs_done(stopped)
    assert (after.status == 2).all() and after.sizes["run"] == RUNS, after.status.values
    assert list(after.launch_index) == [0] * done + [1] * (RUNS - done), after.launch_index.values


def test_resume_keeps_earlier_runs(stopped: xarray.Dataset, resumed: pathlib.Path) -> None:
    done = slice(runs_done(stopped))
    assert load(resumed).isel(run=done).seconds.identical(stopped.isel(run=done).seconds)


def test_a_complete_file_is_not_changed(resumed: pathlib.Path) -> None:
    content = resumed.read_bytes()
    said = program.run_well(2, *plan(), "--output", str(resumed), "--resume").stderr
    assert f"0 of {RUNS} runs are left" in said and resumed.read_bytes() == content, said


@pytest.mark.parametrize("code, words, options", [
    (FILE, ["holds a different plan", "--optimizer was 'adam' in the file and is 'sgd' now"], [*plan(), "--optimizer", "sgd"]),
    (FILE, ["holds a different plan", "its run 0 is"], plan(steps=61)),
    (FILE, [f"it has {RUNS} runs, this launch plans"], plan(repeats=REPEATS + 1)),
    (USAGE, ["--append adds a launch and --resume finishes one"], [*plan(), "--append"]),
], ids=["optimizer", "steps", "repeats", "append"])
def test_another_plan_is_refused(resumed: pathlib.Path, code: int, words: list[str], options: list[str]) -> None:
    content = resumed.read_bytes()
    done = program.run(2, *options, "--output", str(resumed), "--resume")
    assert done.returncode == code and all(word in done.stderr for word in words), (done.returncode, done.stderr)
    assert resumed.read_bytes() == content


def test_a_data_set_of_other_content_is_refused(tmp_path: pathlib.Path) -> None:
    data, file = tmp_path / "data.h5", tmp_path / "results.h5"
    options = ["run", "--backend", "host", "--models", "5-4-3", "--batches", "16", "--timing", "steps", "--settle", "0",
               "--steps", "20", "--repeats", "2", "--dataset", str(data), "--output", str(file)]
    with h5py.File(data, "w") as made:
        made["features"], made["targets"] = np.ones((64, 5), np.float32), np.zeros((64, 3), np.float32)
    program.run_well(1, *options)
    program.run_well(1, *options, "--resume")
    with h5py.File(data, "r+") as changed:
        changed["features"][0, 0] = 2
    done = program.run(1, *options, "--resume")
    assert done.returncode == FILE and "the checksum of the data set was '" in done.stderr, done.stderr
    program.run_well(1, *options, "--append")
    said = program.alone("report", str(file))
    assert said.returncode == 0 and "wrong" not in said.stdout, said.stdout  # launches on unlike data are not repeats


def test_a_setting_that_was_renamed_is_named_as_it_is_now(tmp_path: pathlib.Path) -> None:
    file = tmp_path / "results.h5"
    program.run_well(1, *plan(repeats=3), "--strategies", "single", "--output", str(file))
    done = program.run(1, *plan(repeats=3), "--strategies", "single", "--target-ci", "5%", "--output", str(file), "--resume")
    assert done.returncode == FILE and "--target-ci was '' in the file and is '0.05' now" in done.stderr, done.stderr


def test_target_ci_counts_runs_of_the_earlier_launch(tmp_path: pathlib.Path) -> None:
    """With a target that no case reaches, all repeats are made."""
    file = tmp_path / "precise.h5"
    interrupt(file, "--target-ci", "0.0001%")
    program.run_well(2, *plan(), "--target-ci", "0.0001%", "--output", str(file), "--resume")
    data = load(file)
    assert (data.status == 2).all() and int((data.stop == 2).sum()) == CASES, data.stop.values


@pytest.fixture(scope="module")
def second(folder: pathlib.Path) -> pathlib.Path:
    file = folder / "second.h5"
    program.run_well(1, *plan(), "--strategies", "single", "--output", str(file))
    return file


@pytest.fixture(scope="module")
def merged(resumed: pathlib.Path, second: pathlib.Path, folder: pathlib.Path) -> pathlib.Path:
    file = folder / "merged.h5"
    program.run_well(1, "merge", str(resumed), str(second), "--output", str(file))
    return file


def test_merge_has_the_runs_of_both(resumed: pathlib.Path, second: pathlib.Path, merged: pathlib.Path) -> None:
    one, two, both = load(resumed), load(second), load(merged)
    assert both.sizes["launch"] == 3 and (both.status == 2).all(), both.sizes
    assert list(both.launch_index) == [*one.launch_index.values, *([2] * two.sizes["run"])]
    count = one.sizes["run"]
    assert both.isel(run=slice(count)).seconds.drop_vars("run").equals(one.seconds.drop_vars("run"))
    assert (both.checksum.values[count:, :1] == two.checksum.values).all()


def test_a_merged_file_is_reported(merged: pathlib.Path) -> None:
    rows = json.loads(program.said("report", str(merged), "--format", "json"))
    assert len(rows["launches"]) == 3, rows["launches"]


def test_merge_overwrites_nothing(resumed: pathlib.Path, merged: pathlib.Path) -> None:
    again = program.run(1, "merge", str(resumed), "--output", str(merged))
    assert again.returncode == FILE and "exists" in again.stderr, again.stderr


def test_merge_refuses_one_launch_twice(resumed: pathlib.Path, tmp_path: pathlib.Path) -> None:
    twice = program.run(1, "merge", str(resumed), str(resumed), "--output", str(tmp_path / "twice.h5"))
    assert twice.returncode == USAGE and "hold the same launch" in twice.stderr, (twice.returncode, twice.stderr)


def test_merge_needs_files(tmp_path: pathlib.Path) -> None:
    nothing = program.run(1, "merge", "--output", str(tmp_path / "none.h5"))
    assert nothing.returncode == USAGE and "merge needs results files" in nothing.stderr, nothing.stderr
