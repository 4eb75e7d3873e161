"""The ledger: an append-only record of what was disclosed of whose data to whom."""
