"""Sentences of the report that depend on the result; fixed prose is in the templates.

Functions get sellers by their labels. Every sentence is `Markup`, which escapes labels and other
values.
"""
