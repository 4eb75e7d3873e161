"""A mistake of a newcomer, and what they have to be told."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Told:
    """Pieces of a message: what it is about, what came, and what was expected or is to be done."""

    about: str
    came: str
    remedy: str

    def require_in(self, message: str) -> None:
        for piece in (self.about, self.came, self.remedy):
            assert piece in message, f"expected {piece!r} in: {message}"
        assert "Traceback" not in message
        assert "pydantic" not in message
