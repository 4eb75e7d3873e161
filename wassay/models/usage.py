"""What an account and its organisation use of the service."""

from pydantic import Field

from wassay.models.base import Model


class Quota(Model):
    """How much of a resource is used, and how much may be used."""

    used: int
    limit: int


class Usage(Model):
    """What an account and its organisation use, and their limits."""

    account_id: str
    organisation: str
    organisation_accounts: int = Field(
        description="The number of the organisation's accounts that are not closed."
    )
    account_bytes: Quota = Field(
        description="The bytes of the account's uploaded arrays that are not deleted."
    )
    organisation_bytes: Quota
    account_evaluations: Quota = Field(
        description="The number of the account's evaluations that wait or run."
    )
    organisation_evaluations: Quota
    organisation_evaluations_ever: int = Field(
        description="The number of all evaluations that the organisation's accounts asked for."
    )
