"""A tutorial: a Markdown page of prose, Python blocks, and what each block prints."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parents[2] / "docs" / "tutorials"
FENCED = re.compile(
    r"^```python\n(?P<source>.*?)^```\n(?:\n```text\n(?P<output>.*?)^```\n)?", re.M | re.S
)


@dataclass(frozen=True)
class Prose:
    """Markdown between two blocks."""

    text: str


@dataclass(frozen=True)
class Block:
    """A block of Python, and the output that the page shows after it; empty if none."""

    source: str
    output: str


def pages() -> list[Path]:
    """Return the tutorials' pages."""
    return sorted(each for each in FOLDER.glob("*.md") if each.name != "README.md")


def parse(page: str) -> Iterator[Prose | Block]:
    """Split a page; `render` joins the parts to the same page.

    A ``text`` block directly after a ``python`` block is the output of the ``python`` block.
    """
    end = 0
    for found in FENCED.finditer(page):
        if found.start() > end:
            yield Prose(page[end : found.start()])
        yield Block(found["source"], found["output"] or "")
        end = found.end()
    if end < len(page):
        yield Prose(page[end:])


def render(parts: list[Prose | Block]) -> str:
    """Join the parts of a page."""
    return "".join(
        part.text
        if isinstance(part, Prose)
        else f"```python\n{part.source}```\n"
        + (f"\n```text\n{part.output}```\n" if part.output else "")
        for part in parts
    )
