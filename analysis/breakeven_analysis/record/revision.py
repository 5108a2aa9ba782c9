# SPDX-License-Identifier: Apache-2.0
"""The git revision of a folder. The folder may be a stranger's, so no program runs that its repository names."""

import contextlib
import os
import subprocess
from pathlib import Path

OWN_SCOPES = ("local", "worktree")  # of settings that lie in the repository itself
SAFE = ("core.fsmonitor=false", "core.hooksPath=/dev/null")
# A repository may lack objects and name a program that brings them.
ENVIRONMENT = {"GIT_OPTIONAL_LOCKS": "0", "GIT_NO_LAZY_FETCH": "1", "GIT_ALLOW_PROTOCOL": "none"}
LONGEST_SECONDS = 10


def git_revision(folder: Path) -> str:
    """Of the training script; "" outside of a repository."""
    with contextlib.suppress(OSError, ValueError, subprocess.SubprocessError):
        revision = git(folder, SAFE, "rev-parse", "--short=12", "HEAD").strip()
        return revision + ("-dirty" if is_changed(folder) else "")
    return ""


def is_changed(folder: Path) -> bool:
    filters = own_filters(folder)
    if any("=" in name for name in filters):
        return True  # git cannot be told to leave such a filter out
    status = ("status", "--porcelain", "--untracked-files=no", "--ignore-submodules=all")
    return bool(git(folder, (*SAFE, *(f"{name}=" for name in filters)), *status))


def own_filters(folder: Path) -> list[str]:
    """The settings of programs that change contents of files, as far as the repository has them itself."""
    words = git(folder, SAFE, "config", "--list", "--show-scope", "--name-only", "-z").split("\0")
    pairs = zip(words[::2], words[1::2], strict=False)
    return sorted({name for scope, name in pairs if scope in OWN_SCOPES and name.startswith("filter.")})


def git(folder: Path, settings: tuple[str, ...], *words: str) -> str:
    options = [word for setting in settings for word in ("-c", setting)]
    done = subprocess.run(
        ["git", "-C", str(folder), "--no-pager", *options, *words],
        capture_output=True,
        encoding="utf-8",
        errors="surrogateescape",
        stdin=subprocess.DEVNULL,
        env={**os.environ, **ENVIRONMENT},
        timeout=LONGEST_SECONDS,
        check=True,
    )
    return done.stdout
