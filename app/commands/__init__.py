"""The operator's commands. The `wassay` command line lists them, and loads each on use."""

from wassay.cli.lazy_commands import commands_of

from .requirements import installed, require_service

SUMMARIES = {
    "serve": "Run the web service with one worker until interrupted.",
    "worker": "Run another worker.",
    "workers": "List the live workers.",
    "doctor": "Check this machine.",
    "migrate": "Migrate the database to the newest schema.",
    "accounts": "Manage accounts and their API keys.",
    "evaluations": "List and retry failed evaluations.",
    "installation": "Tell this installation from a copy.",
    "receipt-keys": "Manage the keys that sign receipts.",
}
"""The first line of each command's help."""

commands = commands_of(__name__, SUMMARIES, require_service, hidden=not installed())

__all__ = ["commands"]
