# SPDX-License-Identifier: Apache-2.0
"""Full or closed standard streams, signals and limits: no measurement is lost, and each error is one sentence."""
import os
import pathlib
import resource
import signal
import subprocess

import h5py
import program
import pytest
from held_ranks import finished_runs, wait_for

USAGE, FILE, INTERRUPTED = 1, 5, 6
QUICK = ["run", "--backend", "host", "--settle", "0", "--models", "64-32-8", "--batches", "16", "--warmup", "2"]


def options(output: pathlib.Path, repeats: int = 2, steps: int = 20) -> list[str]:
    return [*QUICK, "--repeats", str(repeats), "--steps", str(steps), "--output", str(output)]


def launch(output: pathlib.Path, repeats: int = 2) -> list[str]:
    return [os.environ["BREAKEVEN"], *options(output, repeats)]


def statuses(file: pathlib.Path) -> set[int]:
    with h5py.File(file) as content:
        return set(content["status"][...])


@pytest.mark.parametrize("redirection", ["2>/dev/full", "2>&-", "2>/dev/full >&2", ">&- 2>&-"])
def test_standard_error_cannot_end_a_measurement(folder: pathlib.Path, redirection: str) -> None:
    output = folder / f"{abs(hash(redirection))}.h5"
    done = subprocess.run(["sh", "-c", f'exec "$@" {redirection}', "sh", *launch(output)], stdout=subprocess.DEVNULL, timeout=60)
    assert done.returncode == (FILE if ">&2" in redirection or ">&- " in redirection else 0)
    assert statuses(output) == {2}, redirection


@pytest.fixture(scope="module")
def results(folder: pathlib.Path) -> pathlib.Path:
    output = folder / "results.h5"
    subprocess.run(launch(output), check=True, capture_output=True, timeout=60)
    return output


@pytest.mark.parametrize("arguments", [
    "--help", "--version", "run --help", "report FILE", "report FILE --format json", "advise FILE --model 64-32-8 --batch 16",
    "compare FILE FILE", "trace FILE --run 0", "merge FILE --output MERGED", "run --backend host --dry-run",
    "topology --backend host", "verify --backend host --models 64-32-8 --batches 16 --steps 20"])
def test_a_full_standard_output_is_a_file_error(results: pathlib.Path, arguments: str) -> None:
    words = arguments.replace("FILE", str(results)).replace("MERGED", str(results.with_name("merged.h5"))).split()
    with open("/dev/full", "w", encoding="utf-8") as full:
        done = subprocess.run([os.environ["BREAKEVEN"], *words], stdout=full, stderr=subprocess.PIPE, text=True, timeout=60)
    last = done.stderr.splitlines()[-1]
    assert done.returncode == FILE and "standard output" in last, done


@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGTERM, signal.SIGINT, signal.SIGUSR1])
def test_a_signal_ends_the_launch_after_the_run(folder: pathlib.Path, number: signal.Signals) -> None:
    output = folder / f"{number.name}.h5"
    job = subprocess.Popen(launch(output, repeats=300), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    wait_for(lambda: finished_runs(output) > 0 or job.poll() is not None, "finished run", 60)
    job.send_signal(number)
    _, error = job.communicate(timeout=60)
    assert job.returncode == INTERRUPTED and "stopped after run" in error, (job.returncode, error)


def test_nohup_stays_in_force(folder: pathlib.Path) -> None:
    output = folder / "nohup.h5"
    job = subprocess.Popen(launch(output, repeats=60), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                           preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
    wait_for(lambda: finished_runs(output) > 0 or job.poll() is not None, "finished run", 60)
    job.send_signal(signal.SIGHUP)
    assert job.wait(timeout=60) == 0


@pytest.mark.parametrize("ranks", [1, 2])
def test_a_limit_on_file_sizes_is_one_sentence(folder: pathlib.Path, ranks: int) -> None:
    output = folder / f"limited-{ranks}.h5"
    megabytes = 40  # MPI's shared memory takes some; the file would take more
    arguments = options(output, repeats=100, steps=8000)
    command = program.command(ranks, *arguments) if ranks > 1 else [os.environ["BREAKEVEN"], *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=90, check=False,
                          preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (megabytes << 20, megabytes << 20)))
    assert done.returncode == FILE, done
    assert len([line for line in done.stderr.splitlines() if "limited" in line]) == 1, done.stderr


@pytest.mark.parametrize("code, arguments", [
    (USAGE, ["run", "--bad"]), (FILE, ["run", "--backend", "host", "--output", "/dev/null"]),
    (FILE, ["run", "--backend", "host", "--dataset", "/no/such/file", "--output", "FREE"]), (USAGE, ["kernels"]),
    (USAGE, ["verify", "--backend", "host", "--models", "nonsense"])])
def test_a_refusal_is_one_sentence_without_the_launchers_noise(folder: pathlib.Path, code: int, arguments: list[str]) -> None:
    words = [str(folder / "free.h5") if word == "FREE" else word for word in arguments]
    done = program.run(2, *words, seconds=60)
    assert done.returncode == code and done.stdout == "", done
    # mpirun's own event loop warns now and then of a pipe that it has closed itself, whatever the ranks do.
    said = [line for line in done.stderr.splitlines() if not line.startswith("[warn] Epoll ")]
    assert len(said) == 1, done.stderr
