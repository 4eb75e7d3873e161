"""What administrators did."""

from wassay.client.connection.connection import Resource
from wassay.client.connection.flows import R
from wassay.client.connection.pagination import Pages
from wassay.models import AdminAction


class AdminActions(Resource[R]):
    """`/v1/admin/actions`."""

    def list(
        self, *, account_id: str | None = None, object_id: str | None = None
    ) -> Pages[AdminAction, R]:
        """List what administrators did, or only one account, or only to one object (admin)."""
        return self._pages(
            "admin", "actions", model=AdminAction, account_id=account_id, object_id=object_id
        )
