"""One module a file format, each with `SUFFIXES`, `recognises` and `read`."""
