"""Exact transport: solvers, what they share, and the proof that they leave."""
