# SPDX-License-Identifier: Apache-2.0
"""What a command of a built breakeven prints; an exit code that is not expected, or an empty output, is refused."""
import subprocess

from marked_part import Refusal


def printed(program, *arguments, cwd=None, codes=(0,)):
    try:
        done = subprocess.run([program, *arguments], cwd=cwd, capture_output=True, text=True, encoding="utf-8", check=False)
    except OSError as error:
        raise Refusal(f"{program} cannot be run: {error.strerror}") from error
    if done.returncode not in codes:
        raise Refusal(f"{program} {' '.join(map(str, arguments))} ended with exit code {done.returncode}: {done.stderr.strip()}")
    if not done.stdout.strip():
        raise Refusal(f"{program} {arguments[0]} printed nothing")
    return done.stdout.strip()
