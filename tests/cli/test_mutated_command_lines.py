# SPDX-License-Identifier: Apache-2.0
"""Mutated command lines of every command end with a documented exit code and, if refused, with one sentence."""
import collections
import concurrent.futures
import os
import pathlib
import random
import re
import subprocess
import time

import pytest
from program import alone
from trials import FACTOR, SEED, record

ROOT = pathlib.Path(__file__).parents[2]
FILE = str(ROOT / "results" / "h200-4-2026-11-21" / "scaling.h5")
TRIALS = 200 * FACTOR
# Of src/core/failure.h; 77 is for tests.
DOCUMENTED = range(9)
LIBRARY = re.compile(r"std::|basic_string|vector::|bad_alloc|filesystem error|terminate called|nlohmann|boost|H5[A-Z]\w+\(|"
                     r"Segmentation|Assertion|Sanitizer")
ANSWERING = {
    "report": [FILE, "--sections", "speed,warnings", "--models", "medium", "--memory-limit", "12GB", "--price", "2.5",
               "--format", "markdown"],
    "advise": [FILE, "--model", "784-2048-10", "--batch", "64", "--gpus", "4", "--precisions", "fp32", "--samples", "1e6",
               "--deadline", "2h", "--price", "2", "--format", "json"],
    "predict": [FILE, "--model", "medium", "--batch", "128", "--gpus", "2..64", "--scaling", "weak", "--mtbf", "50000",
                "--disk-bandwidth", "20GB/s", "--min-efficiency", "30%", "--format", "csv"],
    "compare": [FILE, FILE, "--gate", "5%", "--format", "text"],
    "trace": [FILE, "--run", "3", "--steps", "2-5"],
    "merge": [FILE, FILE, "--output", "merged.h5"],
    "check": [FILE],
}
# Without a GPU, --backend cuda ends these as soon as their options are read; --dry-run ends `run`.
MEASURING = {
    "run": ["--models", "medium", "--batches", "16,32", "--gpus", "1", "--strategies", "single,ddp", "--steps", "7",
            "--warmup", "3", "--seed", "5", "--settle", "0", "--timeout", "30", "--nccl", "NCCL_ALGO=Ring"],
    "verify": ["--strategies", "ddp", "--batches", "16", "--steps", "5", "--learning-rate", "1e-3"],
    "kernels": ["--models", "medium", "--batches", "16", "--precisions", "fp32", "--rounds", "3", "--squares", "none"],
    "matmul": ["--sizes", "256", "--forms", "all", "--repeats", "8", "--chunks", "4", "--format", "csv"],
    "collectives": ["--operations", "all", "--largest", "4KiB", "--graph", "off"],
    "topology": ["--transport", "auto", "--timeout", "3"],
    "wrap": ["--gpus", "1,2", "--batches", "8,16", "--output", "wrapped.h5", "--step-seconds", "step (.*) s", "--launches", "1",
             "--dry-run", "--", "true", "{gpus}", "{batch}"],
}
ENDS = {"run": ["--backend", "host", "--dry-run"], "wrap": ["{batch}"]}
ODD = ["-1", "0", "", " ", "nan", "inf", "1e999", "1.5", "18446744073709551616", "-9223372036854775809", "--", "-", "=", ",",
       ":", "..", "%", "\x1b[2J", "\n", "ünï", "\udcff", "/", "/dev/zero", "/dev/full", "/no/such/file", "/tmp",
       "a" * 300, "a" * 5000, "%s%n", "1-2-3", "1048577-1", "--help", "--bogus", "ddp:buckets=-1", "999999TB", "--config", "@x"]


def mutated(chance: random.Random) -> list[str]:
    name = chance.choice([*ANSWERING, *ANSWERING, *ANSWERING, *MEASURING])  # MPI takes its time to start
    words = list(ANSWERING.get(name) or MEASURING[name])
    for _ in range(chance.randint(1, 3)):
        place = chance.randrange(len(words) + 1)
        kind = chance.randrange(5)
        if kind == 0 or place == len(words):
            words.insert(place, chance.choice(ODD))
        elif kind == 1:
            del words[place]
        elif kind == 2:
            words[place] = chance.choice(ODD)
        elif kind == 3:
            words[place] += chance.choice(ODD)
        else:
            other = chance.randrange(len(words))
            words[place], words[other] = words[other], words[place]
    return [name, *words, *([] if name in ANSWERING else ENDS.get(name, ["--backend", "cuda"]))]


def problem_of(line: list[str], folder: pathlib.Path) -> str:
    """What is wrong with the end of the command, or ""."""
    line = [word.replace("\0", "") for word in line]
    try:
        done = alone(*line, seconds=60, cwd=folder, errors="replace", env={**os.environ, "CUDA_VISIBLE_DEVICES": ""})
    except subprocess.TimeoutExpired:
        return "hung"
    if done.returncode < 0:
        return f"crashed: signal {-done.returncode}"
    first, *others = [text for text in done.stderr.split("\n") if "warning:" not in text] or [""]
    if done.returncode not in DOCUMENTED:
        return f"exit code {done.returncode}"
    if LIBRARY.search(done.stderr):
        return f"a library's text: {done.stderr}"
    if "\x1b" in done.stderr:
        return "an escape character"
    if done.returncode == 0:
        return ""
    if not re.match(r"(breakeven( \w+)?: |\[rank )", first):
        return f"no sentence: {done.stderr!r}"
    if line[0] in ANSWERING and others != [""]:
        return f"more than a sentence: {done.stderr!r}"
    return ""


def timed_problem_of(line: list[str], folder: pathlib.Path) -> tuple[str, float]:
    begin = time.monotonic()
    return problem_of(line, folder), time.monotonic() - begin


@pytest.fixture()
def here(tmp_path: pathlib.Path) -> pathlib.Path:
    (tmp_path / "work").mkdir()
    return tmp_path / "work"


def test_every_mutated_command_line_ends_well(here: pathlib.Path) -> None:
    chance = random.Random(SEED)
    lines = [mutated(chance) for _ in range(TRIALS)]
    folders = [here / str(number) for number in range(TRIALS)]
    for folder in folders:
        folder.mkdir()
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        ends = list(pool.map(timed_problem_of, lines, folders))
    problems = [problem for problem, _ in ends]
    wrong = [(line, problem) for line, problem in zip(lines, problems, strict=True) if problem]
    failures = collections.Counter(problem.split(":")[0] if problem.startswith(("hung", "crashed")) else "wrong" for _, problem in wrong)
    record("command line: mutated", "all commands", TRIALS, max(seconds for _, seconds in ends), **failures)
    assert not wrong, "\n".join(f"{line}: {problem}" for line, problem in wrong)
