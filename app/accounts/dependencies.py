"""The dependency of routes that store arrays: the caller's storage quota."""

from typing import Annotated

from fastapi import Depends, Request

from .authentication import Caller
from .storage_quota import StorageLimits, StorageQuota


async def _storage_quota(request: Request, caller: Caller) -> StorageQuota:
    limits: StorageLimits = request.app.state.storage_limits
    return StorageQuota(caller, limits)


StorageQuotaDependency = Annotated[StorageQuota, Depends(_storage_quota)]
