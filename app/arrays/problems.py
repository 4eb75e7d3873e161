"""Why an array is refused, or cannot be had."""

from types import MappingProxyType

from ..kit.problems import Problem


class UnsupportedMediaType(Problem):
    """The body's media type or coding is not one that arrays come in."""

    slug, title, status = "unsupported-media-type", "Unsupported media type", 415


class NotAcceptable(Problem):
    """The array cannot be sent in any media type that the caller accepts."""

    slug, title, status = "not-acceptable", "Not acceptable", 406


class DigestMismatch(Problem):
    """The bytes that came are not those that the caller hashed."""

    slug, title, status = "digest-mismatch", "Digest mismatch", 422


class MalformedArray(Problem):
    """The bytes are not an array, or not one of the few kinds that are read."""

    slug, title, status = "malformed-array", "Malformed array", 422


class WrongShape(Problem):
    """A good array of the wrong size."""

    slug, title, status = "wrong-shape", "Wrong shape", 422


class InvalidEntry(Problem):
    """One entry cannot stand in a measure or a cost block; `index` is its (row, column)."""

    slug, title, status = "invalid-entry", "Invalid entry", 422


class InvalidWeights(Problem):
    """The weights are not those of a probability measure."""

    slug, title, status = "invalid-weights", "Invalid weights", 422


class UploadInterrupted(Problem):
    """The connection ended before the body did; nobody is left to read this."""

    slug, title, status = "upload-interrupted", "Upload interrupted", 400


class WrongPart(Problem):
    """What came of a body does not go on where what is here ends."""

    slug, title, status = "wrong-part", "Wrong part", 416


class StorageFull(Problem):
    """The disk that keeps the arrays has no space for this one."""

    slug, title, status = "storage-full", "Storage full", 507


class StorageUnavailable(Problem):
    """The object store that keeps the arrays does not answer, or refuses the service."""

    slug, title, status = "storage-unavailable", "Storage unavailable", 503
    headers = MappingProxyType({"Retry-After": "5"})

    @classmethod
    def now(cls) -> "StorageUnavailable":
        """Say so; why, the operator's log says."""
        return cls(
            "The object store that keeps the arrays does not answer. Try again; if it stays so, "
            "the operator's log says why."
        )


class StorageDamaged(Problem):
    """Bytes that were kept are gone, or not those that their digest names."""

    slug, title, status = "storage-damaged", "Storage damaged", 500

    @classmethod
    def without(cls, digest: str) -> "StorageDamaged":
        """Say so of an array that is not there any more."""
        return cls(
            f"The array {digest} is not in the store any more: it was removed there. Have it "
            "uploaded again, or have the operator bring it back.",
            expected=digest,
        )

    @classmethod
    def at(cls, digest: str, received: str) -> "StorageDamaged":
        """Say so of an array."""
        return cls(
            f"The array {digest} is {received} in the store now: it was changed or damaged there. "
            "Have "
            "it uploaded again, or have the operator bring it back.",
            expected=digest,
            received=received,
        )
