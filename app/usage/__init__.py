"""What accounts and organisations use of the service, beside their limits."""
