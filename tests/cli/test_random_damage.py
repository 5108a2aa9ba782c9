# SPDX-License-Identifier: Apache-2.0
"""Random damage to a results file: the report is the same, or one sentence and exit code 5. Never a signal, a hang, or
other numbers."""
import collections
import os
import pathlib
import random
import subprocess
import time

import program
import pytest
from trials import FACTOR, SEED, record

DAMAGES = 60 * FACTOR  # of each kind
SECONDS = 120  # longer than the program's own limit
FILE = 5


@pytest.fixture(scope="module")
def whole(folder: pathlib.Path) -> bytes:
    path = folder / "whole.h5"
    program.run_well(2, "run", "--backend", "host", "--models", "medium-50", "--batches", "16", "--gpus", "1,2",
                     "--strategies", "single,ddp", "--warmup", "2", "--steps", "5", "--repeats", "2", "--output", str(path))
    return path.read_bytes()


def flip_bytes(data: bytearray, dice: random.Random) -> None:
    for _ in range(dice.choice([1, 1, 4, 64])):
        data[dice.randrange(len(data))] ^= 1 << dice.randrange(8)


def flip_metadata(data: bytearray, dice: random.Random) -> None:
    """Near one of HDF5's signatures, where damage does most."""
    signature = dice.choice([b"TREE", b"SNOD", b"HEAP", b"GCOL", b"OHDR", b"FRHP", b"BTHD", b"FHDB"])
    places = [place for place in range(0, len(data) - 4, 8) if data[place:place + 4] == signature]
    first = dice.choice(places) if places else 0
    for _ in range(dice.choice([1, 4])):
        data[min(first + dice.randrange(128), len(data) - 1)] = dice.randrange(256)


def zero_a_block(data: bytearray, dice: random.Random) -> None:
    size = dice.choice([16, 512, 4096])
    first = dice.randrange(len(data)) // size * size
    data[first:first + size] = bytes(len(data[first:first + size]))


def move_a_block(data: bytearray, dice: random.Random) -> None:
    size = 512
    source, target = (dice.randrange(len(data) // size) * size for _ in range(2))
    data[target:target + size] = data[source:source + size]


def truncate(data: bytearray, dice: random.Random) -> None:
    del data[dice.randrange(len(data)):]


KINDS = [flip_bytes, flip_metadata, zero_a_block, move_a_block, truncate]


def outcome(path: pathlib.Path, expected: str) -> str:
    """survived: the same report; refused: a sentence and exit code 5; or what must not happen."""
    try:
        done = subprocess.run([os.environ["BREAKEVEN"], "report", "--format", "json", str(path)], capture_output=True,
                              text=True, errors="replace", timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return "hung"
    if done.returncode == 0:
        return "survived" if done.stdout == expected else "wrong"
    is_sentence = len(done.stderr.splitlines()) == 1 and str(path) in done.stderr and "src/hdf5" not in done.stderr
    return "refused" if done.returncode == FILE and done.stdout == "" and is_sentence else "crashed"


@pytest.mark.parametrize("kind", KINDS)
def test_no_damage_is_dangerous(whole: bytes, tmp_path: pathlib.Path, kind) -> None:
    path = tmp_path / "results.h5"
    path.write_bytes(whole)
    expected = program.said("report", "--format", "json", str(path))
    counts, bad, longest = collections.Counter(), [], 0.0
    for number in range(DAMAGES):
        data = bytearray(whole)
        kind(data, random.Random(f"{kind.__name__} {SEED} {number}"))
        path.write_bytes(data)
        began = time.monotonic()
        found = outcome(path, expected)
        longest = max(longest, time.monotonic() - began)
        counts[found] += 1
        if found not in ("survived", "refused"):
            bad.append((number, found))
    failures = {name: counts[name] for name in ("wrong", "hung", "crashed")}
    record(f"results file: {kind.__name__.replace('_', ' ')}", "report", counts.total(), longest, **failures)
    assert not bad, counts
