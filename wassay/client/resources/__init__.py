"""The resources of the HTTP API: a class for each resource, with a method for each route."""
