"""The blocks of docs/recipes.md run one after the other, and print what the page shows."""

import re
from pathlib import Path
from typing import Any

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "recipes.md"


def test_the_blocks_of_the_guide_run(capsys: pytest.CaptureFixture[str]) -> None:
    blocks = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.M | re.S)
    names: dict[str, Any] = {}
    printed = []
    for block in blocks:
        exec(compile(block, PAGE.name, "exec"), names)  # noqa: S102 - the page's own
        printed.append(capsys.readouterr().out)
    described, applied, compared, joined = printed
    assert "EUR       1            1" in described
    assert re.match(r"\(500, 7\) \['(yes|no)' ", applied)
    first, second, last = compared.splitlines()
    assert first.startswith("renamed: expected a column 'city', received 'City'")
    assert second.startswith("unit: expected EUR in column 'income'")
    assert "multiplied by 1000" in second
    assert (last, joined) == ("[]", "")
