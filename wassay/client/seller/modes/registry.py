"""The seller's side of each mode: for each name in `MODES`, that module's `MODE`."""

from functools import cache
from importlib import import_module

from wassay.client.seller.modes.mode import SellerMode


@cache
def seller_mode(name: str) -> SellerMode:
    """Return the mode with a name in `wassay.modes.MODES`."""
    mode: SellerMode = import_module(f"{__package__}.{name.replace('-', '_')}").MODE
    return mode
