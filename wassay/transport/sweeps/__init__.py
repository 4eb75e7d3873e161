"""From costs at a few s to a curve, and from the curve to the distance of the raw data."""
