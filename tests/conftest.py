# SPDX-License-Identifier: Apache-2.0
"""What all Python tests share: temporary folders, names of parametrised cases, and the exit code of a skipped file."""
import os
import pathlib
import shutil
import sys
import tempfile

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).parent / "support"))
pytest.register_assert_rewrite("held_ranks", "program", "results_file", "slurm_cluster", "stand_in_reader")

# Open MPI's launcher removes the folder of its jobs while another one may be making its own there: files of tests that run
# beside each other get one each.
os.environ["TMPDIR"] = TEMPORARY = tempfile.mkdtemp(prefix="be-")
tempfile.tempdir = None  # asks TMPDIR again

SKIPPED = 77  # CTest shows a test that ends with this code as skipped


@pytest.fixture(scope="module")
def folder():
    """One folder for all cases of a file, for a measurement that several of them read."""
    with tempfile.TemporaryDirectory(prefix="") as name:
        yield pathlib.Path(name)


@pytest.fixture
def tmp_path():
    """One folder for each case. Unlike pytest's own, it is removed when the case ends."""
    with tempfile.TemporaryDirectory(prefix="") as name:
        yield pathlib.Path(name)


def pytest_make_parametrize_id(config, val, argname):
    """Names a case after its options, without their folders."""
    if isinstance(val, (list, tuple)):
        return " ".join(pathlib.Path(word).name if str(word).startswith("/") else str(word) for word in val) or "nothing"
    return None


def pytest_sessionfinish(session, exitstatus):
    shutil.rmtree(TEMPORARY, ignore_errors=True)
    outcomes = session.config.pluginmanager.get_plugin("terminalreporter").stats
    fine = (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED)  # the latter where a whole file is skipped
    if exitstatus in fine and outcomes.get("skipped") and not outcomes.get("passed"):
        session.exitstatus = SKIPPED
