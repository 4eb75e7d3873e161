"""Media types of arrays, and content negotiation."""

from typing import Literal

from .problems import NotAcceptable, UnsupportedMediaType

MediaType = Literal["application/x-npy", "application/json"]
NPY: MediaType = "application/x-npy"
JSON: MediaType = "application/json"
SUPPORTED: tuple[MediaType, ...] = (NPY, JSON)


def media_type_of(content_type: str | None, content_encoding: str | None) -> MediaType:
    """Return the media type of an array in a request's body.

    Raises
    ------
    UnsupportedMediaType
        If the media type is missing or not supported, or the body is compressed.
    """
    if content_encoding is not None and content_encoding.strip().lower() not in {"", "identity"}:
        raise UnsupportedMediaType(
            f"Expected no Content-Encoding; received {content_encoding[:50]!r}. Send arrays "
            "uncompressed: a small compressed body can expand to a huge one.",
            expected="no Content-Encoding",
            received=content_encoding[:50],
            supported=list(SUPPORTED),
        )
    essence = (content_type or "").partition(";")[0].strip().lower()
    for media_type in SUPPORTED:
        if essence == media_type:
            return media_type
    raise UnsupportedMediaType(
        f"Expected a Content-Type of {' or '.join(SUPPORTED)}; received "
        f"{repr(essence[:100]) if essence else 'none'}.",
        expected=list(SUPPORTED),
        received=essence[:100] or None,
        supported=list(SUPPORTED),
    )


def negotiate(accept: str | None, offered: tuple[MediaType, ...]) -> MediaType:
    """Choose the media type of a response (RFC 9110 §12.5.1); the first offered wins ties.

    `accept` is the value of the caller's `Accept`; None allows every type.

    Raises
    ------
    NotAcceptable
        If the caller accepts none of the offered media types.
    """
    ranges = _parse_accept(accept if accept and accept.strip() else "*/*")
    qualities = [_quality(media_type, ranges) for media_type in offered]
    best = max(qualities)
    if best > 0:
        return offered[qualities.index(best)]
    raise NotAcceptable(
        f"Expected an Accept that allows {' or '.join(offered)}"
        + ("" if JSON in offered else " (the array is too large for JSON)")
        + f"; received {(accept or '')[:200]!r}.",
        expected=list(offered),
        received=(accept or "")[:200],
        supported=list(offered),
    )


def _parse_accept(accept: str) -> dict[str, float]:
    ranges: dict[str, float] = {}
    for element in accept.split(","):
        essence, *parameters = (part.strip().lower() for part in element.split(";"))
        quality = next((p[2:] for p in parameters if p.startswith("q=")), "1")
        try:
            ranges[essence] = min(max(float(quality), 0.0), 1.0)
        except ValueError:
            ranges[essence] = 0.0
    return ranges


def _quality(media_type: MediaType, ranges: dict[str, float]) -> float:
    for candidate in (media_type, media_type.partition("/")[0] + "/*", "*/*"):
        if candidate in ranges:
            return ranges[candidate]
    return 0.0
