"""Scores of points, from the plans' parts to what they say."""
