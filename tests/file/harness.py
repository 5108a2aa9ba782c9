# SPDX-License-Identifier: Apache-2.0
"""What the scripts of this folder share: a folder of its own for each test, and the programs they run."""
import os
import shlex
import signal
import subprocess
import tempfile
import unittest

FORMULA_RUNS = os.environ["FORMULA_RUNS"]
UNGUARDED_RUNS = os.environ["UNGUARDED_RUNS"]
MPIRUN = shlex.split(os.environ["BREAKEVEN_MPIRUN"])
FILE_FAILURE = 5  # ExitCode::file
SECONDS = 250


def run(command, **options):
    """Output and errors come as one text; a command that does not come back is a failure of the test."""
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=SECONDS,
                          **options)


def while_stopped(pids, look):
    """What `look` returns while the processes stand still, wherever they are."""
    for pid in pids:
        os.kill(pid, signal.SIGSTOP)
    try:
        return look()
    finally:
        for pid in pids:
            os.kill(pid, signal.SIGCONT)


class FileTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="breakeven-file-")
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.path = os.path.join(folder.name, "results.h5")

    def mpirun(self, ranks, *arguments, program=FORMULA_RUNS, flags=()):
        return run([*MPIRUN, "-np", str(ranks), *flags, program, *map(str, arguments)])

    def write(self, ranks, mode, seed, runs, steps, path=None):
        done = self.mpirun(ranks, mode, path or self.path, seed, runs, steps)
        self.assertEqual(done.returncode, 0, done.stdout)

    def check(self, *paths):
        """What formula_runs says of the files; each of them must be what its formula says."""
        done = run([FORMULA_RUNS, "check", *(paths or [self.path])])
        self.assertEqual(done.returncode, 0, done.stdout)
        return done.stdout

    def assert_refused(self, done, *words):
        """A failure of the file's kind, said in one line that holds the words."""
        self.assertNotEqual(done.returncode, 0, done.stdout)
        lines = [line for line in done.stdout.splitlines() if words[0] in line]
        self.assertEqual(len(lines), 1, done.stdout)
        for word in words:
            self.assertIn(word, lines[0])
