"""Run heavy functions in processes of low priority, so that other callers need not wait.

In a thread, a function that computes in Python would delay every other request of the web process.
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
"""The largest size of data that are processed faster than another process can return a result."""

PROCESSES = 2
NICENESS = 10


class HeavyWork:
    """Processes that run heavy functions, at most one function of each account at a time."""

    def __init__(self) -> None:
        self._processes = anyio.CapacityLimiter(PROCESSES)
        self._accounts = ConcurrencyLimit(1)

    async def run(self, account_id: str, size: int, function: Callable[[], Result]) -> Result:
        """Call a function, and return what it returns.

        Parameters
        ----------
        account_id
            The caller's account.
        size
            How many bytes the function processes. Up to `LIGHT_BYTES`, the function runs in a
            thread at once; above, in another process, after the account's earlier functions.
        function
            A `functools.partial` of a module's function. Its arguments and its result must be
            picklable.

        Raises
        ------
        Unavailable
            If the process ends before the function returns.
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
                    "The process that examined the body has crashed; nothing was changed. Try "
                    "again."
                ) from error


def _with_low_priority(function: Callable[[], Result]) -> Result:
    # Ignore signals to the whole process group, such as from Ctrl-C: the service still completes
    # its open requests, and then ends this process itself.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    niceness = os.getpriority(os.PRIO_PROCESS, 0)
    os.setpriority(os.PRIO_PROCESS, 0, max(niceness, NICENESS))
    return function()
