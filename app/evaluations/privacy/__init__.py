"""What an evaluation reveals: caps, ledger rows and the Laplace mechanism."""
