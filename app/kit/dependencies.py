"""What the application carries, for routes to ask for."""

from typing import Annotated

from fastapi import Depends, Request

from app.database import Database
from app.settings import Settings


def _database(request: Request) -> Database:
    database: Database = request.app.state.database
    return database


def _settings(request: Request) -> Settings:
    settings: Settings = request.app.state.settings
    return settings


DatabaseDependency = Annotated[Database, Depends(_database)]
SettingsDependency = Annotated[Settings, Depends(_settings)]
