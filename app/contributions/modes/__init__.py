"""Modes of contribution: their uploads, when these are complete, and how to compute with them.

To add a mode, add its terms to `wassay.modes.MODES`, and a module here with the mode's name that
defines `MODE`.
"""
