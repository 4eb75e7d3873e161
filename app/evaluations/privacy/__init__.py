"""Limit, blur and record what an evaluation discloses: caps, Laplace noise and ledger rows."""
