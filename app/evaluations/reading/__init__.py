"""Read the result, scores, report and receipts of an evaluation, as far as the caller may."""
