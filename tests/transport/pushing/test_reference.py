import hashlib
import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy import stats

from wassay.transport import Constant, Gamma, Normal, Normals, Reference, TransportError, Uniform

MASK = 2**64 - 1


def philox_words(key: int, count: int) -> list[int]:
    """Return words of Philox4x64-10 (Salmon et al. 2011), with counters 1, 2, 3, …"""
    words: list[int] = []
    counter = 0
    while len(words) < count:
        counter += 1
        c = [(counter >> shift) & MASK for shift in (0, 64, 128, 192)]
        k = [key & MASK, key >> 64]
        for round_number in range(10):
            if round_number:
                k = [(k[0] + 0x9E3779B97F4A7C15) & MASK, (k[1] + 0xBB67AE8584CAA73B) & MASK]
            first, second = 0xD2E7470EE14C6C93 * c[0], 0xCA5A826395121157 * c[2]
            c = [
                (second >> 64) ^ c[1] ^ k[0],
                second & MASK,
                (first >> 64) ^ c[3] ^ k[1],
                first & MASK,
            ]
        words += c
    return words[:count]


@pytest.mark.parametrize("seed", [0, 1, 2**64 - 1, 2**64, 2**128 - 1, 0xA4093822299F31D0])
def test_the_derivation_can_be_repeated_without_numpy(seed: int) -> None:
    uniforms = [((word >> 12) + 0.5) / 2**52 for word in philox_words(seed, 15)]
    points = Reference(5, 3, Uniform(0.0, 1.0), seed).measure().points
    assert points.ravel().tolist() == uniforms


def test_philox_itself_matches_the_published_test_vector() -> None:
    # Random123's known answer for counter 0 and key 0 (kat_vectors); counters here begin at 1, so
    # the 256-bit counter is wound back by one.
    generator = np.random.Philox(key=0, counter=2**256 - 1)
    assert generator.random_raw(4).tolist() == [
        0x16554D9ECA36314C,
        0xDB20FE9D672D0FDC,
        0xD7E772CEE186176B,
        0x7E68B68AEC7BA23B,
    ]


@pytest.mark.parametrize(
    ("distribution", "law"),
    [
        (Normal(2.0, 3.0), stats.norm(2.0, 3.0)),
        (Gamma(2.5, 0.5), stats.gamma(2.5, scale=0.5)),
        (Uniform(-1.0, 4.0), stats.uniform(-1.0, 5.0)),
    ],
)
def test_points_follow_the_distribution(distribution: Normal | Gamma | Uniform, law: Any) -> None:
    points = Reference(2000, 2, distribution, 7).measure().points
    uniforms = np.array([((word >> 12) + 0.5) / 2**52 for word in philox_words(7, 4000)])
    np.testing.assert_allclose(points.ravel(), law.ppf(uniforms), rtol=1e-11)
    assert stats.kstest(points.ravel(), law.cdf).pvalue > 0.01


def test_normals_give_each_coordinate_its_own_mean_and_spread() -> None:
    each = Reference(4000, 2, Normals((-3.0, 5.0), [0.5, 20.0]), 7).measure().points
    standard = Reference(4000, 2, Normal(), 7).measure().points
    np.testing.assert_allclose(
        each, np.array([-3.0, 5.0]) + np.array([0.5, 20.0]) * standard, rtol=1e-14
    )
    assert stats.kstest(each[:, 1], stats.norm(5.0, 20.0).cdf).pvalue > 0.01


def test_the_points_of_derivation_1_never_change() -> None:
    normal = Reference(2, 2, Normal(1.0, 2.0), 20260101).measure().points
    gamma = Reference(1, 2, Gamma(2.0, 3.0), 20260101).measure().points
    assert normal.tolist() == FROZEN_NORMAL
    np.testing.assert_allclose(gamma, FROZEN_GAMMA, rtol=1e-13)


def test_normal_references_have_the_same_bits_on_every_machine() -> None:
    """The digest was also the same when numpy did not use the processor's vector units."""
    points = Reference(5000, 3, Normal(), 20260101).measure().points
    assert hashlib.sha256(points.astype("<f8").tobytes()).hexdigest() == (
        "1a4438760083e3cabc8e44c2f7050ad9e3513b6ce721b84d7317a4013ab3f053"
    )


FROZEN_NORMAL = [
    [2.111128540336481, 0.1131491704719475],
    [-0.2016087767506456, 1.0520640419068261],
]
FROZEN_GAMMA = [[7.471473756440008, 3.5283925570147527]]


def test_extreme_words_stay_strictly_inside_the_unit_interval() -> None:
    for word in (0, 2**64 - 1):
        u = ((word >> 12) + 0.5) * 2.0**-52
        assert 0 < u < 1
        assert np.isfinite(Normal().quantile(np.array([u]))).all()


def test_weights_are_uniform_and_equal_parameters_give_equal_points() -> None:
    first = Reference(7, 4, Normal(), 3).measure()
    again = Reference(7, 4, Normal(), 3).measure()
    other = Reference(7, 4, Normal(), 4).measure()
    assert np.array_equal(first.points, again.points)
    assert not np.array_equal(first.points, other.points)
    assert np.array_equal(first.weights, np.full(7, 1 / 7))


def test_numpys_numbers_are_converted_to_pythons() -> None:
    """References are shared as JSON, which has no numbers of numpy."""
    numpys = Reference(
        np.int64(3),  # type: ignore[arg-type]
        np.int32(2),  # type: ignore[arg-type]
        Normal(np.float32(0.5)),  # type: ignore[arg-type]
        np.uint64(7),  # type: ignore[arg-type]
    )
    assert numpys == Reference(3, 2, Normal(0.5), 7)
    json.dumps([numpys.size, numpys.dimension, numpys.seed, vars(numpys.distribution)])


@pytest.mark.parametrize("distribution", [Constant(2.5), Normal(2.5, 0.0)])
def test_a_reference_without_randomness_is_constant(distribution: Constant | Normal) -> None:
    assert (Reference(3, 2, distribution, 0).measure().points == 2.5).all()


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ((0, 1, Normal(), 0), "at least one point"),
        ((1, 0, Normal(), 0), "at least one point"),
        ((2**16, 2**16, Normal(), 0), "use fewer points"),
        ((1, 1, Normal(), -1), "seed"),
        ((1, 1, Normal(), 2**128), "seed"),
        ((1, 1, Normal(), 0, 2), "derivation"),
        ((1.5, 1, Normal(), 0), "integer size, received 1.5"),
        ((1, "2", Normal(), 0), "integer dimension, received '2'"),
        ((1, 1, Normal(), None), "integer seed, received None"),
        ((1, 2, Normals([0.0], [1.0]), 0), "normals in 2 coordinates, received 1"),
        ((1, 1, "normal", 0), "distribution, received 'normal'"),
    ],
)
def test_parameters_out_of_range_are_rejected(parameters: tuple[Any, ...], message: str) -> None:
    with pytest.raises(TransportError, match=message):
        Reference(*parameters)


@pytest.mark.parametrize(
    "make",
    [
        lambda: Normal(0.0, -1.0),
        lambda: Normals([0.0], [0.0]),
        lambda: Normals([0.0, 1.0], [1.0]),
        lambda: Normals([float("nan")], [1.0]),
        lambda: Normals(0.0, 1.0),  # type: ignore[arg-type]
        lambda: Normal(float("nan"), 1.0),
        lambda: Gamma(0.0, 1.0),
        lambda: Gamma(1.0, -1.0),
        lambda: Uniform(1.0, 1.0),
        lambda: Uniform(0.0, float("inf")),
        lambda: Constant(float("nan")),
        lambda: Normal("0", 1.0),  # type: ignore[arg-type]
        lambda: Gamma(None, 1.0),  # type: ignore[arg-type]
    ],
)
def test_distributions_with_invalid_parameters_are_rejected(make: Callable[[], object]) -> None:
    with pytest.raises(TransportError):
        make()
