"""What is written for the operator is what the service reads."""

from pathlib import Path

from app.settings import Settings

ROOT = Path(__file__).parents[1]


def test_the_operators_page_names_every_setting_and_no_other() -> None:
    page = (ROOT / "docs" / "operating.md").read_text()
    rows = {line.split("`")[1] for line in page.splitlines() if line.startswith("| `WASSAY_")}
    assert rows == {f"WASSAY_{name.upper()}" for name in Settings.model_fields}
