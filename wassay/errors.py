"""The base of the SDK's exceptions, and the exceptions that several parts of the SDK share.

Exceptions for bad input also derive from `ValueError`.
"""

from __future__ import annotations

from wassay.control_characters import escape_control_characters


# An OSError about one of the caller's files is passed on unchanged, or as a WassayError that
# derives from the same class.
class WassayError(Exception):
    """The base of every exception that the SDK defines."""

    def __str__(self) -> str:
        # Tracebacks print the message, which may contain text of the service or another party.
        return escape_control_characters(super().__str__())


class InvalidArgumentError(WassayError, ValueError):
    """An argument is invalid; nothing was sent."""


class PackageMissing(WassayError, ModuleNotFoundError):  # noqa: N818 - reads better
    """An optional package is not installed; the message says how to install it."""


class WaitTimeoutError(WassayError, TimeoutError):
    """Waiting took too long; the message says what is still missing."""
