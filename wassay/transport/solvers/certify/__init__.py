"""Bounds and proofs of optimality."""
