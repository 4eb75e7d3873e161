"""`wassay accounts`: accounts and keys, for the operator at the service's own machine."""

import json
from typing import Annotated, cast, get_args

import typer

from wassay.escaping import escape_control_characters
from wassay.models import Scope

from ..accounts import repository, service
from ..accounts.models import Account, ApiKey
from ..accounts.schemas import NewAccount
from ..kit.problems import NotFound
from ..settings import get_settings
from .errors import explained
from .prerequisites import prepared_database

accounts = typer.Typer(help="Accounts and their API keys.", no_args_is_help=True)

SCOPES: tuple[Scope, ...] = get_args(Scope)


def _scopes(names: list[str]) -> list[str]:
    # Typer knows choices for one value, not for a list of them.
    for name in names:
        if name not in SCOPES:
            raise typer.BadParameter(f"expected {', '.join(SCOPES)}; received {name}")
    return names


Scopes = Annotated[
    list[str],
    typer.Option(
        "--scope",
        callback=_scopes,
        help=f"What the key may do: {', '.join(SCOPES)}; give it more than once.",
    ),
]


@accounts.command()
@explained()
def create(
    organisation: Annotated[str, typer.Option(help="The organisation it belongs to.")],
    name: Annotated[str, typer.Option(help="What people call it.")],
    scope: Scopes,
) -> None:
    """Create an account with a first key, and print both as JSON. The key is shown only now."""
    wanted = NewAccount(organisation=organisation, name=name)
    with prepared_database(get_settings()).transaction() as session:
        account = service.create_account(
            session, organisation=wanted.organisation, name=wanted.name
        )
        issued = service.issue_key(
            session, account_id=account.id, scopes=cast("list[Scope]", scope)
        )
    typer.echo(json.dumps({"account_id": account.id, "key": issued.key}))


@accounts.command()
@explained()
def key(
    account_id: Annotated[str, typer.Argument(help="Such as acc_01jd….")], scope: Scopes
) -> None:
    """Issue another key for an account, and print it as JSON. The key is shown only now."""
    with prepared_database(get_settings()).transaction() as session:
        issued = service.issue_key(
            session, account_id=account_id, scopes=cast("list[Scope]", scope)
        )
    typer.echo(json.dumps({"account_id": account_id, "key": issued.key}))


@accounts.command(name="list")
@explained()
def list_accounts() -> None:
    """List all accounts, the oldest first."""
    with prepared_database(get_settings()).snapshot() as session:
        for account in session.scalars(repository.all_accounts().order_by(Account.id)):
            typer.echo(
                escape_control_characters(f"{account.id}  {account.organisation}  {account.name}")
            )


@accounts.command()
@explained()
def keys(account_id: Annotated[str, typer.Argument(help="Such as acc_01jd….")]) -> None:
    """List an account's keys that were not revoked, without the keys themselves."""
    with prepared_database(get_settings()).snapshot() as session:
        if repository.account_with_id(session, account_id) is None:
            raise NotFound(f"There is no account {account_id}.", received=account_id)
        for key in session.scalars(repository.live_keys(account_id).order_by(ApiKey.id)):
            used = f"{key.last_used_at:%Y-%m-%d %H:%M}" if key.last_used_at else "never"
            until = f"  expires {key.expires_at:%Y-%m-%d %H:%M}" if key.expires_at else ""
            typer.echo(
                escape_control_characters(
                    f"{key.id}  wsy_{key.prefix}_…  {', '.join(key.scopes)}  used {used}{until}"
                    f"{f'  {key.label}' if key.label else ''}"
                )
            )


@accounts.command()
@explained()
def revoke(key_id: Annotated[str, typer.Argument(help="As `keys` lists it: key_01jd….")]) -> None:
    """Revoke a key; it opens nothing from the next call on."""
    with prepared_database(get_settings()).transaction() as session:
        service.revoke_any_key(session, key_id)
