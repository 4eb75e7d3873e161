"""Signed receipts and their signing keys."""
