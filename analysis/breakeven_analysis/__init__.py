# SPDX-License-Identifier: Apache-2.0
"""What breakeven has measured, as a labelled data set, tables and pictures.

    from breakeven_analysis import open_results, plot, read_report

    dataset = open_results("results/*.h5")             # every rank's every step, lazily
    report = read_report("mine.h5")                    # figures with intervals, by the program itself
    plot.speedup_by_batch(report, model="xl").savefig("speedup.png")

Figures and intervals are the program's; nothing here computes a statistic of its own.
"""

from breakeven_analysis import plot
from breakeven_analysis.advice import Advice, read_advice
from breakeven_analysis.frame import to_frame
from breakeven_analysis.prediction import Prediction, read_prediction
from breakeven_analysis.program import ProgramError, find_program
from breakeven_analysis.reader import NotResultsError
from breakeven_analysis.report import Report, read_report
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
