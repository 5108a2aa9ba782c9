# SPDX-License-Identifier: Apache-2.0
"""Each rank records a checksum of its weights. Replicas have equal ones, and one rounding more changes it."""
import pathlib

import program
import pytest

h5py = pytest.importorskip("h5py")

RUN = ["run", "--backend", "host", "--models", "37-40-48-5", "--batches", "24", "--gpus", "4", "--warmup", "2",
       "--steps", "4", "--repeats", "1", "--timing", "steps", "--optimizer", "sgd"]
REPLICAS = ["ddp:buckets=1kB", "parameter-server", "zero1", "stale"]


def checksums(path: pathlib.Path, *options: str) -> dict[tuple[str, str], list[float]]:
    program.run_well(4, *RUN, *options, "--settle", "0", "--output", str(path), seconds=300)
    with h5py.File(path) as file:
        labels = zip(file["strategy"].asstr()[:], file["precision"].asstr()[:])
        return dict(zip(labels, file["weights_checksum"][:].tolist()))


def test_replicas_are_equal(tmp_path: pathlib.Path) -> None:
    found = checksums(tmp_path / "all.h5", "--strategies", ",".join([*REPLICAS, "hybrid", "tensor", "fsdp"]),
                      "--precisions", "bf16")
    for (strategy, precision), sums in found.items():
        distinct = len(set(sums))
        if strategy in REPLICAS:
            assert distinct == 1, (strategy, precision, sums)
        elif strategy == "hybrid":  # two parts of the model, on two ranks each
            assert sums[:2] == sums[2:] and distinct == 2, (precision, sums)
        elif strategy == "tensor":
            assert distinct == 4, (precision, sums)
        else:  # fsdp: no rank has the weights
            assert all(one != one for one in sums), (strategy, precision, sums)


# With zero1 in 16 bits only the working copies are whole, and they change by more than a rounding of the parameters.
@pytest.mark.parametrize("strategy, precisions, rate", [("ddp", "fp32,bf16", "0.00100001"), ("zero1", "bf16", "0.1")])
def test_another_learning_rate_changes_it(tmp_path: pathlib.Path, strategy: str, precisions: str, rate: str) -> None:
    options = ("--strategies", strategy, "--precisions", precisions, "--learning-rate")
    one, other = checksums(tmp_path / "one.h5", *options, "0.001"), checksums(tmp_path / "other.h5", *options, rate)
    assert one.keys() == other.keys() and all(one[case] != other[case] for case in one), (one, other)
