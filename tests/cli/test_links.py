# SPDX-License-Identifier: Apache-2.0
"""Every link of README and the docs to a place in this repository leads there: to a file, and to a heading that it has."""
import pathlib
import re

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGES = [path for pattern in ("*.md", "docs/*.md", "results/*.md", "analysis/*.md") for path in sorted(ROOT.glob(pattern))]
FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)


def anchors(page: pathlib.Path) -> set[str]:
    """By GitHub's rule: small letters, hyphens for spaces, and nothing else but letters, digits and hyphens. And own ones."""
    text = FENCED.sub("", page.read_text(encoding="utf-8"))
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    words = [re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower() for heading in headings]
    return {re.sub(r"[^\w\- ]", "", heading).replace(" ", "-") for heading in words} | set(re.findall(r'<a id="([^"]+)">', text))


def links(page: pathlib.Path) -> list[str]:
    """Those that lead to no other site."""
    targets = re.findall(r"\]\(([^)\s]+)\)", page.read_text(encoding="utf-8"))
    return [target for target in targets if not re.match(r"\w+:", target)]


def leads_somewhere(page: pathlib.Path, target: str) -> bool:
    path, _, anchor = target.partition("#")
    place = page.parent / path if path else page
    return place.exists() and (not anchor or place.suffix != ".md" or anchor in anchors(place))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: pathlib.Path) -> None:
    wrong = [target for target in links(page) if not leads_somewhere(page, target)]
    assert not wrong, wrong


def test_links_are_found() -> None:
    assert sum(len(links(page)) for page in PAGES) > 100
