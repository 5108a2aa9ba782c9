# SPDX-License-Identifier: Apache-2.0
"""PyTorch's side: one process of pytorch_peer.py that measures one case after another."""
import json
import pathlib
import select
import subprocess
import tempfile
import time

PEER = pathlib.Path(__file__).resolve().parents[1] / "pytorch_peer.py"


class PyTorchSide:
    """Starts the process at the first query, and again if it died; close() ends it."""

    def __init__(self, python, warmup, steps, timeout_seconds):
        self._command = [*python, str(PEER), "--stdin"]
        self._protocol = {"warmup": warmup, "steps": steps}
        self._timeout_seconds = timeout_seconds
        self._process = None
        self._errors = tempfile.TemporaryFile()

    def measure(self, case):
        """PyTorch's answer; a case that it cannot do, or not in time, is "refused"."""
        if self._process is None:
            self._process = subprocess.Popen(self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                             stderr=self._errors, bufsize=0)
        question = {"model": case.model, "batch": case.batch, "precision": case.precision, "mode": case.variant}
        try:
            self._process.stdin.write(json.dumps(question | self._protocol).encode() + b"\n")
            return json.loads(self._line())
        except (OSError, EOFError, TimeoutError) as error:
            self.close()
            return {"refused": f"{error}"}

    def close(self):
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None

    def _line(self):
        line = b""
        deadline = time.monotonic() + self._timeout_seconds
        while not line.endswith(b"\n"):
            left = max(0.0, deadline - time.monotonic())
            if not select.select([self._process.stdout], [], [], left)[0]:
                raise TimeoutError(f"no answer within {self._timeout_seconds:g} s")
            part = self._process.stdout.read(65536)
            if not part:
                raise EOFError(f"the process of PyTorch ended with {self._process.wait()}: {self._last_words()}")
            line += part
        return line

    def _last_words(self):
        self._errors.seek(0)
        lines = self._errors.read().decode(errors="replace").strip().splitlines()
        return lines[-1][:300] if lines else "no message"
