# SPDX-License-Identifier: Apache-2.0
"""Which outputs of a notebook count as stale; `analysis/check notebooks` runs all notebooks."""

from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from types import ModuleType

import nbformat
import pytest

SCRIPT = Path(__file__).resolve().parents[1] / "notebooks" / "execute"
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
    for path in SCRIPT.parent.glob("*.ipynb"):
        for cell in nbformat.read(path, as_version=4).cells:
            for output in cell.get("outputs", []):
                if "image/png" in output.get("data", {}):
                    pictures += 1
                    assert len(output.data[execute.DIGEST]) == 32
    assert pictures > 10
