"""Compute an evaluation in a worker process: arrays in, a result document and scores out."""
