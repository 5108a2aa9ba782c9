# SPDX-License-Identifier: Apache-2.0
import pathlib

import pytest
from results_file import ResultsFile


@pytest.fixture
def results(tmp_path: pathlib.Path) -> ResultsFile:
    """A new path for each case; the file does not exist yet."""
    return ResultsFile(tmp_path / "results.h5")
