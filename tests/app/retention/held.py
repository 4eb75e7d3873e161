"""Which arrays a service stores."""

from app.arrays.problems import StorageDamaged
from tests.app.conftest import Service


def holds(service: Service, digest: str) -> bool:
    """Return whether the store has the bytes of an array."""
    try:
        service.app.state.array_store.stream(digest).close()
    except StorageDamaged:
        return False
    return True
