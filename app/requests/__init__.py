"""Requests: a buyer's terms and measure, and the sellers who may contribute."""
