"""Invite sellers to a request, and seal the reference's key to them."""

import warnings
from contextlib import suppress
from pathlib import Path

from wassay import models
from wassay.client.buyer.named_sellers import accounts_of
from wassay.client.buyer.saved_request import SavedRequest
from wassay.client.client import Service
from wassay.client.connection.flows import (
    Flow,
    Flowing,
    R,
    Runs,
    operation,
)
from wassay.client.errors import UninvitedWarning, WithoutKeyWarning
from wassay.client.shared.identity import Identity, SharedSecret
from wassay.control_characters import escape_line


class InvitedSellers(Runs[R]):
    """Base of `Request`: the operations that share the request's secrets with invited sellers."""

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

    @operation
    def invite(self, seller: str) -> Flow[models.Invitation]:
        """Invite a seller; if the reference is sealed, also seal the reference's key to the seller.

        If the seller publishes a new encryption key later, invite the seller again.

        Parameters
        ----------
        seller : str
            The id of the seller's account (``acc_…``). If the account's key is pinned or the
            reference is open, also the id of a listing (``lst_…``) or the name of an organisation.

        Returns
        -------
        wassay.models.Invitation

        Raises
        ------
        InvalidArgumentError
            If `seller` does not belong to exactly one account. Also if the reference is sealed, and
            `seller` is a listing or an organisation whose account has no pinned key.
        KeyChangedError
            If the seller's key differs from the pinned one.

        Warns
        -----
        WithoutKeyWarning
            If the seller has published no encryption key yet. Call `share_key` or `wait_for` later
            to seal the reference's key to the seller.
        """
        (account_id,) = yield from accounts_of(
            self._flows, self._identity, [seller], sealed=self._saved.key is not None
        )
        self._read_recipients()
        self._saved = self._saved.with_recipient(account_id)
        if self._path is not None:
            self._saved.replace_file(self._path)
        invitation = yield from self._flows.requests.invite(self.id, account_id)
        if not (yield from self._share_key_with(account_id)):
            warnings.warn(
                f"{account_id} cannot answer yet, because they have published no encryption key: "
                "ask them to run wassay key. Then send them the reference's key by "
                "Request.wait_for, Request.share_key or wassay invite",
                WithoutKeyWarning,
                stacklevel=2,
            )
        return invitation

    @operation
    def share_key(self) -> Flow[list[str]]:
        """Seal the reference's key to sellers who published an encryption key after the invitation.

        Only sellers whom the buyer invited get the key, even if the service lists others as
        invited.

        Returns
        -------
        list of str
            The invited accounts that have still not published an encryption key; empty if the
            reference is open.

        Raises
        ------
        KeyChangedError
            If a seller's key differs from the pinned one.

        Warns
        -----
        UninvitedWarning
            If the service lists an account as invited that the buyer never named.
        """
        if self._saved.key is None:
            return []
        self._read_recipients()
        invitations = yield from self._flows.requests.invitations(self.id).all()
        has_key = {each.account_id: each.has_sealed_key for each in invitations}
        # Whoever has the reference's key and the service's data can compute the raw points.
        for account_id in has_key.keys() - set(self._saved.recipients):
            warnings.warn(
                f"the service lists {escape_line(account_id)} as invited to request {self.id}, but "
                "you did not invite that account here: nothing was sealed to it. If you want to "
                f"invite it, call invite({account_id!r}) (wassay invite); if not, ask the "
                "service's operator.",
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

    def _read_recipients(self) -> None:
        """Add the invited accounts that another process has written to the saved file."""
        if self._path is None:
            return
        with suppress(FileNotFoundError):
            for account_id in SavedRequest.load(self._path).recipients:
                self._saved = self._saved.with_recipient(account_id)

    def _share_key_with(self, account_id: str) -> Flow[bool]:
        key, terms = self._saved.key, self._saved.terms
        if key is None or terms is None:
            return True
        recipient = yield from self._identity.pinned_key(account_id)
        if recipient is None:
            return False
        recipe = self._saved.recipe
        shared = SharedSecret(
            self.id,
            key,
            self._saved.measure_digest,
            terms,
            None if recipe is None else recipe.fitted,
        )
        box = yield from self._identity.seal(shared, recipient)
        yield from self._flows.requests.upload_sealed_key(self.id, account_id, box)
        return True
