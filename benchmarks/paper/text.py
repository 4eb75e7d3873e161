"""Count the words that can be read from interpolating measures of texts."""

from __future__ import annotations

import numpy as np

from benchmarks.paper.bars import Bars
from benchmarks.paper.inputs import Inputs
from benchmarks.paper.report import Row
from benchmarks.paper.systems import fedwad, normal
from wassay.audit import Audit, SellerMeasures, audit
from wassay.transport import (
    Isometry,
    Normal,
    Reference,
    document,
    interpolate,
    nearest_words,
    scale_hiding,
)
from wassay.transport.inversion import invert_push

TITLE = "Words retrieved from texts"
ABOUT = """
Pairs of Reuters-R8 texts (the paper used the BBC's), each word at its word2vec vector: the 26,423
words of Google News that a package carries, not all three million. *Matching rate* is the share
of points whose nearest word by cosine is a word of the text itself, as the mean over pairs. Then
come words read of the first text, with those that are not in it in italics. The paper prints 69 %
for FedWad's ξ and 4 % for TriangleWad's η_μ, and concludes from the second that η_μ is safe; but
the exact attack by a party who knows γ and t reads every word from the same η_μ. ξ lies between
both texts: half of its points are words of the first, and nearly all are words of one or the
other, which the paper does not count.

*Wassay's default* is what a seller uploads for t = 1/2 to a sealed request. The last rows are the
words of these contributions that the service can read, according to Wassay's own audit (`wassay
audit --words`): all of them for an open request, and none for a sealed one, until the service
knows two of the text's words, which give it all others ([trust.md](trust.md)).
"""

PAPER = {
    "ξ of FedWad": 69.0,
    "ξ, words of either text": None,
    "η_μ of TriangleWad": 4.0,
    "inverted": None,
    "Wassay's default": None,
    "audit of TriangleWad": None,
    "audit of Wassay's default": None,
    "the same, two words known": None,
}
WHY = {
    "ξ of FedWad": "other texts, of few words each; FedWad's rounds and ξ are not stated",
    "η_μ of TriangleWad": "other texts, and vectors of 26,000 words only",
}
PICTURE = Bars(("what",), ("matching rate %", "matching rate %, paper"), "matching rate %")
SHOWN = 8
MIN_WORDS, MAX_WORDS = 30, 120
ROUNDS = 20
STOP_WORDS = frozenset(
    [
        "a",
        "an",
        "and",
        "are",
        "as",
        "at",
        "be",
        "been",
        "by",
        "for",
        "from",
        "had",
        "has",
        "have",
        "he",
        "in",
        "is",
        "it",
        "its",
        "of",
        "on",
        "or",
        "said",
        "s",
        "that",
        "the",
        "their",
        "they",
        "this",
        "to",
        "u",
        "was",
        "were",
        "which",
        "will",
        "with",
        "would",
    ]
)


def run(inputs: Inputs) -> list[Row]:
    """Read words from the measures that both methods disclose."""
    vectors = inputs.words()
    texts = []
    for _, text in inputs.texts():
        words = {word for word in text.split() if word in vectors} - STOP_WORDS
        if MIN_WORDS <= len(words) <= MAX_WORDS:
            texts.append(sorted(words))
    rng = np.random.default_rng(1)
    pairs = rng.permutation(len(texts))[: 2 if inputs.quick else 20].reshape(-1, 2)
    rates: dict[str, list[float]] = {what: [] for what in PAPER}
    first: dict[str, str] = {}
    for seed, (one, other) in enumerate(pairs):
        words = set(texts[one])
        mu, nu = document(texts[one], vectors), document(texts[other], vectors)
        size = min(mu.size, nu.size)
        rounds = 2 if inputs.quick else ROUNDS
        xi = fedwad(mu, nu, normal(rng, size, mu.dimension), rounds).xi
        many, single = (Reference(k, mu.dimension, Normal(), seed) for k in (size, 1))
        eta = interpolate(mu, many.measure(), 0.5)
        # Use a fixed key, so that every run gives the same numbers.
        isometry = Isometry(mu.dimension, bytes(32), scale_hiding(mu))
        sealed = isometry.apply(interpolate(mu, single.measure(), 0.5))
        seen = {
            "ξ of FedWad": (xi.points, words),
            "ξ, words of either text": (xi.points, words | set(texts[other])),
            "η_μ of TriangleWad": (eta.points, words),
            "inverted": (invert_push(eta, many.measure(), 0.5).points, words),
            "Wassay's default": (sealed.points, words),
        }
        for what, (points, expected) in seen.items():
            read = nearest_words(points, vectors)
            rates[what].append(float(np.mean([word in expected for word in read])))
            shown = (word if word in expected else f"*{word}*" for word in read[:SHOWN])
            first.setdefault(what, " ".join(shown))
        open_answer, sealed_answer = SellerMeasures({0.5: eta}), SellerMeasures({0.5: sealed})
        audits = {"audit of TriangleWad": audit(mu, open_answer, many, vectors=vectors)}
        for what, known in (("audit of Wassay's default", 0), ("the same, two words known", 2)):
            audits[what] = audit(
                *(mu, sealed_answer, single),
                isometry=isometry.apply,
                known_records=known,
                vectors=vectors,
            )
        for what, found in audits.items():
            rates[what].append(_read_by_the_service(found))
    return [
        {
            "what": what,
            "matching rate %": 100 * float(np.mean(each)),
            "matching rate %, paper": PAPER[what],
            "pairs": len(each),
            "first words read": first.get(what),
            "where they differ": WHY.get(what),
        }
        for what, each in rates.items()
    ]


def _read_by_the_service(found: Audit) -> float:
    """Return the share of words that the service can compute."""
    service = found.exposures[0]
    return service.words_read / service.attacked if service.words_read is not None else 0.0
