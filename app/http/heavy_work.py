"""Run heavy functions in processes of low priority, so that they delay no other caller.

A thread would not do: while it computes in Python, or in a C function that holds the interpreter's
lock, every other request of the web process waits.
"""

import os
import signal
from collections.abc import Callable
from typing import TypeVar

import anyio
from anyio import to_process, to_thread

from .concurrency_limit import ConcurrencyLimit
from .problems import Unavailable

Result = TypeVar("Result")

LIGHT_BYTES = 2**17
"""Up to this size, data are processed in less time than another process takes to answer."""

PROCESSES = 2
NICENESS = 10


class HeavyWork:
    """The processes for heavy functions, which take one function of each account at a time.

    The processes start when they are first needed, and end with the service.
    """

    def __init__(self) -> None:
        self._processes = anyio.CapacityLimiter(PROCESSES)
        self._accounts = ConcurrencyLimit(1)

    async def run(self, account_id: str, size: int, function: Callable[[], Result]) -> Result:
        """Call a function in another process, or in a thread if its data are small.

        Parameters
        ----------
        account_id
            The caller's account.
        size
            The bytes that the function processes.
        function
            A partial of a module's function. It and what it returns or raises are pickled.

        Raises
        ------
        Unavailable
            If the process vanishes.
        """
        if size <= LIGHT_BYTES:
            return await to_thread.run_sync(function)
        async with self._accounts.slot(account_id):
            try:
                return await to_process.run_sync(
                    _with_low_priority, function, cancellable=True, limiter=self._processes
                )
            except anyio.BrokenWorkerProcess as error:
                raise Unavailable(
                    "The process that examines large bodies vanished. Try again."
                ) from error


def _with_low_priority(function: Callable[[], Result]) -> Result:
    # The service ends the process itself, after the requests that it still completes: a signal
    # to its whole group, as from Ctrl-C, must not end the process before.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    niceness = os.getpriority(os.PRIO_PROCESS, 0)
    os.setpriority(os.PRIO_PROCESS, 0, max(niceness, NICENESS))
    return function()
