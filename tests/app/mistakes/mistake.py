"""A mistake that a newcomer makes, and what the error message must contain."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Told:
    """Texts that a message must have: its subject, what was received, and what to do."""

    about: str
    came: str
    remedy: str

    def require_in(self, message: str) -> None:
        for piece in (self.about, self.came, self.remedy):
            assert piece in message, f"expected {piece!r} in: {message}"
        assert "Traceback" not in message
        assert "pydantic" not in message
