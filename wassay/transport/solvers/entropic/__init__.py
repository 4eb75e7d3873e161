"""Entropic solvers, which find likely pairs."""
