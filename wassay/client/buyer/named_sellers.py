"""Find the accounts that a buyer names by an organisation or a listing."""

from collections.abc import Iterable

from wassay.client.client import Service
from wassay.client.connection.flows import Flow, Flowing
from wassay.client.environment import KEY_PREFIX
from wassay.client.shared.arguments import described
from wassay.client.shared.identity import Identity
from wassay.errors import InvalidArgumentError
from wassay.organisations import organisation_key

ACCOUNT, LISTING = "acc_", "lst_"
"""The prefixes of ids of accounts and listings."""


def accounts_of(
    flows: Service[Flowing], identity: Identity[Flowing], sellers: Iterable[str], *, sealed: bool
) -> Flow[list[str]]:
    """Return the account of each seller, named by account id, listing id or organisation.

    If the reference is `sealed`, sellers named by a listing or an organisation need a pinned key.

    Raises
    ------
    InvalidArgumentError
        If a name does not belong to exactly one account, or a needed key is not pinned.
    NotFoundError
        If a listing does not exist.
    """
    accounts = []
    for seller in sellers:
        if not isinstance(seller, str) or KEY_PREFIX in seller:
            raise InvalidArgumentError(
                f"expected the id of a seller's account (acc_…), received {described(seller)}: "
                "pass one seller's id, which `wassay key` tells them"
            )
        if seller.startswith(ACCOUNT):
            accounts.append(seller)
            continue
        account_id = yield from _look_up(flows, seller)
        # A dishonest service could name an account of its own, to receive the reference's key.
        if sealed and not (yield from Identity.has_pinned.flow(identity, account_id)):
            raise InvalidArgumentError(
                f"the service says that {seller!r} is {account_id}, whose key you have not pinned: "
                "ask the seller for the key's fingerprint, and pin the key (wassay trust "
                f"{account_id} FINGERPRINT), or invite the account's id"
            )
        accounts.append(account_id)
    return accounts


def _look_up(flows: Service[Flowing], seller: str) -> Flow[str]:
    """Ask the service for a seller's account, given a listing's id or an organisation's name.

    An organisation is found only if one of its accounts has a listing.
    """
    if seller.startswith(LISTING):
        return (yield from flows.listings.get(seller)).account_id
    key = organisation_key(seller)
    if not key:
        raise InvalidArgumentError(
            f"expected the name of a seller, received {seller!r}: pass the id of an account (acc_…)"
        )
    found = yield from flows.listings.search(seller).all()
    listed = sorted(
        {each.account_id for each in found if organisation_key(each.organisation) == key}
    )
    if len(listed) == 1:
        return listed[0]
    if listed:
        raise InvalidArgumentError(
            f"{seller!r} is the organisation of {len(listed)} accounts, {', '.join(listed)}: "
            "invite one of them, or the listing (lst_…) that you mean"
        )
    raise InvalidArgumentError(
        f"expected an account's id (acc_…), a listing's id (lst_…) or the name of an organisation "
        f"that has a listing; received {seller!r}, and no organisation of that name has one: ask "
        "them for their account's id"
    )
