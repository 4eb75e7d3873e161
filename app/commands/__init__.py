"""The operator's commands. The `wassay` command line lists them, and loads each on use."""

from wassay.cli.lazy_commands import LazyCommand

from .requirements import installed, require_service

_COMMANDS = {
    "serve": ("Run the web service with one worker until interrupted.", "service:serve"),
    "worker": ("Run another worker.", "service:worker"),
    "workers": ("List the live workers.", "workers:workers"),
    "doctor": ("Check this machine.", "doctor:doctor"),
    "migrate": ("Migrate the database to the newest schema.", "service:migrate"),
    "accounts": ("Manage accounts and their API keys.", "accounts:accounts"),
    "evaluations": ("List and retry failed evaluations.", "evaluations:evaluations"),
    "installation": ("Tell this installation from a copy.", "installation:installation"),
    "receipt-keys": ("Manage the keys that sign receipts.", "receipt_keys:receipt_keys"),
}

commands = [
    LazyCommand(name, summary, f"{__name__}.{target}", require_service, hidden=not installed())
    for name, (summary, target) in _COMMANDS.items()
]

__all__ = ["commands"]
