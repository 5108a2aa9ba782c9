# SPDX-License-Identifier: Apache-2.0
"""Opens, tabulates and draws what breakeven measured.

    from breakeven_analysis import open_results, plot, read_report

    dataset = open_results("results/*.h5")             # every step of every rank, read when needed
    report = read_report("mine.h5")                    # numbers with intervals, computed by the program
    plot.speedup_by_batch(report, models="xl").savefig("speedup.png")

The program computes all numbers and intervals. This package computes no statistics.
"""

from breakeven_analysis import plot
from breakeven_analysis.answers import Advice, Prediction, Report, read_advice, read_prediction, read_report
from breakeven_analysis.frame import to_frame
from breakeven_analysis.program import ProgramError, find_program
from breakeven_analysis.reader import NotResultsError
from breakeven_analysis.results import open_results

__all__ = [
    "Advice",
    "NotResultsError",
    "Prediction",
    "ProgramError",
    "Report",
    "find_program",
    "open_results",
    "plot",
    "read_advice",
    "read_prediction",
    "read_report",
    "to_frame",
]
