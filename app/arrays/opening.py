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


def open_bucket(address: str, database: Database) -> Bucket:
    """Open a bucket in the name of the installation that a database belongs to.

    The database need not respond yet.
    """
    return Bucket(address, BUCKET_RETRY_SECONDS, partial(installation_id, database))


def open_store(settings: Settings, database: Database) -> ArrayStore:
    """Open the store that the settings describe, and remove abandoned uploads from it.

    The database need not respond yet.
    """
    address = settings.arrays_url
    bucket = None if address is None else open_bucket(address, database)
    store = MeteredStore(settings.arrays_folder, bucket, settings.copies_bytes)
    store.remove_abandoned()
    return store
