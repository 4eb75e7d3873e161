"""Read a description of a dataset from MLCommons Croissant 1.0."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from wassay.errors import WassayError
from wassay.listings.croissant_vocabulary import FIELD_TYPES, OURS, UNTYPED
from wassay.models import ListingField
from wassay.strict_json import parse_json

MOST_BYTES = 4 * 2**20
MOST_FIELDS = 1_000
MOST_NESTED = 8
"""The largest number of levels of nested fields."""


class CroissantError(WassayError, ValueError):
    """The document cannot be read as Croissant; the message says what to do."""


@dataclass(frozen=True)
class Description:
    """The description of a dataset in a Croissant document.

    Attributes
    ----------
    title : str
    description : str
    licence : str or None
    fields : list of ListingField
        The fields. A nested field is called ``parent/child``. If the document has several record
        sets, the name of the record set comes first.
    points, dimension : int or None
        The number of rows, and the dimension of the points; None unless `to_croissant` wrote the
        document.
    """

    title: str
    description: str
    licence: str | None
    fields: list[ListingField]
    points: int | None = None
    dimension: int | None = None


def from_croissant(content: str | bytes) -> Description:
    """Read a Croissant document, for `client.listings.create`.

    Parameters
    ----------
    content : str or bytes
        JSON-LD of at most 4 MiB. The files that the document names are not read.

    Returns
    -------
    Description

    Raises
    ------
    CroissantError
        If the document is too large, is not JSON, or does not describe a dataset. Also if it has
        too many fields, too many levels of fields, or fields without a name.

    Examples
    --------
    >>> read = from_croissant(Path("croissant.json").read_bytes())
    >>> client.listings.create(
    ...     title=read.title, fields=read.fields, licence=read.licence, dimension=3, points=100
    ... )
    """
    content = content.encode() if isinstance(content, str) else content
    if len(content) > MOST_BYTES:
        raise CroissantError(
            f"expected at most {MOST_BYTES:,} bytes of Croissant, received {len(content):,}: leave "
            "out data and examples"
        )
    try:
        document = parse_json(content)
    except ValueError as error:
        raise CroissantError(f"expected Croissant, which is JSON: {error}") from error
    if not isinstance(document, Mapping) or _last(document.get("@type")) != "Dataset":
        raise CroissantError(
            'expected a Croissant document with "@type": "sc:Dataset", received something else: '
            "give the whole croissant.json"
        )
    ours = _our_properties(document)
    return Description(
        title=_required_text(document, "name", "the dataset"),
        description=_text(document.get("description")) or "",
        licence=_licence(document.get("license")),
        fields=_fields(document),
        points=_count(ours.get("points")),
        dimension=_count(ours.get("dimension")),
    )


def _fields(document: Mapping[str, Any]) -> list[ListingField]:
    sets = [each for each in _list(document.get("recordSet")) if isinstance(each, Mapping)]
    # Some record sets only enumerate the values of a field, such as names of classes. Skip these.
    sets = [each for each in sets if "Enumeration" not in map(_last, _list(each.get("dataType")))]
    fields: list[ListingField] = []
    for each in sets:
        prefix = f"{_short_name(each, 'a record set')}/" if len(sets) > 1 else ""
        for field in _walk(each, "field", prefix):
            fields.append(field)
            if len(fields) > MOST_FIELDS:
                raise CroissantError(
                    f"expected at most {MOST_FIELDS:,} fields, received more: describe only one "
                    "record set, or fewer of its fields"
                )
    return fields


def _walk(
    holder: Mapping[str, Any], member: str, prefix: str, depth: int = 0
) -> Iterator[ListingField]:
    if depth > MOST_NESTED:
        raise CroissantError(
            f"expected at most {MOST_NESTED} levels of nested fields, received more: describe "
            "fewer levels"
        )
    for field in _list(holder.get(member)):
        if not isinstance(field, Mapping):
            raise CroissantError(
                f"expected each field to be a JSON object, received {field!r:.80}: write an object"
            )
        name = prefix + _short_name(field, "a field", holder)
        if _list(field.get("subField")):
            yield from _walk(field, "subField", f"{name}/", depth + 1)
        else:
            yield _field(field, name)


def _field(field: Mapping[str, Any], name: str) -> ListingField:
    ours = _our_properties(field)
    types = [FIELD_TYPES.get(_last(each)) for each in _list(field.get("dataType"))]
    type_ = next((each for each in types if each is not None), "any")
    is_image = "ImageObject" in map(_last, _list(field.get("dataType")))
    declared = _text(ours.get("type")) or type_
    repeated = field.get("repeated") or field.get("isArray")
    return ListingField(
        name=name,
        title=_text(field.get("alternateName")),
        description=_text(field.get("description")),
        type="list" if repeated else declared if declared in UNTYPED else type_,
        unit=_text(ours.get("unit")) or _text(field.get("unitText")),
        kind=_text(ours.get("kind")) or ("image" if is_image else None),
        embedding=_text(ours.get("embedding")),
        dimension=_count(ours.get("dimension")),
    )


def _short_name(node: Mapping[str, Any], what: str, holder: Mapping[str, Any] | None = None) -> str:
    """Return a node's name, without the name of its `holder` in front.

    `what` names the node in error messages.
    """
    name = node.get("name") or node.get("@id")
    if not isinstance(name, str) or not name.strip("/ "):
        raise CroissantError(f"expected a name of {what}, received {name!r:.80}: add a name")
    # Both "age" and "records/age" give "age".
    for outer in (holder or {}).get("@id"), (holder or {}).get("name"):
        if isinstance(outer, str):
            name = name.removeprefix(f"{outer}/")
    return name


def _required_text(node: Mapping[str, Any], member: str, what: str) -> str:
    text = _text(node.get(member))
    if text is None:
        raise CroissantError(
            f'expected "{member}" of {what} to be a text, received {node.get(member)!r:.80}: add '
            "a text"
        )
    return text


def _text(value: Any) -> str | None:
    """Return the first text of a property, or None; a text may state its language."""
    for each in _list(value):
        text = each.get("@value") if isinstance(each, Mapping) else each
        if isinstance(text, str) and text.strip():
            return text.strip()
    return None


def _licence(value: Any) -> str | None:
    """Return the name or URL of a licence, which is a text or an object."""
    for each in _list(value):
        if isinstance(each, Mapping) and "@value" not in each:
            return _text(each.get("name")) or _text(each.get("url")) or _text(each.get("@id"))
    return _text(value)


def _our_properties(node: Mapping[str, Any]) -> dict[str, Any]:
    """Return the additional properties that `to_croissant` writes, without the prefix `OURS`."""
    return {
        each["name"].removeprefix(OURS): each.get("value")
        for each in _list(node.get("additionalProperty"))
        if isinstance(each, Mapping)
        and isinstance(each.get("name"), str)
        and each["name"].startswith(OURS)
    }


def _count(value: Any) -> int | None:
    """Return a number from JSON as an int; None unless it is a whole number of at least 1."""
    is_count = isinstance(value, float) and value.is_integer() and value >= 1
    return int(value) if is_count else None


def _last(name: Any) -> str:
    """Return the last part of a name: ``Text`` for ``sc:Text`` or ``https://schema.org/Text``."""
    return name.replace(":", "/").rpartition("/")[2] if isinstance(name, str) else ""


def _list(value: Any) -> list[Any]:
    """Return the values of a JSON-LD property, which may be missing, one value or a list."""
    if value is None:
        return []
    return value if isinstance(value, list) else [value]
