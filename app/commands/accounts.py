"""`wassay accounts`: manage accounts and API keys on the service's machine."""

import json
from typing import Annotated, cast, get_args

import typer

from wassay.control_characters import escape_line
from wassay.models import Scope

from ..accounts import repository, service
from ..accounts.admin_actions import record
from ..accounts.models import Account, ApiKey
from ..accounts.schemas import NewAccount
from ..http.problems import NotFound
from ..settings import get_settings
from ..usage import disabling
from .errors import explained
from .prerequisites import prepared_database

accounts = typer.Typer(help="Manage accounts and their API keys.", no_args_is_help=True)

SCOPES: tuple[Scope, ...] = get_args(Scope)


def _scopes(names: list[str]) -> list[str]:
    # Checked here, because Typer supports choices only for options with a single value.
    for name in names:
        if name not in SCOPES:
            raise typer.BadParameter(f"expected one of {', '.join(SCOPES)}; received {name}")
    return names


Scopes = Annotated[
    list[str],
    typer.Option(
        "--scope",
        callback=_scopes,
        help=f"A scope of the key: {', '.join(SCOPES)}. Repeat the option for several scopes.",
    ),
]


@accounts.command()
@explained()
def create(
    organisation: Annotated[
        str, typer.Option(help="The organisation that the account belongs to.")
    ],
    name: Annotated[
        str, typer.Option(help="The name of the person or program that uses the account.")
    ],
    scope: Scopes,
) -> None:
    """Create an account with a key, and print both as JSON. The key is never shown again."""
    new = NewAccount(organisation=organisation, name=name)
    with prepared_database(get_settings()).transaction() as session:
        account = service.create_account(session, organisation=new.organisation, name=new.name)
        issued = service.issue_key(
            session, account_id=account.id, scopes=cast("list[Scope]", scope)
        )
        record(session, None, "account.create", account.id)
        record(session, None, "key.issue", issued.id)
    typer.echo(json.dumps({"account_id": account.id, "key": issued.key}))


@accounts.command()
@explained()
def key(
    account_id: Annotated[str, typer.Argument(help="The account's id, such as acc_01jd….")],
    scope: Scopes,
) -> None:
    """Issue another key for an account, and print the key as JSON, once and never again."""
    with prepared_database(get_settings()).transaction() as session:
        issued = service.issue_key(
            session, account_id=account_id, scopes=cast("list[Scope]", scope)
        )
        record(session, None, "key.issue", issued.id)
    typer.echo(json.dumps({"account_id": account_id, "key": issued.key}))


@accounts.command(name="list")
@explained()
def list_accounts() -> None:
    """List all accounts, oldest first."""
    with prepared_database(get_settings()).snapshot() as session:
        for account in session.scalars(repository.all_accounts().order_by(Account.id)):
            typer.echo(escape_line(f"{account.id}  {account.organisation}  {account.name}"))


@accounts.command()
@explained()
def keys(
    account_id: Annotated[str, typer.Argument(help="The account's id, such as acc_01jd….")],
) -> None:
    """List an account's unrevoked keys. Keys are shown by their prefixes only."""
    with prepared_database(get_settings()).snapshot() as session:
        if repository.account_with_id(session, account_id) is None:
            raise NotFound(f"There is no account {account_id}.", received=account_id)
        for key in session.scalars(repository.unrevoked_keys(account_id).order_by(ApiKey.id)):
            used = f"{key.last_used_at:%Y-%m-%d %H:%M}" if key.last_used_at else "never"
            until = f"  expires {key.expires_at:%Y-%m-%d %H:%M}" if key.expires_at else ""
            typer.echo(
                escape_line(
                    f"{key.id}  wsy_{key.prefix}_…  {', '.join(key.scopes)}  used {used}{until}"
                    f"{f'  {key.label}' if key.label else ''}"
                )
            )


@accounts.command()
@explained()
def revoke(
    key_id: Annotated[
        str, typer.Argument(help="The key's id, such as key_01jd…, as listed by `keys`.")
    ],
) -> None:
    """Revoke a key. The next call with the key is refused."""
    with prepared_database(get_settings()).transaction() as session:
        service.revoke_any_key(session, key_id)
        record(session, None, "key.revoke", key_id)


@accounts.command()
@explained()
def close(
    account_id: Annotated[str, typer.Argument(help="The account's id, such as acc_01jd….")],
) -> None:
    """Close an account for good, and erase its data."""
    from ..arrays.opening import (
        open_store,
    )  # imported here, because the imports are slow and no other command needs them
    from ..retention.accounts import close_account

    settings = get_settings()
    database = prepared_database(settings)
    close_account(database, open_store(settings, database), None, account_id)


@accounts.command()
@explained()
def disable(
    account_id: Annotated[str, typer.Argument(help="The account's id, such as acc_01jd….")],
) -> None:
    """Cancel an account's evaluations, and refuse its calls until you enable the account again."""
    disabling.disable_account(prepared_database(get_settings()), None, account_id)


@accounts.command()
@explained()
def enable(
    account_id: Annotated[str, typer.Argument(help="The account's id, such as acc_01jd….")],
) -> None:
    """Accept an account's calls again."""
    disabling.enable_account(prepared_database(get_settings()), None, account_id)
