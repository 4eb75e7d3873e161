"""Limit an evaluation's disclosures, by caps and noise, and record them in the ledger."""
