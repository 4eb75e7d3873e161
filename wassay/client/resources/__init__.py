"""The resources of the HTTP API, one class each: what a call sends and the model it answers."""
