"""What is written leads to what is there, and is what the service reads."""

import re
from pathlib import Path

from app.settings import Settings

ROOT = Path(__file__).parents[1]


def test_the_operators_page_names_every_setting_and_no_other() -> None:
    page = (ROOT / "docs" / "operating.md").read_text()
    rows = {line.split("`")[1] for line in page.splitlines() if line.startswith("| `WASSAY_")}
    assert rows == {f"WASSAY_{name.upper()}" for name in Settings.model_fields}


def test_every_link_to_a_file_leads_to_one() -> None:
    pages = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    links = [
        (page, link) for page in pages for link in re.findall(r"\]\(([^)\s]+)", page.read_text())
    ]
    files = [
        (page, link.partition("#")[0]) for page, link in links if not re.match(r"[a-z]+:|#", link)
    ]
    assert len(files) > len(pages)
    assert [
        f"{page.relative_to(ROOT)}: {file}"
        for page, file in files
        if not (page.parent / file).exists()
    ] == []
