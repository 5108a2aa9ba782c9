# SPDX-License-Identifier: Apache-2.0
"""How many trials a test makes of each fault, and their counts for docs/reliability.md.

BREAKEVEN_TRIALS=N makes N times as many trials as `make test`, BREAKEVEN_SEED=N other ones, and BREAKEVEN_RELIABILITY names
a file that gets a line of JSON for each fault."""
import collections
import contextlib
import json
import os
import pathlib
import platform
import re
import subprocess
import time
from collections.abc import Iterator

FACTOR = int(os.environ.get("BREAKEVEN_TRIALS", "1"))
SEED = int(os.environ.get("BREAKEVEN_SEED", "1"))
FAILURES = ("lost", "wrong", "hung", "crashed")


def origin(build: pathlib.Path, command: str) -> dict[str, str]:
    """The first line of a file of counts."""
    version = subprocess.run([build / "bin" / "breakeven", "--version"], capture_output=True, text=True, check=True).stdout
    machine = ", ".join([*gpus(), f"{os.cpu_count()} processor cores", platform.system()])
    return {"commit": re.search(r"\((\S+)\)", version)[1], "command": command, "machine": machine,
            "date": time.strftime("%Y-%m-%d")}


def gpus() -> list[str]:
    """["2 × NVIDIA H200"]; none without a GPU."""
    with contextlib.suppress(OSError, subprocess.CalledProcessError):
        words = ["nvidia-smi", "--query-gpu=name", "--format=csv,noheader"]
        names = subprocess.run(words, capture_output=True, text=True, check=True).stdout.splitlines()
        return [f"{count} × {name}" for name, count in collections.Counter(names).items()]
    return []


def record(fault: str, stage: str, trials: int, longest_seconds: float, **failures: int) -> None:
    """`failures`: how many trials ended in each of FAILURES; all others ended as promised."""
    assert set(failures) <= set(FAILURES), failures
    path = os.environ.get("BREAKEVEN_RELIABILITY")
    if not path:
        return
    counts = {name: failures.get(name, 0) for name in FAILURES}
    line = {"fault": fault, "stage": stage, "trials": trials, **counts, "longest_seconds": round(longest_seconds, 2)}
    with open(path, "a", encoding="utf-8") as log:
        log.write(json.dumps(line) + "\n")


@contextlib.contextmanager
def recorded(fault: str, stage: str) -> Iterator[None]:
    """One trial, which hung if something in it ran out of time, and went wrong if what it checks is not so."""
    begin = time.monotonic()
    failures = {"wrong": 1}
    try:
        yield
        failures = {}
    except subprocess.TimeoutExpired:
        failures = {"hung": 1}
        raise
    finally:
        record(fault, stage, 1, time.monotonic() - begin, **failures)
