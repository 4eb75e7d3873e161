"""What every resource shares: ids, problems, authentication, pages, idempotency, entity tags."""
