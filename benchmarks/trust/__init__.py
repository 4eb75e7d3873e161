"""What blurring a reference costs, and what it hides."""
