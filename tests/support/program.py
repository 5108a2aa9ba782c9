# SPDX-License-Identifier: Apache-2.0
"""Starts the program under test as a user would; CTest names it and the launcher in the environment."""
import os
import shlex
import subprocess


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
