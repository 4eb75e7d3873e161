"""Value sellers and points."""
