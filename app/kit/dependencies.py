"""What the application carries, for routes to ask for."""

import threading
from typing import Annotated

from fastapi import Depends, Request

from ..database import Database
from ..settings import Settings


def _database(request: Request) -> Database:
    database: Database = request.app.state.database
    return database


def _settings(request: Request) -> Settings:
    settings: Settings = request.app.state.settings
    return settings


def _stopping(request: Request) -> threading.Event:
    stopping: threading.Event = request.app.state.stopping
    return stopping


DatabaseDependency = Annotated[Database, Depends(_database)]
SettingsDependency = Annotated[Settings, Depends(_settings)]
StoppingDependency = Annotated[threading.Event, Depends(_stopping)]
"""Set when the service is told to stop: what would go on for long ends itself then."""
