"""Contributions and their arrays as the wire shows them."""

from app.contributions.models import Contribution, ContributionArray
from app.requests.presentation import array_to_wire
from wassay import models as wire


def contribution_to_wire(contribution: Contribution, viewer_id: str) -> wire.Contribution:
    """Show a contribution to its seller, or to the buyer, who sees arrays once submitted."""
    shown = contribution.account_id == viewer_id or contribution.state == "submitted"
    arrays = contribution.arrays if shown else []
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
        projection_spread=contribution.projection_spread,
        points=arrays[0].rows if arrays else None,
        arrays=[swept_array_to_wire(array) for array in arrays],
        decline_reason=contribution.decline_reason,
        created_at=contribution.created_at,
        updated_at=contribution.updated_at,
    )


def swept_array_to_wire(array: ContributionArray) -> wire.SweptArray:
    """Show what is kept of the array of one s."""
    return wire.SweptArray(s=array.s, **array_to_wire(array).model_dump())
