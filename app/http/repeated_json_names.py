"""Reject JSON bodies in which an object has a name twice.

Parsers differ in which of the two values they keep.
"""

import json
from functools import partial
from typing import Any

from fastapi import Request

from wassay.strict_json import RepeatedNameError, distinct_members

from .heavy_work import LIGHT_BYTES, HeavyWork


class StrictRequest(Request):
    """A request that raises if an object in its JSON body has a name twice."""

    async def json(self) -> Any:
        """Parse the body.

        Raises
        ------
        json.JSONDecodeError
            If the body is not JSON, or an object has a name twice.
        """
        if not hasattr(self, "_json"):
            body = await self.body()
            heavy_work: HeavyWork = self.app.state.heavy_work
            self._json = (
                _parse(body)
                if len(body) <= LIGHT_BYTES
                else await heavy_work.run(self.state.account_id, len(body), partial(_parse, body))
            )
        return self._json


def _parse(body: bytes) -> Any:
    try:
        return json.loads(body, object_pairs_hook=distinct_members)
    except RepeatedNameError as error:
        raise json.JSONDecodeError(str(error), body.decode(errors="replace"), 0) from error
