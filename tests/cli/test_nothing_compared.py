# SPDX-License-Identifier: Apache-2.0
"""Where nothing was compared, the report says why, and the command that it prints compares."""
import os
import pathlib
import shlex
import subprocess

import program
import pytest

QUICK = ["run", "--backend", "host", "--models", "8-16-4", "--batches", "8", "--warmup", "2", "--steps", "5", "--repeats", "1",
         "--timing", "steps", "--settle", "0"]
ONE_RANK = "One rank measures one GPU."
ONLY_SINGLE = "--strategies named 'single' only, which trains on one GPU."
ONE_GPU = "--gpus named one GPU only."
NO_SINGLE = "--strategies did not name 'single', which the others are compared with."


def headline(file: pathlib.Path) -> str:
    return " ".join(program.said("report", str(file)).split("\n\n")[1].split())


def run_typed(line: str) -> None:
    words = shlex.split(line.replace("mpirun", os.environ["BREAKEVEN_MPIRUN"], 1)
                        .replace("breakeven run", f"{os.environ['BREAKEVEN']} run", 1))
    subprocess.run(words, check=True, capture_output=True, timeout=100)


@pytest.mark.parametrize("ranks, options, causes", [
    (1, ["--gpus", "1"], [ONE_RANK]),
    (1, ["--strategies", "single"], [ONE_RANK, ONLY_SINGLE]),
    (1, ["--strategies=single", "--gpus=1"], [ONE_RANK, ONLY_SINGLE]),
    (1, ["--strategies", "ddp"], [ONE_RANK, NO_SINGLE]),
    (2, ["--strategies", "single"], [ONLY_SINGLE]),
    (2, ["--gpus", "1"], [ONE_GPU]),
    (2, ["--strategies", "zero1,ddp"], [NO_SINGLE]),
    (2, ["--config", "FILE"], [ONLY_SINGLE]),
], ids=lambda value: " ".join(map(str, value)) if isinstance(value, list) else str(value))
def test_the_printed_command_compares(tmp_path: pathlib.Path, ranks: int, options: list[str], causes: list[str]) -> None:
    output, config = tmp_path / "mine.h5", tmp_path / "one.ini"
    config.write_text("strategies = single\ngpus = 1\n", encoding="utf-8")
    options = [str(config) if word == "FILE" else word for word in options]
    program.run_well(ranks, *QUICK, *options, "--output", str(output))
    said = headline(output)
    told, command = said.split(" To compare, run: ")
    assert told == " ".join(["Nothing was compared with one GPU.", *causes]), said
    run_typed(command.split("--append")[0] + "--append")
    assert "times as fast" in headline(output), headline(output)


def test_one_rank_of_one_strategy_gets_a_command_that_compares_before_the_runs(tmp_path: pathlib.Path) -> None:
    output = tmp_path / "mine.h5"
    done = program.alone(*QUICK, "--strategies", "single", "--output", str(output))
    command = done.stderr.splitlines()[0].split("stop and run: ")[1]
    output.unlink()
    run_typed(command)
    assert "times as fast" in headline(output), headline(output)
