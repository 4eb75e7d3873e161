"""Signed receipts, and the keys that sign them."""
