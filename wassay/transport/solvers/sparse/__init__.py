"""Solvers on a short list of pairs, which grows until all pairs agree."""
