"""The buyer's side of a request."""
