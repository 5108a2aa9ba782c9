# SPDX-License-Identifier: Apache-2.0
"""Random cases are verified, named by seed and index, and counted."""
import os
import re

import program
import pytest

ON_GPUS = os.environ.get("BREAKEVEN_TEST_DEVICE") == "cuda"
STRATEGIES = 13


@pytest.mark.parametrize("ranks", (1, 2) if ON_GPUS else (1, 2, 4), ids=lambda ranks: f"{ranks} ranks")
def test_random_cases_are_right(ranks: int) -> None:
    done = program.run_well(ranks, "verify", *program.device_options(ranks), "--random", str(2 * STRATEGIES), "--seed",
                            str(ranks))
    lines = [line for line in done.stdout.splitlines() if line.startswith("case ")]
    assert len(lines) == 2 * STRATEGIES and all(line.endswith(": ok") for line in lines), done.stdout
    assert f"{2 * STRATEGIES} random cases of seed {ranks}: {2 * STRATEGIES} ok, 0 wrong" in done.stdout, done.stdout
    counted = re.search(r"Strategy: (.*)", done.stdout)
    assert counted and sum(int(count) for count in re.findall(r" (\d+)(?= |$)", " " + counted[1])) == 2 * STRATEGIES, done.stdout
    for title in ("Precision", "Kernel", "Optimizer"):
        assert f"  {title}" in done.stdout, done.stdout


def test_one_case_is_the_same_again() -> None:
    options = program.device_options(2)
    all_of_them = program.run_well(2, "verify", *options, "--random", "4", "--seed", "9").stdout.splitlines()
    alone = program.run_well(2, "verify", *options, "--random", "4", "--random-case", "3", "--seed", "9").stdout.splitlines()
    assert alone[0] == all_of_them[3], alone


def test_what_is_drawn_cannot_be_given() -> None:
    for option in ("--models=medium", "--steps=5", "--optimizer=sgd"):
        program.check_refusal(program.run(1, "verify", "--random", "3", option), 1,
                              f"--random draws {option.split('=')[0]} itself")
    program.check_refusal(program.run(1, "verify", "--random", "3", "--random-case", "3"), 1,
                          "--random-case 3 is not below --random 3")
