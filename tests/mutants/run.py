#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Plant each fault of tests/mutants/*.toml in a scratch copy, build what its check needs, and run the check.

A check must fail on the fault. Results go to a file of JSON lines; faults that stand there are not run again.

  tests/mutants/run.py --list                    # every fault must apply; nothing is built
  tests/mutants/run.py --scratch /tmp/mutants    # copies the sources there and configures a build
  tests/mutants/run.py --scratch /tmp/mutants --only 'ddp-*' exchanges
  tests/mutants/run.py --scratch /tmp/mutants-2 --part 2/8       # beside seven others, each with its scratch
"""
import argparse
import fnmatch
import importlib.util
import json
import os
import pathlib
import shutil
import subprocess
import sys
import threading
import time
import tomllib

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "support"))
from built import environment, launch  # noqa: E402 - its folder is known only now

BUILD = "build/mutants"
PYTHON_FOLDERS = {"cli": "tests/cli", "file": "tests/file"}
RANDOM_CASES = 312  # 24 of each strategy; the first wrong one ends them


def mutants() -> list[dict]:
    found = []
    for path in sorted(pathlib.Path(__file__).parent.glob("*.toml")):
        for mutant in tomllib.loads(path.read_text())["mutant"]:
            found.append({"subject": path.stem, **mutant})
    return found


def planted(root: pathlib.Path, mutant: dict) -> str:
    """Return the file's text with the fault. The old text must stand there exactly once."""
    text = (root / mutant["file"]).read_text()
    count = text.count(mutant["old"])
    if count != 1:
        raise ValueError(f"{mutant['name']}: the old text stands {count} times in {mutant['file']}")
    return text.replace(mutant["old"], mutant["new"])


def problems() -> list[str]:
    wrong = []
    names = [mutant["name"] for mutant in mutants()]
    wrong += [f"{name}: the name stands twice" for name in set(names) if names.count(name) > 1]
    for mutant in mutants():
        try:
            planted(ROOT, mutant)
        except (ValueError, OSError) as error:
            wrong.append(str(error))
    return wrong


def target_and_command(check: str, build: pathlib.Path, cuda: bool) -> tuple[str, list[str]]:
    program = str(build / "bin" / "breakeven")
    if check.startswith("verify-random"):
        ranks = int(check.removeprefix("verify-random").lstrip("-") or (2 if cuda else 3))
        return "breakeven", launch(ranks, program, "verify", "--random", str(RANDOM_CASES), "--seed", "1", "--backend",
                                   "cuda" if cuda else "host")
    kind, _, file = check.partition(":")
    if kind in PYTHON_FOLDERS:
        return "all" if kind == "file" else "breakeven", [
            sys.executable, "-m", "pytest", "-q", "-x", f"{PYTHON_FOLDERS[kind]}/{file}"]
    name, _, ranks = file.partition("-")
    test = [str(build / "bin" / f"test_{kind}"), name]
    return f"test_{kind}", launch(int(ranks or (2 if cuda else 3)), *test) if kind == "mpi" else test


def chosen(options: argparse.Namespace) -> list[dict]:
    """Those with the same check stand together: it is tried once without a fault."""
    found = [one for one in mutants() if (not options.only or one["subject"] in options.only)
             and fnmatch.fnmatch(one["name"], options.pattern) and (one["subject"] != "cuda" or options.cuda)]
    found.sort(key=lambda one: one["check"])
    part, parts = map(int, options.part.split("/"))
    return found[len(found) * (part - 1) // parts:len(found) * part // parts]


def prepare(scratch: pathlib.Path, cuda: bool) -> None:
    """Copy the tracked files as they are and configure a build; a copy that exists is used as it is.

    CUDA kernels are built with random delays, because a missing barrier alone seldom does harm."""
    if (scratch / BUILD).exists():
        return
    for name in subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, stdout=subprocess.PIPE,
                               text=True).stdout.split("\0"):
        if name and (ROOT / name).is_file():
            (scratch / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, scratch / name)
    device = [f"-D{name}={'ON' if cuda else 'OFF'}" for name in ("BREAKEVEN_CUDA", "BREAKEVEN_RANDOM_DELAYS")]
    subprocess.run(["cmake", "-G", "Ninja", "-B", BUILD, "-DCMAKE_BUILD_TYPE=Release", *device], cwd=scratch, check=True)


def run_check(mutant: dict, scratch: pathlib.Path, build: pathlib.Path, options: argparse.Namespace) -> dict:
    """Build and run what is there: `caught` if the check fails, also by not ending."""
    cuda = mutant["subject"] == "cuda"
    target, command = target_and_command(mutant["check"], build, cuda)
    device = {"BREAKEVEN_TEST_DEVICE": "cuda"} if cuda else {}
    made = subprocess.run(["ninja", "-C", str(build), f"-j{options.jobs}", target], cwd=scratch, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True)
    if made.returncode != 0:
        return {"result": "does not build", "detail": made.stdout[-600:]}
    checked = subprocess.Popen(command, cwd=scratch, env={**environment(build), **device}, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, text=True)
    late = threading.Timer(options.timeout, checked.terminate)
    late.start()
    detail = []
    for line in checked.stdout:
        if "WRONG" in line or "FAILED" in line or "Error" in line:
            detail.append(" ".join(line.split()))
        if line.rstrip().endswith(": WRONG"):  # one wrong case is enough
            checked.terminate()
    code = checked.wait()
    late.cancel()
    return {"result": "survived" if code == 0 else "caught", "detail": " | ".join(detail[:2])[:200]}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("only", nargs="*", metavar="SUBJECT", help="files of tests/mutants, without .toml")
    parser.add_argument("--list", action="store_true", help="only check that every fault applies")
    parser.add_argument("--only", dest="pattern", default="*", help="names of faults, as a shell pattern")
    parser.add_argument("--part", default="1/1", metavar="I/N", help="only the I-th of N equal parts")
    parser.add_argument("--scratch", type=pathlib.Path, help="folder of the copy")
    parser.add_argument("--results", type=pathlib.Path, help="file of JSON lines; default: SCRATCH/mutants.jsonl")
    parser.add_argument("--cuda", action="store_true", help="also the faults of the CUDA kernels")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--timeout", type=float, default=300, help="seconds for one check")
    options = parser.parse_args()
    wrong = problems()
    print("\n".join(wrong) or f"{len(mutants())} faults apply")
    if options.list or wrong:
        return 1 if wrong else 0
    if options.scratch is None:
        parser.error("--scratch FOLDER is missing")
    if importlib.util.find_spec("pytest") is None:
        parser.error(f"{sys.executable} has no pytest, which some checks need")
    scratch = options.scratch.resolve()
    prepare(scratch, options.cuda)
    build = scratch / BUILD
    results = options.results or scratch / "mutants.jsonl"
    known = {json.loads(line)["name"] for line in results.read_text().splitlines()} if results.exists() else set()
    survived = 0
    is_sound = {}  # by check: whether it passes without a fault
    for mutant in chosen(options):
        if mutant["name"] in known:
            continue
        check = mutant["check"]
        if check not in is_sound:
            outcome = run_check(mutant, scratch, build, options)
            is_sound[check] = outcome["result"] == "survived"
            if not is_sound[check]:
                print(f"{check} fails without a fault: {outcome}", file=sys.stderr)
        if not is_sound[check]:
            continue
        start, path = time.time(), scratch / mutant["file"]
        right = path.read_text()
        try:
            path.write_text(planted(scratch, mutant))
            outcome = run_check(mutant, scratch, build, options)
        finally:
            path.write_text(right)
        line = {"name": mutant["name"], "subject": mutant["subject"], "check": mutant["check"],
                "seconds": round(time.time() - start, 1), **outcome}
        with results.open("a") as file:
            file.write(json.dumps(line) + "\n")
        print(json.dumps(line), flush=True)
        survived += outcome["result"] != "caught"
    return 1 if survived or not all(is_sound.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
