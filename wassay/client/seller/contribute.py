"""Contribute to a request: from a seller's rows to a submitted contribution.

If the audit finds that a receiver could compute too much, nothing is uploaded.
"""

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from wassay.client.client import Service
from wassay.client.connection.flows import Flow, Flowing, Steps
from wassay.client.seller.agreement import Offer
from wassay.client.seller.computed_costs import costs_to
from wassay.client.seller.kept_rows import keep_rows
from wassay.client.seller.key_exchange import ReceivedKey, open_sealed_key, receive_key
from wassay.client.seller.modes.mode import SweptPoints
from wassay.client.seller.modes.registry import seller_mode
from wassay.client.seller.privacy import SellerPrivacy
from wassay.client.shared.arguments import require_answerable
from wassay.client.shared.class_codes import scored_codes
from wassay.client.shared.disclosure_check import DisclosureCheck, PreparedContribution
from wassay.client.shared.identity import Identity
from wassay.client.shared.sent_rows import SentRows, in_sending_order
from wassay.client.shared.table_facts import TableFacts
from wassay.errors import WassayError
from wassay.models import Caps, Contribution, Mode, Request
from wassay.modes import MODES
from wassay.transport import Measure, project

_STEPS = 5
"""The number of progress steps of a contribution, without the step for each s of the sweep."""


def contribute(
    service: Service[Flowing],
    identity: Identity[Flowing],
    request: Request,
    offer: Offer,
    *,
    accepted: Iterable[str],
    mode: Mode,
    label: str | None,
    listing_id: str | None,
    privacy: SellerPrivacy,
    timeout: float | None,
    check: DisclosureCheck,
    progress: bool | None,
) -> Flow[Contribution]:
    """Make points of an offer's rows, push and audit them, upload what `mode` sends, and submit.

    If a check or the upload fails, the draft is withdrawn.

    Parameters
    ----------
    service, identity, request
        The service, the account with its keys, and the request to contribute to.
    offer : Offer
    accepted : iterable of str
        The names of the accepted differences from the recipe, such as "out-of-range:age".
    mode, label, listing_id, privacy, timeout, progress
        See `Seller.answer`, which also lists the exceptions.
    check : DisclosureCheck
        Audits what would be uploaded.
    """
    steps = Steps("answer", _STEPS + len(request.sweep), progress)
    if request.recipe is None:
        offer = replace(offer, rows=offer.points(None)[0])
        require_answerable(request, offer.rows, offer.labels)
    yield steps.begin("waiting for the reference's key")
    published = yield from service.references.get(request.reference_id)
    received = yield from open_sealed_key(
        service,
        identity,
        request,
        published,
        mode,
        timeout,
        accepts_open=privacy.open_reference,
    )
    points = prepared = None
    # Run all checks that are possible now, before the buyer sees a draft.
    if received is not None:
        yield steps.begin("making points of rows")
        points = _points_to_send(request, offer, received, accepted, privacy)
        if not MODES[mode].reveals_measure:
            caps = yield from caps_of(service, identity, listing_id)
            prepared = yield from _push_and_audit(
                request, points, received, None, mode, privacy, caps, check, steps
            )
    sampled_from = None if offer.sample is None else offer.sample.total
    yield from withdraw_drafts(service, request.id)
    draft = yield from service.contributions.create(
        request.id,
        mode=mode,
        label=label,
        listing_id=listing_id,
        score_policy=privacy.scores,
        allows_comparison=privacy.allows_comparison,
        sampled_from=sampled_from,
    )
    # If no trusted key arrives, the draft stays.
    if received is None:  # The buyer sees the draft and will seal the key.
        received = yield from receive_key(service, identity, request, published, mode, timeout)
    try:
        if points is None:
            yield steps.begin("making points of rows")
            points = _points_to_send(request, offer, received, accepted, privacy)
        del offer  # Free the points in the table's order before pushing the others.
        if prepared is None:
            buyer_measure = None
            if MODES[mode].reveals_measure:
                buyer_measure = yield from service.requests.measure(
                    request.id, digest=received.measure_digest
                )
            caps = yield from caps_of(service, identity, listing_id)
            prepared = yield from _push_and_audit(
                request, points, received, buyer_measure, mode, privacy, caps, check, steps
            )
        keep_rows(identity.profile, draft.id, points.rows.only(prepared.projection.original_rows))
        del points
        yield from seller_mode(mode).upload(service.contributions, draft.id, prepared, steps)
        yield steps.begin("submitting")
        spread = prepared.projection.spread
        submitted = yield from service.contributions.submit(draft.id, projection_spread=spread)
    except BaseException:
        with suppress(WassayError):
            # If only the response to `submit` was lost, this leaves the submitted contribution.
            yield from withdraw_drafts(service, request.id)
        raise
    yield steps.end()
    return submitted


@dataclass(frozen=True, eq=False)
class _PointsToSend:
    """A seller's raw points, their labels and their rows, in the order in which they are sent.

    Attributes
    ----------
    measure : Measure
    labels : array_like or None
        The class of each point.
    rows : SentRows
        Which row of the seller's table each point is.
    facts : TableFacts or None
        Facts of the table about the points, such as columns' values; None without a recipe.
    """

    measure: Measure
    labels: ArrayLike | None
    rows: SentRows
    facts: TableFacts | None


def _points_to_send(
    request: Request,
    offer: Offer,
    received: ReceivedKey,
    accepted: Iterable[str],
    privacy: SellerPrivacy,
) -> _PointsToSend:
    """Make points of a seller's rows, in the order in which to send them.

    Raise if a difference from the recipe is not `accepted`, or the points do not fit the request.
    """
    measure, labels = offer.points(received.recipe, accepted)
    require_answerable(request, measure, labels)
    measure, labels, rows = in_sending_order(
        measure, labels, offer.sample, keeps_order=privacy.keeps_order
    )
    return _PointsToSend(measure, labels, rows, offer.facts(received.recipe, measure, rows))


def _push_and_audit(
    request: Request,
    points: _PointsToSend,
    received: ReceivedKey,
    buyer_measure: Measure | None,
    mode: Mode,
    privacy: SellerPrivacy,
    caps: Caps,
    check: DisclosureCheck,
    steps: Steps,
) -> Flow[SweptPoints]:
    """Audit what `mode` would upload, and return the points that `SellerMode.upload` pushes.

    `buyer_measure` is None if the mode does not need the buyer's points.

    Raises
    ------
    DisclosureError
        If a receiver could compute more than the limit of `check`.
    """
    yield steps.begin("pushing points")
    shared, labels = received.reference, points.labels
    projection = project(
        shared.reduce(points.measure), shared.reference.measure(), request.interpolation
    )
    costs = None
    if buyer_measure is not None:
        costs = costs_to(buyer_measure, projection, shared, labels, request)
        projection = costs.projection
    codes = scored_codes(labels, mode, shared)
    yield steps.begin("auditing")
    audited = check.audit_contribution(
        PreparedContribution(
            points.measure,
            projection,
            request,
            mode,
            costs,
            privacy.scores,
            caps.questions,
            None if codes is None else len(np.unique(codes)),
            privacy.keeps_order,
            points.facts,
        ),
        shared,
        received.recipe,
    )
    yield from check.tell(audited)
    return SweptPoints(projection, shared, request.sweep, costs, classes=codes)


def caps_of(
    service: Service[Flowing], identity: Identity[Flowing], listing_id: str | None
) -> Flow[Caps]:
    """Return the listing's caps, or the account's if there is no listing or it has no caps."""
    if listing_id is not None:
        listing = yield from service.listings.get(listing_id)
        if listing.caps is not None:
            return listing.caps
    return (yield from service.accounts.caps((yield from identity.account_id())))


def withdraw_drafts(service: Service[Flowing], request_id: str) -> Flow[None]:
    """Withdraw the drafts that earlier attempts of this account left for a request."""
    for earlier in (yield from service.contributions.list(request_id).all()):
        if earlier.state == "draft":
            yield from service.contributions.withdraw(earlier.id)
