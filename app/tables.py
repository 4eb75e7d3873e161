"""Every table of the service, so that its metadata is whole."""

import app.accounts.models
import app.contributions.models
import app.evaluations.models
import app.jobs.models
import app.kit.models
import app.ledger.models
import app.listings.models
import app.receipts.models
import app.references.models
import app.requests.models

__all__ = ["app"]
