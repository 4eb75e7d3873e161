"""The seller's side: contribute to requests without giving away raw points."""

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from typing import Any

from numpy.typing import ArrayLike

from wassay.audit import Audit
from wassay.client.connection.flows import (
    Flow,
    R,
    operation,
)
from wassay.client.connection.pagination import Pages
from wassay.client.seller.agreement import Offer, require_kinds
from wassay.client.seller.contribute import contribute, withdraw_drafts
from wassay.client.seller.privacy import SellerPrivacy
from wassay.client.seller.seller_checks import SellerChecks
from wassay.client.shared.arguments import (
    as_instance,
    as_line,
    as_list,
    require_mode,
)
from wassay.client.shared.sampling import require_row_limit
from wassay.errors import InvalidArgumentError, WassayError
from wassay.models import (
    Contribution,
    FieldType,
    Mode,
    Request,
)
from wassay.modes import MODES
from wassay.recipes.kinds.text import Vectors
from wassay.sampling import Sample


class Seller(SellerChecks[R]):
    """Contributes to requests through a client whose API key has the scope `seller`.

    Parameters
    ----------
    client : Client or AsyncClient
    profile : Profile, optional
        The file with this account's private key and the pinned keys of others; by default
        `Profile()`.
    """

    def __repr__(self) -> str:
        return f"Seller({self._client!r}, {self._identity.profile!r})"

    @operation
    def publish_key(self) -> Flow[str]:
        """Publish this account's encryption key, and return the key's fingerprint.

        Call this before a buyer asks: otherwise `answer` publishes the key, and waits for the
        buyer.

        Returns
        -------
        str
            The fingerprint, to tell to buyers.
        """
        return self._identity.publish()

    def open_requests(
        self,
        fields: Iterable[str] = (),
        *,
        text: str | None = None,
        type: FieldType | None = None,  # noqa: A002 - as in listings
        unit: str | None = None,
    ) -> Pages[Request, R]:
        """List the open requests that this seller may answer, newest first.

        Parameters
        ----------
        fields : iterable of str, optional
            Names of columns. Only requests whose recipe reads all of these columns are listed.
        text : str, optional
            Words. Only requests that have each word in the title, the description, the fields or
            the organisation's name are listed.
        type, unit : str, optional
            The type, such as ``'number'``, and the unit of a field. All `fields` must have them;
            without `fields`, at least one field of the request must.

        Returns
        -------
        Pages of wassay.models.Request
        """
        return self._client.requests.list(
            role="seller", state="open", fields=fields, text=text, type=type, unit=unit
        )

    @operation
    def answer(
        self,
        request_id: str,
        points: Any,
        *,
        rename: Mapping[str, str] | None = None,
        factors: Mapping[str, float] | None = None,
        vectors: Mapping[str, Vectors] | None = None,
        accept_differences: Iterable[str] = (),
        mode: Mode = "measure",
        labels: ArrayLike | None = None,
        sample: Sample | int | None = None,
        buyer: str | None = None,
        label: str | None = None,
        listing_id: str | None = None,
        privacy: SellerPrivacy | None = None,
        timeout: float | None = 60.0,
        on_audit: Callable[[Audit], None] | None = None,
        progress: bool | None = None,
    ) -> Flow[Contribution]:
        """Push points to every s on this machine, upload what the mode sends, and submit.

        By default, rows are sent in a secret order, which is stored beside the profile. A draft
        from an earlier attempt is withdrawn.

        Parameters
        ----------
        request_id : str
        points : DataFrame, mapping of columns, array_like of shape (n, d), Measure or Sampled
            The seller's data, which does not leave this process. If the request has a recipe, these
            are rows with the recipe's columns; otherwise points with the buyer's coordinates.
        rename : mapping of str to str, optional
            Maps names of columns in the rows to the recipe's names: ``{"mine": "theirs"}``.
        factors : mapping of str to float, optional
            The factor that converts a column to the recipe's unit, by the recipe's name of the
            column: ``{"income": 1000}`` for an income in thousands.
        vectors : mapping, optional
            The buyer's word vectors for each column that the recipe embeds as text, by the recipe's
            name of the column.
        accept_differences : iterable of str, optional
            The `name` of each difference from the recipe that does not stop the upload, such as
            ``["out-of-range:age"]``. `check` returns the differences.
        mode : {'measure', 'cost-block', 'scalar'}
            What to upload: the pushed points (``'measure'``), the costs to the buyer's pushed
            points (``'cost-block'``), or a few numbers for each s (``'scalar'``).
        labels : array_like, shape (n,), optional
            The class of each point, of any sortable type, if the request is labelled. By default
            the recipe's field with the role `label`, if there is one.
        sample : Sample or int, optional
            Draw this many rows and send only these; by default all rows are sent. The sample keeps
            the shares of the classes in the column `Sample.by`; by default, in the recipe's field
            with the role `label`.
        buyer : str, optional
            The expected buyer: an account's id, or the fingerprint of its key, which is then
            pinned. By default the account that the service names.
        label : str, optional
            The name under which the buyer sees this contribution; by default the account's name.
        listing_id : str, optional
            A listing of this account that describes the data.
        privacy : SellerPrivacy, optional
            What others may learn about the points; by default `SellerPrivacy()`.
        timeout : float, optional
            The most seconds to wait for the buyer to seal the reference's key to this account; None
            for no limit.
        on_audit : callable, optional
            Called with the `wassay.audit.Audit` of the upload, if the upload is within
            `SellerPrivacy.max_disclosure`. If `on_audit` raises, nothing is uploaded.
        progress : bool, optional
            Whether to show the progress on standard error. True shows a bar in terminals and
            notebooks, and lines elsewhere; None shows only the bar.

        Returns
        -------
        wassay.models.Contribution
            The submitted contribution.

        Raises
        ------
        InvalidArgumentError
            If the request does not take such points, labels or this mode, or there are more rows
            than the service takes. Also if `label` is not one line of 1 to 200 characters.
        DifferencesError
            If rows do not fit the recipe; nothing was uploaded.
        RecipeError
            If the rows cannot be read, or an option names a missing column.
        TransportError
            If a point is not finite, a label is missing, or points and labels differ in number.
        DisclosureError
            If a receiver could compute more than `SellerPrivacy.max_disclosure` allows; nothing was
            uploaded.
        SealingError
            If the sealed key or its sender cannot be trusted, or the request is from another buyer
            than expected; nothing was uploaded.
        IntegrityError
            If the service shows another measure than the buyer's; nothing was uploaded.
        WaitTimeoutError
            If the buyer has not sealed the key within `timeout`.
        ProblemError
            If the service refuses a call.

        Warns
        -----
        ReadableColumnsWarning
            If the service can read columns, and neither `privacy` nor the profile has a limit.
        UserWarning
            If `answer` leaves out columns that the recipe does not read.

        Notes
        -----
        `wassay.files.read_sample` draws rows from a long file.

        In mode ``'measure'``, the buyer does not see the points. In the other modes, this machine
        downloads the buyer's pushed points. The numbers of mode ``'scalar'`` cannot be verified,
        and give no scores.

        In mode ``'measure'``, labels are scored, so name classes as the buyer does; the service
        sees only codes of the names. In the other modes, the names are not sent and need not be the
        buyer's. If the request has `class_names`, the classes must have exactly these names, and
        points are compared only with points of the same class.
        """
        label = None if label is None else as_line(label, "label")
        privacy = as_instance(privacy, SellerPrivacy, "privacy")
        check = yield from self._identity.disclosure_check(privacy.max_disclosure, on_audit)
        accepted = as_list(accept_differences, "accept_differences")
        require_kinds(accepted)
        request = yield from self._flows.requests.get(request_id)
        if buyer is not None:
            yield from self._identity.require(request.account_id, buyer)
        require_mode(request, mode)
        offer = Offer(points, rename, factors, vectors, labels).drawn(request, sample)
        if MODES[mode].is_verified:  # Other modes send no array, so any number of rows is fine.
            require_row_limit(offer.rows)
        return (
            yield from contribute(
                self._flows,
                self._identity,
                request,
                offer,
                accepted=accepted,
                mode=mode,
                label=label,
                listing_id=listing_id,
                privacy=privacy,
                timeout=timeout,
                check=check,
                progress=progress,
            )
        )

    @operation
    def decline(self, request_id: str, *, reason: str) -> Flow[Contribution]:
        """Decline a request, tell the buyer why, and withdraw this account's drafts for it.

        Parameters
        ----------
        request_id : str
        reason : str
            The reason, which the buyer reads.

        Returns
        -------
        wassay.models.Contribution
            The declined contribution.
        """
        yield from withdraw_drafts(self._flows, request_id)
        mode = (yield from self._flows.requests.get(request_id)).modes[0]
        draft = yield from self._flows.contributions.create(request_id, mode=mode)
        try:
            return (yield from self._flows.contributions.decline(draft.id, reason=reason))
        except BaseException:
            with suppress(WassayError):
                yield from withdraw_drafts(self._flows, request_id)
            raise

    @operation
    def withdraw(self, request_id: str) -> Flow[Contribution]:
        """Withdraw this account's contribution, and delete its arrays from the service.

        Results, receipts and rows of the ledger stay.

        Parameters
        ----------
        request_id : str

        Returns
        -------
        wassay.models.Contribution
            The withdrawn contribution.

        Raises
        ------
        InvalidArgumentError
            If this account has no draft and no submitted contribution to the request.
        ConflictError
            If an evaluation with the contribution waits or runs, or an evaluation has used the
            contribution and the request is open.
        """
        me = yield from self._identity.account_id()
        for each in (yield from self._flows.contributions.list(request_id).all()):
            if each.account_id == me and each.state in {"draft", "submitted"}:
                return (yield from self._flows.contributions.withdraw(each.id))
        raise InvalidArgumentError(f"{me} has no contribution to {request_id} to withdraw")
