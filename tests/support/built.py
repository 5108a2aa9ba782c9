# SPDX-License-Identifier: Apache-2.0
"""Tests without CTest: the environment in which those of a build folder run, as cmake/tests.cmake sets it."""
import os
import pathlib
import shlex

LAUNCHER = os.environ.get("BREAKEVEN_MPIRUN", "mpirun --oversubscribe --bind-to none")


def launch(ranks: int, *command: str | pathlib.Path) -> list[str]:
    return [*shlex.split(LAUNCHER), "-np", str(ranks), *map(str, command)]


def environment(build: pathlib.Path) -> dict[str, str]:
    programs = build / "bin"
    return {**os.environ, "BREAKEVEN": str(programs / "breakeven"), "BREAKEVEN_MPIRUN": LAUNCHER,
            "FORMULA_RUNS": str(programs / "formula_runs"), "UNGUARDED_RUNS": str(programs / "unguarded_runs"),
            "PYTHONPATH": "tests/support", "OMPI_MCA_mpi_yield_when_idle": "1", "OMPI_MCA_odls_base_sigkill_timeout": "0",
            "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMP_NUM_THREADS": "1"}
