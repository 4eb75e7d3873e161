"""Compute an evaluation in a solver process, from arrays to a result document and scores."""
