# SPDX-License-Identifier: Apache-2.0
"""Starts the program under test as a user would; CTest names it and the launcher in the environment."""
import functools
import os
import re
import shlex
import subprocess

import pytest

ENVIRONMENT = 2  # the exit code without enough GPUs


def command(ranks: int, *arguments: str) -> list[str]:
    launcher = shlex.split(os.environ["BREAKEVEN_MPIRUN"])
    return [*launcher, "-np", str(ranks), os.environ["BREAKEVEN"], *in_bursts(arguments)]


def in_bursts(arguments: tuple[str, ...]) -> list[str]:
    """Without settling, which takes up to seconds a run, unless the test names --settle or a file of options."""
    if arguments[:1] != ("run",) or {"--settle", "--config"} & set(arguments):
        return list(arguments)
    return ["run", "--settle", "0", *arguments[1:]]


def run(ranks: int, *arguments: str, seconds: int = 100) -> subprocess.CompletedProcess:
    """Both outputs as text. A job that hangs fails the test."""
    return subprocess.run(
        command(ranks, *arguments), capture_output=True, text=True, timeout=seconds, check=False
    )


def run_well(ranks: int, *arguments: str, seconds: int = 100) -> subprocess.CompletedProcess:
    return ended_well(run(ranks, *arguments, seconds=seconds))


def alone(*arguments: str, seconds: int = 100, **options) -> subprocess.CompletedProcess:
    """One process without a launcher, because a launcher waits after every program that fails."""
    return subprocess.run([os.environ["BREAKEVEN"], *in_bursts(arguments)], capture_output=True, text=True, encoding="utf-8",
                          timeout=seconds, check=False, **options)


def said(*arguments: str, **options) -> str:
    """The output of the program without a launcher."""
    return ended_well(alone(*arguments, **options)).stdout


def ended_well(done: subprocess.CompletedProcess) -> subprocess.CompletedProcess:
    assert done.returncode == 0, f"{done.args} ended with {done.returncode}:\n{done.stdout}\n{done.stderr}"
    return done


def check_refusal(done: subprocess.CompletedProcess, code: int, words: str) -> None:
    """Checks that there is no output, and one error sentence that contains the words."""
    assert done.returncode == code, (done.args, done.returncode, done.stderr)
    sentences = re.findall(r"^breakeven(?: \w+)?: ", done.stderr, re.MULTILINE)
    assert done.stdout == "" and len(sentences) == 1 and words in done.stderr, (done.stdout, done.stderr)


@functools.cache
def words_of(option: str) -> tuple[str, ...]:
    """All words that an option of `breakeven verify` takes, by its refusal of another one."""
    refused = alone("verify", "--backend", "host", option, "-")
    return tuple(re.search(r"'-' is not one of (.*)", refused.stderr)[1].split(", "))


def device_options(ranks: int) -> list[str]:
    """The options that name the device under test, BREAKEVEN_TEST_DEVICE: host, or cuda.

    Without a GPU the test is skipped. With fewer GPUs than ranks, ranks share GPUs.
    """
    if os.environ.get("BREAKEVEN_TEST_DEVICE", "host") == "host":
        return ["--backend", "host"]
    for options in (["--backend", "cuda"], ["--backend", "cuda", "--share-gpus"]):
        tried = run(ranks, "run", *options, "--dry-run")
        if tried.returncode == 0:
            return options
        assert tried.returncode == ENVIRONMENT, f"{tried.args}:\n{tried.stdout}\n{tried.stderr}"
    pytest.skip(tried.stderr.splitlines()[0])
