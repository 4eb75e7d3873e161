"""Arrays: formats, streaming uploads with limits, and a content-addressed store."""
