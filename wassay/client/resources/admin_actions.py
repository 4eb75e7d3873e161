"""The record of what administrators did."""

from wassay.client.connection.connection import Resource
from wassay.client.connection.flows import R
from wassay.client.connection.pagination import Pages
from wassay.models import AdminAction


class AdminActions(Resource[R]):
    """The route `/v1/admin/actions`."""

    def list(
        self, *, account_id: str | None = None, object_id: str | None = None
    ) -> Pages[AdminAction, R]:
        """List administrators' actions: all, or those of one administrator or on one object.

        The API key needs the scope `admin`.

        Parameters
        ----------
        account_id : str, optional
            The account of the administrator.
        object_id : str, optional
            The id of the account, key, evaluation, receipt key or installation that was acted on.
        """
        return self._pages(
            "admin", "actions", model=AdminAction, account_id=account_id, object_id=object_id
        )
