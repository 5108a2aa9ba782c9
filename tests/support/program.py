# SPDX-License-Identifier: Apache-2.0
"""Starts the program under test as a user would; CTest names it and the launcher in the environment."""
import os
import shlex
import subprocess
import sys

SKIPPED = 77  # the exit code by which CTest knows it
ENVIRONMENT = 2  # the program's, where there are no such GPUs


def command(ranks: int, *arguments: str) -> list[str]:
    launcher = shlex.split(os.environ["BREAKEVEN_MPIRUN"])
    return [*launcher, "-np", str(ranks), os.environ["BREAKEVEN"], *arguments]


def run(ranks: int, *arguments: str, seconds: int = 100) -> subprocess.CompletedProcess:
    """Both outputs as text; a job that hangs fails the test."""
    return subprocess.run(
        command(ranks, *arguments), capture_output=True, text=True, timeout=seconds, check=False
    )


def run_well(ranks: int, *arguments: str, seconds: int = 100) -> subprocess.CompletedProcess:
    done = run(ranks, *arguments, seconds=seconds)
    assert done.returncode == 0, f"{done.args} ended with {done.returncode}:\n{done.stdout}\n{done.stderr}"
    return done


def device_options(ranks: int) -> list[str]:
    """The options that name the device under test, BREAKEVEN_TEST_DEVICE: host, or cuda.

    Where there is no GPU the test ends as skipped; where there are fewer GPUs than ranks, they are shared.
    """
    if os.environ.get("BREAKEVEN_TEST_DEVICE", "host") == "host":
        return ["--backend", "host"]
    for options in (["--backend", "cuda"], ["--backend", "cuda", "--share-gpus"]):
        tried = run(ranks, "run", *options, "--dry-run")
        if tried.returncode == 0:
            return options
        assert tried.returncode == ENVIRONMENT, f"{tried.args}:\n{tried.stdout}\n{tried.stderr}"
    print(f"skipped: {tried.stderr.splitlines()[0]}")
    sys.exit(SKIPPED)
