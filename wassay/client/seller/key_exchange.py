"""The key of a request's reference, as a seller gets it: waited for, opened, and checked."""

import time
from contextlib import suppress

from wassay.client.client import Service
from wassay.client.connection.flows import Flow, Flowing, Pause
from wassay.client.errors import NotFoundError
from wassay.client.shared.arguments import as_amount
from wassay.client.shared.identity import Identity
from wassay.client.shared.reference import SharedReference, open_reference, require_published
from wassay.models import Mode, Reference, Request
from wassay.modes import MODES
from wassay.sealing import SealingError

POLL_SECONDS = 0.5


def receive_key(
    service: Service[Flowing],
    identity: Identity[Flowing],
    request: Request,
    published: Reference,
    mode: Mode,
    timeout: float | None,
) -> Flow[tuple[SharedReference, str | None]]:
    """What the parties share; and the digest of the buyer's measure, where it was sealed.

    Raises
    ------
    SealingError
        When what was sealed, or who sealed it, cannot be relied on; or does not vouch for the
        measure that an answer in this mode computes with.
    TimeoutError
        When the buyer has not sealed the key within so many seconds.
    """
    if published.disclosure == "open":
        return open_reference(published), None
    yield from identity.publish()
    box = yield from _box(service, identity, request.id, timeout)
    shared = yield from identity.unseal(box, request.id, request.account_id)
    require_published(shared.key, published)
    if MODES[mode].reveals_measure and shared.measure_digest is None:
        raise SealingError(
            f"buyer {request.account_id} sealed no digest of their measure, so nobody vouches for "
            f"what the service shows as it, nor that they offer {mode}: ask the buyer"
        )
    return shared.key, shared.measure_digest


def _box(
    service: Service[Flowing], identity: Identity[Flowing], request_id: str, timeout: float | None
) -> Flow[str]:
    own_id = yield from identity.account_id()
    deadline = None if timeout is None else time.monotonic() + as_amount(timeout, "timeout")
    while True:
        with suppress(NotFoundError):
            return (yield from service.requests.sealed_key(request_id, own_id)).box
        if deadline is not None and time.monotonic() > deadline:
            raise TimeoutError(
                f"the buyer of {request_id} has not sealed the reference's key to this account "
                f"within {timeout:g} s. Ask them to invite {own_id}, or to share the key "
                "(Request.wait_for does it, and wassay invite); then answer again."
            )
        yield Pause(POLL_SECONDS)
