"""Sparse exact solvers: a network simplex on a pair list, extended by column generation."""
