"""Optimal transport that proves itself: measures, distances, sweeps, intervals and scores.

`__init__.pyi` says where each name is; it is imported when it is first used, for a measure should
not wait for the solver, nor need it.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
