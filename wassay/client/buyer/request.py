"""A buyer's own request, with the push and the reference's key that the service does not know."""

import time
import warnings
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from wassay import models
from wassay.client.buyer.saved_request import SavedRequest
from wassay.client.client import Service
from wassay.client.connection.flows import (
    Flow,
    Flowing,
    Pause,
    R,
    Runs,
    operation,
)
from wassay.client.errors import UninvitedWarning
from wassay.client.evaluation.evaluation import Evaluation
from wassay.client.shared.arguments import as_amount, as_count
from wassay.client.shared.identity import Identity, SharedSecret

POLL_SECONDS = 0.5


class Request(Runs[R]):
    """What `Buyer.ask` opened.

    Attributes
    ----------
    id : str
        Tell it to sellers.
    """

    def __init__(
        self,
        service: Service[R],
        identity: Identity[Flowing],
        saved: SavedRequest,
        path: Path | None = None,
    ) -> None:
        super().__init__(service.run)
        self._service = service
        self._flows = service.flows
        self._identity = identity
        self._saved = saved
        self._path = path
        self._push = saved.push
        self.id = saved.request_id

    def __repr__(self) -> str:
        return f"Request({self.id!r})"

    @property
    def t0(self) -> float:
        """The private push; it was never sent."""
        return self._push.t0

    def save(self, path: str | Path) -> None:
        """Write t0, σ_bμ, the reference's key and its recipients to a new private file.

        `Buyer.load` reads it. Sellers invited later are added to it.

        Raises
        ------
        FileExistsError
            If the file exists already.
        """
        self._saved.save(path)
        self._path = Path(path)

    @operation
    def invite(self, account_id: str) -> Flow[models.Invitation]:
        """Let one more seller answer, and seal the reference's key to them.

        The seller becomes a recipient of the key: only accounts named here, or in `Buyer.ask`, ever
        get it. A seller who has published no encryption key yet gets it from `share_key` or
        `wait_for` later. Inviting again seals it again, to a seller's new key for instance.

        Raises
        ------
        KeyChangedError
            If the seller's key differs from the pinned one.
        """
        self._read_recipients()
        self._saved = self._saved.naming(account_id)
        if self._path is not None:
            self._saved.save_again(self._path)
        invitation = yield from self._flows.requests.invite(self.id, account_id)
        yield from self._share_key_with(account_id)
        return invitation

    @operation
    def share_key(self) -> Flow[list[str]]:
        """Seal the reference's key to every seller you invited who has published a key since.

        Whoever has the key can compute raw points from what the service holds. So it goes to the
        accounts that you named to `Buyer.ask` or `invite`, and to nobody else, even if the service
        lists others as invited.

        Returns
        -------
        list of str
            The accounts you invited that have still published no encryption key.

        Warns
        -----
        UninvitedWarning
            If the service lists an account as invited that you did not name.

        Raises
        ------
        KeyChangedError
            If a seller's key differs from the pinned one.
        """
        if self._saved.key is None:
            return []
        self._read_recipients()
        invitations = yield from self._flows.requests.invitations(self.id).all()
        has_key = {each.account_id: each.has_sealed_key for each in invitations}
        for account_id in has_key.keys() - set(self._saved.recipients):
            warnings.warn(
                f"the service lists {account_id} as invited to request {self.id}, but you did not "
                "invite that account here: nothing was sealed to it. If you know who it is, call "
                f"invite({account_id!r}) (wassay invite); if not, ask the operator.",
                UninvitedWarning,
                stacklevel=2,
            )
        without_key = []
        for account_id in self._saved.recipients:
            if has_key.get(account_id, True):
                continue
            if not (yield from self._share_key_with(account_id)):
                without_key.append(account_id)
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

        Meanwhile, the key of a sealed reference goes to the sellers you invited as soon as they
        have published theirs.

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
                hindrances = self._hindrances(answers, without_key)
                raise TimeoutError(
                    f"expected {sellers} submitted contributions within {timeout:g} s, "
                    f"received {len(submitted)} ({states or 'nobody has begun'})"
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

    def _read_recipients(self) -> None:
        """Take over the sellers that another process of the buyer has invited meanwhile."""
        if self._path is None:
            return
        with suppress(FileNotFoundError):
            for account_id in SavedRequest.load(self._path).recipients:
                self._saved = self._saved.naming(account_id)

    def _share_key_with(self, account_id: str) -> Flow[bool]:
        if self._saved.key is None:
            return True
        recipient = yield from self._identity.pinned_key(account_id)
        if recipient is None:
            return False
        shared = SharedSecret(self.id, self._saved.key, self._saved.measure_digest)
        box = yield from self._identity.seal(shared, recipient)
        yield from self._flows.requests.upload_sealed_key(self.id, account_id, box)
        return True

    def _hindrances(self, answers: list[models.Contribution], without_key: list[str]) -> str:
        """Say who cannot answer for want of the reference's key."""
        told = ""
        if without_key:
            told += (
                f"; {', '.join(without_key)} must publish an encryption key first (wassay key), so "
                "that the reference's key can be sealed to them"
            )
        if self._saved.key is not None:
            uninvited = [
                f"{answer.label} ({answer.account_id})"
                for answer in answers
                if answer.state == "draft" and answer.account_id not in self._saved.recipients
            ]
            if uninvited:
                told += (
                    f"; {', '.join(uninvited)} wait for the reference's key, which is sealed only "
                    "to those you invite"
                )
        return told
