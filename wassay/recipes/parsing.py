"""Read and check a recipe's JSON."""

from pydantic import ValidationError

from wassay.recipes.document import RecipeDocument
from wassay.recipes.errors import RecipeError
from wassay.recipes.limits import MOST_BYTES
from wassay.strict_json import parse_json

VERSION: int = RecipeDocument.model_fields["version"].default
"""The version of recipes that this SDK reads and writes."""


def parse_document(content: bytes) -> RecipeDocument:
    """Parse a recipe's JSON.

    Raises
    ------
    RecipeError
        If the content is too large, or not a recipe of a version that this SDK knows.
    """
    if len(content) > MOST_BYTES:
        raise RecipeError(
            f"expected a recipe of at most {MOST_BYTES:,} bytes, received {len(content):,}"
        )
    try:
        found = parse_json(content)
    except ValueError as error:
        raise RecipeError(f"expected a recipe in JSON: {error}") from error
    if isinstance(found, dict) and found.get("version") != VERSION:
        raise RecipeError(
            f"expected a recipe of version {VERSION}, received version {found.get('version')!r}: "
            "update wassay"
        )
    try:
        return RecipeDocument.model_validate(found)
    except ValidationError as error:
        raise RecipeError(sentence(error)) from error


def sentence(error: ValidationError) -> str:
    """Describe pydantic's first error in a sentence, without the value, which may be private."""
    first = error.errors(include_url=False, include_input=False, include_context=False)[0]
    where = ".".join(map(str, first["loc"]))
    reason = first["msg"].removeprefix("Value error, ")
    return f"expected a valid recipe; {where + ': ' if where else ''}{reason}"
