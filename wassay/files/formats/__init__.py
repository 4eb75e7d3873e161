"""The file formats: a module for each format, with `SUFFIXES`, `recognises` and `read`."""
