"""Make a listing's data dictionary from a recipe."""

from wassay.models import ListingField
from wassay.recipes import Image, PublicPart, Vector
from wassay.recipes.document import FieldSpec


def data_dictionary(public: PublicPart) -> list[ListingField]:
    """Describe the fields of a recipe for a listing, but not those with the role `ignored`.

    Parameters
    ----------
    public : PublicPart
        The public part of a recipe.

    Returns
    -------
    list of ListingField
    """
    return [_field(field) for field in public.fields if field.role != "ignored"]


def _field(field: FieldSpec) -> ListingField:
    kind = field.kind
    embedding = dimension = None
    if isinstance(kind, Vector):
        embedding = " ".join(filter(None, (kind.model, kind.version))) or None
    if isinstance(kind, Vector | Image):
        dimension = field.dimension - field.indicates
    return ListingField(
        name=field.name,
        title=field.title,
        description=field.description,
        type=field.type,
        unit=field.unit,
        kind=None if kind is None else kind.kind,
        embedding=embedding,
        dimension=dimension,
    )
