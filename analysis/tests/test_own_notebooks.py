# SPDX-License-Identifier: Apache-2.0
"""Every notebook runs on small files, as users make them, after its file's name was replaced; no cell fails."""

import ast
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import nbformat
import pytest
from IPython.display import Markdown
from matplotlib.figure import Figure

from breakeven_analysis.notebook import Reason, or_reason

NOTEBOOKS = sorted((Path(__file__).resolve().parents[1] / "notebooks").glob("*.ipynb"))
PATH = re.compile(r'"\.\./\.\./results/[^"]+\.h5"')


@pytest.fixture(scope="module", params=["tutorial", "host", "one rank", "two scalings", "wrapped"])
def own_path(request: pytest.FixtureRequest, own_file: Callable[[str], Path]) -> Path:
    return own_file(request.param)


def run_cells(notebook: Path, path: Path) -> list[Any]:
    """The value of each code cell. The first has the path of the reader's file; other machines stay the recorded."""
    cells = [cell.source for cell in nbformat.read(notebook, as_version=4).cells if cell.cell_type == "code"]
    assert PATH.search(cells[0]) and not any(PATH.search(cell) for cell in cells[1:]), "all cells use the first's file"
    cells[0] = PATH.sub(repr(str(path)), cells[0], count=1)
    names: dict[str, Any] = {}
    return [run_cell(re.sub(r"^%.*$", "", cell, flags=re.MULTILINE), names) for cell in cells]


def run_cell(source: str, names: dict[str, Any]) -> Any:
    lines = ast.parse(source)
    last = lines.body.pop() if isinstance(lines.body[-1], ast.Expr) else None
    exec(compile(lines, "cell", "exec"), names)
    return eval(compile(ast.Expression(last.value), "cell", "eval"), names) if isinstance(last, ast.Expr) else None


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda notebook: notebook.stem)
def test_it_runs_on_a_file_of_ones_own(notebook: Path, own_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(notebook.parent)
    values = run_cells(notebook, own_path)
    pictures = sum(isinstance(value, Figure) for value in values)
    reasons = [str(value) for value in values if isinstance(value, Reason)]
    assert pictures or own_path.stem != "host", reasons
    texts = " ".join(str(value.data) for value in values if isinstance(value, Markdown))
    assert not re.search(r"\b0 parameters|(more than|as fast as|with) one GPU|\d GPUs trains", texts)
    assert "Phases were not recorded" not in texts or own_path.stem in ("tutorial", "wrapped"), "the others have them"
    assert all("\n" not in reason and len(reason) > 20 for reason in reasons)


def test_only_refusals_become_reasons() -> None:
    assert or_reason(lambda: 7) == 7
    with pytest.raises(ZeroDivisionError):
        or_reason(lambda: 1 // 0)
