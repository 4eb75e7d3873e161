"""Open the store of arrays for the service's own processes."""

from functools import partial

from ..database import Database
from ..settings import Settings
from .bucket import Bucket
from .installation import installation_id
from .metered_store import MeteredStore
from .store import ArrayStore

BUCKET_RETRY_SECONDS = 10.0
"""How long to retry requests to the bucket. Clients time out later, so they get the problem."""


def open_store(settings: Settings, database: Database) -> ArrayStore:
    """Open the store that the settings describe, and remove abandoned uploads from it.

    The database need not respond yet.
    """
    own = partial(installation_id, database)
    address = settings.arrays_url
    bucket = None if address is None else Bucket(address, BUCKET_RETRY_SECONDS, own)
    store = MeteredStore(settings.arrays_folder, bucket, settings.copies_bytes)
    store.remove_abandoned()
    return store
