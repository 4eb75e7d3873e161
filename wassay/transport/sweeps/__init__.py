"""Solve costs at a few s, fit the curve, and bound the distance of the raw data."""
