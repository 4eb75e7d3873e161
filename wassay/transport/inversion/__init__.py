"""Attacks on what the protocol sends: how much of somebody's records a receiver can compute.

An uploaded measure is the raw data for whoever knows the reference, two of them are for anybody,
and cost blocks are for whoever holds the points they measure from. These functions do what such a
receiver would do, so that people see it before they send.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
