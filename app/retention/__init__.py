"""Delete data: when the owner asks, with a closed account, or after the retention time."""
