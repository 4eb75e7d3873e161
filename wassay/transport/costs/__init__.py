"""Matrices of transport costs, and bounds on their rounding errors.

Costs are computed from points, given as an array, or stacked from several sellers.
"""
