"""Settings, read from the environment: `WASSAY_<NAME>`, one variable a field."""

import re
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, field_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict
from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError

DATABASES = ("postgresql://", "postgres://", "postgresql+psycopg://", "sqlite:///")
ROOT_PATH = re.compile(r"(/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)+")
ORIGIN = re.compile(r"https?://([a-z0-9.-]+|\[[0-9a-f:.]+\])(:\d{1,5})?")
"""As browsers write it: in small letters, without a path."""
ARRAYS = r"^s3://[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](/[A-Za-z0-9._-]+)*$"


class Settings(BaseSettings):
    """What an operator may choose. Every default serves one machine; there is no default secret.

    A variable that is set to nothing means the default. Neither errors nor the representation show
    an address of a database: it may hold a password.
    """

    model_config = SettingsConfigDict(
        env_prefix="WASSAY_",
        env_ignore_empty=True,
        frozen=True,
        extra="ignore",
        hide_input_in_errors=True,
    )

    data_folder: Path = Field(
        default=Path("wassay-data"),
        description="Where the SQLite database, the uploaded arrays and the receipt key live.",
    )
    database_url: str | None = Field(
        default=None,
        repr=False,
        description="`postgresql://user@host/name`; unset: SQLite in the data folder.",
    )
    arrays_url: Annotated[str, Field(pattern=ARRAYS)] | None = Field(
        default=None,
        description="`s3://bucket/prefix`; unset: the uploaded arrays lie in the data folder. "
        "Endpoint, region and credentials are read from the standard `AWS_…` variables.",
    )
    host: str = "127.0.0.1"
    port: Annotated[int, Field(ge=0, le=65535)] = 8000
    root_path: str = Field(
        default="",
        description="The path that a proxy serves the service under, such as `/wassay` where it is "
        "`https://host/wassay/…`; the proxy may pass it on or remove it.",
    )
    cors_origins: Annotated[tuple[str, ...], NoDecode] = Field(
        default=(),
        description="Origins of the browser front ends that may call, such as "
        "`https://app.example`, with commas between them; empty: none.",
    )
    max_upload_bytes: Annotated[int, Field(gt=0)] = Field(
        default=2**31, description="The largest array body."
    )
    max_json_bytes: Annotated[int, Field(gt=0)] = Field(
        default=2**20, description="The largest JSON body; larger arrays travel as .npy."
    )
    max_points: Annotated[int, Field(gt=0)] = 100_000
    max_dimension: Annotated[int, Field(gt=0)] = 65_536
    requests_per_minute: Annotated[int, Field(gt=0)] = Field(
        default=1200,
        description="What one API key may ask of one web process: at once, and again every minute.",
    )
    worker_concurrency: Annotated[int, Field(gt=0)] = Field(
        default=2, description="Evaluations, or chunks, that one worker solves at the same time."
    )
    worker_id: Annotated[str, Field(pattern=r"^[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}$")] | None = Field(
        default=None, description="A worker's name, unique among the living; unset: made up."
    )
    solve_threads: Annotated[int, Field(gt=0)] = Field(
        default=1, description="Threads of each solver process."
    )
    solve_memory_bytes: Annotated[int, Field(gt=0)] = Field(
        default=8 * 2**30, description="Address space of each solver process."
    )
    solve_seconds: Annotated[float, Field(gt=0)] = Field(
        default=3600.0,
        description="The longest that a solver process may take for one evaluation or chunk.",
    )
    max_attempts: Annotated[int, Field(gt=0)] = Field(
        default=3,
        description="How often an evaluation or a chunk begins if its worker or its solver process "
        "vanishes each time.",
    )
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"] = "INFO"

    @field_validator("host")
    @classmethod
    def _bare_host(cls, host: str) -> str:
        bare = host[1:-1] if host.startswith("[") and host.endswith("]") else host
        if not bare or any(character.isspace() for character in bare):
            raise ValueError("expected an address or a name, such as 127.0.0.1, ::1 or 0.0.0.0")
        return bare

    @field_validator("database_url")
    @classmethod
    def _known_database(cls, url: str | None) -> str | None:
        if url is not None and not url.startswith(DATABASES):
            raise ValueError(f"expected an address that begins with {' or '.join(DATABASES)}")
        if url is not None:
            _require_readable(url)
        return url

    @field_validator("root_path")
    @classmethod
    def _known_root_path(cls, path: str) -> str:
        path = path.rstrip("/")
        if path and not ROOT_PATH.fullmatch(path):
            raise ValueError("expected a path such as /wassay, or nothing")
        return path

    @field_validator("cors_origins", mode="before")
    @classmethod
    def _separate_origins(cls, origins: object) -> object:
        return re.split(r"[,\s]+", origins.strip(", ")) if isinstance(origins, str) else origins

    @field_validator("cors_origins")
    @classmethod
    def _known_origins(cls, origins: tuple[str, ...]) -> tuple[str, ...]:
        for origin in filter(None, origins):
            if not ORIGIN.fullmatch(origin):
                raise ValueError(
                    "expected origins such as https://app.example or http://localhost:5173, with "
                    "commas between them; none has a path, and none is *"
                )
        return tuple(filter(None, origins))

    @property
    def arrays_folder(self) -> Path:
        """Where the uploaded arrays lie, or this machine's copies of those in a bucket.

        Two folders: copies are removed when nobody used them for a day, and what was uploaded
        before there was a bucket must not be taken for one.
        """
        return self.data_folder / ("arrays" if self.arrays_url is None else "array-copies")

    @property
    def resolved_database_url(self) -> str:
        """The SQLAlchemy URL, with the driver named."""
        if self.database_url is None:
            file = (self.data_folder / "wassay.sqlite").absolute()
            return URL.create("sqlite", database=str(file)).render_as_string()
        scheme, separator, rest = self.database_url.partition("://")
        if scheme in {"postgres", "postgresql"}:
            return f"postgresql+psycopg{separator}{rest}"
        return self.database_url


def _require_readable(url: str) -> None:
    """Raise if SQLAlchemy cannot read an address, without showing any part of it."""
    try:
        make_url(url)
    except (ArgumentError, ValueError):
        raise ValueError(
            "expected an address such as postgresql://user:password@host:5432/name; in the "
            "password write @ as %40, : as %3A, / as %2F and % as %25"
        ) from None


@lru_cache
def get_settings() -> Settings:
    """Read the environment once a process."""
    return Settings()
