# SPDX-License-Identifier: Apache-2.0
"""Files that are not built as results files raise the package's own error, with one sentence."""

import shutil
from collections.abc import Callable
from pathlib import Path

import h5py
import pytest
from conftest import SCALING

from breakeven_analysis import NotResultsError, open_results
from breakeven_analysis.page.command import main


def lose_dimensions(file: h5py.File) -> None:
    del file["phase"]


def add_group(file: h5py.File) -> None:
    file.create_group("more")


def spoil_conventions(file: h5py.File) -> None:
    file.attrs["Conventions"] = b"\xff\xfe"


def spoil_host(file: h5py.File) -> None:
    file["host"][...] = b"\xff\xfe"


def spoil_environment(file: h5py.File) -> None:
    file["environment"][...] = b"{"


def nest_environment(file: h5py.File) -> None:
    file["environment"][...] = b"[" * 100_000


def list_environment(file: h5py.File) -> None:
    file["environment"][...] = b"[1]"


def lose_launches(file: h5py.File) -> None:
    file["launch_index"][...] = 7


def lose_everything(file: h5py.File) -> None:
    for name in list(file):
        del file[name]


@pytest.mark.parametrize(
    "spoil",
    [
        lose_dimensions,
        add_group,
        spoil_conventions,
        spoil_host,
        spoil_environment,
        nest_environment,
        list_environment,
        lose_launches,
        lose_everything,
    ],
)
def test_an_odd_file_is_one_sentence(tmp_path: Path, spoil: Callable[[h5py.File], None]) -> None:
    odd = tmp_path / "odd.h5"
    shutil.copy(SCALING, odd)
    odd.chmod(0o644)
    with h5py.File(odd, "r+") as file:
        spoil(file)
    with pytest.raises(NotResultsError, match=r"odd\.h5' .*breakeven") as raised:
        open_results(odd)
    assert "\n" not in str(raised.value)


def test_the_command_refuses_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    odd = tmp_path / "odd.h5"
    odd.write_bytes(SCALING.read_bytes()[:5000])
    assert main([str(odd), "-o", str(tmp_path / "page.html")]) == 5
    said = capsys.readouterr().err
    assert said.startswith("breakeven-report: ") and said.count("\n") == 1 and not (tmp_path / "page.html").exists()
