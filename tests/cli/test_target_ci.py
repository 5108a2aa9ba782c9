# SPDX-License-Identifier: Apache-2.0
"""`run --target-ci`: a precise case ends early, the file says why, and the report does not call it a failure."""
import json
import pathlib

import numpy
import program
import pytest
import xarray

FEWEST, REPEATS, PRECISE, ALL = 5, 12, 1, 2
HOST = ["--backend", "host", "--models", "33-17-5", "--batches", "12", "--warmup", "2", "--steps", "4",
        "--timing", "steps", "--repeats", str(REPEATS)]


def measured(output: pathlib.Path, *options: str) -> xarray.Dataset:
    program.run_well(2, "run", *HOST, *options, "--output", str(output))
    return xarray.load_dataset(output)


def report(file: pathlib.Path) -> dict:
    return json.loads(program.said("report", str(file), "--format", "json"))


def check_case(runs: xarray.Dataset) -> int:
    """The runs of a case stop at some repeat, and the last one records the reason."""
    runs = runs.sortby("repeat")
    made = int((runs.status == 2).sum())
    assert FEWEST <= made <= REPEATS, made
    assert (runs.status[:made] == 2).all() and (runs.status[made:] == 0).all(), runs.status.values
    assert (runs.stop[:made - 1] == 0).all() and (runs.stop[made:] == PRECISE).all(), runs.stop.values
    assert int(runs.stop[made - 1]) == (PRECISE if made < REPEATS else runs.stop[made - 1])
    assert int(runs.stop[made - 1]) in (PRECISE, ALL)
    return made


def check_cases(data: xarray.Dataset) -> dict[str, int]:
    """The number of runs of each case."""
    made = {case: check_case(runs) for case, runs in data.groupby(data.strategy + data.gpus.astype(int).astype(str))}
    assert len(made) == 3, made
    return made


@pytest.fixture(scope="module")
def wide(folder: pathlib.Path) -> xarray.Dataset:
    """Nearly any five runs reach 99 %."""
    return measured(folder / "wide.h5", "--target-ci", "99%")


def test_a_wide_target_is_reached_early(wide: xarray.Dataset) -> None:
    made = check_cases(wide)
    assert made["single1"] == max(made.values()), made
    assert min(made.values()) < REPEATS, made


def test_report_counts_runs_that_were_left_out(wide: xarray.Dataset, folder: pathlib.Path) -> None:
    left_out = 3 * REPEATS - sum(check_cases(wide).values())
    whole = report(folder / "wide.h5")
    assert whole["runs"]["left_out"] == left_out and whole["runs"]["not_done"] == [], whole["runs"]
    assert {row["stopped_by"] for row in whole["cases"]} <= {"precise", "repeats"}, whole["cases"]
    text = program.said("report", str(folder / "wide.h5"), "--sections", "provenance,missing")
    assert f"{left_out} left out" in " ".join(text.split()) and "Not done" not in text, text


def test_a_narrow_target_takes_all_repeats(tmp_path: pathlib.Path) -> None:
    """No case reaches 0.0001 %."""
    data = measured(tmp_path / "narrow.h5", "--target-ci", "0.0001%")
    assert (data.status == 2).all() and int((data.stop == ALL).sum()) == 3, data.stop.values
    assert report(tmp_path / "narrow.h5")["runs"]["left_out"] == 0


def test_without_a_target_no_reason_is_recorded(tmp_path: pathlib.Path) -> None:
    plain = measured(tmp_path / "plain.h5")
    assert (plain.status == 2).all() and numpy.all(plain.stop == 0)


def test_an_appended_launch_decides_for_itself(wide: xarray.Dataset, folder: pathlib.Path, tmp_path: pathlib.Path) -> None:
    """The first launch keeps its values."""
    file = tmp_path / "appended.h5"
    file.write_bytes((folder / "wide.h5").read_bytes())
    after = measured(file, "--target-ci", "99%", "--append")
    assert (after.stop[:wide.sizes["run"]].values == wide.stop.values).all()
    check_cases(after.where(after.launch_index == 1, drop=True))


@pytest.mark.parametrize("bad", ["5", "0%", "nonsense"])
def test_refusals(bad: str) -> None:
    refused = program.run(1, "run", *HOST, "--target-ci", bad, "--dry-run")
    assert refused.returncode == 1 and "such as 1% or 0.01" in refused.stderr, refused


def test_dry_run_prints_the_target() -> None:
    planned = program.run_well(1, "run", *HOST, "--target-ci", "2%", "--dry-run").stdout
    assert "half-width of its 95 % intervals is at most 2" in planned, planned
