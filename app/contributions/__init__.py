"""Contributions of sellers to requests."""
