"""The seller's side of a request."""
