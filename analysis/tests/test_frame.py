# SPDX-License-Identifier: Apache-2.0
"""Tidy tables hold every number once, with its labels."""

import numpy as np
import pytest
import xarray as xr
from conftest import SCALING

from breakeven_analysis import open_results, to_frame


@pytest.fixture(scope="module")
def some() -> xr.Dataset:
    return open_results(SCALING).isel(run=slice(0, 40))


def test_one_row_per_number(some: xr.Dataset) -> None:
    frame = to_frame(some, "seconds")
    expected = int((some["gpus"].astype(int) * some["steps"].astype(int)).sum()) * some.sizes["phase"]
    assert len(frame) == expected
    row = frame.sample(1, random_state=1).iloc[0]
    number = some["seconds"].sel(run=row["run"], rank=row["rank"], step=row["step"], phase=row["phase"])
    np.testing.assert_equal(row["seconds"], float(number))
    assert row["model"] == some["model"].sel(run=row["run"]).item()


def test_only_participating_ranks_have_rows_and_nan_stays(some: xr.Dataset) -> None:
    frame = to_frame(some, "energy_joules", "power_watts")
    assert (frame["rank"] < frame["gpus"]).all()
    assert frame["energy_joules"].isna().any(), "unmeasured values stay as NaN"


def test_variables_of_a_launch(some: xr.Dataset) -> None:
    frame = to_frame(some, "link_bytes_per_second")
    assert len(frame) == 16 and frame["link_bytes_per_second"].notna().sum() == 12
    assert set(frame["started"]) == {some["started"].item()}


def test_refusals(some: xr.Dataset) -> None:
    with pytest.raises(ValueError, match="name of a variable"):
        to_frame(some)
    with pytest.raises(KeyError, match="no variable is called speed"):
        to_frame(some, "speed")
    with pytest.raises(ValueError, match="different dimensions"):
        to_frame(some, "seconds", "loss")
