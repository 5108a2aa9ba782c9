# SPDX-License-Identifier: Apache-2.0
"""Every command of docs/own-loop.md runs as it stands there, on one and two ranks, and its file answers the question."""
import json
import os
import pathlib
import re
import subprocess

import program
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "own-loop.md").read_text(encoding="utf-8")
COMMANDS = re.findall(r"^```sh\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
PYTHON = pathlib.Path(os.environ.get("BREAKEVEN_PYTHON", "/nonexistent/python"))
if not PYTHON.exists():
    pytest.skip("the package of analysis/ is not installed here", allow_module_level=True)


def typed(command: str, folder: pathlib.Path) -> str:
    """In the project's folder, since the page names files there; its results go to another."""
    command = re.sub(r"\bmpirun(?= )", os.environ["BREAKEVEN_MPIRUN"], re.sub(r"(mine|wrapped)\.h5", rf"{folder}/\g<0>", command))
    command = re.sub(r"\bpython3(?= )", str(PYTHON), command)  # mpirun by its full path finds its neighbours first
    paths = [os.path.dirname(os.environ["BREAKEVEN"]), str(PYTHON.parent), os.environ["PATH"]]
    environment = {**os.environ, "PATH": os.pathsep.join(paths), "CUDA_VISIBLE_DEVICES": "", "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(["bash", "-ec", command], cwd=ROOT, env=environment, capture_output=True, text=True, timeout=200,
                          check=False)
    assert done.returncode == 0, f"{command}\nended with {done.returncode}:\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def answered(folder: pathlib.Path) -> str:
    """All commands of the page in one go; without settling, which takes seconds a run."""
    assert COMMANDS[0].count("--output mine.h5") == 2 and "mpirun -np 2" in COMMANDS[0]
    return typed(COMMANDS[0].replace("--output mine.h5", "--output mine.h5 --settle 0"), folder)


def test_one_and_two_ranks_meet_in_one_file(answered: str, folder: pathlib.Path) -> None:
    said = json.loads(program.said("report", str(folder / "mine.h5"), "--format", "json"))
    assert said["runs"]["planned"] == said["runs"]["verified"] == 18
    assert len(said["launches"]) == 3, "three runs of each case"
    cases = {(case["batch"], case["strategy"]): case for case in said["cases"]}
    assert set(cases) == {(batch, name) for batch in (64, 256, 1024) for name in ("single", "numpy-ddp")}
    for (batch, name), case in cases.items():
        assert case["parameters"] == 163840 and case["step_seconds"] > 0 and case["speedup"] > 0, (batch, name)
        if name != "single":
            assert case["speedup_low"] < case["speedup"] < case["speedup_high"], "an interval between three launches"
    assert said["break_evens"], "a break-even, or that there is none"


def test_wrap_starts_the_example_on_one_and_two_ranks(folder: pathlib.Path) -> None:
    """Both sides of every speed-up in each launch; the file that the example names is not written."""
    assert len(COMMANDS) == 2 and "breakeven wrap --gpus 1,2" in COMMANDS[1] and "--launches 3" in COMMANDS[1]
    said = typed(COMMANDS[1].replace("--launches 3", "--launches 1").replace("{batch}", "{batch} --settle 0"), folder)
    assert "4 of 4 runs measured" in said and "numpy-ddp" in said and not (ROOT / "mine.h5").exists()
    report = json.loads(program.said("report", str(folder / "wrapped.h5"), "--format", "json"))
    assert report["runs"]["planned"] == report["runs"]["verified"] == 4 and len(report["launches"]) == 1
    assert {(case["batch"], case["gpus"]) for case in report["cases"]} == {(64, 1), (64, 2), (256, 1), (256, 2)}
    assert all(case["speedup"] > 0 for case in report["cases"])
    assert "lacks nothing" in program.said("check", str(folder / "wrapped.h5"))


def test_report_and_advice_answer(answered: str) -> None:
    report, advice = re.sub(r"\s+", " ", answered).split("breakeven advise", maxsplit=1)  # whatever the line breaks
    assert re.search(r"numpy-mlp on 2x .+ numpy-ddp: \S", report), answered
    assert "to train numpy-mlp (163,840 parameters) at batch 512" in advice, answered
    assert "(predicted, interpolated)" in advice, answered


def test_what_has_no_formula_is_a_sentence(answered: str, folder: pathlib.Path) -> None:
    file = str(folder / "mine.h5")
    beyond = program.alone("advise", file, "--model", "numpy-mlp", "--batch", "4096")
    program.check_refusal(beyond, 5, "answers for the measured batches (64 to 1,024) and between them")
    more = program.alone("predict", file, "--model", "numpy-mlp", "--batch", "64", "--gpus", "2..8")
    program.check_refusal(more, 1, "breakeven does not know those of 'numpy-mlp'")
    other = program.alone("advise", file, "--model", "gpt", "--batch", "64")
    program.check_refusal(other, 1, "mine.h5 holds numpy-mlp")


def test_other_commands_take_the_file(answered: str, folder: pathlib.Path) -> None:
    file, copy = str(folder / "mine.h5"), str(folder / "copy.h5")
    program.said("merge", file, "--output", copy)
    assert "6 cases compared" in program.said("compare", file, copy)
    program.said("trace", file, "--run", "1", "--output", str(folder / "trace.json"))
    assert json.loads((folder / "trace.json").read_text())["traceEvents"]
