# SPDX-License-Identifier: Apache-2.0
"""The table of variables in docs/results-file.md is what the writer makes."""
import os
import unittest

import h5py

from harness import FileTest

PAGE = os.path.join(os.path.dirname(__file__), "..", "..", "docs", "results-file.md")


def rows_of_the_page():
    with open(PAGE, encoding="utf-8") as file:
        table = file.read().split("<!-- schema -->")[1].split("<!-- end of schema -->")[0]
    for line in table.strip().splitlines()[2:]:
        yield [cell.strip().strip("`") for cell in line.strip("|").split("|")]


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


class Page(FileTest):
    def test_table(self):
        self.write(2, "create", 1, 2, 3)
        with h5py.File(self.path) as file:
            in_file = [row_of(file[name]) for name in names_in_order(file)]
        on_page = list(rows_of_the_page())
        self.assertGreater(len(on_page), 60)
        for expected, found in zip(on_page, in_file):
            self.assertEqual(found, expected)
        self.assertEqual(len(on_page), len(in_file))


if __name__ == "__main__":
    unittest.main()
