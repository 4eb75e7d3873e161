"""The use of the service by an account and its organisation."""

from pydantic import Field

from wassay.models.base import Model
from wassay.models.descriptions import ORGANISATION


class Quota(Model):
    """The amount of a resource that is used, and its limit."""

    used: int = Field(description="How much is used.")
    limit: int = Field(description="How much may be used.")


class Usage(Model):
    """The use of the service by an account and its organisation, and their limits."""

    account_id: str
    organisation: str = Field(description=ORGANISATION)
    organisation_accounts: int = Field(
        description="The number of the organisation's accounts that are not closed."
    )
    account_bytes: Quota = Field(
        description="The bytes of the account's uploaded arrays that are not deleted."
    )
    organisation_bytes: Quota = Field(
        description="The bytes of the organisation's uploaded arrays that are not deleted."
    )
    account_evaluations: Quota = Field(
        description="The number of the account's evaluations that wait or run."
    )
    organisation_evaluations: Quota = Field(
        description="The number of the organisation's evaluations that wait or run."
    )
    organisation_evaluations_ever: int = Field(
        description="The number of all evaluations that the organisation's accounts asked for."
    )
