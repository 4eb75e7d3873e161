"""Repeat a read while the service cannot be reached, for example during a restart."""

from __future__ import annotations

import time
from collections.abc import Callable
from http import HTTPStatus
from typing import TypeVar

from wassay.client.connection.flows import Flow, Pause
from wassay.client.errors import ConnectionFailedError, ProblemError

OUTAGE_SECONDS = 120.0
"""How long to wait for the service if the caller sets no deadline."""
PAUSE_SECONDS = 1.0

_AWAY = frozenset(
    {HTTPStatus.BAD_GATEWAY, HTTPStatus.SERVICE_UNAVAILABLE, HTTPStatus.GATEWAY_TIMEOUT}
)
T = TypeVar("T")


def repeat_during_outage(read: Callable[[], Flow[T]], deadline: float | None) -> Flow[T]:
    """Run a flow that reads, and repeat it while the service cannot be reached.

    Parameters
    ----------
    read : callable
        Returns a new flow for each attempt.
    deadline : float or None
        The time of `time.monotonic` at which to give up; None for `OUTAGE_SECONDS` from now.

    Raises
    ------
    ConnectionFailedError
        If the service cannot be reached at the deadline.
    ProblemError
        If the service is unavailable at the deadline, or refuses a call.
    """
    until = time.monotonic() + OUTAGE_SECONDS if deadline is None else deadline
    while True:
        try:
            return (yield from read())
        except ConnectionFailedError:
            if time.monotonic() >= until:
                raise
        except ProblemError as error:
            if error.problem.status not in _AWAY or time.monotonic() >= until:
                raise
        yield Pause(PAUSE_SECONDS)
