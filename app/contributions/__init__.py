"""Contributions: one seller's answer to a request."""
