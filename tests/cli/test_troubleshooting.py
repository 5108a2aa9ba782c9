# SPDX-License-Identifier: Apache-2.0
"""docs/troubleshooting.md names every warning and every part of a loss. Symptoms that are planted give their warning, causes
of a loss its largest part."""
import json
import os
import pathlib
import re
import shlex
import subprocess

import program
import pytest

ROOT = pathlib.Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "troubleshooting.md").read_text(encoding="utf-8")
RUN = ["run", "--backend", "host", "--models", "33-17-5", "--batches", "12", "--warmup", "2"]
USUAL = {"--strategies": "single,ddp", "--steps": "8", "--repeats": "3"}
PLANTED = [  # symptoms, and the options that have them
    ({"Processor cores", "Few launches", "Unsettled", "Warm-up"}, {"--settle": "0", "--steps": "4"}),
    ({"Drift"}, {"--settle": "0.2s", "--settle-tolerance": "1e-9%", "--seconds": "0.01"}),
    ({"No baseline"}, {"--strategies": "ddp"}),
    ({"Few repeats"}, {"--repeats": "1"}),
    ({"Quality"}, {"--until": "loss=1e-9", "--smooth": "2"}),
    ({"Wrong numbers"}, {"--learning-rate": "1e30"}),
]
LOOPS = {"Few steps", "Not steady"}  # of tests/support/planted_loop.py
WAITING = {"Straggler"}  # what its ranks that wait give as well
ELSEWHERE = {"Loss budget": "tests/answer/test_loss_budget.cpp", "Step times": "tests/cli/test_wrap.py"}
LOSSES = ["communication", "compute inefficiency", "lower GEMM efficiency", "strategy overhead", "launch gaps", "waiting"]
BY_HAND = {"lower clocks": "APlantedClockDropIsFound",  # of tests/answer/test_loss_budget.cpp
           **dict.fromkeys(["communication: latency", "communication: bandwidth", "unexplained"], "EveryPartByHand")}
TELLING = {"Drift", "No baseline", "Few repeats", "Quality", "Wrong numbers"}  # no sound launch has them


def rows(heading: str) -> list[list[str]]:
    """The cells of the table below a heading."""
    part = re.split(rf"^## {heading}$", PAGE, flags=re.MULTILINE)[1].split("\n## ")[0]
    lines = [line.strip("|\n").split("|") for line in part.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line] for line in lines[2:]]


def source(path: str) -> str:
    return (ROOT / path).read_text(encoding="utf-8")


def symptoms_by_name() -> dict[str, str]:
    return dict(re.findall(r'(\w+) = "([^"]+)"', source("src/report/warnings/warnings.h")))


def labels_by_key() -> dict[str, str]:
    return dict(re.findall(r'\.key = "([^"]+)",.*?\.label = "([^"]+)"', source("src/analysis/loss_budget.h"), re.DOTALL))


def test_every_warning_has_a_row() -> None:
    symptoms = symptoms_by_name().values()
    named = [re.fullmatch(r'<a id="([^"]+)"></a>(.*)', row[0]) for row in rows("Warnings")]
    assert len(symptoms) > 20 and sorted(symptoms) == sorted(row.group(2) for row in named)
    assert all(row.group(1) == row.group(2).lower().replace(" ", "-") for row in named), "what warnings link"


def test_every_cause_of_a_loss_has_a_row() -> None:
    header = source("src/analysis/loss_budget.h")
    causes = re.findall(r'\.cause = "([^"]+)",\s*\.label = "([^"]+)"', header)
    assert len(causes) > 8 and sorted(label for _, label in causes) == sorted(row[0] for row in rows("More GPUs are slower"))


def test_the_page_names_sections_that_exist() -> None:
    refused = program.alone("report", "--sections", "nonsense", "any.h5").stderr
    known = re.split(r", | or ", refused.split("is not one of ")[1].split("\n")[0])
    named = re.findall(r"--sections ([a-z-]+)`(?:, `([a-z-]+)`)?", PAGE)
    sections = {name for pair in named for name in pair if name}
    assert len(sections) > 8 and sections <= set(known), sections - set(known)


@pytest.mark.parametrize("symptoms, options", PLANTED, ids=[min(symptoms) for symptoms, _ in PLANTED])
def test_planted_symptoms_are_named(tmp_path: pathlib.Path, symptoms: set[str], options: dict[str, str]) -> None:
    path = tmp_path / "results.h5"
    words = [word for pair in {**USUAL, **options}.items() for word in pair]
    done = program.run(2, *RUN, *words, "--output", str(path))
    assert done.returncode == (3 if "Wrong numbers" in symptoms else 0), done.stderr
    warnings = json.loads(program.said("report", str(path), "--format", "json"))["warnings"]
    named = {warning.split(": ")[0] for warning in warnings}
    assert symptoms <= named and named & TELLING <= symptoms, warnings


def test_every_row_is_planted() -> None:
    planted_by_hand = re.findall(r"\{report::symptom::(\w+),", source("tests/answer/test_planted_warnings.cpp"))
    planted = [*(symptoms for symptoms, _ in PLANTED), LOOPS, WAITING, {symptoms_by_name()[name] for name in planted_by_hand}]
    for symptom, path in ELSEWHERE.items():
        assert f"{symptom}: " in source(path)
    assert set().union(*planted, ELSEWHERE) == set(symptoms_by_name().values())
    assert {*LOSSES, *BY_HAND} == {row[0] for row in rows("More GPUs are slower")}
    assert all(f"TEST(LossBudget, {name})" in source("tests/answer/test_loss_budget.cpp") for name in BY_HAND.values())


def loop(ranks: int, path: pathlib.Path, plant: str) -> None:
    python = os.environ.get("BREAKEVEN_PYTHON", "/nonexistent/python")
    if not pathlib.Path(python).exists():
        pytest.skip("the package of analysis/ is not installed here")
    launcher = [*shlex.split(os.environ["BREAKEVEN_MPIRUN"]), "-np", str(ranks)] if ranks > 1 else []
    script = ROOT / "tests" / "support" / "planted_loop.py"
    program.ended_well(subprocess.run([*launcher, python, str(script), str(path), plant], capture_output=True, text=True,
                                      timeout=100, check=False, env={**os.environ, "CUDA_VISIBLE_DEVICES": ""}))


def report_of(path: pathlib.Path) -> dict:
    return json.loads(program.said("report", str(path), "--format", "json"))


@pytest.fixture(scope="module")
def losses(folder: pathlib.Path) -> dict:
    for ranks in (1, 2):
        loop(ranks, folder / "losses.h5", "losses")
    return report_of(folder / "losses.h5")


@pytest.mark.parametrize("cause", LOSSES)
def test_a_planted_cause_is_the_largest_part(losses: dict, cause: str) -> None:
    strategy = cause.replace(" ", "-")
    [budget] = [row for row in losses["loss_budgets"] if row["strategy"] == strategy]
    labels = labels_by_key()
    assert labels[max(labels, key=lambda part: budget[f"loss_{part}_seconds"] or 0)] == cause
    [answer] = [row for row in losses["answers"] if row["strategy"] == strategy]
    assert cause in answer["loss"]


def test_a_rank_that_others_wait_for_is_named(losses: dict) -> None:
    [straggler] = [warning for warning in losses["warnings"] if warning.startswith("Straggler: ")]
    assert "rank 1" in straggler


@pytest.mark.parametrize("symptom", sorted(LOOPS))
def test_loops_with_a_symptom_are_named(tmp_path: pathlib.Path, symptom: str) -> None:
    loop(1, tmp_path / "loop.h5", symptom)
    warnings = report_of(tmp_path / "loop.h5")["warnings"]
    assert any(warning.startswith(f"{symptom}: ") for warning in warnings), warnings
