# SPDX-License-Identifier: Apache-2.0
"""The README's picture is of the file that the README names, with all its marks inside its areas."""

import re
from pathlib import Path

from conftest import RESULTS

from breakeven_analysis import open_results

ROOT = RESULTS.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
GALLERY = (ROOT / "docs" / "gallery.md").read_text(encoding="utf-8")
COUNTS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


def drawn_from(image: str) -> set[str]:
    """The files in the lines above the picture on the gallery's page."""
    blocks = re.findall(r"^```python\n((?:(?!```).)*)^```\n+!\[[^\]]*\]\(([^)]+)\)$", GALLERY, re.MULTILINE | re.DOTALL)
    return {name for code, shown in blocks if shown == image for name in re.findall(r'"(results/[^"]+\.h5)"', code)}


def test_the_readme_names_the_file_of_its_picture() -> None:
    (image,) = re.findall(r"^!\[[^\]]*\]\(docs/([^)]+\.png)\)$", README, re.MULTILINE)
    ((count, named),) = re.findall(r"picture above is of \[(\w+) models[^\]]*\]\(([^)]+)\.md\)", README)
    assert drawn_from(image) == {f"{named}.h5"}
    models = open_results(ROOT / f"{named}.h5", verify=False)["model"].to_numpy()
    assert count == COUNTS[len(set(models.tolist()))] and Path(ROOT / f"{named}.md").exists()
