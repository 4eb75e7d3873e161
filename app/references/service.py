"""Register and read references."""

import secrets
from typing import Any

from pydantic import TypeAdapter
from sqlalchemy.orm import Session

from wassay import models as wire

from ..accounts.principal import Principal
from ..http.missing import missing
from ..http.pagination import PageQuery, page
from ..http.problems import Invalid
from ..settings import Settings
from . import repository
from .models import Reference
from .schemas import SEED_BITS, NewReference

DERIVATION = 1
"""The version of the rule that derives points from a seed; see `wassay.transport.Reference`."""

MAX_COORDINATES = 2**31
"""The largest size × dimension for which points can be derived."""

_distribution: TypeAdapter[wire.Distribution] = TypeAdapter(wire.Distribution)


def create_reference(
    session: Session, caller: Principal, new: NewReference, settings: Settings
) -> wire.Reference:
    """Register a reference.

    Raises
    ------
    Invalid
        If the reference has more points, dimensions or coordinates than the service allows.
    """
    for name, received, limit in (
        ("size", new.size, settings.max_points),
        ("dimension", new.dimension, settings.max_dimension),
        ("size × dimension", new.size * new.dimension, MAX_COORDINATES),
    ):
        if received > limit:
            raise Invalid(
                f"{name}: expected at most {limit}; received {received}. Choose a smaller "
                "reference.",
                expected=limit,
                received=received,
            )
    seed = new.seed
    if new.disclosure == "open" and seed is None:
        seed = str(secrets.randbits(SEED_BITS))
    reference = Reference(
        account_id=caller.account_id,
        size=new.size,
        dimension=new.dimension,
        projected_from=new.projected_from,
        distribution=new.distribution.model_dump(),
        disclosure=new.disclosure,
        seed=seed,
        commitment=new.commitment,
        derivation=DERIVATION,
    )
    session.add(reference)
    session.flush()
    return to_wire(reference)


def list_references(
    session: Session, caller: Principal, query: PageQuery
) -> wire.Page[wire.Reference]:
    """Return a page of the caller's own references."""
    return page(session, repository.references_of(caller.account_id), Reference, query, to_wire)


def own_reference(session: Session, caller: Principal, reference_id: str) -> Reference:
    """Return the caller's own reference.

    Raises
    ------
    NotFound
        If the caller has no such reference.
    """
    reference = repository.reference_of(session, caller.account_id, reference_id)
    if reference is None:
        raise missing("reference", reference_id)
    return reference


def to_wire(reference: Reference) -> wire.Reference:
    """Convert a reference to its model in the HTTP API."""
    stored: dict[str, Any] = reference.distribution
    return wire.Reference(
        id=reference.id,
        account_id=reference.account_id,
        size=reference.size,
        dimension=reference.dimension,
        projected_from=reference.projected_from,
        distribution=_distribution.validate_python(stored),
        disclosure=reference.disclosure,
        seed=reference.seed,
        commitment=reference.commitment,
        derivation=reference.derivation,
        created_at=reference.created_at,
    )
