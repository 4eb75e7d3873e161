"""The seller's side of each mode of contribution: what to compute, audit and upload.

A new mode needs its `ModeTerms` in `wassay.modes.MODES`, and a module here that has the mode's name
and defines `MODE`.
"""
