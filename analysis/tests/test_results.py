# SPDX-License-Identifier: Apache-2.0
"""Files open as one labelled, lazy data set."""

from pathlib import Path

import numpy as np
import pytest
import xarray as xr
from conftest import LINKS, MAP, RESULTS, SCALING, STRATEGIES
from plant import plant

from breakeven_analysis import NotResultsError, Report, open_results, read_report


def test_one_file_is_labelled_and_lazy(strategies: xr.Dataset) -> None:
    assert strategies["seconds"].dims == ("run", "rank", "step", "phase")
    assert strategies["seconds"].chunks is not None, "numbers are read when needed"
    assert set(strategies["file"].to_numpy()) == {str(STRATEGIES)}
    chosen = strategies["seconds"].where(strategies["strategy"] == "zero1", drop=True).sel(phase="step")
    assert float(chosen.min()) > 0


def test_the_data_set_equals_xarrays() -> None:
    opened, recorded = open_results(SCALING), xr.open_dataset(SCALING, engine="h5netcdf")
    xr.testing.assert_equal(opened.drop_vars(["machine", "file", "nccl_settings"]).compute(), recorded)
    assert opened["seconds"].attrs == recorded["seconds"].attrs


def test_the_machine_is_the_reports(strategies: xr.Dataset, strategies_report: Report) -> None:
    assert set(strategies["machine"].to_numpy()) == {strategies_report.machine}


def test_nccl_settings_are_the_reports() -> None:
    dataset, cases = open_results(LINKS), read_report(LINKS).cases
    assert set(dataset["nccl_settings"].to_numpy()) == set(cases["nccl_settings"])
    assert len(set(cases["nccl_settings"])) == 2


def test_several_files_follow_one_another() -> None:
    merged, first, second = open_results([MAP, SCALING]), open_results(MAP), open_results(str(SCALING))
    assert merged.sizes["run"] == first.sizes["run"] + second.sizes["run"]
    assert merged.sizes["launch"] == 2 and merged.sizes["rank"] == 4
    behind = merged.isel(run=slice(first.sizes["run"], None))
    assert set(behind["launch_index"].to_numpy()) == {1}
    assert set(behind["machine"].to_numpy()) == {"4x NVIDIA H200"}
    np.testing.assert_array_equal(behind["seconds"].to_numpy(), second["seconds"].to_numpy())
    ahead = merged.isel(run=slice(0, first.sizes["run"]))
    np.testing.assert_array_equal(ahead["seconds"].isel(rank=slice(2)).to_numpy(), first["seconds"].to_numpy())
    assert np.isnan(ahead["seconds"].isel(rank=slice(2, 4))).all()
    assert merged["batch"].dtype == first["batch"].dtype and merged["graph"].dtype == bool


def test_values_that_an_older_file_lacks_are_nan() -> None:
    merged = open_results([MAP, SCALING])
    assert np.isnan(merged["message_seconds"].isel(launch=1)).all()
    assert np.isfinite(merged["message_seconds"].isel(launch=0)).any()
    assert (merged["gpu_name"].isel(launch=0, rank=3) == "").all()


def test_a_pattern_opens_all_matching_files() -> None:
    folder = RESULTS / "h200-4-2026-11-22"
    merged = open_results(str(folder / "*.h5"))
    assert set(merged["file"].to_numpy()) == {str(path) for path in folder.glob("*.h5")}


def test_other_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="no-such"):
        open_results(tmp_path / "no-such-*.h5")
    other = tmp_path / "other.h5"
    xr.Dataset({"seconds": ("x", [1.0])}).to_netcdf(other, engine="h5netcdf")
    with pytest.raises(NotResultsError, match="breakeven-results-1"):
        open_results(other)
    other.write_bytes(b"nothing")
    with pytest.raises(NotResultsError, match=r"other\.h5"):
        open_results(other)


def test_a_planted_file_opens_like_a_recorded_one(tmp_path: Path) -> None:
    """test_large_file.py uses the same tool."""
    plant(SCALING, tmp_path / "planted.h5", times=2, longer=2)
    planted, recorded = open_results(tmp_path / "planted.h5", verify=False), open_results(SCALING)
    assert planted.sizes["run"] == 2 * recorded.sizes["run"] and planted.sizes["step"] == 2 * recorded.sizes["step"]
    assert set(planted.coords) == set(recorded.coords)
    last = planted["seconds"].isel(run=slice(recorded.sizes["run"], None), step=slice(20, None))
    np.testing.assert_array_equal(last.to_numpy(), recorded["seconds"].to_numpy())
