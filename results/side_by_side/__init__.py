# SPDX-License-Identifier: Apache-2.0
"""The parts of results/compare-with-pytorch: the cases, the two sides, the table, the plot."""
