# SPDX-License-Identifier: Apache-2.0
"""What results/compare-with-pytorch is made of: the cases, the two sides, the table, the plot."""
