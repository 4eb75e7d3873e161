"""The reference, and pushing points towards it."""
