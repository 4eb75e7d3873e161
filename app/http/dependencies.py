"""Dependencies that give routes the application's database, settings and shutdown event."""

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
"""Set when the service begins to shut down: long-lived responses must end then."""
