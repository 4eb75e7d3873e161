"""Evaluations of a request: asked for, computed by jobs, and read as results."""
