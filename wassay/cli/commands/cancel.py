"""`wassay cancel`: cancel a request."""

from __future__ import annotations

from typing import Annotated

import typer

import wassay
from wassay.cli.errors import explained
from wassay.cli.options import RequestFile


@explained()
def cancel(
    request_file: RequestFile,
    delete_measure: Annotated[
        bool,
        typer.Option(
            "--delete-measure",
            help="Delete your points from the service too, with their scores and the sealed keys.",
        ),
    ] = False,
) -> None:
    """Cancel your request and its unfinished evaluations.

    The results of finished evaluations can still be read.
    """
    with wassay.Client() as client:
        request = wassay.Buyer(client).load(request_file)
        request.cancel()
        if delete_measure:
            request.delete_measure()
