# SPDX-License-Identifier: Apache-2.0
"""`run --until`: training ends when the target is reached, the file records the step, and the report compares the times."""
import json
import pathlib
import subprocess
import sys

import numpy
import program
import pytest
import xarray

SUPPORT = pathlib.Path(__file__).parents[1] / "support"
WARMUP, STEPS, LOOK, SMOOTH = 5, 400, 25, 10
LOSS = 0.75
HOST = ["--backend", "host", "--warmup", str(WARMUP), "--steps", str(STEPS), "--eval-every", str(LOOK),
        "--smooth", str(SMOOTH), "--gpus", "1,all", "--timing", "steps"]
SYNTHETIC = ["--models", "37-31-5", "--batches", "24", "--repeats", "3"]


def measured(output: pathlib.Path, ranks: int, *options: str) -> xarray.Dataset:
    program.run_well(ranks, "run", *HOST, *options, "--output", str(output))
    return xarray.load_dataset(output)


def runs_of(data: xarray.Dataset) -> list[xarray.Dataset]:
    return [data.isel(run=place) for place in range(data.sizes["run"])]


def check_steps(run: xarray.Dataset) -> None:
    """Only the first steps_made places have values, on the ranks that took part."""
    ranks, made = int(run.gpus), int(run.steps_made[0])
    assert 0 < made <= STEPS and (made % LOOK == 0 or made == STEPS), made
    assert (run.steps_made.values[:ranks] == made).all(), run.steps_made.values
    assert bool((run.seconds.sel(phase="step")[:ranks, :made] > 0).all())
    assert bool(run.seconds[:, made:].isnull().all()) and bool(run.loss[:, made:].isnull().all())
    assert (run.looking_seconds.values[:ranks] > 0).all()


def first_mean_below(losses: numpy.ndarray, limit: float) -> int:
    """The first measured step at which the mean loss of the last SMOOTH steps is at most `limit`."""
    means = numpy.convolve(losses, numpy.ones(SMOOTH) / SMOOTH, mode="valid")
    return int(numpy.argmax(means <= limit)) + SMOOTH


@pytest.fixture(scope="module")
def until_loss(folder: pathlib.Path) -> xarray.Dataset:
    """single on 1, ddp on 1 and on 3."""
    data = measured(folder / "loss.h5", 3, *SYNTHETIC, "--until", f"loss={LOSS}", "--learning-rate", "0.003")
    assert data.sizes["run"] == 9, data.sizes
    return data


@pytest.fixture(scope="module")
def report(until_loss: xarray.Dataset, folder: pathlib.Path) -> dict:
    return json.loads(program.said("report", str(folder / "loss.h5"), "--format", "json"))


@pytest.mark.parametrize("run", range(9))
def test_training_ends_at_the_first_evaluation_after_the_loss(until_loss: xarray.Dataset, run: int) -> None:
    run = until_loss.isel(run=run)
    check_steps(run)
    ranks, made, steps = int(run.gpus), int(run.steps_made[0]), float(run.steps_to_quality[0])
    assert WARMUP + SMOOTH < steps <= WARMUP + made, steps  # NaN fails
    assert steps - WARMUP > made - LOOK, (steps, made)
    assert first_mean_below(run.loss.values[:ranks, :made].sum(axis=0), LOSS) == steps - WARMUP


def test_exact_strategies_take_the_same_steps(until_loss: xarray.Dataset) -> None:
    by_repeat = {}
    for run in runs_of(until_loss):
        by_repeat.setdefault(int(run.repeat), set()).add(float(run.steps_to_quality[0]))
    assert all(len(steps) == 1 for steps in by_repeat.values()), by_repeat
    assert len(set.union(*by_repeat.values())) > 1, by_repeat  # each repeat has its own seed


def test_report_has_the_time_to_quality(report: dict) -> None:
    (many,) = [case for case in report["cases"] if case["gpus"] == 3]
    assert many["quality"] == f"loss={LOSS}" and many["quality_reached_runs"] == 3, many
    (single,) = [case for case in report["cases"] if case["strategy"] == "single"]
    ratio = many["quality_speedup"] / many["speedup"]
    # The time to a quality includes the steps of a late warm-up, which the speed leaves out.
    set_aside = many["steps_set_aside"] + single["steps_set_aside"]
    assert abs(ratio - 1) < 1e-9 or (set_aside > 0 and 0.2 < ratio < 5), (ratio, many, single)


def test_report_answers_both_measures(report: dict) -> None:
    assert [answer["measure"] for answer in report["answers"]] == ["samples_per_second", "time_to_quality"]


@pytest.fixture(scope="module")
def digits(folder: pathlib.Path) -> list[str]:
    file = folder / "digits.h5"
    subprocess.run([sys.executable, str(SUPPORT / "make_digits.py"), str(file)], check=True)
    return ["--dataset", str(file), "--models", "64-64-10", "--batches", "32", "--repeats", "1"]


def test_until_accuracy(digits: list[str], tmp_path: pathlib.Path) -> None:
    runs = runs_of(measured(tmp_path / "accuracy.h5", 2, *digits, "--until", "accuracy=0.8"))
    assert len(runs) == 3
    for run in runs:
        check_steps(run)
        assert float(run.steps_to_quality[0]) == WARMUP + int(run.steps_made[0])
        assert float(run.test_accuracy[0]) >= 0.8, run.test_accuracy.values


@pytest.fixture(scope="module")
def never(folder: pathlib.Path) -> xarray.Dataset:
    return measured(folder / "never.h5", 2, *SYNTHETIC, "--until", "loss=1e-9")


def test_a_target_that_is_not_reached_takes_all_steps(never: xarray.Dataset) -> None:
    assert bool(never.steps_to_quality.isnull().all())
    assert (never.steps_made.isel(rank=0).values == STEPS).all()


def test_report_says_that_the_target_is_not_reached(never: xarray.Dataset, folder: pathlib.Path) -> None:
    text = program.said("report", str(folder / "never.h5"))
    assert "not reached" in text and "9 of 9 runs did not reach loss=1e-09" in " ".join(text.split()), text


def check_refused(words: str, *options: str, command: str = "run") -> None:
    done = program.run(2, command, "--backend", "host", *options)
    assert done.returncode == 1, (done.returncode, done.stderr)
    assert len([line for line in done.stderr.splitlines() if line.startswith("breakeven: ") and words in line]) == 1, done.stderr


def test_an_accuracy_above_one_is_refused(digits: list[str]) -> None:
    check_refused("--until 'accuracy=2'", *digits, "--until", "accuracy=2")


@pytest.mark.parametrize("words, command, options", [
    ("needs a --dataset", "run", ["--until", "accuracy=0.8"]),
    ("does not take --until", "verify", ["--until", "loss=1", "--models", "medium-50"]),
    ("--smooth must be from 1 to 13", "run", ["--until", "loss=1", "--warmup", "3", "--steps", "10"]),
], ids=["no test part", "verify", "a mean over more steps than there are"])
def test_refusals(words: str, command: str, options: list[str]) -> None:
    check_refused(words, *options, command=command)
