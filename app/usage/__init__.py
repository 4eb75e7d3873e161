"""How much accounts and organisations use of the service, and their limits."""
