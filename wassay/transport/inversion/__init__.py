"""Attacks on the protocol: reconstruct records from what a receiver holds.

A receiver who knows the reference can invert a pushed measure exactly; anybody can extrapolate from
two pushed measures; and a receiver who knows the buyer's points can trilaterate cost blocks. The
audit runs these attacks to show people, before they send, what a receiver could compute.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
