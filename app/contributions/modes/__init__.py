"""Modes of contribution: the uploads of each, when they are complete, and how to compute with them.

Adding a mode takes its terms in `wassay.modes.MODES`, and a module here of the mode's name, which
defines `MODE`.
"""
