"""Exact optimal transport with certificates: measures, distances, sweeps, intervals and scores.

"The paper" is Li & Pang, Private Wasserstein Distance, ICML 2025, which describes TriangleWad.

Notes
-----
- μ is the buyer's measure, ν a seller's, and γ the reference.
- The image of a point is the mean of the points of γ that an optimal plan sends it to.
- η_μ(t0) is μ after every point was moved by the share t0 of the way to its image.
- η_ν(s) is ν after every point was moved by the share s of the way to its image.
"""

# `__init__.pyi` lists the public names. Each is imported when first used.

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
