"""Value the sellers of an evaluation, and their points."""
