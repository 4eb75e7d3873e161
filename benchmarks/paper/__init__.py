"""Reproduce the paper's experiments, and print each table with the paper's values beside ours."""
