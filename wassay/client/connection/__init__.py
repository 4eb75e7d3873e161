"""HTTP calls, retries and pagination, and the flows that both clients share."""
