"""Delete data: arrays on request, the data of closed accounts, and data after its retention."""
