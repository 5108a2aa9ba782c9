# SPDX-License-Identifier: Apache-2.0
"""Every link of README and the docs to a place in this repository leads there: to a file, and to a heading that it has."""
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGES = [path for pattern in ("*.md", "docs/*.md", "results/*.md", "analysis/*.md") for path in sorted(ROOT.glob(pattern))]
FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)


def anchors(page: pathlib.Path) -> set[str]:
    """By GitHub's rule: small letters, hyphens for spaces, and nothing else but letters, digits and hyphens."""
    headings = re.findall(r"^#+ (.*)$", FENCED.sub("", page.read_text(encoding="utf-8")), re.MULTILINE)
    words = [re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower() for heading in headings]
    return {re.sub(r"[^\w\- ]", "", heading).replace(" ", "-") for heading in words}


def main() -> None:
    wrong, checked = [], 0
    for page in PAGES:
        for target in re.findall(r"\]\(([^)\s]+)\)", page.read_text(encoding="utf-8")):
            if re.match(r"\w+:", target):
                continue
            checked += 1
            path, _, anchor = target.partition("#")
            place = page.parent / path if path else page
            if not place.exists() or (anchor and place.suffix == ".md" and anchor not in anchors(place)):
                wrong.append(f"{page.relative_to(ROOT)}: ({target}) leads nowhere")
    assert checked > 100, checked
    assert not wrong, "\n".join(wrong)


if __name__ == "__main__":
    main()
