"""Contribute to a request: create a draft, push and audit the points, upload them, and submit."""

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from wassay.client.client import Service
from wassay.client.connection.flows import Flow, Flowing, Steps
from wassay.client.seller.agreement import Offer
from wassay.client.seller.costs import costs_to
from wassay.client.seller.kept_rows import keep_rows
from wassay.client.seller.key_exchange import open_sealed_key, receive_key
from wassay.client.seller.modes.mode import Swept
from wassay.client.seller.modes.registry import seller_mode
from wassay.client.seller.privacy import SellerPrivacy
from wassay.client.shared.arguments import require_answerable
from wassay.client.shared.class_codes import scored_codes
from wassay.client.shared.disclosure_check import DisclosureCheck, PreparedContribution
from wassay.client.shared.identity import Identity
from wassay.client.shared.sent_rows import to_send
from wassay.errors import WassayError
from wassay.models import Caps, Contribution, Mode, Request
from wassay.modes import MODES
from wassay.transport import project

_STEPS = 5
"""The steps of answering, without one for each s of the sweep."""


def contribute(
    service: Service[Flowing],
    identity: Identity[Flowing],
    request: Request,
    offer: Offer,
    *,
    accepted: Iterable[str],
    mode: Mode,
    labels: ArrayLike | None,
    label: str | None,
    listing_id: str | None,
    privacy: SellerPrivacy,
    timeout: float | None,
    check: DisclosureCheck,
    progress: bool | None,
) -> Flow[Contribution]:
    """Upload what is offered to a request, and submit; withdraw the draft if that fails.

    Drafts of earlier attempts are withdrawn first. Arguments and exceptions are those of
    `Seller.answer`.
    """
    steps = Steps("answer", _STEPS + len(request.sweep), progress)
    if request.recipe is None:
        offer = replace(offer, rows=offer.points(None)[0])
        require_answerable(request, offer.rows, labels)
    yield steps.begin("reading the reference's key")
    published = yield from service.references.get(request.reference_id)
    # Checked before the buyer sees a draft, if there is a key already.
    received = yield from open_sealed_key(service, identity, request, published, mode, timeout)
    yield from withdraw_drafts(service, request.id)
    draft = yield from service.contributions.create(
        request.id,
        mode=mode,
        label=label,
        listing_id=listing_id,
        score_policy=privacy.scores,
        compared=privacy.compared,
        sampled_from=None if offer.sample is None else offer.sample.total,
    )
    if received is None:  # the draft tells the buyer who waits
        received = yield from receive_key(service, identity, request, published, mode, timeout)
    shared = received.reference
    try:
        yield steps.begin("making points of rows")
        measure, classes = offer.points(received.recipe, accepted)
        labels = classes if labels is None else labels
        require_answerable(request, measure, labels)
        measure, labels, rows = to_send(
            measure, labels, offer.sample, keeps_order=privacy.keeps_order
        )
        del offer  # it may hold the points in the order of the table
        yield steps.begin("pushing points")
        projection = project(
            shared.reduce(measure), shared.reference.measure(), request.interpolation
        )
        costs = None
        if MODES[mode].reveals_measure:
            buyer_measure = yield from service.requests.measure(
                request.id, digest=received.measure_digest
            )
            costs = costs_to(buyer_measure, projection, shared, labels, request)
            projection = costs.projection
        questions = (yield from caps_of(service, identity, listing_id)).questions
        codes = scored_codes(labels, mode, shared)
        yield steps.begin("auditing")
        audited = check.require_contribution(
            PreparedContribution(
                measure,
                projection,
                request,
                mode,
                costs,
                privacy.scores,
                questions,
                None if codes is None else len(np.unique(codes)),
                privacy.keeps_order,
            ),
            shared,
        )
        yield from check.tell(audited)
        keep_rows(identity.profile, draft.id, rows.only(projection.rows))
    except BaseException:
        with suppress(WassayError):
            yield from service.contributions.withdraw(draft.id)
        raise
    swept = Swept(projection, shared, request.sweep, costs, classes=codes)
    yield from seller_mode(mode).upload(service.contributions, draft.id, swept, steps)
    yield steps.begin("submitting")
    spread = projection.spread
    submitted = yield from service.contributions.submit(draft.id, projection_spread=spread)
    yield steps.end()
    return submitted


def caps_of(
    service: Service[Flowing], identity: Identity[Flowing], listing_id: str | None
) -> Flow[Caps]:
    """Return the caps of a dataset: those of its listing or, without any, of the account."""
    if listing_id is not None:
        listing = yield from service.listings.get(listing_id)
        if listing.caps is not None:
            return listing.caps
    return (yield from service.accounts.caps((yield from identity.account_id())))


def withdraw_drafts(service: Service[Flowing], request_id: str) -> Flow[None]:
    """Withdraw the drafts that earlier attempts have left."""
    for earlier in (yield from service.contributions.list(request_id).all()):
        if earlier.state == "draft":
            yield from service.contributions.withdraw(earlier.id)
