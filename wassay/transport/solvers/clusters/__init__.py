"""Clusters of points: pairs of far clusters need not be read, and their masses are balanced."""
