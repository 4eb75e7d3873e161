"""HTTP: calls, retries, pagination, and the flows that sync and async clients share."""
