"""Errors of array uploads and downloads, and of the store of arrays."""

from types import MappingProxyType

from ..http.problems import Problem


class UnsupportedMediaType(Problem):
    """The media type or content coding of the body is not supported for arrays."""

    slug, title, status = "unsupported-media-type", "Unsupported media type", 415


class NotAcceptable(Problem):
    """The array cannot be sent in any media type that the caller accepts."""

    slug, title, status = "not-acceptable", "Not acceptable", 406


class DigestMismatch(Problem):
    """The received bytes do not match the declared digest."""

    slug, title, status = "digest-mismatch", "Digest mismatch", 422


class MalformedArray(Problem):
    """The body is not an array in a supported format."""

    slug, title, status = "malformed-array", "Malformed array", 422


class WrongShape(Problem):
    """The array has the wrong number of rows or columns."""

    slug, title, status = "wrong-shape", "Wrong shape", 422


class InvalidEntry(Problem):
    """A measure or cost block contains a number that is not allowed (NaN, too large, or negative).

    `index` is the number's (row, column), counted from 0.
    """

    slug, title, status = "invalid-entry", "Invalid entry", 422


class InvalidWeights(Problem):
    """The weights do not sum to 1."""

    slug, title, status = "invalid-weights", "Invalid weights", 422


class UploadInterrupted(Problem):
    """The client disconnected before the end of the body."""

    slug, title, status = "upload-interrupted", "Upload interrupted", 400


class WrongPart(Problem):
    """The part begins after the end of the stored bytes of its body."""

    slug, title, status = "wrong-part", "Wrong part", 416


class StorageFull(Problem):
    """The disk that stores arrays has no space left."""

    slug, title, status = "storage-full", "Storage full", 507
    is_machine_fault = True


class StorageUnavailable(Problem):
    """The object store does not respond, or rejects the service's requests."""

    slug, title, status = "storage-unavailable", "Storage unavailable", 503
    headers = MappingProxyType({"Retry-After": "5"})
    is_machine_fault = True

    def __init__(self, cause: str) -> None:
        super().__init__(
            "The object store is unavailable. Try again; if this persists, ask the operator, "
            "whose log states the cause."
        )
        self._cause = cause

    @property
    def cause(self) -> str:
        """Why the store is unavailable, for the operator. The response does not contain it."""
        return self._cause


class StorageDamaged(Problem):
    """Stored bytes are missing, or do not match the digest under which they were stored."""

    slug, title, status = "storage-damaged", "Storage damaged", 500

    @classmethod
    def missing(cls, digest: str) -> "StorageDamaged":
        """Build the error for an array that is missing from the store."""
        return cls(
            f"Expected the array {digest} in the store, but it is missing there. Upload it again, "
            "or ask the operator to restore it.",
            expected=digest,
        )

    @classmethod
    def changed(cls, digest: str, received: str) -> "StorageDamaged":
        """Build the error for the array `digest`, whose stored bytes now have another digest.

        `received` is the digest that they now have.
        """
        return cls(
            f"Expected the array {digest} in the store; received bytes with the digest "
            f"{received}: the array was changed or damaged there. Upload it again, or ask the "
            "operator to restore it.",
            expected=digest,
            received=received,
        )
