"""Delete data: on request, with a closed account, or when its retention time is over."""
