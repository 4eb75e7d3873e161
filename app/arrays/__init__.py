"""Arrays: formats, streaming uploads with limits, and the store that keeps them by digest."""
