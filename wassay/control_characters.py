"""Escape text by other parties before it is printed to a terminal."""


def escape_control_characters(text: str) -> str:
    """Escape characters that are not printable as in a Python string; keep line breaks.

    Names and messages come from other accounts and the service. In a terminal, an escape sequence
    in them could erase or rewrite other output.
    """
    return "".join(
        each if each.isprintable() or each == "\n" else repr(each)[1:-1] for each in text
    )
