"""Listings: sellers' descriptions of their datasets."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from wassay.client.connection.connection import Resource
from wassay.client.connection.flows import Flow, R, operation
from wassay.client.connection.pagination import Pages
from wassay.client.shared.arguments import as_count, as_list
from wassay.errors import InvalidArgumentError
from wassay.models import Caps, FieldType, Listing, ListingField, Request
from wassay.recipes import PublicPart


class Listings(Resource[R]):
    """The routes below `/v1/listings`."""

    @operation
    def create(
        self,
        *,
        title: str,
        dimension: int,
        points: int,
        description: str = "",
        fields: Iterable[ListingField | Mapping[str, Any]] = (),
        classes: Sequence[str] | None = None,
        licence: str | None = None,
        terms: str | None = None,
        caps: Caps | None = None,
    ) -> Flow[Listing]:
        """Publish a description of a dataset, with caps on what the dataset discloses.

        The API key needs the scope `seller`. The parameters are the fields of
        `wassay.models.Listing`.
        """
        body = {
            "title": title,
            "dimension": as_count(dimension, "dimension"),
            "points": as_count(points, "points"),
            "description": description,
            "fields": [_field(each) for each in as_list(fields, "fields")],
            "classes": None if classes is None else as_list(classes, "classes"),
            "licence": licence,
            "terms": terms,
            "caps": caps,
        }
        return self._connection.create("listings", model=Listing, body=body)

    def list(self) -> Pages[Listing, R]:
        """List all listings."""
        return self._pages("listings", model=Listing)

    def search(
        self,
        text: str | None = None,
        *,
        field: str | None = None,
        type: FieldType | None = None,  # noqa: A002 - the API's name
        unit: str | None = None,
        embedding: str | None = None,
        licence: str | None = None,
        min_points: int | None = None,
        covers: Iterable[str] | Request = (),
    ) -> Pages[Listing, R]:
        """List the listings that meet all given conditions.

        Parameters
        ----------
        text : str, optional
            Words, each of which must occur in the title, the description, the licence, the classes,
            the fields or the organisation's name.
        field, type, unit, embedding : str, optional
            The name, type, unit and embedding model of a field. A listing must have a field with
            all that are given.
        licence : str, optional
            The licence, such as ``'CC-BY-4.0'``.
        min_points : int, optional
            The least number of rows.
        covers : iterable of str, or Request, optional
            Names of needed fields, or a request whose recipe reads fields. A listing must have at
            least one of the fields; its `coverage` says which are missing.

        Raises
        ------
        InvalidArgumentError
            If the request has no recipe.
        """
        return self._pages(
            "listings",
            model=Listing,
            text=text,
            field=field,
            type=type,
            unit=unit,
            embedding=embedding,
            licence=licence,
            min_points=None if min_points is None else as_count(min_points, "min_points"),
            covers=_needed(covers) or None,
        )

    @operation
    def get(self, listing_id: str) -> Flow[Listing]:
        """Return a listing."""
        return self._connection.get("listings", listing_id, model=Listing)

    @operation
    def edit(self, listing: Listing, /, **changes: Any) -> Flow[Listing]:
        """Change fields of the caller's listing, unless it was edited since `listing` was read.

        `changes` has the new values, by the name of the field.

        Raises
        ------
        PreconditionError
            If the listing was edited since `listing` was read.
        """
        if "fields" in changes:
            fields = [_field(each) for each in as_list(changes["fields"], "fields")]
            changes = changes | {"fields": fields}
        if isinstance(listing, Listing):
            # Drop the coverage, which only a search adds, so that the listing equals the one on the
            # service.
            listing = listing.model_copy(update={"coverage": None})
        return self._connection.edit("listings", base=listing, changes=changes)


def _field(field: ListingField | Mapping[str, Any]) -> Mapping[str, Any]:
    return field.model_dump() if isinstance(field, ListingField) else field


def _needed(covers: Iterable[str] | Request) -> Sequence[str]:
    """Return the fields' names in `covers`; for a request, the fields that its recipe reads."""
    if not isinstance(covers, Request):
        return as_list(covers, "covers")
    if covers.recipe is None:
        raise InvalidArgumentError(
            f"expected a request with a recipe, which names the fields, received {covers.id}, "
            "which has none: pass the names of the fields"
        )
    fields = PublicPart.model_validate(covers.recipe).fields
    return [field.name for field in fields if field.role != "ignored"]
