# SPDX-License-Identifier: Apache-2.0
"""The largest numbers that a results file holds and the program reads (src/hdf5/read_results.h)."""

MOST_SAMPLES = MOST_STEPS = 2**31 - 1
MOST_WARMUP, MOST_PARAMETERS = 2**32 - 1, 2**64 - 1
