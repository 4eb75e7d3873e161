"""The valuation methods: how each method values sellers or points, and how its result prints.

To add a method, write a module here and add the method to `registry`.
"""
