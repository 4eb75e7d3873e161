"""The base of what clients send."""

from pydantic import BaseModel, ConfigDict


class Body(BaseModel):
    """A request body: an unknown field is refused, for it is a misspelt one."""

    model_config = ConfigDict(frozen=True, extra="forbid")
