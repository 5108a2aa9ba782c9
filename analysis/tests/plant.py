# SPDX-License-Identifier: Apache-2.0
"""Makes a large results file: repeats the runs and the steps of a recorded file.

python analysis/tests/plant.py results/h200-2-2026-11-22/strategies.h5 /tmp/large.h5 --times 12 --longer 8

Only the Python package opens it: the program would find wrong checksums.
"""

import argparse
from pathlib import Path

import numpy as np

from breakeven_analysis.reader import read_file


def plant(source: Path, target: Path, times: int, longer: int = 1) -> None:
    """`times` as many runs with `longer` times as many steps."""
    recorded = read_file(source).load()
    runs = np.tile(np.arange(recorded.sizes["run"]), times)
    steps = np.tile(np.arange(recorded.sizes["step"]), longer)
    planted = recorded.isel(run=runs, step=steps)
    labels = [f"{label.rsplit('#', 1)[0]}#{place}" for place, label in enumerate(planted["run"].to_numpy())]
    planted = planted.assign_coords(run=labels, step=np.arange(len(steps), dtype=np.int32))
    planted["steps"] = planted["steps"] * np.uint32(longer)
    planted = planted.reset_coords().assign_attrs(coordinates=" ".join(map(str, recorded.coords)))
    for variable in planted.variables.values():
        variable.encoding = {key: value for key, value in variable.encoding.items() if key == "_FillValue"}
        if {"run", "step"} <= set(variable.dims):  # as the program lays them out
            variable.encoding["chunksizes"] = tuple(1 if dim == "run" else planted.sizes[dim] for dim in variable.dims)
    planted.to_netcdf(target, engine="h5netcdf")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("source", type=Path)
    parser.add_argument("target", type=Path)
    parser.add_argument("--times", type=int, default=1)
    parser.add_argument("--longer", type=int, default=1)
    options = parser.parse_args()
    plant(options.source, options.target, options.times, options.longer)


if __name__ == "__main__":
    main()
