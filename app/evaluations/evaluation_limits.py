"""Limit how many evaluations of an account, and of an organisation, may be waiting or running."""

from dataclasses import dataclass

from .problems import TooManyEvaluations
from .queue_repository import Backlog


@dataclass(frozen=True)
class EvaluationLimits:
    """Limits on the unfinished evaluations of one account and of one organisation."""

    per_account: int
    per_organisation: int

    def require_room(self, backlog: Backlog) -> None:
        """Raise unless the backlog has room for one more evaluation.

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
                    f"Expected at most {limit} waiting or running evaluations of your {owner}; it "
                    f"has {used} already. Wait until some have finished, or cancel some.",
                    expected=limit,
                    received=used,
                )
