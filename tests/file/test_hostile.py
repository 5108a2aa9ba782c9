# SPDX-License-Identifier: Apache-2.0
"""Files that somebody made to crash, hang or exhaust a reader: one sentence, within seconds and little memory."""
import os
import resource
import time
from collections.abc import Callable

import h5py
import pytest
from hostile_files import CHANGES, without_label_checksums, zero_heap
from results_file import FORMULA_RUNS, ResultsFile, check_refused, run

MEMORY_BYTES = 4 << 30
SECONDS = 30


@pytest.mark.parametrize("change, words", CHANGES)
def test_is_refused(results: ResultsFile, change: Callable[[h5py.File], None], words: str) -> None:
    results.write(2, "create", 1, 3, 4)
    with h5py.File(results.path, "r+") as file:
        without_label_checksums(file)
        change(file)
    began = time.monotonic()
    done = run([FORMULA_RUNS, "check", results.path],
               preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES)))
    assert time.monotonic() - began < SECONDS
    check_refused(done, str(results.path), words)
    assert "src/hdf5" not in done.stdout


def test_a_zeroed_heap_does_not_hang(results: ResultsFile) -> None:
    results.write(2, "create", 1, 3, 4)
    zero_heap(results.path)
    began = time.monotonic()
    results.check_fails(str(results.path), "damaged")
    assert time.monotonic() - began < SECONDS


def test_a_pipe_is_no_file(results: ResultsFile) -> None:
    os.mkfifo(results.path)
    results.check_fails(f"{results.path} is not a file")
