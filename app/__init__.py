"""The web service: its resources and its background jobs."""
