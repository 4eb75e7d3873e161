"""The service's commands, which the `wassay` command line lists, and loads when one is called."""

from wassay.cli.plug_ins import PlugIn

from .requirements import installed, require_service

_COMMANDS = {
    "serve": ("Run the web service with one worker, until a signal.", "service:serve"),
    "worker": ("Run one more worker.", "service:worker"),
    "workers": ("List the workers that are alive.", "workers:workers"),
    "migrate": ("Bring the database's schema to the newest version.", "service:migrate"),
    "accounts": ("Accounts and their API keys.", "accounts:accounts"),
    "receipt-keys": ("Keys that receipts are signed with.", "receipt_keys:receipt_keys"),
}

commands = [
    PlugIn(name, summary, f"{__name__}.{target}", require_service, hidden=not installed())
    for name, (summary, target) in _COMMANDS.items()
]

__all__ = ["commands"]
