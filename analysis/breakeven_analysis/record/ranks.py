# SPDX-License-Identifier: Apache-2.0
"""Which rank this process is, from what its launcher says."""

import hashlib
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from breakeven_analysis.errors import RecorderError


@dataclass(frozen=True)
class Rank:
    rank: int
    ranks: int
    local_rank: int = 0
    launcher: str = "none"
    start: str = "alone"  # the same on all ranks of one start of the program


@dataclass(frozen=True)
class Launcher:
    name: str
    rank: str
    ranks: str
    local_rank: str
    start: tuple[str, ...]  # variables that tell one start from others


# In this order: mpirun and torchrun work within a Slurm job.
LAUNCHERS = (
    Launcher("torchrun", "RANK", "WORLD_SIZE", "LOCAL_RANK", ("TORCHELASTIC_RUN_ID", "MASTER_ADDR", "MASTER_PORT")),
    Launcher(
        "Open MPI",
        "OMPI_COMM_WORLD_RANK",
        "OMPI_COMM_WORLD_SIZE",
        "OMPI_COMM_WORLD_LOCAL_RANK",
        ("PMIX_NAMESPACE", "OMPI_MCA_ess_base_jobid"),
    ),
    Launcher("PMI", "PMI_RANK", "PMI_SIZE", "MPI_LOCALRANKID", ("PMI_ID", "PMI_JOBID")),
    Launcher("Slurm", "SLURM_PROCID", "SLURM_STEP_NUM_TASKS", "SLURM_LOCALID", ("SLURM_JOB_ID", "SLURM_STEP_ID")),
)
START = "Start the program with torchrun, mpirun or srun, which number the ranks."


def find_rank(environment: Mapping[str, str] = os.environ) -> Rank:
    """Of a process that no launcher started: rank 0 of 1. Raises RecorderError for half of the information."""
    for launcher in LAUNCHERS:
        # A batch script of Slurm has a SLURM_PROCID without being one of several ranks.
        if launcher.ranks in environment and (launcher.rank in environment or launcher.name == "torchrun"):
            return check_against_torch(rank_of(launcher, environment))
    library = rank_of_library()
    if library is not None:
        return library
    for name in ("RANK", "PMIX_RANK"):
        if name in environment:
            raise RecorderError(f"{name} is {environment[name]}, but nothing says how many ranks there are. {START}")
    return Rank(0, 1)


def rank_of(launcher: Launcher, environment: Mapping[str, str]) -> Rank:
    if launcher.rank not in environment:
        size = f"{launcher.ranks} is {environment[launcher.ranks]}"
        raise RecorderError(f"{size}, but {launcher.rank} is not set, so no rank is known. {START}")
    numbers = []
    for name in (launcher.rank, launcher.ranks, launcher.local_rank):
        text = environment.get(name, "0")
        if not text.isdecimal():
            raise RecorderError(f"{name} is '{text}' and must be a whole number. {START}")
        numbers.append(int(text))
    rank, ranks, local_rank = numbers
    if not rank < ranks:
        raise RecorderError(f"{launcher.rank} is {rank} and must be below {launcher.ranks}, which is {ranks}. {START}")
    words = [launcher.name, *(environment.get(name, "") for name in launcher.start)]
    start = hashlib.sha256("\0".join(words).encode()).hexdigest()[:12]
    return Rank(rank, ranks, local_rank, launcher.name, start)


def torch_distributed() -> Any | None:
    """PyTorch's process group, where the program has made one."""
    torch = sys.modules.get("torch")
    group = getattr(torch, "distributed", None)
    return group if group is not None and group.is_available() and group.is_initialized() else None


def check_against_torch(rank: Rank) -> Rank:
    group = torch_distributed()
    if group is not None and group.get_world_size() != rank.ranks:
        raise RecorderError(
            f"{rank.launcher} started {rank.ranks} ranks, and torch.distributed has {group.get_world_size()}. "
            "The recorder needs a process group of all ranks"
        )
    return rank


def rank_of_library() -> Rank | None:
    """Where the launcher set no variables: by torch.distributed or mpi4py, if the program uses them."""
    group = torch_distributed()
    if group is not None:
        rank = group.get_rank()
        return Rank(rank, group.get_world_size(), rank, "torch.distributed", f"torch-{os.environ.get('MASTER_PORT')}")
    mpi: Any = sys.modules.get("mpi4py.MPI")
    if mpi is not None and mpi.Is_initialized():
        rank = mpi.COMM_WORLD.Get_rank()
        return Rank(rank, mpi.COMM_WORLD.Get_size(), rank, "mpi4py", f"mpi-{os.environ.get('PMIX_NAMESPACE')}")
    return None
