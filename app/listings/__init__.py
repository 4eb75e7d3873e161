"""Listings: sellers' descriptions of their datasets."""
