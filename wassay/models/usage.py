"""What an account and its organisation use of the service."""

from pydantic import Field

from wassay.models.base import Model


class Quota(Model):
    """How much of something is used, and how much may be used."""

    used: int
    limit: int


class Usage(Model):
    """What an account and its organisation use, beside their limits."""

    account_id: str
    organisation: str
    organisation_accounts: int = Field(description="Its accounts that are not closed.")
    account_bytes: Quota = Field(description="Bytes of uploaded arrays that are not deleted.")
    organisation_bytes: Quota
    account_evaluations: Quota = Field(description="Evaluations that wait or run.")
    organisation_evaluations: Quota
    organisation_evaluations_ever: int = Field(
        description="All evaluations that the organisation's accounts have asked for."
    )
