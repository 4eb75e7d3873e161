"""The sentences of the report that depend on the result. The templates have fixed prose.

Every sentence is `Markup`, which escapes labels and other values.
"""
