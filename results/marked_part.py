# SPDX-License-Identifier: Apache-2.0
"""What the update scripts share: their options, and the parts of a page that they write between two markers."""
import argparse
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent


class Refusal(Exception):
    """One sentence that says why nothing was written."""


def plain_parser_of(script):
    """A command line that the first line of the script's docstring describes."""
    return argparse.ArgumentParser(description=script.split("\n")[0])


def parser_of(script):
    """The command line of an update script."""
    parser = plain_parser_of(script)
    parser.add_argument("--check", action="store_true", help="write nothing; exit code 1 if something is stale")
    return parser


def run(work, options):
    """Ends the script with one sentence if the work is refused."""
    try:
        work(options)
    except (Refusal, OSError) as problem:
        sys.exit(f"{pathlib.Path(sys.argv[0]).name}: {problem}")


def shown(path):
    """The path from the root of the sources."""
    path = pathlib.Path(path).resolve()
    return path.relative_to(ROOT) if path.is_relative_to(ROOT) else path.name


def with_part(text, page, name, content):
    """`text` with new content between the markers of `name`."""
    begin, end = f"<!-- {name}:begin -->", f"<!-- {name}:end -->"
    if text.count(begin) != 1 or text.count(end) != 1 or text.index(begin) > text.index(end):
        raise Refusal(f"{page} needs exactly one '{begin}' and, after it, one '{end}'")
    return f"{text[:text.index(begin)]}{begin}\n{content}\n{text[text.index(end):]}"


def update(page, name, content, check, again):
    """Writes the part; with `check` it only refuses a stale page. `again` is the command that updates the page."""
    try:
        before = page.read_text(encoding="utf-8")
    except OSError as error:
        raise Refusal(f"{page} cannot be read: {error.strerror}") from error
    after = with_part(before, page, name, content)
    if before == after:
        return
    if check:
        raise Refusal(f"{page} is stale: run {again}")
    page.write_text(after, encoding="utf-8")
