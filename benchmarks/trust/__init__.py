"""Measure what references of many points, projections and recipes cost, and what they hide."""
