"""Find the seller's side of a mode: the `MODE` of the module with the mode's name."""

from functools import cache
from importlib import import_module

from wassay.client.seller.modes.mode import SellerMode


@cache
def seller_mode(name: str) -> SellerMode:
    """Return the seller's side of the mode that has the given name in `wassay.modes.MODES`."""
    mode: SellerMode = import_module(f"{__package__}.{name.replace('-', '_')}").MODE
    return mode
