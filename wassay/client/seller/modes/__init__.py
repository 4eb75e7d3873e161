"""The seller's side of each mode of contribution: what to compute, audit and upload.

To add a mode, add its terms to `wassay.modes.MODES`, and write a module here with the mode's name
that defines `MODE`.
"""
