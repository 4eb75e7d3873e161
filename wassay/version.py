"""The version of Wassay."""

__version__ = "0.1.0"
