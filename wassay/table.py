"""Format tables as plain text."""

from collections.abc import Sequence

from wassay.control_characters import escape_line


def table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Format rows under the headings `columns`: the first column aligned left, all others right."""
    lines = [[escape_line(cell) for cell in cells] for cells in (columns, *rows)]
    widths = [max(map(len, cells)) for cells in zip(*lines, strict=True)]

    def line(cells: Sequence[str]) -> str:
        first, *others = zip(cells, widths, strict=True)
        return "  ".join(
            [first[0].ljust(first[1]), *(text.rjust(width) for text, width in others)]
        ).rstrip()

    head, *body = map(line, lines)
    return "\n".join([head, line(["-" * width for width in widths]), *body])


def fixed(value: float) -> str:
    """Format a number with four decimals; a number that rounds to zero has no sign."""
    return f"{value:z.4f}"


def change(value: float) -> str:
    """Format a change with sign and four decimals; a change that rounds to zero has no sign."""
    written = f"{value:+z.4f}"
    return written if float(written) else written.removeprefix("+")
