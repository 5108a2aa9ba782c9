# SPDX-License-Identifier: Apache-2.0
"""Training on handwritten digits reaches over 97 % test accuracy in every precision on one and two ranks, and the losses
stay near those of fp32.

Losses are compared as means over 50 steps, because the loss of a single step depends mostly on its 64 samples.

In the first 50 steps rounding has not grown yet: rounding an operand changes a mean loss by less than the rounding itself.
Measured: 2e-4 in bf16 and 3e-5 in tf32 and fp16, where the error of an operand is up to 4e-3 and 5e-4. Those are the bounds.
Later, training amplifies rounding in every precision to the effect of another dropout mask: over the whole curve a mean
difference of 0.6 % was measured, and the bound is 2 %. Precisions of fp32's class differ by the order of additions, here
3e-9 at first and 2e-8 in the end; their bounds leave room for other devices.
"""
import pathlib
import subprocess
import sys

import numpy
import program
import pytest
import xarray

SUPPORT = pathlib.Path(__file__).parents[1] / "support"
STEPS_A_MEAN = 50
STRATEGIES = ["single", "ddp"]
BOUNDS = {  # relative difference from fp32 on one rank: of the first mean of the losses, and averaged over all means
    "fp32": (1e-5, 1e-3),
    "tf32x3": (1e-5, 1e-3),
    "tf32": (2**-11, 2e-2),
    "bf16": (2**-8, 2e-2),
    "fp16": (2**-11, 2e-2),
}


@pytest.fixture(scope="module")
def runs(folder: pathlib.Path) -> dict[tuple[str, str], xarray.Dataset]:
    """All runs, by strategy and precision."""
    device = program.device_options(2)
    subprocess.run([sys.executable, str(SUPPORT / "make_digits.py"), str(folder / "digits.h5")], check=True)
    results = folder / "trained.h5"
    program.run_well(
        2, "run", *device, "--dataset", str(folder / "digits.h5"), "--models", "64-256-128-10", "--batches", "64",
        "--gpus", "all", "--strategies", ",".join(STRATEGIES), "--precisions", ",".join(BOUNDS), "--timing", "steps",
        "--repeats", "1", "--warmup", "2", "--steps", "800", "--output", str(results),
    )
    data = xarray.load_dataset(results)
    assert data.sizes["run"] == len(STRATEGIES) * len(BOUNDS), data.run.values
    places = [data.isel(run=place) for place in range(data.sizes["run"])]
    return {(str(run.strategy.values), str(run.precision.values)): run for run in places}


def mean_losses(run: xarray.Dataset) -> numpy.ndarray:
    """Means over STEPS_A_MEAN steps of the whole batch's loss; NaN stays NaN."""
    losses = run.loss.values[: int(run.gpus)].sum(axis=0)
    return losses.reshape(-1, STEPS_A_MEAN).mean(axis=1)


@pytest.mark.parametrize("precision", BOUNDS)
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_accuracy(runs: dict, strategy: str, precision: str) -> None:
    run = runs[strategy, precision]
    found = run.test_accuracy.values[: int(run.gpus)].tolist()
    assert found and all(accuracy > 0.97 for accuracy in found), found  # NaN fails
    assert len(set(found)) == 1, f"replicas differ: {found}"


@pytest.mark.parametrize("precision", BOUNDS)
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_losses_follow_those_of_fp32(runs: dict, strategy: str, precision: str) -> None:
    reference = mean_losses(runs["single", "fp32"])
    differences = numpy.abs(mean_losses(runs[strategy, precision]) - reference) / reference
    first, whole = differences[0], differences.mean()
    print(f"losses differ from fp32's by {first:.2g} at first, {whole:.2g} on average")
    first_bound, whole_bound = BOUNDS[precision]
    assert first <= first_bound and whole <= whole_bound, (first, whole)  # NaN fails
