"""Solvers that look at all pairs, and closed forms."""
