# SPDX-License-Identifier: Apache-2.0
"""PyTorch's side: for each number of GPUs one start of pytorch_peer.py, which measures one case after another."""
import json
import os
import pathlib
import select
import socket
import subprocess
import tempfile
import time

PEER = pathlib.Path(__file__).resolve().parents[1] / "pytorch_peer.py"


def free_port():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]


def environment_of_ranks():
    """Every start has its own port. With error handling, NCCL's thread would disturb the capture of a CUDA graph."""
    return os.environ | {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(free_port()),
                         "TORCH_NCCL_ASYNC_ERROR_HANDLING": "0"}


class PeerProcess:
    """Starts at the first query, and again if it died; close() ends it."""

    def __init__(self, command, ranks, protocol):
        self._command = command
        self._ranks = ranks
        self._protocol = {"warmup": protocol.warmup, "steps": protocol.steps, "settle": protocol.settle}
        self._timeout_seconds = protocol.timeout
        self._process = None
        self._errors = tempfile.TemporaryFile()

    def ask(self, case):
        """PyTorch's answer; a case that it cannot do, or not in time, is "refused"."""
        if self._process is None:
            self._process = subprocess.Popen(self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                             stderr=self._errors, bufsize=0,
                                             env=environment_of_ranks() if self._ranks > 1 else None)
        question = {"model": case.model, "batch": case.batch, "precision": case.precision, "mode": case.variant}
        try:
            self._process.stdin.write(json.dumps(question | self._protocol).encode() + b"\n")
            found = json.loads(self._line())
        except (OSError, EOFError, TimeoutError) as error:
            self.close()
            return {"refused": f"{error}"}
        if "refused" in found and self._ranks > 1:
            self.close()  # its ranks are out of step
        return found

    def close(self):
        """mpirun ends its ranks when it is asked to end, not when it is killed."""
        if self._process is not None:
            self._process.terminate()
            try:
                self._process.communicate(timeout=10)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.communicate()
            self._process = None

    def _line(self):
        line = b""
        deadline = time.monotonic() + self._timeout_seconds
        while b"\n" not in line:
            left = max(0.0, deadline - time.monotonic())
            if not select.select([self._process.stdout], [], [], left)[0]:
                raise TimeoutError(f"no answer within {self._timeout_seconds:g} s")
            part = self._process.stdout.read(65536)
            if not part:
                raise EOFError(f"the process of PyTorch ended with {self._process.wait()}: {self._last_words()}")
            line += part
        return line.partition(b"\n")[0]

    def _last_words(self):
        self._errors.seek(0)
        lines = self._errors.read().decode(errors="replace").strip().splitlines()
        return lines[-1][:300] if lines else "no message"


class PyTorchSide:
    def __init__(self, python, mpirun, protocol):
        self._python, self._mpirun, self._protocol = python, mpirun, protocol
        self._processes = {}

    def measure(self, cases):
        return [(case, self._process(case.gpus).ask(case)) for case in cases]

    def close(self):
        for process in self._processes.values():
            process.close()

    def _process(self, gpus):
        if gpus not in self._processes:
            command = [*self._python, str(PEER), "--stdin"]
            if self._protocol.backend != "cuda":
                command += ["--device", "cpu"]
            if gpus > 1:
                command = [*self._mpirun, "-np", str(gpus), *command, "--limit", f"{self._protocol.timeout:.0f}"]
            self._processes[gpus] = PeerProcess(command, gpus, self._protocol)
        return self._processes[gpus]
