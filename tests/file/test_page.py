# SPDX-License-Identifier: Apache-2.0
"""The table of variables in docs/results-file.md is what the writer makes."""
import pathlib

import h5py
import pytest
from results_file import ResultsFile

PAGE = pathlib.Path(__file__).parents[2] / "docs" / "results-file.md"


def rows_of_the_page():
    """Each with its dimensions, which the bold row above it names; a coordinate's is itself."""
    table = PAGE.read_text(encoding="utf-8").split("<!-- schema -->")[1].split("<!-- end of schema -->")[0]
    dimensions = ""
    for line in table.strip().splitlines()[2:]:
        name, kind, units, meaning = [cell.strip().strip("`") for cell in line[1:-1].split("|")]
        if name.startswith("**"):
            dimensions = name.strip("*")
            continue
        kind = kind or "float64"
        yield [name, name if dimensions == "coordinates" else dimensions, kind, units or ("" if kind == "text" else "1"), meaning]


ON_PAGE = list(rows_of_the_page())


def names_in_order(file):
    """h5py itself lists names by the alphabet, in files that it has not made."""
    names = []
    file.id.links.visit(names.append, idx_type=h5py.h5.INDEX_CRT_ORDER)
    return [name.decode() for name in names]


def dimensions_of(dataset):
    if h5py.h5ds.is_scale(dataset.id):
        return [dataset.name.strip("/")]
    return [axis[0].name.strip("/") for axis in dataset.dims]


def row_of(dataset):
    kind = "text" if h5py.check_string_dtype(dataset.dtype) else str(dataset.dtype)
    texts = [dataset.attrs.get(key, b"").decode() for key in ("dtype", "units", "long_name")]
    return [dataset.name.strip("/"), ", ".join(dimensions_of(dataset)), texts[0] or kind, *texts[1:]]


@pytest.fixture(scope="module")
def in_file(folder: pathlib.Path) -> dict[str, list[str]]:
    """The row of each variable, in the order of the file."""
    results = ResultsFile(folder / "results.h5")
    results.write(2, "create", 1, 2, 3)
    with h5py.File(results.path) as file:
        return {name: row_of(file[name]) for name in names_in_order(file)}


def test_the_page_has_the_variables_in_order(in_file: dict[str, list[str]]) -> None:
    assert len(ON_PAGE) > 60
    assert [row[0] for row in ON_PAGE] == list(in_file)


@pytest.mark.parametrize("row", ON_PAGE, ids=lambda row: row[0])
def test_row(in_file: dict[str, list[str]], row: list[str]) -> None:
    assert in_file[row[0]] == row
