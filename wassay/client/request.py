"""A buyer's own request, with the push that only the buyer knows."""

import time
from collections.abc import Iterable
from pathlib import Path

from wassay import models
from wassay.client.client import Client
from wassay.client.evaluation import Evaluation
from wassay.client.push import Push, save_push

POLL_SECONDS = 0.5


class Request:
    """What `Buyer.ask` opened.

    Attributes
    ----------
    id : str
        Tell it to sellers.
    """

    def __init__(self, client: Client, request_id: str, push: Push) -> None:
        self._client = client
        self._push = push
        self.id = request_id

    def __repr__(self) -> str:
        return f"Request({self.id!r})"

    @property
    def t0(self) -> float:
        """The private push; it was never sent."""
        return self._push.t0

    def save(self, path: str | Path) -> None:
        """Keep t0 and σ_bμ in a new file, readable by its owner only, for `Buyer.load`.

        Raises
        ------
        FileExistsError
            When the file is there already.
        """
        save_push(path, self.id, self._push)

    def invite(self, account_id: str) -> models.Invitation:
        """Let one more seller answer."""
        return self._client.requests.invite(self.id, account_id)

    def contributions(self) -> list[models.Contribution]:
        """The answers so far, newest first, in every state."""
        return list(self._client.contributions.list(self.id))

    def wait_for(self, sellers: int, *, timeout: float | None = None) -> list[models.Contribution]:
        """Wait until so many sellers have submitted, and return what they submitted.

        Parameters
        ----------
        sellers : int
            How many.
        timeout : float, optional
            Seconds to wait at most.

        Raises
        ------
        TimeoutError
            When fewer have answered by then; it says who has done what.
        """
        deadline = None if timeout is None else time.monotonic() + timeout
        while True:
            answers = self.contributions()
            submitted = [answer for answer in answers if answer.state == "submitted"]
            if len(submitted) >= sellers:
                return submitted
            if deadline is not None and time.monotonic() > deadline:
                states = ", ".join(f"{answer.label}: {answer.state}" for answer in answers)
                raise TimeoutError(
                    f"expected {sellers} submitted contributions within {timeout:g} s, "
                    f"{len(submitted)} came ({states or 'nobody has begun'})"
                )
            time.sleep(POLL_SECONDS)

    def evaluate(
        self,
        *,
        contribution_ids: Iterable[str] | None = None,
        seller_weighting: models.SellerWeighting = "points",
    ) -> Evaluation:
        """Start computing the result over the contributions named, or over all submitted ones.

        Parameters
        ----------
        contribution_ids : iterable of str, optional
            Which ones; all that are submitted when left out.
        seller_weighting : {'points', 'equal'}
            Whether every point counts the same, or every seller.
        """
        asked = self._client.evaluations.create(
            self.id, contribution_ids=contribution_ids, seller_weighting=seller_weighting
        )
        return Evaluation(self._client, asked, self._push)

    def evaluation(self, evaluation_id: str) -> Evaluation:
        """Come back to an evaluation of this request."""
        return Evaluation(self._client, self._client.evaluations.get(evaluation_id), self._push)

    def close(self) -> None:
        """Take no more answers; evaluating stays possible."""
        self._client.requests.close(self.id)

    def cancel(self) -> None:
        """Give the request up, and every evaluation of it that is not finished."""
        self._client.requests.cancel(self.id)
