"""Dependencies that give routes the application's database and settings."""

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


DatabaseDependency = Annotated[Database, Depends(_database)]
SettingsDependency = Annotated[Settings, Depends(_settings)]
