"""Describe a recipe as a table for people."""

from __future__ import annotations

from typing import Any

from wassay.recipes.document import FieldFit, FieldSpec, RecipeDocument
from wassay.table import table


def describe(document: RecipeDocument) -> str:
    """Return a table of how each field is encoded, and a sentence on what sellers learn."""
    public, fitted = document.public, document.fitted
    rows = [_row(field, fitted.fields.get(field.name)) for field in public.fields]
    heads = ("field", "role", "kind", "unit", "weight", "coordinates", "missing", "jitter")
    return "\n".join(
        [
            table(heads, rows),
            "",
            f"{public.dimension} coordinates, {'' if fitted.whitening else 'not '}whitened, "
            f"{'with' if public.jitter else 'without'} jitter. The column jitter shows the share "
            "of squared distances that it makes up.",
            f"Sellers who hold this recipe learn of your rows: {disclosed(document)}.",
        ]
    )


def disclosed(document: RecipeDocument) -> str:
    """Say in a few phrases what sellers who hold a recipe learn about the buyer's rows."""
    found = sorted({_disclosed_by(each) for each in document.fitted.fields.values()})
    if document.fitted.classes:
        found.append(document.fitted.classes.disclosed())
    if document.fitted.whitening:
        found.append("how all coordinates vary together")
    return "; ".join(found)


def _row(field: FieldSpec, fitted: FieldFit | None) -> tuple[str, ...]:
    kind: Any = field.kind
    if fitted is None:
        return (field.name, field.role, "", field.unit or "", "", "", "", "")
    options = kind.options()
    return (
        field.name,
        field.role,
        f"{kind.kind}, {options}" if options else kind.kind,
        field.unit or "",
        f"{field.weight:g}",
        str(field.dimension),
        f"{fitted.missing:.1%}" if field.allows_missing else kind.missing or "refuse",
        f"{fitted.jitter:.0%}",
    )


def _disclosed_by(fitted: FieldFit) -> str:
    fit: Any = fitted.fit
    return str(fit.disclosed())
