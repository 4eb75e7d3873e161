"""Valuation methods: how each values sellers or points, and how it prints.

Adding a method takes a module here and a line in `registry`.
"""
