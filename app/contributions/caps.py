"""Find the caps of a dataset, and check a buyer's measure against them."""

from typing import Any

from wassay import models as wire

from ..accounts.models import Account
from ..listings.models import Listing
from ..requests.models import BuyerMeasure
from .problems import CapExceeded


def caps_of(account: Account, listing: Listing | None) -> wire.Caps:
    """Return the caps of the listing or, if it has none, of the account."""
    own = None if listing is None else listing.caps
    return wire.Caps.model_validate((account.caps or {}) if own is None else own)


def require_measure(
    caps: wire.Caps, measure: BuyerMeasure, dataset: str, places: int | None = None
) -> None:
    """Raise if a dataset's caps forbid a buyer's measure.

    Parameters
    ----------
    caps, measure
        The caps of the dataset, and the buyer's measure.
    dataset
        The id of the dataset, for the message.
    places
        The contribution's `buyer_places`, or None. The cap `buyer_points` applies to this number
        or to the measure's `effective_support`, whichever is smaller.

    Raises
    ------
    CapExceeded
        If the measure has fewer distinct points than the cap `buyer_points`, or if the cap
        `uniform_weights` is set and the measure's weights are not all equal.
    """
    distinct = measure.effective_support
    if places is not None:
        distinct = min(distinct, places)
    if caps.buyer_points is not None and distinct < caps.buyer_points:
        raise exceeded(
            "buyer_points",
            dataset,
            f"expected a buyer measure with at least {caps.buyer_points} distinct points; "
            f"received {distinct}. Points that lie much closer together than the seller's points "
            "do count as one. Use more points, farther apart.",
            expected=caps.buyer_points,
            received=distinct,
        )
    if caps.uniform_weights and not measure.uniform:
        raise exceeded(
            "uniform_weights",
            dataset,
            "expected a buyer measure with uniform weights; received weights that differ. Upload "
            "the measure without weights.",
            expected="uniform",
            received="weighted",
        )


def exceeded(cap: str, dataset: str, reason: str, **members: Any) -> CapExceeded:
    """Build the error that names a cap, the dataset and the reason.

    `members` are further members of the problem, such as `expected`.
    """
    return CapExceeded(
        f"The cap {cap} of dataset {dataset}: {reason}", cap=cap, dataset=dataset, **members
    )
