"""Parts of generated Markdown."""

from collections.abc import Iterable, Sequence


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table, or nothing without rows."""
    lines = [_row(each) for each in rows]
    return "\n".join([_row(head), _row(["---"] * len(head)), *lines, "", ""]) if lines else ""


def code(text: str) -> str:
    """Return text as code."""
    return f"`{text}`"


def _row(cells: Sequence[str]) -> str:
    flat = (" ".join(cell.split()).replace("|", "\\|") for cell in cells)
    return f"| {' | '.join(flat)} |"
