"""Matrices of transport costs: computed from points, given as an array, or stacked from several
sellers; and bounds of their rounding errors.
"""
