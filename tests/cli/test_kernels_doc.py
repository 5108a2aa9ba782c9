# SPDX-License-Identifier: Apache-2.0
"""results/update-kernels-doc writes the measured ladder between its markers, from the JSON of `breakeven kernels`."""
import json
import pathlib
import subprocess
import sys

import program
import pytest

UPDATE = pathlib.Path(__file__).resolve().parents[2] / "results" / "update-kernels-doc"
PAGE = "# Kernels\n\n<!-- ladder:begin -->\nold\n<!-- ladder:end -->\n\nafter\n"


def summary(gemm: str, precision: str, speedup: float | None) -> dict:
    return {"precision": precision, "gemm": gemm, "epilogue": "none", "reference": "cublas", "products": 5,
            "speedup": speedup}


@pytest.fixture(scope="module")
def kernels(folder: pathlib.Path) -> dict:
    """Measured on the host, which has no cuBLAS; the test adds its values."""
    path = folder / "kernels.json"
    program.said("kernels", "--backend", "host", "--models", "33-17-5", "--batches", "12", "--squares", "32,64",
                 "--precisions", "fp32,bf16", "--rounds", "2", "--output", str(path))
    return json.loads(path.read_text(encoding="utf-8")) | {"summary": [
        summary("hopper", "bf16", 1.2345), summary("naive", "fp32", 0.0123), summary("naive", "bf16", None),
        summary("naive", "fp32", 9.0) | {"epilogue": "bias_relu", "reference": "cublaslt"},
    ]}


class Place:
    """A page with the markers, and the file that its table is made from."""

    def __init__(self, folder: pathlib.Path, kernels: dict):
        self.page = folder / "page.md"
        self.file = folder / "kernels.json"
        self.page.write_text(PAGE, encoding="utf-8")
        self.record(kernels)

    def record(self, kernels) -> None:
        self.file.write_text(json.dumps(kernels), encoding="utf-8")

    def update(self, *flags: str) -> subprocess.CompletedProcess:
        command = [sys.executable, UPDATE, *flags, "--page", self.page, self.file]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    def text(self) -> str:
        return self.page.read_text(encoding="utf-8")


@pytest.fixture
def place(tmp_path: pathlib.Path, kernels: dict) -> Place:
    return Place(tmp_path, kernels)


@pytest.fixture
def written(place: Place) -> Place:
    done = place.update()
    assert done.returncode == 0, done.stderr
    return place


def test_check_finds_a_stale_page_and_writes_nothing(place: Place) -> None:
    assert place.update("--check").returncode == 1 and place.text() == PAGE


def test_only_the_part_between_the_markers_changes(written: Place) -> None:
    text = written.text()
    assert text.startswith("# Kernels\n\n<!-- ladder:begin -->\nTimes as fast as cuBLAS"), text
    assert text.endswith("`results/update-kernels-doc`.\n<!-- ladder:end -->\n\nafter\n"), text
    assert "mean over 5 products" in text and "old" not in text


def test_the_ladder_has_the_speeds(written: Place) -> None:
    text = written.text()
    naive, hopper = "| naive | – | 0.0123 |", "| hopper | 1.23 | – |"  # null: no speed
    assert text.index(naive) < text.index(hopper), text


def test_the_largest_square_product_has_its_rate(written: Place, kernels: dict) -> None:
    fastest = next(row for row in kernels["rows"]
                   if row["m"] == 64 and row["gemm"] == "openblas" and row["precision"] == "fp32")
    assert "square product of 64 (layout nt)" in written.text()
    assert f"| openblas | {fastest['flops_per_second'] / 1e12:.3g} |" in written.text(), written.text()


def test_updating_twice_changes_nothing(written: Place) -> None:
    text = written.text()
    assert written.update("--check").returncode == 0
    written.update()
    assert written.text() == text


def test_a_number_that_has_changed_is_found(written: Place, kernels: dict) -> None:
    first, *others = kernels["summary"]
    written.record(kernels | {"summary": [first | {"speedup": 1.3}, *others]})
    assert written.update("--check").returncode == 1


@pytest.mark.parametrize("broken", [{"version": 2}, {"format": "other"}, {"summary": [], "rows": []}, None],
                         ids=["version", "format", "no rows", "a list"])
def test_other_json_is_refused(written: Place, kernels: dict, broken: dict | None) -> None:
    before = written.text()
    written.record([] if broken is None else kernels | broken)
    refused = written.update()
    assert refused.returncode == 1 and refused.stderr.startswith("update-kernels-doc: "), refused.stderr
    assert written.text() == before


def test_a_file_that_is_not_json(place: Place) -> None:
    place.file.write_text("{", encoding="utf-8")
    assert "is not JSON" in place.update().stderr


def test_a_missing_file(place: Place) -> None:
    place.file.unlink()
    assert "cannot be read" in place.update().stderr


def test_a_page_without_markers_is_left_alone(place: Place) -> None:
    place.page.write_text("no markers", encoding="utf-8")
    assert "exactly one" in place.update().stderr and place.text() == "no markers"
