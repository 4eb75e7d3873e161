"""Modes of contribution: what a seller computes in each, audits and uploads.

Adding a mode takes its terms in `wassay.modes.MODES`, and a module here of the mode's name, which
defines `MODE`.
"""
