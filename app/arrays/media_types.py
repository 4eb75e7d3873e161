"""The media types that arrays travel in, both ways."""

from typing import Literal

from .problems import NotAcceptable, UnsupportedMediaType

MediaType = Literal["application/x-npy", "application/json"]
NPY: MediaType = "application/x-npy"
JSON: MediaType = "application/json"
SUPPORTED: tuple[MediaType, ...] = (NPY, JSON)


def media_type_of(content_type: str | None, content_encoding: str | None) -> MediaType:
    """Return the media type of a body that carries an array.

    Raises
    ------
    UnsupportedMediaType
        Another type, none at all, or a body that is compressed.
    """
    if content_encoding is not None and content_encoding.strip().lower() not in {"", "identity"}:
        raise UnsupportedMediaType(
            "Arrays are sent without a Content-Encoding: a small compressed body can unfold "
            f"into a huge one; received {content_encoding[:50]!r}.",
            expected="no Content-Encoding",
            received=content_encoding[:50],
            supported=list(SUPPORTED),
        )
    essence = (content_type or "").partition(";")[0].strip().lower()
    for media_type in SUPPORTED:
        if essence == media_type:
            return media_type
    raise UnsupportedMediaType(
        f"Expected a Content-Type of {' or '.join(SUPPORTED)}; "
        f"{repr(essence[:100]) if essence else 'none'} came.",
        expected=list(SUPPORTED),
        received=essence[:100] or None,
        supported=list(SUPPORTED),
    )


def negotiate(accept: str | None, offered: tuple[MediaType, ...]) -> MediaType:
    """Choose the media type of an answer (RFC 9110 §12.5.1); the first offered wins a tie.

    Raises
    ------
    NotAcceptable
        The caller accepts none of those offered.
    """
    ranges = _parse_accept(accept if accept and accept.strip() else "*/*")
    qualities = [_quality(media_type, ranges) for media_type in offered]
    best = max(qualities)
    if best > 0:
        return offered[qualities.index(best)]
    raise NotAcceptable(
        f"This array can be sent as {' or '.join(offered)}; Accept allows neither."
        if len(offered) > 1
        else f"This array can be sent as {offered[0]} only; it is too large for JSON.",
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
