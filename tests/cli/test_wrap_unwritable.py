# SPDX-License-Identifier: Apache-2.0
"""`breakeven wrap` where its output or its results file cannot be written."""
import os
import pathlib
import resource
import subprocess

import program
from wrapping import FILE, STEP, runs_by_launch, script, start, wrap

WORDS = ["--gpus", "1", "--batches", "32,64", "--launches", "1", "--step-seconds", STEP, "--"]


def test_unwritable_output_does_not_end_a_measurement(tmp_path: pathlib.Path) -> None:
    with open("/dev/full", "w", encoding="utf-8") as full:
        done = subprocess.run(start(tmp_path, *WORDS, *script(tmp_path)), stdout=full, stderr=subprocess.PIPE, text=True,
                              timeout=100, cwd=tmp_path)
    said = "breakeven wrap: standard output cannot be written: No space left on device\n"
    assert (done.returncode, done.stderr) == (FILE, said)
    assert runs_by_launch(tmp_path) == [2]


def test_a_closed_pipe_is_no_error(tmp_path: pathlib.Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(start(tmp_path, *WORDS, *script(tmp_path)), stdout=writing, stderr=subprocess.PIPE, text=True,
                          timeout=100, cwd=tmp_path)
    os.close(writing)
    assert (done.returncode, done.stderr) == (0, "") and runs_by_launch(tmp_path) == [2]


def limited(folder: pathlib.Path, kibibytes: int) -> subprocess.CompletedProcess:
    most = kibibytes * 1024
    return subprocess.run(start(folder, *WORDS, *script(folder)), capture_output=True, text=True, timeout=100, cwd=folder,
                          preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (most, most)))


def test_too_little_space_is_said_before_anything_is_measured(tmp_path: pathlib.Path) -> None:
    done = limited(tmp_path, 20)
    program.check_refusal(done, FILE, "bytes, and files may have 20480 bytes (ulimit -f)")
    assert done.stdout == "" and not list(tmp_path.glob("mine.h5.wrap/*.log"))


def test_a_file_that_cannot_be_written_is_one_sentence(tmp_path: pathlib.Path) -> None:
    program.check_refusal(limited(tmp_path, 100), FILE, "File too large")
    assert not list(tmp_path.glob("*.partial")) and not (tmp_path / "mine.h5").exists()
    wrap(tmp_path, "--resume", *WORDS, *script(tmp_path))
    assert runs_by_launch(tmp_path) == [2]
