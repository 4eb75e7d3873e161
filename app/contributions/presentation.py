"""Convert contributions and their arrays to the models of the HTTP API."""

import hashlib

import rfc8785

from wassay import models as wire

from ..requests.presentation import array_to_wire
from .models import Contribution, ContributionArray


def contribution_to_wire(contribution: Contribution, seller_id: str | None) -> wire.Contribution:
    """Convert a contribution to what its seller or the request's buyer may see of it.

    `seller_id` is the caller's account, or None if the caller's key lacks the scope `seller`.
    """
    is_own = contribution.account_id == seller_id  # otherwise the caller is the request's buyer
    is_visible = is_own or contribution.state == "submitted"
    # If results carry noise, the buyer never sees digests: who knows all records but one could test
    # guesses of that record against a digest.
    arrays = contribution.arrays if is_own or (is_visible and not is_noised(contribution)) else []
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
        allows_comparison=contribution.allows_comparison,
        sampled_from=contribution.sampled_from,
        projection_spread=contribution.projection_spread
        if is_own or (is_visible and not is_noised(contribution))
        else None,
        points=points_of(contribution) if is_visible else None,
        arrays=[swept_array_to_wire(array) for array in arrays],
        scalars=scalars_of(contribution) if is_own else None,
        decline_reason=contribution.decline_reason,
        created_at=contribution.created_at,
        updated_at=contribution.updated_at,
    )


def is_noised(contribution: Contribution) -> bool:
    """Return whether the results of a contribution carry noise."""
    return contribution.request.epsilon is not None


def points_of(contribution: Contribution) -> int | None:
    """Return the number of a contribution's points; None if it has no uploads."""
    if contribution.arrays:
        return contribution.arrays[0].rows
    scalars = scalars_of(contribution)
    return None if scalars is None else scalars.points


def scalars_of(contribution: Contribution) -> wire.Scalars | None:
    """Return the uploaded scalars of a contribution, or None if there are none."""
    stored = contribution.scalars
    return None if stored is None else wire.Scalars.model_validate(stored)


def digest_of(scalars: wire.Scalars) -> str:
    """Return the SHA-256 of the scalars as canonical JSON."""
    return hashlib.sha256(rfc8785.dumps(scalars.model_dump())).hexdigest()


def swept_array_to_wire(array: ContributionArray) -> wire.SweptArray:
    """Convert the array of a contribution at one s."""
    return wire.SweptArray(s=array.s, **array_to_wire(array).model_dump())
