"""Search requests by the fields that their recipes read."""

from collections.abc import Sequence

from sqlalchemy import Select

from wassay.organisations import organisation_key
from wassay.recipes import PublicPart

from .models import Request

MOST_FIELDS = 200
"""Names of fields in a search: proxies refuse longer URLs."""


def index(recipe: PublicPart) -> str:
    """Return what a search compares of a recipe: the names of its fields, each on a line.

    Keys of names have no line breaks.
    """
    keys = [organisation_key(field.name) for field in recipe.fields if field.role != "ignored"]
    return "\n".join(["", *keys, ""])


def searched(requests: Select[Request], names: Sequence[str]) -> Select[Request]:
    """Restrict a statement to the requests whose recipe reads all fields of these names."""
    for name in names:
        line = f"\n{organisation_key(name)}\n"
        requests = requests.where(Request.searched_fields.contains(line, autoescape=True))
    return requests
