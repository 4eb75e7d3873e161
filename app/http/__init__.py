"""The HTTP layer that all resources share: problems, pagination, idempotency, entity tags."""
