"""The seller's side: contribute to requests without giving away raw points."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from numpy.typing import ArrayLike

from wassay.audit import Audit
from wassay.client.connection.flows import (
    Flow,
    R,
    operation,
)
from wassay.client.connection.pagination import Pages
from wassay.client.errors import InvalidArgumentError
from wassay.client.seller.agreement import Offer, require_kinds
from wassay.client.seller.contribute import caps_of, contribute, withdraw_drafts
from wassay.client.seller.dry_run import dry_run
from wassay.client.seller.key_exchange import receive_recipe
from wassay.client.seller.privacy import SellerPrivacy
from wassay.client.seller.seller_results import SellerResults
from wassay.client.shared.arguments import (
    as_instance,
    as_list,
    require_answerable,
    require_mode,
)
from wassay.client.shared.sampling import require_few
from wassay.client.shared.sent_rows import to_send
from wassay.models import (
    Contribution,
    FieldType,
    Mode,
    Request,
)
from wassay.modes import MODES
from wassay.recipes import Difference
from wassay.recipes.kinds.text import Vectors
from wassay.sampling import Sample


class Seller(SellerResults[R]):
    """Contribute to requests through a client whose API key has the scope `seller`.

    Parameters
    ----------
    client : Client or AsyncClient
    profile : Profile, optional
        The file with this account's private key and the keys that it has pinned.
    """

    def __repr__(self) -> str:
        return f"Seller({self._client!r}, {self._identity.profile!r})"

    @operation
    def publish_key(self) -> Flow[str]:
        """Publish this account's encryption key, and return its fingerprint to tell buyers.

        Buyers use it to seal the key of the reference, so publish before a buyer asks. `answer`
        publishes, too, and then waits for the buyer.

        Returns
        -------
        str
            The fingerprint.
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
            Names of columns: only requests whose recipe reads all of these are listed.
        text : str, optional
            Words that all occur in the title, the description, the fields or the organisation's
            name.
        type, unit : str, optional
            A type, such as ``'number'``, and a unit: only requests in which each of the `fields`
            has them are listed; without `fields`, those in which some field has both.

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
        """Push points to every s of the sweep on this machine, upload them, and submit.

        Rows are put in a secret order first, unless `privacy` says otherwise. The profile remembers
        which row of the table each point is, so that `scores`, `label_scores` and `table_rows` name
        rows of the table. A draft from an earlier attempt is withdrawn.

        Parameters
        ----------
        request_id : str
        points : DataFrame, mapping of columns, array_like of shape (n, d), Measure or Sampled
            The data on offer, which does not leave this process. If the request has a recipe, rows
            with its columns, by name and in any order; otherwise points with the buyer's
            coordinates. `wassay.files.read_sample` draws rows from a long file.
        rename : mapping of str to str, optional
            From the names of columns here to the recipe's.
        factors : mapping of str to float, optional
            Factors that convert columns to the recipe's units, by the recipe's names:
            ``{"income": 1000}`` for an income in thousands.
        vectors : mapping, optional
            The buyer's word vectors, by the recipe's names of columns that it embeds as texts.
        accept_differences : iterable of str, optional
            Differences from the recipe to send all the same, by kind and field, such as
            ``["out-of-range:age"]``; `check` lists them. Any other is refused, except for columns
            that the recipe does not read, which are left out.
        mode : {'measure', 'cost-block', 'scalar'}
            What to upload. ``'measure'``: η_ν(s), which the buyer does not see. ``'cost-block'``:
            the costs to η_μ(t0), which is downloaded. ``'scalar'``: a few numbers for each s of the
            problem solved here; nobody can verify them, and there are no scores.
        labels : array_like, shape (n,), optional
            The class of every point, if the request is labelled; of any sortable type. In mode
            ``'measure'``, they are scored by the labels of the buyer's nearest points: write their
            names as the buyer does. The service sees codes of the names, made with the reference's
            key. In other modes the names do not leave this process, and need not be the buyer's:
            classes are compared by the mean and the covariance of their points. If the request has
            `class_names`, the classes must have exactly these names (as text); then points are
            compared with the buyer's points of their own class, and each class gets the buyer's
            weight. By default the recipe's field with the role `label`, if there is one.
        sample : Sample or int, optional
            Send only so many of the rows, drawn with a seed: in the shares of the classes of the
            recipe's field with the role `label`, if there is one, or of the column `Sample.by`.
        buyer : str, optional
            The expected buyer: an account, or the fingerprint of its key, which is then pinned. By
            default, the account that the service names.
        label : str, optional
            The name under which the buyer sees this contribution; by default the account's name.
        listing_id : str, optional
            A listing of this account that describes the data.
        privacy : SellerPrivacy, optional
            What others may learn of the points; by default as little as the method allows.
        timeout : float, optional
            Seconds to wait at most for the buyer to seal the reference's key to this account.
        on_audit : callable, optional
            Called with the `wassay.audit.Audit` of what is about to be uploaded, if that is within
            `SellerPrivacy.max_disclosure`. An exception from it stops the upload.
        progress : bool, optional
            Show the progress on standard error: a bar with the remaining time in terminals and
            notebooks, lines elsewhere. By default only where there is a bar.

        Returns
        -------
        wassay.models.Contribution
            The submitted contribution.

        Raises
        ------
        InvalidArgumentError
            If the request does not take such points, labels or this mode, or there are more rows
            than the service takes.
        DifferencesError
            If rows do not fit the recipe; nothing was uploaded.
        RecipeError
            If the rows cannot be read, or an option names no column.
        DisclosureError
            If a receiver could compute more than `SellerPrivacy.max_disclosure`; nothing was
            uploaded.
        SealingError
            If the sealed key or its sender cannot be trusted, or the request is from another buyer
            than expected; nothing was uploaded.
        IntegrityError
            If the service shows another measure than the buyer's; nothing was uploaded.
        WaitTimeoutError
            If the buyer has not sealed the key in time.
        ProblemError
            If the service refuses a call.
        """
        privacy = as_instance(privacy, SellerPrivacy, "privacy")
        check = yield from self._identity.disclosure_check(privacy.max_disclosure, on_audit)
        accepted = as_list(accept_differences, "accept_differences")
        require_kinds(accepted)
        request = yield from self._flows.requests.get(request_id)
        if buyer is not None:
            yield from self._identity.require(request.account_id, buyer)
        require_mode(request, mode)
        offer = Offer(points, rename, factors, vectors).drawn(request, sample)
        labels = offer.labels(labels)
        if MODES[mode].is_verified:  # a seller who solves the problem sends no array
            require_few(offer.rows)
        return (
            yield from contribute(
                self._flows,
                self._identity,
                request,
                offer,
                accepted=accepted,
                mode=mode,
                labels=labels,
                label=label,
                listing_id=listing_id,
                privacy=privacy,
                timeout=timeout,
                check=check,
                progress=progress,
            )
        )

    @operation
    def check(
        self,
        request_id: str,
        rows: Any,
        *,
        rename: Mapping[str, str] | None = None,
        factors: Mapping[str, float] | None = None,
        sample: Sample | int | None = None,
        timeout: float | None = 60.0,
    ) -> Flow[list[Difference]]:
        """Compare rows with what a request's recipe expects, without sending anything of them.

        The buyer does not notice. This publishes the account's encryption key, as `answer` does.

        Parameters
        ----------
        request_id : str
        rows : DataFrame, mapping of columns, array, or Sampled
        rename, factors, sample
            As for `answer`.
        timeout : float, optional
            Seconds to wait at most for the buyer to seal the recipe to this account.

        Returns
        -------
        list of wassay.recipes.Difference
            Empty if the rows fit. `str()` of each says what to do.

        Raises
        ------
        InvalidArgumentError
            If the request has no recipe.
        RecipeError
            If the rows cannot be read, or an option names no column.
        SealingError
            If the sealed recipe or its sender cannot be trusted.
        WaitTimeoutError
            If the buyer has not sealed the recipe in time.

        Examples
        --------
        >>> for difference in Seller(client).check(request_id, frame):
        ...     print(difference)
        """
        request = yield from self._flows.requests.get(request_id)
        recipe = yield from receive_recipe(self._flows, self._identity, request, timeout)
        if recipe is None:
            raise InvalidArgumentError(
                f"request {request_id} has no recipe to check rows against: it takes points of "
                f"{request.projected_from or request.dimension} coordinates"
            )
        return Offer(rows, rename, factors).drawn(request, sample).differences(recipe)

    @operation
    def audit(
        self,
        request_id: str,
        points: Any,
        *,
        rename: Mapping[str, str] | None = None,
        factors: Mapping[str, float] | None = None,
        vectors: Mapping[str, Vectors] | None = None,
        accept_differences: Iterable[str] = (),
        labels: ArrayLike | None = None,
        sample: Sample | int | None = None,
        mode: Mode = "measure",
        listing_id: str | None = None,
        privacy: SellerPrivacy | None = None,
        timeout: float | None = 60.0,
    ) -> Flow[Audit]:
        """Audit a contribution without sending it, and without the buyer's noticing.

        A seller who asks for the key of a sealed reference or for the buyer's measure begins a
        contribution, which the buyer sees. So the audit draws a key and a measure of the same kind
        instead; only the measured errors depend on them. The recipe, which the buyer does not see
        being read, is the real one.

        Parameters
        ----------
        request_id, points, rename, factors, vectors, accept_differences
            As for `answer`.
        labels, sample, mode, listing_id, privacy
            As for `answer`; the `max_disclosure` of `privacy` is not used.
        timeout : float, optional
            Seconds to wait at most for the buyer to seal the recipe to this account.

        Returns
        -------
        wassay.audit.Audit
            What each receiver could compute.

        Raises
        ------
        InvalidArgumentError
            If the request does not take such points, labels or this mode.
        DifferencesError
            If rows do not fit the recipe.
        RecipeError
            If the rows cannot be read, or an option names no column.
        SealingError
            If the reference is open and has no seed, or the sealed recipe or its sender cannot be
            trusted.
        WaitTimeoutError
            If the buyer has not sealed the recipe in time.
        """
        privacy = as_instance(privacy, SellerPrivacy, "privacy")
        accepted = as_list(accept_differences, "accept_differences")
        require_kinds(accepted)
        request = yield from self._flows.requests.get(request_id)
        require_mode(request, mode)
        recipe = yield from receive_recipe(self._flows, self._identity, request, timeout)
        offer = Offer(points, rename, factors, vectors).drawn(request, sample)
        measure, classes = offer.points(recipe, accepted)
        labels = classes if labels is None else offer.labels(labels)
        require_answerable(request, measure, labels)
        measure, labels, _ = to_send(measure, labels, offer.sample, keeps_order=privacy.keeps_order)
        published = yield from self._flows.references.get(request.reference_id)
        questions = (yield from caps_of(self._flows, self._identity, listing_id)).questions
        contribution, shared = dry_run(
            request,
            published,
            measure,
            labels,
            mode,
            privacy.scores,
            questions,
            keeps_order=privacy.keeps_order,
        )
        return contribution.audit(shared)

    @operation
    def decline(self, request_id: str, *, reason: str) -> Flow[Contribution]:
        """Decline a request with a reason, which the buyer reads.

        Parameters
        ----------
        request_id : str
        reason : str
            Why, for the buyer.

        Returns
        -------
        wassay.models.Contribution
            The declined one.
        """
        yield from withdraw_drafts(self._flows, request_id)
        mode = (yield from self._flows.requests.get(request_id)).modes[0]
        draft = yield from self._flows.contributions.create(request_id, mode=mode)
        return (yield from self._flows.contributions.decline(draft.id, reason=reason))

    @operation
    def withdraw(self, request_id: str) -> Flow[Contribution]:
        """Withdraw one's own contribution, and delete its arrays from the service.

        If an evaluation has used the contribution, this is possible only after the buyer has closed
        or cancelled the request, or the request has expired. Results, receipts and the ledger stay.

        Parameters
        ----------
        request_id : str

        Returns
        -------
        wassay.models.Contribution
            The withdrawn one.

        Raises
        ------
        InvalidArgumentError
            If there is no draft and no submitted contribution.
        ConflictError
            If an evaluation waits or runs with it, or has used it and the request is open.
        """
        me = yield from self._identity.account_id()
        for each in (yield from self._flows.contributions.list(request_id).all()):
            if each.account_id == me and each.state in {"draft", "submitted"}:
                return (yield from self._flows.contributions.withdraw(each.id))
        raise InvalidArgumentError(f"{me} has no contribution to {request_id} to withdraw")
