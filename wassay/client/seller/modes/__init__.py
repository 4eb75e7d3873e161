"""Modes of contribution: what a seller computes in each, audits and uploads.

Adding a mode takes its terms in `wassay.modes`, a module here and a line in `registry`.
"""
