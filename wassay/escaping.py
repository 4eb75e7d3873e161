"""Text from elsewhere, made harmless for a terminal."""


def escape_control_characters(text: str) -> str:
    """Write what is no printable character as Python writes it in a string; lines stay lines.

    Names and sentences come from other accounts and from the service, and a terminal obeys what it
    is shown: an escape sequence could erase or rewrite what stands beside it.
    """
    return "".join(
        each if each.isprintable() or each == "\n" else repr(each)[1:-1] for each in text
    )
