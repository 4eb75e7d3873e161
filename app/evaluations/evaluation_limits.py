"""Limit how many evaluations of an account, and of an organisation, wait or run at a time."""

from dataclasses import dataclass

from .problems import TooManyEvaluations
from .repository import Backlog


@dataclass(frozen=True)
class EvaluationLimits:
    """Limits on the unfinished evaluations of one account, and of one organisation."""

    per_account: int
    per_organisation: int

    def require_room(self, backlog: Backlog) -> None:
        """Raise unless one more evaluation may wait.

        Raises
        ------
        TooManyEvaluations
            If the account or its organisation has reached its limit.
        """
        for owner, used, limit in (
            ("account", backlog.of_account, self.per_account),
            ("organisation", backlog.of_organisation, self.per_organisation),
        ):
            if used >= limit:
                raise TooManyEvaluations(
                    f"Expected at most {limit} waiting or running evaluations of one {owner}; "
                    f"yours has {used}. Wait until some have finished, or cancel some.",
                    expected=limit,
                    received=used,
                )
