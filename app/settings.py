"""Settings, read from the environment: `WASSAY_<NAME>`, one variable a field."""

from functools import lru_cache
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

DATABASES = ("postgresql://", "postgres://", "postgresql+psycopg://", "sqlite:///")
ARRAYS = r"^s3://[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](/[A-Za-z0-9._-]+)*$"


class Settings(BaseSettings):
    """What an operator may choose. Every default serves one machine; there is no default secret."""

    model_config = SettingsConfigDict(env_prefix="WASSAY_", frozen=True, extra="ignore")

    data_folder: Path = Field(
        default=Path("wassay-data"),
        description="Where the SQLite database, the uploaded arrays and the receipt key live.",
    )
    database_url: str | None = Field(
        default=None,
        description="`postgresql://user@host/name`; unset: SQLite in the data folder.",
    )
    arrays_url: Annotated[str, Field(pattern=ARRAYS)] | None = Field(
        default=None,
        description="`s3://bucket/prefix`; unset: the uploaded arrays lie in the data folder. "
        "Endpoint, region and credentials are read from the standard `AWS_…` variables.",
    )
    host: str = "127.0.0.1"
    port: Annotated[int, Field(ge=0, le=65535)] = 8000
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
        default=1, description="Threads of each solving child process."
    )
    solve_memory_bytes: Annotated[int, Field(gt=0)] = Field(
        default=8 * 2**30, description="Address space that a solving child may use."
    )
    solve_seconds: Annotated[float, Field(gt=0)] = Field(
        default=3600.0,
        description="The longest that a solving child may take for one evaluation or chunk.",
    )
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"] = "INFO"

    @field_validator("database_url")
    @classmethod
    def _known_database(cls, url: str | None) -> str | None:
        if url is not None and not url.startswith(DATABASES):
            raise ValueError(f"expected an address that begins with {' or '.join(DATABASES)}")
        return url

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
            return f"sqlite:///{(self.data_folder / 'wassay.sqlite').absolute()}"
        scheme, separator, rest = self.database_url.partition("://")
        if scheme in {"postgres", "postgresql"}:
            return f"postgresql+psycopg{separator}{rest}"
        return self.database_url


@lru_cache
def get_settings() -> Settings:
    """Read the environment once a process."""
    return Settings()
