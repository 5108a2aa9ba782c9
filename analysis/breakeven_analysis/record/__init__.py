# SPDX-License-Identifier: Apache-2.0
"""Records a program's own training loop (docs/own-loop.md). Needs numpy and h5py."""

from breakeven_analysis.errors import RecorderError
from breakeven_analysis.record.ranks import Rank, find_rank
from breakeven_analysis.record.recorder import Recorder

__all__ = ["Rank", "Recorder", "RecorderError", "find_rank"]
