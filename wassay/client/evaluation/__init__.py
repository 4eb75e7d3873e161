"""Follow an evaluation and read its result."""
