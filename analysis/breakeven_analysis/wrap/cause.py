# SPDX-License-Identifier: Apache-2.0
"""What a program's log says about why it failed. A launcher says last that some program failed, and not why."""

import re
from pathlib import Path

TAIL_BYTES, TAIL_LINES = 2**16, 40
LONGEST = 100  # letters that are quoted
RANK = r"(?:\[[^\]\s]*\](?:<\w+>)?:? ?|\d+: )?"  # what launchers and PyTorch write before a rank's line
RULE = re.compile(r"\s*[-=]{20,}\s*")
OPEN_MPI = re.compile(r"mpirun|mpiexec|prterun|Primary job|MPI_ABORT|Open MPI")  # within a block between rules
LAUNCHER = re.compile(
    rf"{RANK}(?:srun: |slurmstepd: error: \*\*\* (?:STEP|JOB)|\[mpiexec@|\[proxy:|=   |Process name: |Exit code: "
    r"|Primary job |Root Cause|Failures:|<NO_OTHER_FAILURES>)"
)
TORCHRUN_ENDS = re.compile(r"torch[./]distributed[./]elastic\S*api.*(?:failed|closing signal)", re.IGNORECASE)
EXCEPTION = re.compile(rf"{RANK}(?:\w+\.)*\w*(?:Error|Exception|Interrupt)(?::|$)")
# A number behind it is a measured error.
COMPLAINT = re.compile(
    r"\b(?:error: (?!\d)|fatal\b|abort(?:ed)?\b|panic|out of memory\b|segmentation fault|killed\b)", re.IGNORECASE
)


def cause_in(log: Path) -> str:
    """An exception or an error of the program, else its last line; "" if it said nothing."""
    with log.open("rb") as stream:
        stream.seek(max(0, log.stat().st_size - TAIL_BYTES))
        lines = re.split(r"[\r\n]+", stream.read().decode(errors="replace"))
    own = [line for line in of_program(lines) if has_words(line)][-TAIL_LINES:]
    for pattern in (EXCEPTION.match, COMPLAINT.search):
        found = next((line for line in reversed(own) if pattern(line)), "")
        if found:
            return quoted(found)
    return quoted(own[-1] if own else first_words(lines))


def of_program(lines: list[str]) -> list[str]:
    """Without what the launcher says about the program's end."""
    end = next((place for place, line in enumerate(lines) if TORCHRUN_ENDS.search(line)), len(lines))
    kept: list[str] = []
    block: list[str] | None = None  # since the last rule
    for line in lines[:end]:
        if not RULE.fullmatch(line):
            (kept if block is None else block).append(line)
        elif block is None:
            block = []
        else:
            kept += [] if any(map(OPEN_MPI.search, block)) else block
            block = None
    return [line for line in kept + (block or []) if not LAUNCHER.match(line.lstrip())]


def first_words(lines: list[str]) -> str:
    """Of a launcher that could not start the program: its first sentence, which goes on over lines."""
    said = " ".join(word for line in lines if has_words(line) for word in line.split())
    return re.split(r"(?<=\.) ", said)[0]


def has_words(line: str) -> bool:
    return any(map(str.isalnum, line))


def quoted(line: str) -> str:
    return line.strip()[:LONGEST]
