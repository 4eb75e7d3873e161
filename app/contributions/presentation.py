"""Contributions and their arrays as the wire shows them."""

import hashlib

import rfc8785

from wassay import models as wire

from ..requests.presentation import array_to_wire
from .models import Contribution, ContributionArray


def contribution_to_wire(contribution: Contribution, viewer_id: str) -> wire.Contribution:
    """Show a contribution to its seller, or to the buyer, who sees arrays once submitted.

    Where answers carry noise the buyer sees no arrays: with the digest of one, who knows all
    records but one could try what the last one is.
    """
    is_own = contribution.account_id == viewer_id
    shown = is_own or contribution.state == "submitted"
    arrays = contribution.arrays if is_own or (shown and not is_noised(contribution)) else []
    return wire.Contribution(
        id=contribution.id,
        request_id=contribution.request_id,
        account_id=contribution.account_id,
        organisation=contribution.account.organisation,
        state=contribution.state,
        mode=contribution.mode,
        label=contribution.label,
        listing_id=contribution.listing_id,
        score_policy=contribution.score_policy,
        compared=contribution.compared,
        projection_spread=None
        if is_noised(contribution) and not is_own
        else contribution.projection_spread,
        points=points_of(contribution) if shown else None,
        arrays=[swept_array_to_wire(array) for array in arrays],
        scalars=scalars_of(contribution) if is_own else None,
        decline_reason=contribution.decline_reason,
        created_at=contribution.created_at,
        updated_at=contribution.updated_at,
    )


def is_noised(contribution: Contribution) -> bool:
    """Tell whether what the buyer learns of a contribution carries noise."""
    return contribution.request.epsilon is not None


def points_of(contribution: Contribution) -> int | None:
    """Return how many points a contribution is of, once something of it has come."""
    if contribution.arrays:
        return contribution.arrays[0].rows
    scalars = scalars_of(contribution)
    return None if scalars is None else scalars.points


def scalars_of(contribution: Contribution) -> wire.Scalars | None:
    """Return the scalars of a contribution in mode `scalar`, once they have come."""
    kept = contribution.scalars
    return None if kept is None else wire.Scalars.model_validate(kept)


def digest_of(scalars: wire.Scalars) -> str:
    """Name scalars by the SHA-256 of their canonical JSON."""
    return hashlib.sha256(rfc8785.dumps(scalars.model_dump())).hexdigest()


def swept_array_to_wire(array: ContributionArray) -> wire.SweptArray:
    """Show what is kept of the array of one s."""
    return wire.SweptArray(s=array.s, **array_to_wire(array).model_dump())
