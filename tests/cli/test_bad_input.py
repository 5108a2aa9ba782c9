# SPDX-License-Identifier: Apache-2.0
"""What is no readable file, or holds odd values, is refused in one sentence, at once."""
import os
import pathlib
import resource
import subprocess

import h5py
import numpy as np
import pytest
from program import alone, check_refusal

ROOT = pathlib.Path(__file__).parents[2]
FILE = str(ROOT / "results" / "h200-4-2026-11-21" / "scaling.h5")
RUN = ("run", "--backend", "host", "--dry-run", "--gpus", "1", "--strategies", "single")
USAGE, ENVIRONMENT, WRONG_FILE = 1, 2, 5
COMMANDS = {
    "--config": (RUN, USAGE),
    "--topology": (("predict", FILE, "--model", "medium", "--batch", "128"), USAGE),
    "--gemm-table": (RUN, WRONG_FILE),
    "--dataset": (RUN, WRONG_FILE),
}


@pytest.fixture()
def odd(tmp_path: pathlib.Path) -> dict[str, tuple[pathlib.Path, str]]:
    """Paths that name no file to read, with the reason."""
    os.mkfifo(tmp_path / "fifo")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    (tmp_path / "large").write_bytes(b"# \n" * (1 << 20))
    return {
        "folder": (tmp_path, "is a folder, not a file"),
        "device": (pathlib.Path("/dev/zero"), "is not a regular file"),
        "fifo": (tmp_path / "fifo", "is not a regular file"),
        "missing": (tmp_path / "none", "cannot be read: No such file"),
        "unreadable": (tmp_path / "loop", "cannot be read: Too many levels"),
        "large": (tmp_path / "large", "is larger than 1 MiB"),
    }


@pytest.mark.parametrize("option", COMMANDS)
@pytest.mark.parametrize("kind", ["folder", "device", "fifo", "missing", "unreadable", "large"])
def test_what_is_no_file_is_refused(odd: dict[str, tuple[pathlib.Path, str]], option: str, kind: str) -> None:
    words, code = COMMANDS[option]
    path, reason = odd[kind]
    if (option, kind) == ("--dataset", "large"):
        return  # a data set may be large
    done = alone(*words, option, str(path), seconds=20)
    assert done.returncode == code and done.stdout == "", (done.returncode, done.stdout, done.stderr)
    assert done.stderr.startswith("breakeven") or done.stderr.startswith("[rank 0 "), done.stderr
    assert reason in done.stderr.split("\n")[0] and str(path) in done.stderr, done.stderr


FEATURES = np.ones((4, 50), np.float32)
CLASSES = np.array([0, 1, 2, 1])
DATASETS = {
    "test class too large": ({"test_targets": CLASSES + 50}, "class numbers in 'test_targets' must be from 0 to 2"),
    "test class below 0": ({"test_targets": CLASSES - 5}, "class numbers in 'test_targets' must be from 0 to 2"),
    "fractional test class": ({"test_targets": CLASSES + 0.5}, "'test_targets' must hold class numbers"),
    "test targets of another width": ({"test_targets": np.ones((4, 3), int)}, "'test_targets' must hold class numbers"),
    "class below 0": ({"targets": CLASSES - 1}, "class numbers in 'targets' must be from 0 to 1048575"),
    "class too large": ({"targets": CLASSES + (1 << 20)}, "class numbers in 'targets' must be from 0 to 1048575"),
    "test features of another width": ({"test_features": np.ones((4, 49))}, "have different widths"),
    "text": ({"targets": np.array([b"a"] * 4)}, "'targets' does not hold numbers"),
    "NaN": ({"features": FEATURES * np.nan}, "holds a value that is not finite"),
    "three dimensions": ({"features": np.ones((4, 5, 10))}, "must have one or two dimensions"),
}


def write_dataset(path: pathlib.Path, changed: dict[str, np.ndarray]) -> None:
    whole = {"features": FEATURES, "targets": CLASSES, "test_features": FEATURES, "test_targets": CLASSES}
    with h5py.File(path, "w") as file:
        for name, values in {**whole, **changed}.items():
            file[name] = values


@pytest.mark.parametrize("what", DATASETS)
def test_odd_datasets_are_refused(tmp_path: pathlib.Path, what: str) -> None:
    changed, words = DATASETS[what]
    write_dataset(tmp_path / "data.h5", changed)
    done = alone(*RUN, "--models", "50-8-3", "--dataset", str(tmp_path / "data.h5"))
    assert done.returncode == WRONG_FILE and words in done.stderr.split("\n")[0], (done.returncode, done.stderr)


def test_the_whole_dataset_is_taken(tmp_path: pathlib.Path) -> None:
    write_dataset(tmp_path / "data.h5", {})
    assert alone(*RUN, "--models", "50-8-3", "--batches", "4", "--dataset", str(tmp_path / "data.h5")).returncode == 0


def test_a_dataset_larger_than_memory_is_refused(tmp_path: pathlib.Path) -> None:
    with h5py.File(tmp_path / "data.h5", "w") as file:
        file.create_dataset("features", (1 << 30, 1 << 20), np.float32, chunks=(1, 1 << 10))
        file["targets"] = CLASSES
    done = alone(*RUN, "--models", "50-8-3", "--dataset", str(tmp_path / "data.h5"))
    assert done.returncode == WRONG_FILE and "'features' needs 4194304 GiB of memory" in done.stderr, done.stderr


def test_values_in_another_file_are_refused(tmp_path: pathlib.Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    write_dataset(tmp_path / "data.h5", {})
    with h5py.File(tmp_path / "data.h5", "r+") as file:
        del file["features"]
        file.create_dataset("features", (4, 50), np.float32, external=[(str(tmp_path / "fifo"), 0, 800)])
    done = alone(*RUN, "--models", "50-8-3", "--dataset", str(tmp_path / "data.h5"), seconds=20)
    assert done.returncode == WRONG_FILE and "the values of 'features' are in another file" in done.stderr, done.stderr


def alone_within(data_bytes: int, *arguments: str) -> subprocess.CompletedProcess[str]:
    # With too little memory for its buffers a thread of OpenBLAS never ends.
    return alone(*arguments, env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
                 preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_DATA, (data_bytes, data_bytes)))


def test_too_little_memory_is_one_sentence() -> None:
    # The libraries of a build with CUDA take far more than those of another.
    enough_to_start = next(size for size in range(2 << 20, 1 << 30, 2 << 20)
                           if alone_within(size, "--version").returncode == 0)
    done = alone_within(enough_to_start, "report", FILE)
    # The library that reads the file may be the one that runs out: it then says "inflate() failed".
    assert done.returncode in (ENVIRONMENT, WRONG_FILE) and "bad_alloc" not in done.stderr, done
    assert done.stderr.count("\n") == 1 and str(FILE) in done.stderr, done
