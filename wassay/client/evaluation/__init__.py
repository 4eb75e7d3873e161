"""Wait for an evaluation, read its result and write its report."""
