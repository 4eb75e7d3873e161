"""Limit how many event streams an account and its organisation may open at one web process."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from ..accounts.principal import Principal
from .problems import TooManyStreams

STREAM_COST = 9
"""An opened stream counts as this many further requests, because it keeps its slot for a minute."""


class StreamLimit:
    """Count the open streams of a process by account and by organisation.

    Use this class on the event loop only, because it has no lock.
    """

    def __init__(self, per_account: int, per_organisation: int) -> None:
        self._per_account = per_account
        self._per_organisation = per_organisation
        self._of_account: Counter[str] = Counter()
        self._of_organisation: Counter[str] = Counter()

    @contextmanager
    def slot(self, caller: Principal) -> Iterator[None]:
        """Count one stream of the caller while the block runs.

        Raises
        ------
        TooManyStreams
            If the caller's account or organisation has reached its limit.
        """
        account, organisation = caller.account_id, caller.organisation_key
        for owner, used, limit in (
            ("account", self._of_account[account], self._per_account),
            ("organisation", self._of_organisation[organisation], self._per_organisation),
        ):
            if used >= limit:
                raise TooManyStreams(
                    f"Expected at most {limit} open event streams of your {owner}; it has {used} "
                    f"already. Close one, or poll GET /v1/evaluations/{{id}} instead.",
                    expected=limit,
                    received=used,
                )
        self._of_account[account] += 1
        self._of_organisation[organisation] += 1
        try:
            yield
        finally:
            for counter, owner in (
                (self._of_account, account),
                (self._of_organisation, organisation),
            ):
                counter[owner] -= 1
                if not counter[owner]:
                    del counter[owner]
