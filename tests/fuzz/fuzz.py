#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fuzzes parsers by libFuzzer, from the seeds beside this file, and prints a line of JSON for each.

usage: tests/fuzz/fuzz.py [--seconds S] [--jobs N] [--seed N] [--keep] [PARSER...]

S: seconds of each parser (60), N: parsers at a time (2). --keep: the inputs that reach most become the new seeds. The exit code
is 3 if an input crashed, hung (10 s) or took too much memory (1 GiB). It is then kept below build/sanitize/findings, and
`BREAKEVEN_PARSER=PARSER build/sanitize/bin/fuzz_parsers INPUT` shows it again.

seeds/PARSER.txt has an input a line, with \\n, \\xff and \\\\ as in Python.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
SEEDS = ROOT / "tests" / "fuzz" / "seeds"
FOLDER = ROOT / "build" / "sanitize"
PROGRAM = FOLDER / "bin" / "fuzz_parsers"
HOW_TO_BUILD = "tests/long/build_sanitized.sh fuzz_parsers"
MEMORY = "/dev/shm"  # writing an input's file on a disk would take longest
LONGEST_INPUT = 300
LIMITS = [f"-max_len={LONGEST_INPUT}", "-len_control=0", "-timeout=10", "-rss_limit_mb=1024", "-detect_leaks=0"]
SANITIZER = "detect_leaks=0:malloc_context_size=3:quarantine_size_mb=32"  # much faster than its defaults
FINDING = re.compile(r"Test unit written to (\S*/(\w+)-\w+)")
# Of the names of findings: which count of results/update-reliability each is.
KINDS = {"crash": "crashed", "oom": "crashed", "timeout": "hung"}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", action="store_true")
    parser.add_argument("parsers", nargs="*")
    options = parser.parse_args()
    if not PROGRAM.exists():
        print(f"skipped: {PROGRAM} is missing; {HOW_TO_BUILD} builds it")
        return 77

    def fuzz_one(name: str) -> dict:
        line = fuzz(name, options.seconds, options.seed, keep=options.keep)
        print(json.dumps(line), flush=True)
        return line

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        lines = list(pool.map(fuzz_one, options.parsers or parsers()))
    return 3 if any(line[kind] for line in lines for kind in KINDS.values()) else 0


def parsers() -> list[str]:
    environment = {name: value for name, value in os.environ.items() if name != "BREAKEVEN_PARSER"}
    return subprocess.run([PROGRAM], env=environment, text=True, stdout=subprocess.PIPE, check=True).stdout.split()


def fuzz(parser: str, seconds: float, seed: int, keep: bool = False) -> dict:
    """The counts of results/reliability."""
    findings = FOLDER / "findings" / parser
    findings.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=MEMORY if os.access(MEMORY, os.W_OK) else None) as name:
        corpus = pathlib.Path(name, "corpus")
        write_corpus(parser, corpus)
        done = run(parser, name, f"-max_total_time={seconds:.0f}", f"-seed={seed}", "-print_final_stats=1",
                   f"-artifact_prefix={findings}/", corpus)
        if keep and done.returncode == 0:
            keep_corpus(parser, pathlib.Path(name))
        found = FINDING.search(done.stdout)
        # libFuzzer's clock goes on while the machine has no time for it.
        is_late = found and found[2] == "timeout" and run(parser, name, found[1]).returncode == 0
    return counts_of(parser, done, is_fault=done.returncode != 0 and not is_late)


def run(parser: str, folder: str, *arguments: object) -> subprocess.CompletedProcess:
    """In a folder of its own, for an option may name a file to write."""
    return subprocess.run([PROGRAM, *LIMITS, *map(str, arguments)], cwd=folder, text=True, errors="replace", check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env={**os.environ, "BREAKEVEN_PARSER": parser, "TMPDIR": folder, "ASAN_OPTIONS": SANITIZER})


def counts_of(parser: str, done: subprocess.CompletedProcess, is_fault: bool) -> dict:
    trials = re.search(r"stat::number_of_executed_units: (\d+)", done.stdout)
    own = re.search(r'^{"inputs": .*}$', done.stdout, re.MULTILINE)  # missing after a crash
    counts = json.loads(own[0]) if own else {"inputs": 0, "refused": 0, "longest_seconds": 0}
    failures = {"lost": 0, "wrong": 0, "hung": 0, "crashed": 0}
    if is_fault:
        found = FINDING.search(done.stdout)
        print(f"{parser}: {done.stdout[-6000:]}\n{parser}: the input is {found[1] if found else 'unknown'}", file=sys.stderr)
        failures[KINDS.get(found[2], "crashed") if found else "crashed"] = 1
    return {"fault": f"{parser.replace('-', ' ')}: mutated", "stage": "its parser, with sanitizers",
            "trials": int(trials[1]) if trials else counts["inputs"], "refused": counts["refused"], **failures,
            "longest_seconds": round(counts["longest_seconds"], 3)}


def write_corpus(parser: str, folder: pathlib.Path) -> None:
    folder.mkdir()
    seeds = SEEDS / f"{parser}.txt"
    lines = seeds.read_text(encoding="ascii").splitlines() if seeds.exists() else []
    for number, line in enumerate(lines):
        (folder / f"{number:04}").write_bytes(line.encode().decode("unicode_escape").encode("latin-1"))


def keep_corpus(parser: str, folder: pathlib.Path) -> None:
    least = folder / "least"
    least.mkdir()
    run(parser, str(folder), "-set_cover_merge=1", "-use_counters=0", least, folder / "corpus").check_returncode()
    inputs = sorted((path.read_bytes() for path in least.iterdir()), key=lambda one: (len(one), one))
    lines = [one.decode("latin-1").encode("unicode_escape").decode("ascii") + "\n" for one in inputs]
    (SEEDS / f"{parser}.txt").write_text("".join(lines), encoding="ascii")


if __name__ == "__main__":
    sys.exit(main())
