"""The caps of the dataset that a contribution answers with, and the measures that they refuse."""

from typing import Any

from wassay import models as wire

from ..accounts.models import Account
from ..listings.models import Listing
from ..requests.models import BuyerMeasure
from .problems import CapExceeded


def caps_of(account: Account, listing: Listing | None) -> wire.Caps:
    """Return a dataset's caps: those of its listing, or else those of its account."""
    own = None if listing is None else listing.caps
    return wire.Caps.model_validate((account.caps or {}) if own is None else own)


def require_measure(caps: wire.Caps, measure: BuyerMeasure, dataset: str) -> None:
    """Let only a buyer's measure pass that the caps of a dataset allow to be answered.

    Raises
    ------
    CapExceeded
        If it has too few places, or weights where none are allowed.
    """
    if caps.buyer_points is not None and measure.effective_support < caps.buyer_points:
        raise exceeded(
            "buyer_points",
            dataset,
            f"its seller answers measures with at least {caps.buyer_points} points at different "
            f"places, and this one has {measure.effective_support}. Ask with more points.",
            expected=caps.buyer_points,
            received=measure.effective_support,
        )
    if caps.uniform_weights and not measure.uniform:
        raise exceeded(
            "uniform_weights",
            dataset,
            "its seller answers measures whose points all weigh the same. Ask without weights.",
            expected="uniform",
            received="weighted",
        )


def exceeded(cap: str, dataset: str, reason: str, **members: Any) -> CapExceeded:
    """Say which cap of a dataset stands against what was asked."""
    return CapExceeded(
        f"The cap {cap} of dataset {dataset}: {reason}", cap=cap, dataset=dataset, **members
    )
