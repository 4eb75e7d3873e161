"""Dependencies with which routes get the application's database, settings and `HeavyWork`."""

from typing import Annotated

from fastapi import Depends, Request

from ..database import Database
from ..settings import Settings
from .heavy_work import HeavyWork


# Coroutines, because FastAPI runs other functions in a thread, and switching to the thread and back
# takes longer than these functions.
async def _database(request: Request) -> Database:
    database: Database = request.app.state.database
    return database


async def _settings(request: Request) -> Settings:
    settings: Settings = request.app.state.settings
    return settings


async def _heavy_work(request: Request) -> HeavyWork:
    heavy_work: HeavyWork = request.app.state.heavy_work
    return heavy_work


DatabaseDependency = Annotated[Database, Depends(_database)]
SettingsDependency = Annotated[Settings, Depends(_settings)]
HeavyWorkDependency = Annotated[HeavyWork, Depends(_heavy_work)]
