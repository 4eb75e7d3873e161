"""The seller's side of each mode of contribution: what to compute, audit and upload.

To add a mode, add its terms to `wassay.modes.MODES`. Then write a module here that has the mode's
name and defines `MODE`.
"""
