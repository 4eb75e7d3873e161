"""The ledger: who has come to see what of whose data, in rows that only ever grow."""
