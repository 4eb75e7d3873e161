"""Measure the exact solver's speed, and check it against published values."""
