"""The sentences of the report that depend on the result. Fixed prose is in the templates.

Every sentence is `Markup`, which escapes labels and other values.
"""
