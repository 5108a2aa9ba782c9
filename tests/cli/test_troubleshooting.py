# SPDX-License-Identifier: Apache-2.0
"""docs/troubleshooting.md names every warning and every part of a loss. Symptoms that are planted give their warning."""
import json
import pathlib
import re

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
TELLING = {"Drift", "No baseline", "Few repeats", "Quality", "Wrong numbers"}  # no sound launch has them


def rows(heading: str) -> list[list[str]]:
    """The cells of the table below a heading."""
    part = re.split(rf"^## {heading}$", PAGE, flags=re.MULTILINE)[1].split("\n## ")[0]
    lines = [line.strip("|\n").split("|") for line in part.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line] for line in lines[2:]]


def test_every_warning_has_a_row() -> None:
    header = (ROOT / "src" / "report" / "warnings" / "warnings.h").read_text(encoding="utf-8")
    symptoms = re.findall(r'= "([^"]+)"', header)
    named = [re.fullmatch(r'<a id="([^"]+)"></a>(.*)', row[0]) for row in rows("Warnings")]
    assert len(symptoms) > 20 and sorted(symptoms) == sorted(row.group(2) for row in named)
    assert all(row.group(1) == row.group(2).lower().replace(" ", "-") for row in named), "what warnings link"


def test_every_cause_of_a_loss_has_a_row() -> None:
    header = (ROOT / "src" / "analysis" / "loss_budget.h").read_text(encoding="utf-8")
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
