"""The API as its committed document describes it, which the service is compared with."""

import json
from typing import Any

from app.openapi import COMMITTED

OPENAPI: dict[str, Any] = json.loads(COMMITTED.read_text(encoding="utf-8"))
"""Read, not made, because each test process needs it to list its tests, and making takes longer."""
