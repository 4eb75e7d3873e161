"""A router whose routes are compared with a path only if the path has the router's prefix."""

from fastapi import APIRouter
from starlette.routing import Match
from starlette.types import Scope


class ResourceRouter(APIRouter):
    """The routes of a resource, which all have the router's prefix."""

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """Return how well a route matches a request, and what the match adds to the scope."""
        # Without this check, the framework compares a path with every route, one after the other,
        # which took as long as a query of the database.
        fixed, _, _ = self.prefix.partition("{")
        path = scope["path"].removeprefix(scope.get("root_path", ""))
        if not path.startswith(fixed):
            return Match.NONE, {}
        return super().matches(scope)
