# SPDX-License-Identifier: Apache-2.0
"""What makes a case: the axes of the program's cases (src/core/case.h), in the order of its report."""

IDENTITY = ("model", "batch", "gpus", "strategy")
SETTINGS = ("precision", "gemm", "collective", "nccl_settings", "scaling", "graph", "data")
CASE_AXES = (*IDENTITY, *SETTINGS)
