# SPDX-License-Identifier: Apache-2.0
"""What the package raises."""


class NotResultsError(ValueError):
    """The file is not a results file of breakeven."""


class DamagedError(NotResultsError):
    """The file does not hold what was written."""


class PictureError(ValueError):
    """A picture that cannot be drawn: the file lacks what it shows, or several cases would be in one place."""


class RecorderError(RuntimeError):
    """The recorder was used wrongly, or the ranks of a program do not fit together."""


class WrapError(ValueError):
    """What `breakeven wrap` was asked for cannot be done; one sentence."""

    def __init__(self, sentence: str, code: int = 1) -> None:
        super().__init__(sentence)
        self.code = code
