"""Transport costs between points, from an array or of several sellers, and their rounding."""
