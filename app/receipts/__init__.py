"""Receipts, and the keys that they are signed with."""
