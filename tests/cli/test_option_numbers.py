# SPDX-License-Identifier: Apache-2.0
"""Every option of the answering commands and of `topology`, as --help lists it, refuses what is no number of its kind.

tests/measure/test_option_numbers.cpp does the same for the other commands, without starting a process for each.
"""
import pathlib
import re

import pytest
from program import alone, said

FILE = str(pathlib.Path(__file__).parents[2] / "results" / "h200-4-2026-11-21" / "scaling.h5")
ASKED = {
    "report": [FILE],
    "advise": [FILE, "--model", "medium", "--batch", "128"],
    "predict": [FILE, "--model", "medium", "--batch", "128"],
    "compare": [FILE, FILE],
    "trace": [FILE, "--run", "3"],
    "merge": [FILE],
    "topology": ["--backend", "host"],
}
WHOLE = ["-1", "1.5", "18446744073709551616", "nan", "inf", "", "+1", "0x1", "1e3"]
ANY = ["-1", "nan", "inf", "1e999", "", "1,5"]
NUMBERS = {"N": WHOLE, "X": ANY, "HOURS": ANY, "SECONDS": ANY, "PERCENT": ANY}
FREE = {"FILE", "LIST"}  # names of files; names of cases, which the file may lack


def without(option: str, words: list[str]) -> list[str]:
    """Given twice, an option would be refused for that alone."""
    place = words.index(option) if option in words else len(words)
    return words[:place] + words[place + 2:]


@pytest.mark.parametrize("command", ASKED)
def test_no_option_takes_another_kind_of_number(command: str) -> None:
    options = re.findall(r"^  --([a-z-]+) ([A-Za-z,-]+)", said(command, "--help"), re.MULTILINE)
    for name, value in options:
        if value in FREE:
            continue
        for wrong in NUMBERS.get(value, ["-1"]):
            done = alone(command, *without(f"--{name}", ASKED[command]), f"--{name}={wrong}")
            assert done.returncode == 1 and done.stdout == "", (command, name, wrong, done.stdout[:200])
            assert name in done.stderr, (command, name, wrong, done.stderr)


@pytest.mark.parametrize("words", [("advise", "--batch=1,024"), ("advise", "--samples=1,5"), ("advise", "--deadline=1,5h", "--samples=9"),
                                   ("advise", "--price=2,50"), ("advise", "--memory-limit=1,5GB"), ("compare", "--gate=2,5%")])
def test_a_comma_in_a_number_is_answered_with_the_legal_form(words: tuple[str, ...]) -> None:
    command, *options = words
    done = alone(command, *without(options[0].split("=")[0], ASKED[command]), *options)
    assert done.returncode == 1 and done.stderr.count("\n") == 1, done
    assert ". Write numbers without commas, such as 1024 or 1.5" in done.stderr, done.stderr


def test_a_number_cut_at_its_comma_is_no_list() -> None:
    done = alone("run", "--backend", "host", "--models", "8-8", "--batches", "1,024", "--output", "none.h5")
    assert done.returncode == 1 and done.stderr.endswith("Commas separate the values of a list: write 1024, not 1,024\n"), done
