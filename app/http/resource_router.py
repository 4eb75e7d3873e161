"""A router whose routes are compared with a path only if the path has the router's prefix."""

from fastapi import APIRouter
from starlette.routing import Match
from starlette.types import Scope


class ResourceRouter(APIRouter):
    """The routes of a resource, which all have the router's prefix.

    The framework compares a path with every route of every resource, one after the other. With some
    ninety routes, these comparisons took as long as a query of the database.
    """

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """Return how well a route of this router matches; no path without the prefix matches."""
        fixed, _, _ = self.prefix.partition("{")
        path = scope["path"].removeprefix(scope.get("root_path", ""))
        if not path.startswith(fixed):
            return Match.NONE, {}
        return super().matches(scope)
