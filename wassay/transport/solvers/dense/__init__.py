"""Exact solvers over all pairs, and closed forms."""
