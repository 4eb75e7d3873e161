"""The seller's side of each mode of contribution: what to compute, audit and upload.

A new mode needs its terms in `wassay.modes.MODES`, and a module of its name here that defines
`MODE`.
"""
