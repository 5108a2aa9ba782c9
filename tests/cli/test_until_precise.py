# SPDX-License-Identifier: Apache-2.0
"""`run --until-precise`: what is precise ends early, the file says why, and the report does not call it a failure."""
import json
import pathlib
import sys
import tempfile

import numpy
import xarray

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
import program  # noqa: E402

FEWEST, REPEATS, PRECISE, ALL = 5, 12, 1, 2
HOST = ["--backend", "host", "--models", "33-17-5", "--batches", "12", "--warmup", "2", "--steps", "4",
        "--instrument", "total", "--repeats", str(REPEATS)]


def measured(output: pathlib.Path, *options: str) -> xarray.Dataset:
    program.run_well(2, "run", *HOST, *options, "--output", str(output))
    return xarray.load_dataset(output, engine="h5netcdf")


def report(file: pathlib.Path) -> dict:
    return json.loads(program.run_well(1, "report", str(file), "--format", "json").stdout)


def check_case(runs: xarray.Dataset) -> int:
    """A case's runs are made up to some repeat, the last has the clause, and none follows."""
    runs = runs.sortby("repeat")
    made = int((runs.status == 2).sum())
    assert FEWEST <= made <= REPEATS, made
    assert (runs.status[:made] == 2).all() and (runs.status[made:] == 0).all(), runs.status.values
    assert (runs.stop[:made - 1] == 0).all() and (runs.stop[made:] == PRECISE).all(), runs.stop.values
    assert int(runs.stop[made - 1]) == (PRECISE if made < REPEATS else runs.stop[made - 1])
    assert int(runs.stop[made - 1]) in (PRECISE, ALL)
    return made


def check_wide_target(folder: pathlib.Path) -> None:
    """99 % is reached by nearly any five runs."""
    file = folder / "wide.h5"
    data = measured(file, "--until-precise", "99%")
    made = {case: check_case(runs) for case, runs in data.groupby(data.strategy + data.gpus.astype(str))}
    assert len(made) == 3 and made["single1"] == max(made.values()), made
    assert min(made.values()) < REPEATS, made
    whole = report(file)
    left_out = 3 * REPEATS - sum(made.values())
    assert whole["runs"]["left_out"] == left_out and whole["runs"]["not_done"] == [], whole["runs"]
    assert {row["stopped_by"] for row in whole["cases"]} <= {"precise", "repeats"}, whole["cases"]
    text = program.run_well(1, "report", str(file)).stdout
    assert f"{left_out} left out" in " ".join(text.split()) and "Not done" not in text, text


def check_narrow_target(folder: pathlib.Path) -> None:
    """0.0001 % is reached by nothing, so that all repeats are made; and without the option nothing is recorded."""
    data = measured(folder / "narrow.h5", "--until-precise", "0.0001%")
    assert (data.status == 2).all() and int((data.stop == ALL).sum()) == 3, data.stop.values
    assert report(folder / "narrow.h5")["runs"]["left_out"] == 0
    plain = measured(folder / "plain.h5")
    assert (plain.status == 2).all() and numpy.all(plain.stop == 0)


def check_append(folder: pathlib.Path) -> None:
    """A second launch decides for itself, and leaves the first as it was."""
    file = folder / "wide.h5"
    before = xarray.load_dataset(file, engine="h5netcdf")
    after = measured(file, "--until-precise", "99%", "--append")
    assert (after.stop[:before.sizes["run"]].values == before.stop.values).all()
    second = after.where(after.launch_index == 1, drop=True)
    for _, runs in second.groupby(second.strategy + second.gpus.astype(int).astype(str)):
        check_case(runs)


def check_refusals() -> None:
    for bad in ("5", "0%", "nonsense"):
        refused = program.run(1, "run", *HOST, "--until-precise", bad, "--dry-run")
        assert refused.returncode == 1 and "such as 1% or 0.01" in refused.stderr, refused
    planned = program.run_well(1, "run", *HOST, "--until-precise", "2%", "--dry-run").stdout
    assert "half of its intervals is at most 2" in planned, planned


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        check_refusals()
        check_wide_target(folder)
        check_narrow_target(folder)
        check_append(folder)


if __name__ == "__main__":
    main()
