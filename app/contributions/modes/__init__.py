"""Modes of contribution: what a seller uploads in each, and how the service computes with that.

To add a mode, add its terms to `wassay.modes.MODES`, and a module here with the mode's name that
defines `MODE`.
"""
