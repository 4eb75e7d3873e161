"""Measure what a blurring reference costs, and what it hides."""
