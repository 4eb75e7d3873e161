"""Clusters of points: costs between far clusters need not be read in every scan."""
