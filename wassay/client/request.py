"""A buyer's own request, with the push and the reference's key that the service does not know."""

import time
from collections.abc import Iterable
from pathlib import Path

from wassay import models
from wassay.client.arguments import as_amount, as_count
from wassay.client.client import Service
from wassay.client.evaluation import Evaluation
from wassay.client.flows import Flow, Flowing, Pause, R, Runs, operation
from wassay.client.identity import Identity, Shared
from wassay.client.kept_request import KeptRequest

POLL_SECONDS = 0.5


class Request(Runs[R]):
    """What `Buyer.ask` opened.

    Attributes
    ----------
    id : str
        Tell it to sellers.
    """

    def __init__(self, service: Service[R], identity: Identity[Flowing], kept: KeptRequest) -> None:
        super().__init__(service.run)
        self._service = service
        self._flows = service.flows
        self._identity = identity
        self._kept = kept
        self._push = kept.push
        self.id = kept.request_id

    def __repr__(self) -> str:
        return f"Request({self.id!r})"

    @property
    def t0(self) -> float:
        """The private push; it was never sent."""
        return self._push.t0

    def save(self, path: str | Path) -> None:
        """Keep t0, σ_bμ and the reference's key in a new file of its owner, for `Buyer.load`.

        Raises
        ------
        FileExistsError
            When the file is there already.
        """
        self._kept.save(path)

    @operation
    def invite(self, account_id: str) -> Flow[models.Invitation]:
        """Let one more seller answer, and seal the reference's key to them.

        A seller who has published no encryption key yet gets it from `share_key` or `wait_for`
        later. Inviting again seals it again, to a seller's new key for instance.

        Raises
        ------
        KeyChangedError
            When the seller's key is another than the one that was pinned.
        """
        invitation = yield from self._flows.requests.invite(self.id, account_id)
        yield from self._share_key_with(account_id)
        return invitation

    @operation
    def share_key(self) -> Flow[list[str]]:
        """Seal the reference's key to every invited seller who has published a key since.

        Only to invited ones: whoever has it can compute raw points from what the service holds,
        and anybody, the service's operator too, may begin an answer to a request for everyone.

        Returns
        -------
        list of str
            The accounts that are invited and have still published none.

        Raises
        ------
        KeyChangedError
            When a seller's key is another than the one that was pinned.
        """
        if self._kept.key is None:
            return []
        without_key = []
        for invitation in (yield from self._flows.requests.invitations(self.id).all()):
            if not invitation.has_sealed_key:
                is_shared = yield from self._share_key_with(invitation.account_id)
                if not is_shared:
                    without_key.append(invitation.account_id)
        return without_key

    @operation
    def contributions(self) -> Flow[list[models.Contribution]]:
        """The answers so far, newest first, in every state."""
        return self._flows.contributions.list(self.id).all()

    @operation
    def wait_for(
        self, sellers: int, *, timeout: float | None = None
    ) -> Flow[list[models.Contribution]]:
        """Wait until so many sellers have submitted, and return what they submitted.

        Meanwhile, the key of a sealed reference goes to invited sellers as soon as they have
        published theirs.

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
        KeyChangedError
            When a seller's key is another than the one that was pinned.
        """
        as_count(sellers, "sellers")
        deadline = None if timeout is None else time.monotonic() + as_amount(timeout, "timeout")
        while True:
            answers = yield from Request.contributions.flow(self)
            submitted = [answer for answer in answers if answer.state == "submitted"]
            if len(submitted) >= sellers:
                return submitted
            without_key = yield from Request.share_key.flow(self)
            if deadline is not None and time.monotonic() > deadline:
                states = ", ".join(f"{answer.label}: {answer.state}" for answer in answers)
                hindrances = yield from self._hindrances(answers, without_key)
                raise TimeoutError(
                    f"expected {sellers} submitted contributions within {timeout:g} s, "
                    f"{len(submitted)} came ({states or 'nobody has begun'})"
                    f"{hindrances}"
                )
            yield Pause(POLL_SECONDS)

    @operation
    def evaluate(
        self,
        *,
        contribution_ids: Iterable[str] | None = None,
        seller_weighting: models.SellerWeighting = "points",
    ) -> Flow[Evaluation[R]]:
        """Start computing the result over the contributions named, or over all submitted ones.

        Parameters
        ----------
        contribution_ids : iterable of str, optional
            Which ones; all that are submitted when left out.
        seller_weighting : {'points', 'equal'}
            Whether every point counts the same, or every seller.
        """
        asked = yield from self._flows.evaluations.create(
            self.id,
            contribution_ids=contribution_ids,
            seller_weighting=seller_weighting,
        )
        return Evaluation(self._service, asked, self._push)

    @operation
    def evaluation(self, evaluation_id: str) -> Flow[Evaluation[R]]:
        """Come back to an evaluation of this request."""
        seen = yield from self._flows.evaluations.get(evaluation_id)
        return Evaluation(self._service, seen, self._push)

    @operation
    def close(self) -> Flow[None]:
        """Take no more answers; evaluating stays possible."""
        yield from self._flows.requests.close(self.id)

    @operation
    def cancel(self) -> Flow[None]:
        """Give the request up, and every evaluation of it that is not finished."""
        yield from self._flows.requests.cancel(self.id)

    def _share_key_with(self, account_id: str) -> Flow[bool]:
        if self._kept.key is None:
            return True
        recipient = yield from self._identity.pinned_key(account_id)
        if recipient is None:
            return False
        shared = Shared(self.id, self._kept.key, self._kept.measure_digest)
        box = yield from self._identity.seal(shared, recipient)
        yield from self._flows.requests.upload_sealed_key(self.id, account_id, box)
        return True

    def _hindrances(self, answers: list[models.Contribution], without_key: list[str]) -> Flow[str]:
        """Say who cannot answer for want of the reference's key."""
        told = ""
        if without_key:
            told += (
                f"; {', '.join(without_key)} must publish an encryption key first (wassay key), so "
                "that the reference's key can be sealed to them"
            )
        if self._kept.key is not None:
            invitations = yield from self._flows.requests.invitations(self.id).all()
            invited = {invitation.account_id for invitation in invitations}
            uninvited = [
                f"{answer.label} ({answer.account_id})"
                for answer in answers
                if answer.state == "draft" and answer.account_id not in invited
            ]
            if uninvited:
                told += (
                    f"; {', '.join(uninvited)} wait for the reference's key, which is sealed only "
                    "to those you invite"
                )
        return told
