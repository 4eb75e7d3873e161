"""Requests: a buyer's terms and measure, and which sellers may contribute."""
