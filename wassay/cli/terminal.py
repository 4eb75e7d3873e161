"""Text for terminals and files whose encoding lacks some of our characters."""

import codecs
import io
import sys

ERRORS = "wassay.spelled"
_SPELLINGS = """
    −=- –=- —=- ─=- ‘=' ’=' “=" ”=" …=... ±=+/- ×=x ·=* ²=^2 ¼=1/4 ½=1/2 ¾=3/4 ≤=<= ≥=>= ≈=~ √=sqrt
    ∞=inf →=-> ‖=|| ⟨=< ⟩=> ₁=1 ₂=2 α=alpha β=beta γ=gamma δ=delta Δ=delta ε=epsilon η=eta μ=mu ν=nu
    π=pi σ=sigma Σ=sum
"""
_SPELLED = {pair[0]: pair[2:] for pair in _SPELLINGS.split()}


def spell_what_cannot_be_encoded() -> None:
    """Have standard output and error write any text: what their encoding lacks is spelled.

    Other characters come as Python writes them in a string. What PYTHONIOENCODING says of errors
    holds.
    """
    codecs.register_error(ERRORS, _spelled)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper) and stream.errors in {"strict", "backslashreplace"}:
            stream.reconfigure(errors=ERRORS)


def _spelled(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    text = error.object[error.start : error.end]
    return "".join(_SPELLED.get(each, ascii(each)[1:-1]) for each in text), error.end
