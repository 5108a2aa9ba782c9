# SPDX-License-Identifier: Apache-2.0
"""results/record-gpu-tests: every test has one end, and what did not pass or skip ends the script with 3."""
import json
import os
import pathlib
import subprocess

import pytest

ROOT = pathlib.Path(__file__).parents[2]


@pytest.fixture(name="programs")
def fixture_programs(tmp_path: pathlib.Path) -> pathlib.Path:
    folder = tmp_path / "bin"
    folder.mkdir()
    (folder / "breakeven").symlink_to(os.environ["BREAKEVEN"])
    return folder


def record(programs: pathlib.Path, tests: dict[str, list[str]], *options: str) -> tuple[int, list[str]]:
    """The exit code, and the lines of the record."""
    described = [{"name": name, "command": command, "environment": {"WORD": "told"}} for name, command in tests.items()]
    (programs / "tests.json").write_text(json.dumps(described))
    output = programs / "record.txt"
    done = subprocess.run([ROOT / "results" / "record-gpu-tests", "--at-once", "2", "--seconds", "1", "--output", output, *options,
                           programs / "tests.json", programs], capture_output=True, text=True, timeout=60, check=False)
    return done.returncode, output.read_text().splitlines() if output.exists() else [done.stderr]


def test_counts_every_end(programs: pathlib.Path) -> None:
    passes = {"good": ["sh", "-c", '[ "$WORD" = told ]'], "skips": ["sh", "-c", "exit 77"]}
    code, lines = record(programs, passes)
    assert code == 0 and lines[1] == "2 tests: 1 passed, 1 skipped." and "commit " in lines[0], lines
    for command, end, why in ((["sh", "-c", "echo why; exit 9"], "failed (9)", ["why"]),
                              (["sh", "-c", "echo late; sleep 50 & wait"], "out of time", ["late"]),
                              (["PROGRAMS/test_that_is_not_there"], "without a program", []),
                              (["no-such-launcher"], "without a program", [])):
        code, lines = record(programs, {**passes, "bad": command})
        assert code == 3 and f"1 {end}" in lines[1] and lines[4].startswith(f"bad: {end}, "), lines
        assert lines[7:] == (["", f"--- {lines[4]}", *why] if why else []), lines


def test_runs_tests_of_two_ranks_on_more(programs: pathlib.Path) -> None:
    command = ["sh", "-c", '[ "$2" = 4 ]', "mpirun", "-np", "2"]
    code, lines = record(programs, {"one.np1": ["false"], "two.np2": command}, "--ranks", "4")
    assert code == 0 and lines[4].startswith("two.np4: passed"), lines


def write_program(path: pathlib.Path, script: str) -> None:
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)


def test_runs_a_programs_tests_one_by_one_under_a_sanitizer(programs: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_program(programs / "test_some", '[ "$*" = "part --gtest_list_tests" ] && printf "Suite.\\n  One\\n  Two  # of its kind\\n"')
    write_program(programs / "compute-sanitizer", """
        alarms=${*#*--suppressions }
        case "$2 $*" in
          *" part"*) exit 1;;
          racecheck*=Suite.Two) exit 99;;
          racecheck*) grep -q "<func>resident_kernel</func>" "${alarms%% *}";;
          *--suppressions*) exit 1;;
        esac""")
    monkeypatch.setenv("PATH", f"{programs}:{os.environ['PATH']}")
    tests = {"some": ["PROGRAMS/test_some", "part"], "a_script": ["bash", "x.sh"]}
    code, lines = record(programs, tests, "--sanitize", "memcheck,racecheck")
    assert code == 3 and lines[1] == "4 tests: 3 passed, 1 found by the sanitizer.", lines
    assert lines[6].startswith("some Suite.Two, memcheck: passed") and "Suite.Two, racecheck: found" in lines[7], lines


def test_refuses_a_list_without_tests(programs: pathlib.Path) -> None:
    code, lines = record(programs, {})
    assert code == 1 and "has no test to run" in lines[0], lines
