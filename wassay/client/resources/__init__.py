"""The resources of the HTTP API: one class each, one method for each route."""
