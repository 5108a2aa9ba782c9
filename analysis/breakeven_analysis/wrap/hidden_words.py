# SPDX-License-Identifier: Apache-2.0
"""Whether --resume has the words that the results file does not show. Only their salted digest is kept, and beside the
file: who gets the file cannot try out words."""

import contextlib
import hashlib
import json
import os
import secrets

from breakeven_analysis.record.own_files import open_own
from breakeven_analysis.record.replacing import beside
from breakeven_analysis.wrap.options import Options

ROUNDS = 200_000  # so that trying out words takes long


class HiddenWords:
    def __init__(self, options: Options) -> None:
        self.path = beside(options.output, ".wrap") / "hidden-words.json"
        self.words = options.words_with_hidden()

    def keep(self) -> None:
        """Where they cannot be written, a later --resume says so."""
        if self.words and not self.are_kept():
            salt = secrets.token_bytes(16)
            with contextlib.suppress(OSError), open_own(self.path, "w") as stream:
                os.fchmod(stream.fileno(), 0o600)
                stream.write(json.dumps({"salt": salt.hex(), "digest": self.digest(salt)}) + "\n")

    def are_kept(self) -> bool | None:
        """Whether these words were kept. None: nobody can tell."""
        try:
            with open_own(self.path, "r") as stream:
                kept = json.load(stream)
            return bool(kept["digest"] == self.digest(bytes.fromhex(kept["salt"])))
        except (OSError, ValueError, LookupError, TypeError):  # none, or damaged
            return None

    def digest(self, salt: bytes) -> str:
        words = json.dumps(self.words).encode()
        return hashlib.pbkdf2_hmac("sha256", words, salt, ROUNDS).hex()
