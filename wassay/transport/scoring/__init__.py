"""Scores of points (one-sided derivatives of W_p^p in the weights), rankings, and outliers."""
