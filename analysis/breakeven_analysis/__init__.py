# SPDX-License-Identifier: Apache-2.0
"""Opens, tabulates and draws what breakeven measured.

    from breakeven_analysis import open_results, plot, read_report

    dataset = open_results("results/*.h5")             # every step of every rank, read when needed
    report = read_report("mine.h5")                    # numbers with intervals, computed by the program
    plot.speedup_by_batch(report, models="xl").savefig("speedup.png")

The program computes all numbers and intervals. This package computes no statistics.

    from breakeven_analysis import Recorder            # in a training loop: docs/own-loop.md
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from breakeven_analysis import plot
    from breakeven_analysis.answers import Advice, Prediction, Report, read_advice, read_prediction, read_report
    from breakeven_analysis.errors import DamagedError, NotResultsError, PictureError, RecorderError
    from breakeven_analysis.frame import to_frame
    from breakeven_analysis.machines import MachinesAdvice, MachinesReport
    from breakeven_analysis.program import ProgramError, find_program
    from breakeven_analysis.record import Recorder
    from breakeven_analysis.results import open_results

# Where each name comes from. Modules are imported when they are used: a training program has no use for pictures.
PLACES = {
    "Advice": "answers",
    "DamagedError": "errors",
    "MachinesAdvice": "machines",
    "MachinesReport": "machines",
    "NotResultsError": "errors",
    "PictureError": "errors",
    "Prediction": "answers",
    "ProgramError": "program",
    "Recorder": "record",
    "RecorderError": "errors",
    "Report": "answers",
    "find_program": "program",
    "open_results": "results",
    "plot": "",
    "read_advice": "answers",
    "read_prediction": "answers",
    "read_report": "answers",
    "to_frame": "frame",
}
__all__ = [
    "Advice",
    "DamagedError",
    "MachinesAdvice",
    "MachinesReport",
    "NotResultsError",
    "PictureError",
    "Prediction",
    "ProgramError",
    "Recorder",
    "RecorderError",
    "Report",
    "find_program",
    "open_results",
    "plot",
    "read_advice",
    "read_prediction",
    "read_report",
    "to_frame",
]


def __getattr__(name: str) -> Any:
    if name not in PLACES:
        raise AttributeError(f"breakeven_analysis has no '{name}'")
    module = importlib.import_module(f"breakeven_analysis.{PLACES[name] or name}")
    return getattr(module, name) if PLACES[name] else module


def __dir__() -> list[str]:
    return __all__
