"""The tutorials run as they stand, and print what their pages show."""

import json
import re
from pathlib import Path

import pytest

from examples.tutorials.execution import executed
from examples.tutorials.notebook import notebook
from examples.tutorials.page import Block, pages, parse, render
from tests.e2e.service import NewParty

NUMBER = re.compile(r"[-+−]?\d+(?:\.\d+)?")
DRAWN = re.compile(
    r"± \S+|\d(?:\.\d)?e-\d\d|(?<![\d.])\d+%|\[\d.*\]"
    r"|Coverage: .*|ReadableColumnsWarning: .*"
    r"|In short: .*|^the service  .*|^the service: without .*|^  .* correct side, by .*"
    r"|^  a combination of columns: .*|scale of the reference, \d+"
    r"|(?:different|as near as your own data|cannot tell)(?:\b.*Random parts of .*)?",
    re.IGNORECASE | re.MULTILINE,
)
"""Output that changes from run to run, such as what depends on keys, on jitter or on t0."""
ROWS_BY_LOT = ("survey.loc[rows",)
"""Blocks whose printed rows depend on jitter and t0."""


def words(output: str) -> list[str]:
    """Return the words of an output, without numbers and without the spaces between columns."""
    return re.sub(r"[\s-]+", " ", NUMBER.sub("#", DRAWN.sub("", output))).split()


def numbers(output: str) -> list[float]:
    """Return the numbers in an output."""
    return [float(each.replace("−", "-")) for each in NUMBER.findall(DRAWN.sub("", output))]


def alike(number: float, other: float) -> bool:
    """Return whether two runs, which draw new jitter and a new t0, may print these numbers."""
    # In 29 runs, the number that varies most had a standard deviation of 4 %, around a mean 3 %
    # above the page's. A tenth was too little once in some dozens of runs.
    counts = number.is_integer() and other.is_integer()
    return number == pytest.approx(other, rel=0.2, abs=1.0 if counts else 0.25)


@pytest.mark.parametrize("page", pages(), ids=lambda page: page.stem)
def test_a_tutorial_prints_what_its_page_shows(
    page: Path, new_party: NewParty, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    operator = new_party("admin", name="Operator")
    monkeypatch.setenv("WASSAY_URL", operator.url)
    monkeypatch.setenv("WASSAY_API_KEY", operator.key)
    monkeypatch.chdir(tmp_path)
    parts = list(parse(page.read_text(encoding="utf-8")))
    assert render(parts) == page.read_text(encoding="utf-8")
    blocks = [each for each in parts if isinstance(each, Block)]
    for block, now in zip(blocks, executed(blocks), strict=True):
        assert isinstance(now, Block)
        assert words(now.output) == words(block.output)
        if not any(each in block.source for each in ROWS_BY_LOT):
            pairs = zip(numbers(now.output), numbers(block.output), strict=True)
            assert all(alike(*pair) for pair in pairs), now.output


@pytest.mark.parametrize("page", pages(), ids=lambda page: page.stem)
def test_the_notebook_of_a_tutorial_has_its_prose_code_and_outputs(page: Path) -> None:
    """`make tutorials` writes the notebooks."""
    text = page.read_text(encoding="utf-8")
    written = page.with_suffix(".ipynb").read_text(encoding="utf-8")
    assert written == notebook(list(parse(text)))
    cells = json.loads(written)["cells"]
    for cell in cells:
        for line in "".join(cell["source"]).splitlines():
            assert line in text
    printed = [line for cell in cells for each in cell.get("outputs", ()) for line in each["text"]]
    assert "".join(printed) == "".join(
        part.output for part in parse(text) if isinstance(part, Block)
    )
