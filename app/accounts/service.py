"""Create accounts, and issue and revoke their API keys."""

from collections.abc import Collection
from datetime import datetime

from sqlalchemy.orm import Session

from wassay import models as wire
from wassay.models import Scope

from ..database import database_time
from ..http.missing import missing
from ..http.pagination import PageQuery, page
from ..http.problems import Conflict, Forbidden, NotFound
from . import repository
from .api_keys import draw_key
from .models import Account, ApiKey
from .principal import Principal


class OrganisationConfusable(Conflict):
    """The organisation's name looks the same as the name of another organisation."""

    slug, title = "organisation-confusable", "Organisation confusable"


def create_account(session: Session, *, organisation: str, name: str) -> wire.Account:
    """Create an account without keys.

    Raises
    ------
    OrganisationConfusable
        If `organisation` looks the same as the name of another organisation.
    """
    other = repository.confusable_organisation(session, organisation)
    if other is not None:
        raise OrganisationConfusable(
            f"The organisation {organisation} looks like the existing organisation {other}. If "
            f"both are the same, write {other}; if not, choose a name that looks different.",
            expected=other,
            received=organisation,
        )
    account = Account(organisation=organisation, name=name)
    session.add(account)
    session.flush()
    return _account(account)


def list_accounts(session: Session, query: PageQuery) -> wire.Page[wire.Account]:
    """Return a page of all accounts, for administrators."""
    return page(session, repository.all_accounts(), Account, query, _account)


def read_account(session: Session, caller: Principal, account_id: str) -> wire.Account:
    """Return the caller's account or, for an administrator, any account.

    Raises
    ------
    NotFound
        If there is no such account, or the caller may not see it.
    """
    return _account(_visible_account(session, caller, account_id))


def issue_key(
    session: Session,
    *,
    account_id: str,
    scopes: Collection[Scope],
    label: str | None = None,
    expires_at: datetime | None = None,
) -> wire.NewApiKey:
    """Issue a key; only the returned value contains the key itself.

    If `expires_at` is None, the key never expires.

    Raises
    ------
    NotFound
        If there is no such account, or it was closed.
    """
    require_account(session, account_id)
    drawn = draw_key()
    key = ApiKey(
        account_id=account_id,
        label=label,
        prefix=drawn.prefix,
        hash=drawn.hash,
        scopes=sorted(set(scopes)),
        expires_at=expires_at,
    )
    session.add(key)
    session.flush()
    return wire.NewApiKey(key=drawn.key, **_key(key).model_dump())


def grant_key(
    session: Session,
    caller: Principal,
    account_id: str,
    *,
    scopes: Collection[Scope],
    label: str | None,
    expires_at: datetime | None,
) -> wire.NewApiKey:
    """Issue a key for an account that the caller may see.

    If `expires_at` is None, the key never expires.

    Raises
    ------
    NotFound
        If there is no such account, it was closed, or the caller may not see it.
    Forbidden
        If the caller is no administrator, and the new key has scopes that the caller's key lacks or
        expires later than the caller's key.
    """
    _visible_account(session, caller, account_id)
    beyond = sorted(set(scopes) - caller.scopes)
    if beyond and "admin" not in caller.scopes:
        raise Forbidden(
            f"Expected scopes that your key has, {', '.join(sorted(caller.scopes))}; received "
            f"also {', '.join(beyond)}. Leave them out, or ask an administrator for the key.",
            expected=sorted(caller.scopes),
            received=sorted(set(scopes)),
        )
    if (
        caller.expires_at is not None
        and (expires_at is None or expires_at > caller.expires_at)
        and "admin" not in caller.scopes
    ):
        raise Forbidden(
            f"Expected expires_at no later than your key's, {caller.expires_at.isoformat()}; "
            f"received {'none' if expires_at is None else expires_at.isoformat()}. Choose an "
            "earlier time, or use a key that expires later.",
            expected=caller.expires_at.isoformat(),
            received=None if expires_at is None else expires_at.isoformat(),
        )
    return issue_key(
        session, account_id=account_id, scopes=scopes, label=label, expires_at=expires_at
    )


def list_keys(
    session: Session, caller: Principal, account_id: str, query: PageQuery
) -> wire.Page[wire.ApiKey]:
    """Return a page of an account's unrevoked keys.

    Raises
    ------
    NotFound
        If there is no such account, or the caller may not see it.
    """
    _visible_account(session, caller, account_id)
    return page(session, repository.unrevoked_keys(account_id), ApiKey, query, _key)


def revoke_key(session: Session, caller: Principal, account_id: str, key_id: str) -> None:
    """Revoke a key of an account. The next call with the key is refused.

    Raises
    ------
    NotFound
        If there is no such account, the caller may not see it, or the account has no such key.
    Forbidden
        If the caller is no administrator, and the key has scopes that the caller's key lacks.
    """
    _visible_account(session, caller, account_id)
    key = repository.key_of_account(session, account_id, key_id)
    if key is None:
        raise NotFound(f"Account {account_id} has no key {key_id}.", received=key_id)
    beyond = sorted(set(key.scopes) - caller.scopes)
    if beyond and "admin" not in caller.scopes:
        raise Forbidden(
            f"Expected your key to have all scopes of the key to revoke, {', '.join(key.scopes)}; "
            f"yours lacks {', '.join(beyond)}. Use another key, or ask an administrator.",
            expected=sorted(key.scopes),
            received=sorted(caller.scopes),
        )
    key.revoked_at = database_time(session)


def revoke_any_key(session: Session, key_id: str) -> None:
    """Revoke a key of any account, for the operator's command line.

    Raises
    ------
    NotFound
        If there is no such unrevoked key.
    """
    key = repository.unrevoked_key(session, key_id)
    if key is None:
        raise NotFound(f"There is no unrevoked key {key_id}.", received=key_id)
    key.revoked_at = database_time(session)


def require_account(session: Session, account_id: str) -> None:
    """Raise unless the account exists and is not closed.

    Raises
    ------
    NotFound
        If there is no such account, or it was closed.
    """
    account = repository.account_with_id(session, account_id)
    if account is None or account.closed_at is not None:
        raise missing("account", account_id)


def set_disabled(session: Session, account_id: str, *, disabled: bool) -> wire.Account:
    """Disable an account or enable it again. The calls of a disabled account are refused.

    Raises
    ------
    NotFound
        If there is no such account, or it was closed.
    """
    require_account(session, account_id)
    account = repository.account_to_change(session, account_id)
    if not disabled:
        account.disabled_at = None
    elif account.disabled_at is None:
        account.disabled_at = database_time(session)
    session.flush()
    return _account(account)


def require_closable(session: Session, caller: Principal, account_id: str) -> None:
    """Raise unless the caller may close an account.

    Raises
    ------
    NotFound
        If there is no such account, or the caller may not see it.
    Forbidden
        If the caller is no administrator, and another key of the caller's account has scopes that
        the caller's key lacks.
    """
    _visible_account(session, caller, account_id)
    require_widest_key(session, caller)


def require_widest_key(session: Session, caller: Principal) -> None:
    """Raise unless the caller's key has every scope that any live key of the account has.

    Raises
    ------
    Forbidden
        If a scope is missing, and the caller is not an administrator.
    """
    scopes = {
        scope
        for key in session.scalars(repository.unrevoked_keys(caller.account_id))
        if key.is_live(database_time(session))
        for scope in key.scopes
    }
    if not scopes <= caller.scopes and "admin" not in caller.scopes:
        raise Forbidden(
            f"Expected a key with all scopes that the account's keys have, "
            f"{', '.join(sorted(scopes))}; yours has {', '.join(sorted(caller.scopes))}. Use "
            "another key, or ask an administrator.",
            expected=sorted(scopes),
            received=sorted(caller.scopes),
        )


def _visible_account(session: Session, caller: Principal, account_id: str) -> Account:
    if account_id == caller.account_id or "admin" in caller.scopes:
        account = repository.account_with_id(session, account_id)
        if account is not None:
            return account
    raise missing("account", account_id)


def _account(account: Account) -> wire.Account:
    return wire.Account(
        id=account.id,
        organisation=account.organisation,
        name=account.name,
        created_at=account.created_at,
        closed_at=account.closed_at,
        disabled_at=account.disabled_at,
    )


def _key(key: ApiKey) -> wire.ApiKey:
    return wire.ApiKey(
        id=key.id,
        account_id=key.account_id,
        label=key.label,
        prefix=key.prefix,
        scopes=[scope for scope in ("buyer", "seller", "admin") if scope in key.scopes],
        created_at=key.created_at,
        expires_at=key.expires_at,
        last_used_at=key.last_used_at,
    )
