# SPDX-License-Identifier: Apache-2.0
"""What the package raises."""

from breakeven_analysis.said import printable


class SentenceError(Exception):
    """One sentence. Names and words in it may come from a file, and command no terminal."""

    def __init__(self, sentence: str) -> None:
        super().__init__(printable(sentence))


class NotResultsError(SentenceError, ValueError):
    """The file is not a results file of breakeven."""


class DamagedError(NotResultsError):
    """The file does not hold what was written."""


class PictureError(SentenceError, ValueError):
    """A picture that cannot be drawn: the file lacks what it shows, or several cases would be in one place."""


class RecorderError(SentenceError, RuntimeError):
    """The recorder was used wrongly, or the ranks of a program do not fit together."""


class WrapError(ValueError):
    """What `breakeven wrap` was asked for cannot be done; one sentence."""

    def __init__(self, sentence: str, code: int = 1) -> None:
        super().__init__(sentence)
        self.code = code
