"""Limit, blur and record what an evaluation reveals: caps, Laplace mechanism, ledger rows."""
