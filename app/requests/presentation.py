"""Convert requests, measures and invitations to the models of the HTTP API."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import RowMapping

from wassay import models as wire

from ..arrays.columns import StoredArrayColumns
from .models import Invitation, Request
from .repository import SHOWN, SHOWN_OF_MEASURE
from .states import state_from


def request_to_wire(request: Request, *, reads_measure: bool) -> wire.Request:
    """Convert a request; leave out the measure's digest unless `reads_measure` is true."""
    shown = {name: getattr(request, name) for name in SHOWN}
    measure = request.measure
    return _to_wire(
        shown
        | {
            "organisation": request.account.organisation,
            "dimension": request.reference.dimension,
            "projected_from": request.reference.projected_from,
        },
        None if measure is None else {name: getattr(measure, name) for name in SHOWN_OF_MEASURE},
        reads_measure=reads_measure,
    )


def columns_to_wire(columns: RowMapping) -> wire.Request:
    """Convert the row that `repository.readable_columns` returned for a caller.

    If the caller may not read the request's measure, leave out the measure's digest.
    """
    shown = {name: columns[name] for name in (*SHOWN, "organisation", "dimension")}
    measure = {name: columns[f"measure_{name}"] for name in SHOWN_OF_MEASURE}
    return _to_wire(
        shown | {"projected_from": columns["projected_from"]},
        None if measure["digest"] is None else measure,
        reads_measure=columns["reads_measure"],
    )


def _to_wire(
    shown: Mapping[str, Any], measure: Mapping[str, Any] | None, *, reads_measure: bool
) -> wire.Request:
    # With the digest, sellers who know the reference and the isometry could test guesses of the
    # buyer's records and of t0.
    if measure is not None and not reads_measure:
        measure = {**measure, "digest": None}
    return wire.Request.model_validate(
        {**shown, "state": state_from(shown["state"], shown["expires_at"]), "measure": measure}
    )


def array_to_wire(array: StoredArrayColumns) -> wire.StoredArray:
    """Convert the database's description of a stored array, without reading the array."""
    return wire.StoredArray(
        digest=array.digest,
        rows=array.rows,
        columns=array.columns,
        weighted=array.weighted,
        bytes=array.bytes,
        created_at=array.created_at,
        deleted_at=array.deleted_at,
    )


def invitation_to_wire(invitation: Invitation) -> wire.Invitation:
    """Convert an invitation."""
    return wire.Invitation(
        id=invitation.id,
        request_id=invitation.request_id,
        account_id=invitation.account_id,
        has_sealed_key=invitation.sealed_key is not None,
        created_at=invitation.created_at,
    )
