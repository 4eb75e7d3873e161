"""The documentation site: pages from docs/, references generated from the code and the OpenAPI."""
