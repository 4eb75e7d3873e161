"""Read what an evaluation found: results, scores, the report and receipts, by who may see what."""
