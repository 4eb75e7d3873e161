"""Receive the sealed key of a request's reference: wait for the box, open it and check it."""

import time
from contextlib import suppress
from dataclasses import dataclass

from wassay.client.client import Service
from wassay.client.connection.flows import Flow, Flowing, Pause
from wassay.client.connection.outages import repeat_during_outage
from wassay.client.errors import NotFoundError
from wassay.client.seller.agreement import agreed_recipe
from wassay.client.shared.arguments import as_amount
from wassay.client.shared.identity import Identity
from wassay.client.shared.shared_reference import SharedReference, open_reference, require_published
from wassay.errors import WaitTimeoutError
from wassay.models import Mode, Reference, Request
from wassay.modes import MODES
from wassay.recipes import Recipe
from wassay.sealed_boxes import SealingError

POLL_SECONDS = 0.5


@dataclass(frozen=True)
class ReceivedKey:
    """What the buyer sealed to this account; for an open reference, what the service publishes.

    Attributes
    ----------
    reference : SharedReference
    measure_digest : str or None
        The SHA-256 of the buyer's measure; None if there is no box, or the box has no digest.
    recipe : Recipe or None
        The recipe that makes points of rows; None if the request has none.
    """

    reference: SharedReference
    measure_digest: str | None
    recipe: Recipe | None


def open_sealed_key(
    service: Service[Flowing],
    identity: Identity[Flowing],
    request: Request,
    published: Reference,
    mode: Mode,
    timeout: float | None,
    *,
    accepts_open: bool,
) -> Flow[ReceivedKey | None]:
    """Return what the buyer sealed to this account; None if they have sealed nothing yet.

    If the reference is open, return what the service publishes.

    Raises
    ------
    SealingError
        If the box or its sender cannot be trusted, or the box's content does not match the request
        or the mode. Also if the service shows an open reference and `accepts_open` is false.
    """
    if published.disclosure == "open":
        if not accepts_open:
            raise SealingError(
                f"the service shows an open reference for request {request.id}: with an open "
                "reference, the service's operator can compute your raw points. Ask buyer "
                f"{request.account_id} whether the reference is really open, because the service "
                "could lie. If it is open, and you accept that, pass "
                "SellerPrivacy(open_reference=True) (--open-reference)"
            )
        return ReceivedKey(open_reference(published), None, agreed_recipe(request, None))
    # Publishing the key tells the buyer nothing.
    yield from identity.publish()
    box = yield from _read_box(service, identity, request.id, _deadline(timeout))
    return None if box is None else (yield from _open_box(identity, request, published, mode, box))


def receive_key(
    service: Service[Flowing],
    identity: Identity[Flowing],
    request: Request,
    published: Reference,
    mode: Mode,
    timeout: float | None,
) -> Flow[ReceivedKey]:
    """Wait until the buyer has sealed the reference's key to this account, and open the box.

    `published` is the reference as the service shows it.

    Raises
    ------
    SealingError
        If the box or its sender cannot be trusted, or the box's content does not match the request
        or the mode.
    WaitTimeoutError
        If the buyer has not sealed the key after `timeout` seconds.
    """
    box = yield from _wait_for_box(service, identity, request.id, timeout)
    return (yield from _open_box(identity, request, published, mode, box))


def _open_box(
    identity: Identity[Flowing], request: Request, published: Reference, mode: Mode, box: str
) -> Flow[ReceivedKey]:
    shared = yield from identity.unseal(box, request.id, request.account_id)
    require_published(shared.key, published)
    shared.terms.require_shown(request)
    recipe = agreed_recipe(request, shared.recipe)
    if MODES[mode].reveals_measure and shared.measure_digest is None:
        raise SealingError(
            f"buyer {request.account_id} sealed no digest of their measure, so the measure that "
            f"the service shows for mode {mode} cannot be verified: ask the buyer whether their "
            f"request allows {mode}"
        )
    return ReceivedKey(shared.key, shared.measure_digest, recipe)


def receive_recipe(
    service: Service[Flowing],
    identity: Identity[Flowing],
    request: Request,
    timeout: float | None,
) -> Flow[Recipe | None]:
    """Wait until the buyer has sealed the request's recipe to this account, and return the recipe.

    If the request has no recipe, return None at once.

    Raises
    ------
    SealingError
        If the box or its sender cannot be trusted, or the recipe does not match the request.
    WaitTimeoutError
        If the buyer has not sealed the recipe after `timeout` seconds.
    """
    if request.recipe is None:
        return None
    yield from identity.publish()
    box = yield from _wait_for_box(service, identity, request.id, timeout)
    shared = yield from identity.unseal(box, request.id, request.account_id)
    return agreed_recipe(request, shared.recipe)


def _wait_for_box(
    service: Service[Flowing], identity: Identity[Flowing], request_id: str, timeout: float | None
) -> Flow[str]:
    deadline = _deadline(timeout)
    while True:
        box = yield from _read_box(service, identity, request_id, deadline)
        if box is not None:
            return box
        if deadline is not None and time.monotonic() > deadline:
            own_id = yield from identity.account_id()
            raise WaitTimeoutError(
                f"the buyer of {request_id} has not sealed the reference's key to this account "
                f"within {timeout:g} s. Ask them to invite {own_id}, or to share the key "
                "(by Request.wait_for or wassay invite); then answer again."
            )
        yield Pause(POLL_SECONDS)


def _read_box(
    service: Service[Flowing],
    identity: Identity[Flowing],
    request_id: str,
    deadline: float | None,
) -> Flow[str | None]:
    own_id = yield from identity.account_id()
    with suppress(NotFoundError):
        sealed = yield from repeat_during_outage(
            lambda: service.requests.sealed_key(request_id, own_id), deadline
        )
        return sealed.box
    return None


def _deadline(timeout: float | None) -> float | None:
    return None if timeout is None else time.monotonic() + as_amount(timeout, "timeout")
