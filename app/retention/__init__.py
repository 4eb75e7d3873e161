"""Delete what was sent: arrays on request, accounts that close, and data past its retention."""
