"""Exact optimal transport with certificates: measures, distances, sweeps, intervals and scores.

`__init__.pyi` lists the public names. Each is imported when first used.

"The paper" is Li & Pang, Private Wasserstein Distance, ICML 2025, which introduces TriangleWad.

Notation in all modules: μ is the buyer's measure, ν a seller's, and γ the reference. η_μ(t0) is μ
pushed by the buyer's secret t0: every point x becomes (1 − t0) x + t0 b. Here b is the mean of the
reference points that an optimal plan sends x to. η_ν(s) is ν pushed in the same way by s, one of
the values of the sweep.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
