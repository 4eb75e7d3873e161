"""Wait for an evaluation, read the evaluation's result and write its report."""
