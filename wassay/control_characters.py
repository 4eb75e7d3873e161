"""Escape text of other parties, so that printing it to a terminal is safe."""


def escape_control_characters(text: str) -> str:
    r"""Escape unprintable characters as Python does, such as ``\x1b``; keep line breaks."""
    # Text from another account could erase or rewrite a terminal's output.
    return "".join(each if _is_harmless(each) else repr(each)[1:-1] for each in text)


def escape_line(text: str) -> str:
    r"""Escape unprintable characters and line breaks, so that the text stays on one line."""
    # A name with a line break could add a line that looks like one of Wassay's own.
    return escape_control_characters(text).replace("\n", "\\n")


def escape_in_json(document: str) -> str:
    r"""Escape unprintable characters in JSON as JSON does, such as ``\u009b``; keep line breaks."""
    return "".join(each if _is_harmless(each) else _json_escape(each) for each in document)


def _is_harmless(character: str) -> bool:
    return character.isprintable() or character == "\n"


def _json_escape(character: str) -> str:
    units = character.encode("utf-16-be", errors="surrogatepass")
    pairs = zip(units[::2], units[1::2], strict=True)
    return "".join(f"\\u{high:02x}{low:02x}" for high, low in pairs)
