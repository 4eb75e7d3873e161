"""The base of the SDK's errors, and those that are of no part of it alone.

Errors of bad input also derive from `ValueError`, so that callers who know only Python's own catch
them. What the operating system says of the caller's files (`OSError`) stays as it is.
"""

from __future__ import annotations


class WassayError(Exception):
    """The base of every error of the SDK."""


class PackageMissing(WassayError, ModuleNotFoundError):  # noqa: N818 - reads better
    """An optional package is not installed; the message says how to install it."""


class WaitTimeoutError(WassayError, TimeoutError):
    """What was waited for has not happened in time; the message says what is missing."""
