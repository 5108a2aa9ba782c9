# SPDX-License-Identifier: Apache-2.0
"""What more GPUs would do, as tables; every figure and interval in it is the program's (docs/predict.md)."""

from typing import Any

from breakeven_analysis.program import Paths, expect_version, read_json
from breakeven_analysis.tables import Tables

VERSION = 2


class Prediction(Tables):
    """What `breakeven predict FILE --format json` says. `table("curve")` and the like give its tables."""

    @property
    def answer(self) -> str:
        return str(self.said["answer"])

    @property
    def machine(self) -> str:
        """Where the file was measured."""
        return str(self.said["machine"])


def read_prediction(paths: Paths, model: str, batch: int, gpus: str, *options: str) -> Prediction:
    """Asks the program; `gpus` such as "2..64", more options as on its command line, such as "--scaling", "weak"."""
    asked = ("--model", model, "--batch", str(batch), "--gpus", gpus, *options)
    said: dict[str, Any] = read_json("predict", paths, *asked)
    expect_version(said, "prediction", VERSION)
    return Prediction(said)
