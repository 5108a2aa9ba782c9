# SPDX-License-Identifier: Apache-2.0
import pathlib

import pytest
from results_file import ResultsFile


@pytest.fixture
def results(tmp_path: pathlib.Path) -> ResultsFile:
    """A file of its own for each case; it is not there yet."""
    return ResultsFile(tmp_path / "results.h5")
