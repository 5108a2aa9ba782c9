# SPDX-License-Identifier: Apache-2.0
"""What a launch in the results file says about where its numbers come from."""

import contextlib
import os
import platform
import sys
import time
from collections.abc import Mapping
from importlib import metadata
from pathlib import Path
from typing import Any

import h5py
import numpy as np

from breakeven_analysis.record.revision import git_revision
from breakeven_analysis.record.secret_words import command_line

# What changes how fast a step is. The program records more of them (docs/security.md).
ENVIRONMENT = (
    "CUDA_DEVICE_MAX_CONNECTIONS",
    "CUDA_VISIBLE_DEVICES",
    "NCCL_ALGO",
    "NCCL_BUFFSIZE",
    "NCCL_IB_DISABLE",
    "NCCL_MAX_CTAS",
    "NCCL_MAX_NCHANNELS",
    "NCCL_MIN_NCHANNELS",
    "NCCL_NVLS_ENABLE",
    "NCCL_P2P_DISABLE",
    "NCCL_P2P_LEVEL",
    "NCCL_PROTO",
    "NCCL_SHM_DISABLE",
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "PYTORCH_CUDA_ALLOC_CONF",
)


def versions() -> dict[str, str]:
    found = {"breakeven": package_version(), "python": platform.python_version(), "numpy": np.__version__}
    found |= {"h5py": h5py.__version__, "hdf5": h5py.version.hdf5_version, "kernel": platform.release()}
    torch: Any = sys.modules.get("torch")
    if torch is not None:
        found |= {"torch": str(torch.__version__), "cuda": str(torch.version.cuda or "")}
        with contextlib.suppress(Exception):  # a build without NCCL has no such function
            found["nccl"] = ".".join(map(str, torch.cuda.nccl.version()))
    return found


def package_version() -> str:
    with contextlib.suppress(metadata.PackageNotFoundError):
        return metadata.version("breakeven-analysis")
    return ""


def revision_of_script() -> str:
    with contextlib.suppress(OSError):  # the working folder was removed
        script = Path(sys.argv[0] or ".").resolve()
        return git_revision(script.parent if script.parent.is_dir() else Path.cwd())
    return ""


def describe_start(settings: Mapping[str, str], environment: Mapping[str, str] = os.environ) -> dict[str, Any]:
    """The labels of a launch in the results file, for this start of the program."""
    return {
        "started": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        "command_line": command_line(sys.orig_argv),
        "git_revision": revision_of_script(),
        "versions": versions(),
        "settings": dict(settings),
        "environment": {name: environment[name] for name in ENVIRONMENT if name in environment},
    }
