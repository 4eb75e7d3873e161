"""Tables in plain text."""

from collections.abc import Sequence


def table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Lay text out in columns, the first to the left and the others to the right."""
    widths = [max(map(len, cells)) for cells in zip(columns, *rows, strict=True)]

    def line(cells: Sequence[str]) -> str:
        first, *others = zip(cells, widths, strict=True)
        return "  ".join(
            [first[0].ljust(first[1]), *(text.rjust(width) for text, width in others)]
        ).rstrip()

    return "\n".join([line(columns), line(["─" * width for width in widths]), *map(line, rows)])
