"""Limit what an evaluation discloses, by caps and noise, and record it in the ledger."""
