"""Evaluations of a request: buyers ask for them, jobs compute them, and parties read results."""
