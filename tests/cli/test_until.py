# SPDX-License-Identifier: Apache-2.0
"""`run --until`: training ends where the quality is reached, the file says when, and the report what that is worth."""
import json
import pathlib
import subprocess
import sys
import tempfile

import numpy
import xarray

SUPPORT = pathlib.Path(__file__).parents[1] / "support"
sys.path.insert(0, str(SUPPORT))
import program  # noqa: E402

WARMUP, STEPS, LOOK, SMOOTH = 5, 400, 25, 10
HOST = ["--backend", "host", "--warmup", str(WARMUP), "--steps", str(STEPS), "--look-every", str(LOOK),
        "--smooth", str(SMOOTH), "--gpus", "1,all", "--instrument", "total"]


def measured(output: pathlib.Path, ranks: int, *options: str) -> xarray.Dataset:
    program.run_well(ranks, "run", *HOST, *options, "--output", str(output))
    return xarray.load_dataset(output, engine="h5netcdf")


def report(file: pathlib.Path) -> dict:
    return json.loads(program.run_well(1, "report", str(file), "--format", "json").stdout)


def check_steps(run: xarray.Dataset) -> None:
    """The first steps_made places are filled and no others, on the ranks that took part."""
    ranks, made = int(run.gpus), int(run.steps_made[0])
    assert 0 < made <= STEPS and (made % LOOK == 0 or made == STEPS), made
    assert (run.steps_made.values[:ranks] == made).all(), run.steps_made.values
    assert bool((run.seconds.sel(phase="step")[:ranks, :made] > 0).all())
    assert bool(run.seconds[:, made:].isnull().all()) and bool(run.loss[:, made:].isnull().all())
    assert (run.looking_seconds.values[:ranks] > 0).all()


def first_mean_below(losses: numpy.ndarray, limit: float) -> int:
    """Measured steps after which the last SMOOTH of them have a mean of at most `limit`."""
    means = numpy.convolve(losses, numpy.ones(SMOOTH) / SMOOTH, mode="valid")
    return int(numpy.argmax(means <= limit)) + SMOOTH


def check_loss(folder: pathlib.Path) -> None:
    limit = 0.75
    data = measured(folder / "loss.h5", 3, "--models", "37-31-5", "--batches", "24", "--until", f"loss={limit}",
                    "--learning-rate", "0.003", "--repeats", "3")
    assert data.sizes["run"] == 9, data.sizes  # single on 1, ddp on 1 and on 3
    by_repeat = {}
    for place in range(data.sizes["run"]):
        run = data.isel(run=place)
        check_steps(run)
        ranks, made = int(run.gpus), int(run.steps_made[0])
        steps = float(run.steps_to_quality[0])
        assert WARMUP + SMOOTH < steps <= WARMUP + made, steps  # NaN fails
        assert steps - WARMUP > made - LOOK, (steps, made)  # it stopped at the first look after
        assert first_mean_below(run.loss.values[:ranks, :made].sum(axis=0), limit) == steps - WARMUP
        by_repeat.setdefault(int(run.repeat), set()).add(steps)
    assert all(len(steps) == 1 for steps in by_repeat.values()), by_repeat  # exact strategies: the same steps
    assert len(set.union(*by_repeat.values())) > 1, by_repeat  # a seed of its own for each repeat
    whole = report(folder / "loss.h5")
    (many,) = [case for case in whole["cases"] if case["gpus"] == 3]
    assert many["quality"] == f"loss={limit}" and many["quality_reached_runs"] == 3, many
    (single,) = [case for case in whole["cases"] if case["strategy"] == "single"]
    ratio = many["quality_speedup"] / many["speedup"]
    # The time to a quality has the steps of a late warm-up in it, which the speed leaves out.
    set_aside = many["steps_set_aside"] + single["steps_set_aside"]
    assert abs(ratio - 1) < 1e-9 or (set_aside > 0 and 0.2 < ratio < 5), (ratio, many, single)
    assert [answer["measure"] for answer in whole["answers"]] == ["samples_per_second", "time_to_quality"]


def check_accuracy(folder: pathlib.Path) -> None:
    digits = folder / "digits.h5"
    subprocess.run([sys.executable, str(SUPPORT / "make_digits.py"), str(digits)], check=True)
    options = ["--dataset", str(digits), "--models", "64-64-10", "--batches", "32", "--repeats", "1"]
    data = measured(folder / "accuracy.h5", 2, *options, "--until", "accuracy=0.8")
    for place in range(data.sizes["run"]):
        run = data.isel(run=place)
        check_steps(run)
        assert float(run.steps_to_quality[0]) == WARMUP + int(run.steps_made[0])
        assert float(run.test_accuracy[0]) >= 0.8, run.test_accuracy.values
    refused("no such quality", 1, "--until 'accuracy=2'", *options, "--until", "accuracy=2")
    refused("no test part", 1, "needs a --dataset", "--until", "accuracy=0.8")


def check_not_reached(folder: pathlib.Path) -> None:
    data = measured(folder / "never.h5", 2, "--models", "37-31-5", "--batches", "24", "--until", "loss=1e-9",
                    "--repeats", "3")
    assert bool(data.steps_to_quality.isnull().all())
    assert (data.steps_made.isel(rank=0).values == STEPS).all()
    text = program.run_well(1, "report", str(folder / "never.h5")).stdout
    assert "not reached" in text and "9 of 9 runs did not reach loss=1e-09" in " ".join(text.split()), text


def refused(why: str, code: int, words: str, *options: str, command: str = "run") -> None:
    done = program.run(2, command, "--backend", "host", *options)
    assert done.returncode == code, (why, done.returncode, done.stderr)
    assert len([line for line in done.stderr.splitlines() if line.startswith("breakeven: ") and words in line]) == 1, (
        why, done.stderr)


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        check_loss(folder)
        check_accuracy(folder)
        check_not_reached(folder)
        refused("verify", 1, "knows no --until", "--until", "loss=1", "--models", "medium-50", command="verify")
        refused("a mean over more steps than there are", 1, "--smooth must be from 1 to 13", "--until", "loss=1",
                "--warmup", "3", "--steps", "10")


if __name__ == "__main__":
    main()
