"""`wassay decline`: decline a request."""

from typing import Annotated

import typer

import wassay
from wassay.cli.errors import explained
from wassay.cli.options import (
    RequestId,
)


@explained()
def decline(
    request: RequestId,
    reason: Annotated[str, typer.Argument(help="The reason, which the buyer reads.")],
) -> None:
    """Decline a buyer's request, with a reason."""
    with wassay.Client() as client:
        wassay.Seller(client).decline(request, reason=reason)
