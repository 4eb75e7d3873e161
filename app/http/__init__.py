"""HTTP plumbing that every resource shares: problems, pagination, idempotency, entity tags."""
