"""Text that both databases can keep: bounded, and free of NUL, which Postgres cannot store."""

from typing import Annotated

from pydantic import AfterValidator, StringConstraints


def _without_nul(text: str) -> str:
    if "\x00" in text:
        raise ValueError("expected text without NUL characters")
    return text


Line = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=200),
    AfterValidator(_without_nul),
]
"""A name, a title, a label: 1 to 200 characters, without blanks around it."""

Text = Annotated[str, StringConstraints(max_length=10_000), AfterValidator(_without_nul)]
"""A description: up to 10,000 characters, as it came."""
