"""Attacks on the protocol: reconstruct records from what a receiver holds.

The audit runs these attacks before data is sent, and shows what a receiver could compute.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
