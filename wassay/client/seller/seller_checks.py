"""Try a contribution without telling the buyer."""

from collections.abc import Iterable, Mapping
from typing import Any

from numpy.typing import ArrayLike

from wassay.audit import Audit
from wassay.client.connection.flows import Flow, R, operation
from wassay.client.seller.agreement import Offer, require_kinds
from wassay.client.seller.contribute import caps_of
from wassay.client.seller.dry_run import dry_run
from wassay.client.seller.key_exchange import receive_recipe
from wassay.client.seller.privacy import SellerPrivacy
from wassay.client.seller.seller_results import SellerResults
from wassay.client.shared.arguments import as_instance, as_list, require_answerable, require_mode
from wassay.client.shared.sent_rows import in_sending_order
from wassay.errors import InvalidArgumentError
from wassay.models import Mode
from wassay.recipes import Difference
from wassay.recipes.kinds.text import Vectors
from wassay.sampling import Sample


class SellerChecks(SellerResults[R]):
    """Base of `Seller`: the operations that check and audit an answer without sending it."""

    @operation
    def check(
        self,
        request_id: str,
        rows: Any,
        *,
        rename: Mapping[str, str] | None = None,
        factors: Mapping[str, float] | None = None,
        labels: ArrayLike | None = None,
        sample: Sample | int | None = None,
        timeout: float | None = 60.0,
    ) -> Flow[list[Difference]]:
        """Compare rows with what a request's recipe expects; nothing of the rows is sent.

        If the request has a recipe, this publishes the account's encryption key, as `answer` does,
        but tells the buyer nothing.

        Parameters
        ----------
        request_id : str
        rows : DataFrame, mapping of columns, array, or Sampled
        rename, factors, labels, sample
            See `answer`.
        timeout : float, optional
            The most seconds to wait for the buyer to seal the recipe to this account; None for no
            limit.

        Returns
        -------
        list of wassay.recipes.Difference
            The differences; empty if the rows fit. `str()` of a difference says what to do.

        Raises
        ------
        InvalidArgumentError
            If the request has no recipe, the rows are a `Measure`, or the sample cannot be drawn.
        RecipeError
            If the rows cannot be read, or an option names a missing column.
        SealingError
            If the sealed recipe or its sender cannot be trusted.
        WaitTimeoutError
            If the buyer has not sealed the recipe within `timeout`.

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
                f"{request.projected_from or request.dimension} coordinates, so pass these to "
                "answer without a check"
            )
        offer = Offer(rows, rename, factors, labels=labels).drawn(request, sample)
        return offer.differences(recipe)

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
        """Audit a contribution without sending it and without telling the buyer.

        A random key and measure take the place of the buyer's; figures can differ, but no class of
        disclosure does. If the request has a recipe, this publishes the account's encryption key.

        Parameters
        ----------
        request_id, points, rename, factors, vectors, accept_differences
            See `answer`.
        labels, sample, mode, listing_id, privacy
            See `answer`; the `max_disclosure` of `privacy` is not used.
        timeout : float, optional
            The most seconds to wait for the buyer to seal the recipe to this account; None for no
            limit.

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
            If the rows cannot be read, or an option names a missing column.
        TransportError
            If a point is not finite, a label is missing, or points and labels differ in number.
        SealingError
            If the reference is open and has no seed, or the sealed recipe or its sender cannot be
            trusted.
        WaitTimeoutError
            If the buyer has not sealed the recipe within `timeout`.
        """
        privacy = as_instance(privacy, SellerPrivacy, "privacy")
        accepted = as_list(accept_differences, "accept_differences")
        require_kinds(accepted)
        request = yield from self._flows.requests.get(request_id)
        require_mode(request, mode)
        recipe = yield from receive_recipe(self._flows, self._identity, request, timeout)
        offer = Offer(points, rename, factors, vectors, labels).drawn(request, sample)
        measure, labels = offer.points(recipe, accepted)
        require_answerable(request, measure, labels)
        measure, labels, rows = in_sending_order(
            measure, labels, offer.sample, keeps_order=privacy.keeps_order
        )
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
            facts=offer.facts(recipe, measure, rows),
        )
        return contribution.audit(shared)
