"""Modes of contribution: what each uploads, what makes it complete, and what is computed from it.

Adding a mode takes its terms in `wassay.modes`, a module here and a line in `registry`.
"""
