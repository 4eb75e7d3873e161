"""Data that are more than points: classes, and texts."""
