"""The file with a request's secrets, which another process of the buyer can load."""

import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self

from pydantic import TypeAdapter

from wassay.client.buyer.private_push import PrivatePush
from wassay.client.shared.sent_rows import SentRows
from wassay.client.shared.terms import Terms
from wassay.errors import InvalidArgumentError
from wassay.private_file import MissingFileError, write_new, written_privately
from wassay.recipes import Recipe
from wassay.reference_key import ReferenceKey
from wassay.transport import ProjectionScaling

WANTED = "expected the file that Request.save or wassay ask wrote"

_SCALING: TypeAdapter[ProjectionScaling | None] = TypeAdapter(ProjectionScaling | None)


@dataclass(frozen=True)
class SavedRequest:
    """A request's id and secrets.

    Attributes
    ----------
    request_id : str
    push : PrivatePush
    key : ReferenceKey or None
        The key that is sealed to each recipient; None if the reference is open.
    measure_digest : str or None
        The SHA-256 of the uploaded measure; it is sealed together with the key. None if no mode of
        the request needs the measure.
    recipients : tuple of str
        The accounts that the buyer invited.
    recipe : Recipe or None
        The recipe, whose fitted part is sealed together with the key; None without a recipe.
    terms : Terms or None
        The request's terms, which are sealed together with the key; None if the reference is open.
    """

    request_id: str
    push: PrivatePush
    key: ReferenceKey | None
    measure_digest: str | None
    recipients: tuple[str, ...] = ()
    recipe: Recipe | None = None
    terms: Terms | None = None

    def with_recipient(self, account_id: str) -> Self:
        """Return a copy with one more recipient."""
        if account_id in self.recipients:
            return self
        return replace(self, recipients=(*self.recipients, account_id))

    def save(self, path: str | Path) -> None:
        """Write the request to a new file that only its owner may read.

        Raises
        ------
        FileTakenError
            If the file exists already.
        """
        # An existing file may contain the only copy of another request's t0.
        write_new(path, self._text())

    def replace_file(self, path: str | Path) -> None:
        """Atomically write the request to a file that `save` wrote."""
        path = Path(path)
        with written_privately(path.parent, path.name, self._text()) as written:
            written.replace(path)

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Read a file that `save` wrote.

        Raises
        ------
        InvalidArgumentError
            If the file does not contain a saved request.
        MissingFileError
            If the file does not exist.
        """
        try:
            document = json.loads(Path(path).read_text())
            rows = document["rows"]
            push = PrivatePush(
                float(document["t0"]),
                float(document["projection_spread"]),
                _SCALING.validate_python(document["scaling"]),
                None if rows is None else SentRows.of_document(rows),
            )
            key, digest = document["reference_key"], document["measure_digest"]
            recipe, terms = document["recipe"], document["terms"]
            return cls(
                str(document["request_id"]),
                push,
                None if key is None else ReferenceKey.from_text(key),
                None if digest is None else str(digest),
                tuple(str(account) for account in document["recipients"]),
                None if recipe is None else Recipe.from_json(json.dumps(recipe)),
                None if terms is None else Terms.model_validate(terms),
            )
        except FileNotFoundError as error:
            raise MissingFileError(path, f"does not exist; {WANTED}") from error
        except (ValueError, KeyError, TypeError) as error:
            reason = f"no {error}" if isinstance(error, KeyError) else str(error).splitlines()[0]
            raise InvalidArgumentError(
                f"{path}: {WANTED}, received another file ({reason}): name the saved file"
            ) from error

    def _text(self) -> str:
        document = {
            "request_id": self.request_id,
            "t0": self.push.t0,
            "projection_spread": self.push.projection_spread,
            "scaling": _SCALING.dump_python(self.push.scaling, mode="json"),
            "rows": None if self.push.rows is None else self.push.rows.document,
            "reference_key": None if self.key is None else self.key.text,
            "measure_digest": self.measure_digest,
            "recipients": self.recipients,
            "recipe": None if self.recipe is None else self.recipe.document.model_dump(mode="json"),
            "terms": None if self.terms is None else self.terms.model_dump(mode="json"),
        }
        return json.dumps(document, indent=2)
