# SPDX-License-Identifier: Apache-2.0
"""Which outputs of a notebook count as stale, and which figures in its text are typed.

`analysis/check notebooks` runs all notebooks.
"""

import ast
import re
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from types import ModuleType

import nbformat
import pytest

SCRIPT = Path(__file__).resolve().parents[1] / "notebooks" / "execute"
NOTEBOOKS = sorted(SCRIPT.parent.glob("*.ipynb"))
NUMERAL = re.compile(
    r"\d|\b(two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|\w+ty(?=-)|twenty|thirty|forty|fifty|sixty"
    r"|seventy|eighty|ninety|hundreds?|thousands?|millions?|dozens?|twice|thrice|half|third|quarter)\b",
    re.IGNORECASE,
)
KEPT = ["ddp  1.234567 pays", "digest"]


@pytest.fixture(scope="module")
def execute() -> ModuleType:
    loader = SourceFileLoader("execute", str(SCRIPT))
    spec = spec_from_loader("execute", loader)
    assert spec is not None
    module = module_from_spec(spec)
    loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("now", "stale"),
    [
        (["ddp 1.234568   pays", "digest"], None),
        (["ddp 1.24 pays", "digest"], 1),
        (["ddp nan pays", "digest"], 1),
        (["ddp 1.234567 pays off", "digest"], 1),
        (["ddp 1.234567 pays", "another"], 2),
        (["ddp 1.234567 pays"], 2),
        ([*KEPT, "more"], 3),
    ],
)
def test_an_output_with_other_words_or_numbers_is_stale(execute: ModuleType, now: list[str], stale: int | None) -> None:
    assert execute.stale_cell(KEPT, now) == stale


def test_every_picture_has_a_digest(execute: ModuleType) -> None:
    pictures = 0
    for path in NOTEBOOKS:
        for cell in nbformat.read(path, as_version=4).cells:
            for output in cell.get("outputs", []):
                if "image/png" in output.get("data", {}):
                    pictures += 1
                    assert len(output.data[execute.DIGEST]) == 32
    assert pictures > 10


def numerals_of(text: str) -> list[str]:
    """Digits and number words outside `code`."""
    return [found[0] for found in NUMERAL.finditer(re.sub(r"`[^`]*`", "", text))]


def typed_numerals(cell: nbformat.NotebookNode) -> list[str]:
    """Of a markdown cell, or of a code cell's f"...", where units such as "million" are allowed."""
    if cell.cell_type == "markdown":
        return numerals_of(cell.source)
    tree = ast.parse(re.sub(r"^%.*$", "", cell.source, flags=re.MULTILINE))
    formats = {id(part.format_spec) for part in ast.walk(tree) if isinstance(part, ast.FormattedValue)}
    texts = [part for part in ast.walk(tree) if isinstance(part, ast.JoinedStr) and id(part) not in formats]
    words = [one.value for text in texts for one in text.values if isinstance(one, ast.Constant)]
    return [numeral for word in words for numeral in numerals_of(str(word)) if numeral not in ("million", "thousand")]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_no_figure_in_a_text_is_typed(path: Path) -> None:
    cells = nbformat.read(path, as_version=4).cells
    typed = {number: found for number, cell in enumerate(cells) if (found := typed_numerals(cell))}
    assert not typed, f"let a code cell make these from the file, as Markdown(f'...'): {typed}"


@pytest.mark.parametrize(
    ("source", "typed"),
    [
        ("It holds six batches.", ["six"]),
        ("0.88 instead of `0.32`", ["0", "8", "8"]),
        ("Two GPUs, `zero1` and half of a step", ["Two", "half"]),
        ("one GPU, `ddp:buckets=16MB`", []),
    ],
)
def test_a_typed_figure_is_found(source: str, typed: list[str]) -> None:
    assert typed_numerals(nbformat.v4.new_markdown_cell(source)) == typed


def test_a_typed_figure_in_a_made_sentence_is_found() -> None:
    cell = nbformat.v4.new_code_cell('%matplotlib inline\nMarkdown(f"{len(cases):.2f} million cases at six batches")')
    assert typed_numerals(cell) == ["six"]


def test_the_text_of_a_made_sentence_is_compared(execute: ModuleType) -> None:
    data = {"text/plain": "<IPython.core.display.Markdown object>", "text/markdown": "eight batches"}
    assert execute.output_of(nbformat.v4.new_output("execute_result", data=data)) == "eight batches"
