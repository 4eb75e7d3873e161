"""An extension of Griffe, by which mkdocstrings shows the descriptions of pydantic's fields."""

from importlib import import_module
from typing import Any

import griffe
from pydantic import BaseModel


class FieldDescriptions(griffe.Extension):
    """Shows each field's default as its value, and its description as its docstring.

    Griffe only reads source text, where a description may be a constant of another module. So the
    module is imported.
    """

    def on_class(self, *, cls: griffe.Class, **_: Any) -> None:
        """Describe the fields of a pydantic model; leave other classes alone."""
        model = getattr(import_module(cls.module.path), cls.name, None)
        if not (isinstance(model, type) and issubclass(model, BaseModel)):
            return
        for name, field in model.model_fields.items():
            attribute = cls.members.get(name)
            if isinstance(attribute, griffe.Attribute) and field.description is not None:
                has_value = not field.is_required() and field.default_factory is None
                attribute.value = repr(field.default) if has_value else None
                attribute.docstring = griffe.Docstring(field.description, parent=attribute)
