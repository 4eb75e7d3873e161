"""The file formats, one module each, with `SUFFIXES`, `recognises` and `read`."""
