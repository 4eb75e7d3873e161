"""Transport costs: between points, from an array, stacked over sellers; their rounding."""
