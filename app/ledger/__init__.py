"""The ledger: an append-only record of whose data was disclosed to whom, and how."""
