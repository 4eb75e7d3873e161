"""Delete data: arrays on request, the data of closed accounts, and data past its retention."""
