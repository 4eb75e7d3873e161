"""The base of the SDK's errors, and the errors that several parts of the SDK share.

Errors of bad input also derive from `ValueError`, so that callers who know only Python's own catch
them. What the operating system says of the caller's files (`OSError`) stays as it is.
"""

from __future__ import annotations


class WassayError(Exception):
    """The base of every error of the SDK."""


class PackageMissing(WassayError, ModuleNotFoundError):  # noqa: N818 - reads better
    """An optional package is not installed; the message says how to install it."""


class WaitTimeoutError(WassayError, TimeoutError):
    """Waiting took too long; the message says what is still missing."""
