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


def test_a_rounding_changes_it(tmp_path: pathlib.Path) -> None:
    options = ("--strategies", "ddp", "--precisions", "fp32,bf16", "--learning-rate")
    one, other = checksums(tmp_path / "one.h5", *options, "0.001"), checksums(tmp_path / "other.h5", *options, "0.00100001")
    assert one.keys() == other.keys() and all(one[case] != other[case] for case in one), (one, other)


def test_other_working_copies_change_it_where_parameters_are_sharded(tmp_path: pathlib.Path) -> None:
    options = ("--strategies", "zero1", "--precisions", "bf16", "--learning-rate")
    one, other = checksums(tmp_path / "one.h5", *options, "0.001"), checksums(tmp_path / "other.h5", *options, "0.1")
    assert one.keys() == other.keys() and all(one[case] != other[case] for case in one), (one, other)
