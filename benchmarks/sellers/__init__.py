"""Measure Shapley values of many sellers through a real service."""
