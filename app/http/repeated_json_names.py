"""Reject JSON bodies that have a name twice in one object.

Parsers differ in which value of a repeated name they keep, so a proxy could read another request
than the service.
"""

import json
from typing import Any

from fastapi import Request

from wassay.strict_json import RepeatedNameError, distinct_members


class StrictRequest(Request):
    """A request that rejects JSON bodies with a name twice in one object."""

    async def json(self) -> Any:
        """Parse the body.

        Raises
        ------
        json.JSONDecodeError
            If it is not JSON, or an object has a name twice.
        """
        if not hasattr(self, "_json"):
            body = await self.body()
            try:
                self._json = json.loads(body, object_pairs_hook=distinct_members)
            except RepeatedNameError as error:
                raise json.JSONDecodeError(str(error), body.decode(errors="replace"), 0) from error
        return self._json
