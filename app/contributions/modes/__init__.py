"""Modes of contribution: the uploads of each, when they are complete, and how to compute with them.

Adding a mode takes its terms in `wassay.modes`, a module here and a line in `registry`.
"""
