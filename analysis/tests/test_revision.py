# SPDX-License-Identifier: Apache-2.0
"""The git revision is told, and a repository runs no program that it names."""

import subprocess
from pathlib import Path

import pytest

from breakeven_analysis.record.revision import git_revision

NAMES = ("-c", "user.name=a", "-c", "user.email=a@b")


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """With one file, which changed."""
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", "/dev/null")
    folder = tmp_path / "repository"
    folder.mkdir()
    (folder / "a.txt").write_text("a\n")
    git(folder, "init", "-q")
    git(folder, "add", "a.txt")
    git(folder, *NAMES, "commit", "-q", "-m", "a")
    (folder / "a.txt").write_text("b\n")
    return folder


def git(folder: Path, *words: str) -> str:
    return subprocess.run(["git", "-C", str(folder), *words], capture_output=True, text=True, check=True).stdout


def plant(folder: Path) -> tuple[Path, Path]:
    """A program, and the file that it makes when it runs."""
    program, ran = folder / "planted.sh", folder / "ran"
    program.write_text(f"#!/bin/sh\ntouch '{ran}'\ncat\n")
    program.chmod(0o755)
    return program, ran


def test_the_revision_says_whether_files_changed(repository: Path, tmp_path: Path) -> None:
    revision = git(repository, "rev-parse", "--short=12", "HEAD").strip()
    assert git_revision(repository) == f"{revision}-dirty"
    git(repository, "checkout", "-q", "a.txt")
    assert git_revision(repository) == revision and git_revision(tmp_path) == ""


def test_no_monitor_of_a_repository_runs(repository: Path, tmp_path: Path) -> None:
    program, ran = plant(tmp_path)
    git(repository, "config", "core.fsmonitor", str(program))
    assert git_revision(repository).endswith("-dirty") and not ran.exists()


@pytest.mark.parametrize("name", ["x", "a=b"])
@pytest.mark.parametrize("kind", ["clean", "process"])
@pytest.mark.parametrize("scope", ["--local", "--worktree"])
def test_no_filter_of_a_repository_runs(repository: Path, tmp_path: Path, scope: str, kind: str, name: str) -> None:
    """Which git would run on a file with another time, to compare it."""
    program, ran = plant(tmp_path)
    git(repository, "config", "extensions.worktreeConfig", "true")
    git(repository, "config", scope, f"filter.{name}.{kind}", str(program))
    git(repository, "config", scope, f"filter.{name}.required", "true")
    (repository / ".git" / "info").mkdir(exist_ok=True)
    (repository / ".git" / "info" / "attributes").write_text(f"*.txt filter={name}\n")
    (repository / "a.txt").write_text("a\n")
    assert git_revision(repository) and not ran.exists()


def test_no_program_of_a_repository_brings_missing_objects(repository: Path, tmp_path: Path) -> None:
    program, ran = plant(tmp_path)
    tree = git(repository, "rev-parse", "HEAD^{tree}").strip()
    (repository / ".git" / "objects" / tree[:2] / tree[2:]).unlink()
    git(repository, "config", "core.repositoryFormatVersion", "1")
    git(repository, "config", "extensions.partialClone", "origin")
    git(repository, "config", "remote.origin.promisor", "true")
    git(repository, "config", "remote.origin.url", str(tmp_path))
    git(repository, "config", "remote.origin.uploadPack", str(program))
    git_revision(repository)
    assert not ran.exists()
