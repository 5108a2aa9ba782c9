# SPDX-License-Identifier: Apache-2.0
"""Writes scikit-learn's handwritten digits (1,797 images of 8 x 8) as a data set for `run --dataset`.

    make_digits.py OUTPUT.h5

Every fifth image of a seeded shuffle is kept for the test part.
"""
import sys

import h5py
import numpy as np
from sklearn.datasets import load_digits


def main() -> None:
    digits = load_digits()
    order = np.random.default_rng(42).permutation(len(digits.target))
    features = (digits.data[order] / 16.0).astype(np.float32)
    targets = digits.target[order].astype(np.int32)
    test = np.arange(len(targets)) % 5 == 0
    with h5py.File(sys.argv[1], "w") as file:
        file["features"], file["targets"] = features[~test], targets[~test]
        file["test_features"], file["test_targets"] = features[test], targets[test]


if __name__ == "__main__":
    main()
