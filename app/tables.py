"""Import the models of all tables, so that `METADATA` is complete."""

from .accounts import models as accounts
from .arrays import models as arrays
from .contributions import models as contributions
from .database import Base
from .evaluations import models as evaluations
from .http import models as http
from .jobs import models as jobs
from .ledger import models as ledger
from .listings import models as listings
from .receipts import models as receipts
from .references import models as references
from .requests import models as requests
from .schema import versions

MODELS = (
    *(accounts, arrays, contributions, evaluations, jobs, http),
    *(ledger, listings, receipts, references, requests, versions),
)

METADATA = Base.metadata
"""The metadata of all tables, complete because of the imports above."""

__all__ = ["METADATA"]
