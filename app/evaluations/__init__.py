"""Evaluations: the jobs that compute a request's result, and the results."""
