# SPDX-License-Identifier: Apache-2.0
"""Files that cannot be written, and data sets that cannot be read: one sentence, exit code 5, and nothing left behind."""
import os
import pathlib
import resource
import subprocess

import h5py
import numpy as np
import program
import pytest

USAGE, FILE = 1, 5
RUN = ["run", "--backend", "host", "--models", "8-4", "--batches", "16", "--steps", "5", "--gpus", "1"]
TOO_LONG = "a" * 300


@pytest.fixture(scope="module")
def results(folder: pathlib.Path) -> pathlib.Path:
    path = folder / "results.h5"
    program.said(*RUN, "--output", str(path))
    return path


def test_a_pipe_that_nobody_reads_is_not_waited_for(results: pathlib.Path, tmp_path: pathlib.Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    program.check_refusal(program.alone("report", str(results), "--output", str(tmp_path / "pipe"), seconds=20), FILE,
                          "No such device or address")


def limited(*words: str) -> subprocess.CompletedProcess:
    most = 10 * 1024
    return program.alone(*words, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (most, most)))


# ---------------------------------------------------------------- names


@pytest.mark.parametrize("words", [[*RUN, "--output", "NAME"], ["merge", "FILE", "--output", "NAME"], ["repair", "FILE", "NAME"]])
@pytest.mark.parametrize("name, why", [(TOO_LONG, "File name too long"), ("a" * 245, "File name too long"),
                                       ("loop", "Too many levels of symbolic links")])
def test_an_impossible_name(results: pathlib.Path, tmp_path: pathlib.Path, words: list[str], name: str, why: str) -> None:
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    line = [{"NAME": str(tmp_path / name), "FILE": str(results)}.get(word, word) for word in words]
    program.check_refusal(program.alone(*line), FILE, why)
    assert [path.name for path in tmp_path.iterdir()] == ["loop"]


def test_a_link_to_nowhere_is_refused_before_anything_is_measured(tmp_path: pathlib.Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "nowhere")
    done = program.alone(*RUN, "--output", str(tmp_path / "link"))
    program.check_refusal(done, FILE, "is a link to a file that does not exist")


def test_repair_needs_a_name(results: pathlib.Path) -> None:
    program.check_refusal(program.alone("repair", str(results), ""), USAGE, "and a new one")


# ---------------------------------------------------------------- limits


@pytest.mark.parametrize("words", [["merge", "FILE", "--output", "NEW"], ["repair", "FILE", "NEW"]])
def test_space_is_checked_before_a_copy(results: pathlib.Path, tmp_path: pathlib.Path, words: list[str]) -> None:
    new = tmp_path / "new.h5"
    done = limited(*[{"NEW": str(new), "FILE": str(results)}.get(word, word) for word in words])
    program.check_refusal(done, FILE, "bytes, and files may have 10240 bytes (ulimit -f)")
    assert not list(tmp_path.iterdir())


def test_a_report_that_does_not_fit_leaves_the_former_one(results: pathlib.Path, tmp_path: pathlib.Path) -> None:
    words = ["report", str(results), "--format", "json", "--output", str(tmp_path / "report.json")]
    program.check_refusal(limited(*words), FILE, "report.json: File too large")
    assert not list(tmp_path.iterdir())
    (tmp_path / "report.json").write_text("former")
    (tmp_path / "report.json").chmod(0o600)
    assert limited(*words).returncode == FILE and (tmp_path / "report.json").read_text() == "former"
    program.said(*words)
    assert (tmp_path / "report.json").stat().st_mode & 0o777 == 0o600
    assert [path.name for path in tmp_path.iterdir()] == ["report.json"]


# ---------------------------------------------------------------- benchmarks


@pytest.mark.parametrize("line", [
    "kernels --backend host --models 8-4 >/dev/full", "kernels --backend host --models 8-4 --output /dev/full",
    "matmul --backend host --sizes 32 >/dev/full", "kernels --backend host --models 8-4 --gemm-table /no/such/table",
    "matmul --backend host --sizes 32 --gemm-table /no/such/table"])
def test_one_rank_says_one_sentence(line: str) -> None:
    done = subprocess.run(f"{os.environ['BREAKEVEN']} {line}", shell=True, capture_output=True, text=True, timeout=100)
    said = [sentence for sentence in done.stderr.splitlines() if "cannot be" in sentence]
    assert done.returncode == FILE and len(said) == 1 and said[0].startswith("breakeven: "), done
    assert "MPI_ABORT" not in done.stderr and "(while" not in done.stderr


@pytest.mark.parametrize("words", ["matmul --sizes 32", "collectives --largest 1KiB"])
def test_two_ranks_say_one_sentence(words: str) -> None:
    line = f"{os.environ['BREAKEVEN']} {words} --backend host >/dev/full"
    done = subprocess.run([*program.command(2)[:-1], "sh", "-c", line], capture_output=True, text=True, timeout=100)
    said = [sentence for sentence in done.stderr.splitlines() if "cannot be" in sentence]
    assert done.returncode == FILE and len(said) == 1 and said[0].startswith("breakeven: the report"), done
    assert "(while" not in done.stderr


# ---------------------------------------------------------------- data sets


def cut_off(data: bytearray) -> bytes:
    return data[:len(data) // 2]


def spoil_header(data: bytearray) -> bytes:
    return data[:-3000] + b"\x55" * 3000


@pytest.mark.parametrize("change", [cut_off, spoil_header])
def test_a_damaged_data_set(tmp_path: pathlib.Path, change) -> None:
    path = tmp_path / "data.h5"
    dice = np.random.default_rng(1)
    with h5py.File(path, "w") as file:
        file.create_dataset("features", data=dice.normal(size=(64, 8)), chunks=(16, 8), compression="gzip")
        file["targets"] = dice.integers(0, 4, 64)
    program.ended_well(program.alone(*RUN, "--dataset", str(path), "--dry-run"))
    path.write_bytes(change(bytearray(path.read_bytes())))
    done = program.alone(*RUN, "--dataset", str(path), "--dry-run")
    program.check_refusal(done, FILE, f"data set '{path}': it is damaged or cannot be read: ")
    assert "src/data" not in done.stderr
