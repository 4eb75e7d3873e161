"""Exact optimal transport with certificates: measures, distances, sweeps, intervals and scores.

Names are imported lazily, as `__init__.pyi` lists them, so that measures need no solver.

"The paper" is Li & Pang, Private Wasserstein Distance, ICML 2025, which introduces TriangleWad.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
