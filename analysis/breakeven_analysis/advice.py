# SPDX-License-Identifier: Apache-2.0
"""Advice from a results file, as tables; every figure and interval in it is the program's (docs/advise.md)."""

from breakeven_analysis.program import Paths, expect_version, read_json
from breakeven_analysis.tables import Tables

VERSION = 2


class Advice(Tables):
    """What `breakeven advise FILE --format json` says. `table("ways")` and the like give its tables."""

    @property
    def answer(self) -> str:
        return str(self.said["answer"])


def read_advice(paths: Paths, model: str, batch: int, *options: str) -> Advice:
    """Asks the program; more options as on its command line, such as "--lossy"."""
    said = read_json("advise", paths, "--model", model, "--batch", str(batch), *options)
    expect_version(said, "advice", VERSION)
    return Advice(said)
