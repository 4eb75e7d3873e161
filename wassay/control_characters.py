"""Escape text that other parties wrote before printing the text to a terminal."""


def escape_control_characters(text: str) -> str:
    r"""Escape unprintable characters as Python does, such as ``\x1b``; keep line breaks.

    Names and messages come from other accounts and the service. An escape sequence in such a text
    could erase or rewrite other output in a terminal.
    """
    return "".join(
        each if each.isprintable() or each == "\n" else repr(each)[1:-1] for each in text
    )
