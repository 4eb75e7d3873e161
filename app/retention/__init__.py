"""Delete data: arrays on request, closed accounts, and what is older than the set retention."""
