"""Reproduce the paper's experiments: every table with the paper's values beside ours."""
