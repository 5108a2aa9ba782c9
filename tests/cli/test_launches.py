# SPDX-License-Identifier: Apache-2.0
"""jobs/measure --launches: the suite is measured by several starts of the program, each in an order of its own; what is
missing is measured later."""
import os
import pathlib
import shlex
import subprocess

import pytest
import xarray

ROOT = pathlib.Path(__file__).parents[2]
SUITE = ("models = 33-17-5\nbatches = 12,24\ngpus = all\nstrategies = single,ddp\ntiming = steps\nsettle = 0\nwarmup = 2\n"
         "steps = 5\nrepeats = 3\nbackend = host\n")
RUNS = 4 * 3


def measure(folder: pathlib.Path, launches: int) -> xarray.Dataset:
    (folder / "suite.ini").write_text(SUITE)
    launcher = [*shlex.split(os.environ["BREAKEVEN_MPIRUN"]), "-np", "2"]
    done = subprocess.run(
        [ROOT / "jobs" / "measure", "--launches", str(launches), folder / "suite.ini", os.environ["BREAKEVEN"], *launcher],
        env={**os.environ, "RESULTS": str(folder / "all")}, capture_output=True, text=True, timeout=100, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return xarray.load_dataset(folder / "all.h5")


def order_of(data: xarray.Dataset, launch: int) -> list:
    runs = data.isel(run=data.launch_index.values == launch)
    return [f"{batch} {strategy} {gpus}" for batch, strategy, gpus in
            zip(runs.batch.values, runs.strategy.values, runs.gpus.values)]


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> tuple[pathlib.Path, xarray.Dataset]:
    folder = tmp_path_factory.mktemp("launches")
    return folder, measure(folder, 3)


def test_each_launch_measures_the_whole_suite(measured: tuple) -> None:
    data = measured[1]
    assert data.sizes["launch"] == 3 and data.sizes["run"] == 3 * RUNS
    assert (data.status == 2).all()


def test_each_launch_has_an_order_of_its_own(measured: tuple) -> None:
    orders = [order_of(measured[1], launch) for launch in range(3)]
    assert sorted(orders[0]) == sorted(orders[1]) == sorted(orders[2])
    assert orders[0] != orders[1] and orders[1] != orders[2] and orders[0] != orders[2]


def test_only_what_is_missing_is_measured_again(measured: tuple) -> None:
    folder, before = measured
    (folder / "all.launches" / "2.h5").unlink()
    after = measure(folder, 3)
    same = before.seconds.values == after.seconds.values
    same |= before.seconds.isnull().values
    of_launch = [bool(same[after.launch_index.values == launch].all()) for launch in range(3)]
    assert of_launch == [True, False, True]


@pytest.mark.parametrize("arguments, words", [
    (["--launches", "x", "suite.ini", "breakeven", "mpirun"], "--launches 'x' is not a whole number from 1"),
    (["--launches", "0", "suite.ini", "breakeven", "mpirun"], "--launches '0' is not a whole number from 1"),
    (["--launches"], "--launches '' is not"), (["suite.ini"], "SUITE, PROGRAM or LAUNCHER is missing"), ([], "is missing")])
def test_wrong_arguments_are_refused(arguments: list, words: str) -> None:
    done = subprocess.run([ROOT / "jobs" / "measure", *arguments], capture_output=True, text=True, timeout=10, check=False)
    assert done.returncode == 1 and words in done.stderr and done.stderr.count("\n") == 1, done.stderr


def test_a_log_keeps_what_it_had(tmp_path: pathlib.Path) -> None:
    """Of a launch outside jobs/measure, what the program prints goes into the same file."""
    script = "source jobs/common.sh; launcher=() program=echo; echo before; launch suite.ini here/name; echo after"
    with open(tmp_path / "log", "w", encoding="utf-8") as log:
        subprocess.run(["bash", "-c", script.replace("here", str(tmp_path))], cwd=ROOT, stdout=log, timeout=10, check=True)
    lines = (tmp_path / "log").read_text(encoding="utf-8").splitlines()
    assert [lines[0], lines[-1], len(lines)] == ["before", "after", 4], lines
