"""Sellers' described datasets."""
