"""`wassay close`: close a request to further contributions."""

from __future__ import annotations

import wassay
from wassay.cli.errors import explained
from wassay.cli.options import RequestFile


@explained()
def close(request_file: RequestFile) -> None:
    """Close your request to further contributions.

    It can still be evaluated. Sellers can then withdraw even what an evaluation has used.
    """
    with wassay.Client() as client:
        wassay.Buyer(client).load(request_file).close()
