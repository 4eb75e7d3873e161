"""Listings: sellers' descriptions of their datasets."""

from collections.abc import Sequence
from typing import Any

from wassay.client.connection.connection import Resource
from wassay.client.connection.flows import Flow, R, operation
from wassay.client.connection.pagination import Pages
from wassay.client.shared.arguments import as_count, as_list
from wassay.models import Caps, Listing


class Listings(Resource[R]):
    """`/v1/listings`."""

    @operation
    def create(
        self,
        *,
        title: str,
        dimension: int,
        points: int,
        description: str = "",
        feature_names: Sequence[str] | None = None,
        embedding: str | None = None,
        classes: Sequence[str] | None = None,
        licence: str | None = None,
        terms: str | None = None,
        caps: Caps | None = None,
    ) -> Flow[Listing]:
        """Publish a description of a dataset, with caps on its disclosures (seller)."""
        body = {
            "title": title,
            "dimension": as_count(dimension, "dimension"),
            "points": as_count(points, "points"),
            "description": description,
            "feature_names": None
            if feature_names is None
            else as_list(feature_names, "feature_names"),
            "embedding": embedding,
            "classes": None if classes is None else as_list(classes, "classes"),
            "licence": licence,
            "terms": terms,
            "caps": caps,
        }
        return self._connection.create("listings", model=Listing, body=body)

    def list(self) -> Pages[Listing, R]:
        """List all listings."""
        return self._pages("listings", model=Listing)

    @operation
    def get(self, listing_id: str) -> Flow[Listing]:
        """Return a listing."""
        return self._connection.get("listings", listing_id, model=Listing)

    @operation
    def edit(self, listing: Listing, /, **changes: Any) -> Flow[Listing]:
        """Change fields of one's own listing, unless it was edited since it was read.

        Raises
        ------
        PreconditionError
            If it was edited since it was read.
        """
        return self._connection.edit("listings", base=listing, changes=changes)
