"""The service's settings, read from environment variables `WASSAY_<NAME>`."""

import re
from datetime import timedelta
from functools import lru_cache
from ipaddress import ip_network
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, field_validator, model_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict
from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError

from wassay.models import DEFAULT_MOST_POINTS

from .secret_files import read_secret

DATABASES = ("postgresql://", "postgres://", "postgresql+psycopg://", "sqlite:///")
ROOT_PATH = re.compile(r"(/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)+")
ORIGIN = re.compile(r"https?://([a-z0-9.-]+|\[[0-9a-f:.]+\])(:\d{1,5})?")
"""The pattern of an origin as browsers send it: in lower case, without a path."""
ARRAYS = r"^s3://[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](/[A-Za-z0-9._-]+)*$"

TRACES = r"^https?://[^\s/?#@]+(/\S*)?$"
"""The pattern of the URL of a collector of traces.

A password belongs in the variable `OTEL_EXPORTER_OTLP_HEADERS`, not in the URL.
"""
MIN_ADMIN_ACTION_DAYS = 90
"""How many days the database refuses to delete the record of an administrator's action."""


class Settings(BaseSettings):
    """The operator's settings; an empty variable means the default.

    The defaults suit a single machine and include no secret.
    """

    model_config = SettingsConfigDict(
        env_prefix="WASSAY_",
        env_ignore_empty=True,
        frozen=True,
        extra="ignore",
        hide_input_in_errors=True,  # the address of the database may contain a password
    )

    data_folder: Path = Field(
        default=Path("wassay-data"),
        description="The folder of the SQLite database, the uploaded arrays and the receipt key.",
    )
    database_url: str | None = Field(
        default=None,
        repr=False,
        description="`postgresql://user@host/name`; unset: SQLite in the data folder.",
    )
    database_url_file: Path | None = Field(
        default=None,
        description="A file that contains `database_url`, such as a mounted secret.",
    )
    arrays_url: Annotated[str, Field(pattern=ARRAYS)] | None = Field(
        default=None,
        description="`s3://bucket/prefix`; unset: uploaded arrays are stored in the data folder. "
        "Endpoint, region and credentials are read from the standard `AWS_…` variables, or from "
        "the files that `AWS_ACCESS_KEY_ID_FILE` and `AWS_SECRET_ACCESS_KEY_FILE` name.",
    )
    receipt_key_file: Path | None = Field(
        default=None,
        description="The file of the private key that signs receipts. All machines with a worker "
        "need the same key; unset: `receipt-key` in the data folder.",
    )
    copies_bytes: Annotated[int, Field(gt=0)] = Field(
        default=20 * 2**30,
        description="Most bytes that a machine keeps as local copies of a bucket's arrays.",
    )
    host: str = "127.0.0.1"
    port: Annotated[int, Field(ge=0, le=65535)] = 8000
    root_path: str = Field(
        default="",
        description="The path prefix behind a proxy, such as `/wassay` for "
        "`https://host/wassay/…`; the proxy may forward or strip it.",
    )
    cors_origins: Annotated[tuple[str, ...], NoDecode] = Field(
        default=(),
        description="Comma-separated origins of browser front ends that may call the service, such "
        "as `https://app.example`; empty: none.",
    )
    trusted_proxies: Annotated[tuple[str, ...], NoDecode] = Field(
        default=(),
        description="Comma-separated addresses and networks of proxies whose `X-Forwarded-For` "
        "names the caller; empty: none.",
    )
    max_upload_bytes: Annotated[int, Field(gt=0)] = Field(
        default=2**31, description="The maximum size of an array upload."
    )
    max_json_bytes: Annotated[int, Field(gt=0)] = Field(
        default=2**20,
        description="The maximum size of a JSON body; larger arrays must be sent as .npy.",
    )
    max_points: Annotated[int, Field(gt=0)] = DEFAULT_MOST_POINTS
    max_dimension: Annotated[int, Field(gt=0)] = 65_536
    requests_per_minute: Annotated[int, Field(gt=0)] = Field(
        default=1200,
        description="Requests that one web process accepts from one account within a minute, even "
        "all at once.",
    )
    requests_at_once: Annotated[int, Field(gt=0)] = Field(
        default=2,
        description="Requests of one API key that one web process handles at a time; further ones "
        "wait. The same limit applies to the key's uploads of arrays, counted apart.",
    )
    account_streams: Annotated[int, Field(gt=0)] = Field(
        default=20, description="Event streams that one account may hold open at one web process."
    )
    organisation_streams: Annotated[int, Field(gt=0)] = Field(
        default=60,
        description="Event streams that the accounts of one organisation may together hold open "
        "at one web process.",
    )
    account_evaluations: Annotated[int, Field(gt=0)] = Field(
        default=200, description="Most evaluations of one account that may be waiting or running."
    )
    organisation_evaluations: Annotated[int, Field(gt=0)] = Field(
        default=400,
        description="Most evaluations of one organisation's accounts that may be waiting or "
        "running.",
    )
    account_bytes: Annotated[int, Field(gt=0)] = Field(
        default=20 * 2**30, description="Most bytes of arrays that one account may store."
    )
    organisation_bytes: Annotated[int, Field(gt=0)] = Field(
        default=100 * 2**30,
        description="Most bytes of arrays that one organisation's accounts may store together.",
    )
    worker_concurrency: Annotated[int, Field(gt=0)] = Field(
        default=2, description="Most evaluations or chunks that one worker solves at the same time."
    )
    worker_id: Annotated[str, Field(pattern=r"^[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}$")] | None = Field(
        default=None, description="The worker's id, unique among live workers; unset: generated."
    )
    worker_port: Annotated[int, Field(ge=1, le=65535)] | None = Field(
        default=None,
        description="The port of a worker's own `/healthz`, `/readyz` and `/metrics`, on `host`; "
        "unset: none.",
    )
    solve_threads: Annotated[int, Field(gt=0)] = Field(
        default=1, description="Threads of each solver process."
    )
    solve_memory_bytes: Annotated[int, Field(gt=0)] = Field(
        default=8 * 2**30, description="Most bytes of address space of each solver process."
    )
    solve_seconds: Annotated[float, Field(gt=0)] = Field(
        default=3600.0,
        description="Seconds that a solver process may take for one evaluation or chunk.",
    )
    cut_seconds: Annotated[float, Field(gt=0)] = Field(
        default=6.0,
        description="Most processor seconds that an evaluation is estimated to take in one piece. "
        "A longer one is cut into chunks of about a third of this, which workers share.",
    )
    max_attempts: Annotated[int, Field(gt=0)] = Field(
        default=3,
        description="Most attempts at an evaluation or chunk whose worker or solver process "
        "vanishes each time.",
    )
    retention_days: Annotated[int, Field(ge=0)] = Field(
        default=90,
        description="Days after which the arrays of a request are deleted, counted from when the "
        "request was closed, was cancelled or expired, or a draft was last changed. 0: never.",
    )
    traces_url: Annotated[str, Field(pattern=TRACES)] | None = Field(
        default=None,
        description="Where traces are sent as OTLP over HTTP, such as "
        "`http://collector:4318/v1/traces`; needs the extra `tracing`. Unset: no traces.",
    )
    admin_action_days: Annotated[int, Field(ge=0)] = Field(
        default=730,
        description="Days after which the record of an administrator's action is deleted, at "
        f"least {MIN_ADMIN_ACTION_DAYS}. 0: never.",
    )
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"] = "INFO"

    @model_validator(mode="before")
    @classmethod
    def _read_database_url(cls, given: dict[str, Any]) -> dict[str, Any]:
        if given.get("database_url_file") is None:
            return given
        if given.get("database_url") is not None:
            raise ValueError("expected WASSAY_DATABASE_URL or WASSAY_DATABASE_URL_FILE, not both")
        url = read_secret(Path(given["database_url_file"]), "WASSAY_DATABASE_URL_FILE")
        return given | {"database_url": url}

    @field_validator("admin_action_days")
    @classmethod
    def _long_enough(cls, days: int) -> int:
        if 0 < days < MIN_ADMIN_ACTION_DAYS:
            raise ValueError(
                "expected 0, which keeps the records for ever, or at least "
                f"{MIN_ADMIN_ACTION_DAYS} days"
            )
        return days

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
            raise ValueError(f"expected an address that starts with {' or '.join(DATABASES)}")
        if url is not None:
            _require_parsable(url)
        return url

    @field_validator("root_path")
    @classmethod
    def _known_root_path(cls, path: str) -> str:
        path = path.rstrip("/")
        if path and not ROOT_PATH.fullmatch(path):
            raise ValueError("expected a path such as /wassay, or nothing")
        return path

    @field_validator("trusted_proxies")
    @classmethod
    def _known_networks(cls, proxies: tuple[str, ...]) -> tuple[str, ...]:
        for proxy in filter(None, proxies):
            try:
                ip_network(proxy)
            except ValueError:
                raise ValueError(
                    "expected comma-separated addresses or networks, such as 127.0.0.1 or "
                    "10.0.0.0/8"
                ) from None
        return tuple(filter(None, proxies))

    @field_validator("cors_origins", "trusted_proxies", mode="before")
    @classmethod
    def _separated(cls, values: object) -> object:
        return re.split(r"[,\s]+", values.strip(", ")) if isinstance(values, str) else values

    @field_validator("cors_origins")
    @classmethod
    def _known_origins(cls, origins: tuple[str, ...]) -> tuple[str, ...]:
        for origin in filter(None, origins):
            if not ORIGIN.fullmatch(origin):
                raise ValueError(
                    "expected comma-separated origins without paths, such as https://app.example "
                    "or http://localhost:5173; * is not allowed"
                )
        return tuple(filter(None, origins))

    @property
    def retention(self) -> timedelta | None:
        """How long the arrays of a request are kept after its end; None: for ever.

        The arrays of a draft are kept for as long after the draft's last change.
        """
        return timedelta(days=self.retention_days) if self.retention_days else None

    @property
    def admin_action_retention(self) -> timedelta | None:
        """How long the record of an administrator's action is kept; None: for ever."""
        return timedelta(days=self.admin_action_days) if self.admin_action_days else None

    @property
    def arrays_folder(self) -> Path:
        """The folder of uploaded arrays or, if these are in a bucket, of local copies.

        Copies are removed a day after their last use.
        """
        # Copies have a folder of their own, so that arrays that were uploaded before the service
        # used a bucket are not removed.
        return self.data_folder / ("arrays" if self.arrays_url is None else "array-copies")

    @property
    def key_file(self) -> Path:
        """The file of the private key that signs receipts."""
        return self.receipt_key_file or self.data_folder / "receipt-key"

    @property
    def resolved_database_url(self) -> str:
        """The URL of the database for SQLAlchemy: `database_url`, else SQLite in the data folder.

        A Postgres URL without a driver gets psycopg.
        """
        if self.database_url is None:
            file = (self.data_folder / "wassay.sqlite").absolute()
            return URL.create("sqlite", database=str(file)).render_as_string()
        scheme, separator, rest = self.database_url.partition("://")
        if scheme in {"postgres", "postgresql"}:
            return f"postgresql+psycopg{separator}{rest}"
        return self.database_url


def _require_parsable(url: str) -> None:
    """Raise if SQLAlchemy cannot parse a database's address; the message omits the address."""
    try:
        make_url(url)
    except (ArgumentError, ValueError):
        raise ValueError(
            "expected an address such as postgresql://user:password@host:5432/name; write @ as "
            "%40, : as %3A, / as %2F and % as %25 in the password"
        ) from None


@lru_cache
def get_settings() -> Settings:
    """Return the settings, which each process reads once."""
    return Settings()
