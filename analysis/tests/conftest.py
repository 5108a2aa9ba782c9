# SPDX-License-Identifier: Apache-2.0
"""Files that several tests read, recorded or measured once; and what a test of the recorder needs."""

from collections.abc import Callable
from functools import cache
from pathlib import Path

import matplotlib as mpl
import numpy as np
import pytest
import xarray as xr
from loops import FakeTimer, use_fake_clock
from own_files import measure

from breakeven_analysis import Report, open_results, read_report
from breakeven_analysis.page import page_data, page_of

RESULTS = Path(__file__).resolve().parents[2] / "results"
MAP = RESULTS / "h200-2-2026-11-22" / "map.h5"
STRATEGIES = RESULTS / "h200-2-2026-11-22" / "strategies.h5"
ENERGY = RESULTS / "h200-2-2026-11-22" / "energy.h5"
LINKS = [RESULTS / "h200-2" / name for name in ("seed.h5", "host-bridge.h5")]  # of one machine over two kinds of links
AUTO = RESULTS / "h200-2-2026-11-22" / "auto.h5"
SCALING = RESULTS / "h200-4-2026-11-21" / "scaling.h5"

mpl.use("agg")


def runs_where(dataset: xr.Dataset, **labels: object) -> xr.Dataset:
    """The runs with these labels."""
    return dataset.isel(run=np.flatnonzero(np.all([dataset[name] == value for name, value in labels.items()], axis=0)))


@pytest.fixture(scope="session")
def map_report() -> Report:
    return read_report(MAP)


@pytest.fixture(scope="session")
def map_page(map_report: Report) -> str:
    return page_of(page_data(map_report, open_results(MAP)))


@pytest.fixture(scope="session")
def strategies_report() -> Report:
    return read_report(STRATEGIES)


@pytest.fixture(scope="session")
def scaling_report() -> Report:
    return read_report(SCALING)


@pytest.fixture(scope="session")
def strategies() -> xr.Dataset:
    return open_results(STRATEGIES)


@pytest.fixture(scope="session")
def own_file(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """A file of own_files.py by its name, measured when it is first asked for."""
    return cache(lambda name: measure(name, tmp_path_factory.mktemp("own")))


@pytest.fixture
def timer(monkeypatch: pytest.MonkeyPatch) -> FakeTimer:
    """The clock of a recorder's steps."""
    return use_fake_clock(monkeypatch)


@pytest.fixture
def output(tmp_path: Path) -> Path:
    """The file of a recorder."""
    return tmp_path / "mine.h5"
