import numpy as np
import ot
import pytest
from scipy import stats

from tests.transport.samples import gaussian
from wassay.transport import (
    Measure,
    TransportError,
    clusters,
    cost_block,
    dendrogram,
    in_distribution,
    pairwise_distances,
    project,
    scores,
    solve,
)


def clients() -> list[Measure]:
    """Draw clients with two kinds of data, in mixed order."""
    rng = np.random.default_rng(0)
    return [gaussian(rng, 15 + i, 3, mean=mean) for i, mean in enumerate((0.0, 4.0, 0.0, 4.0, 0.0))]


def test_pairwise_distances_are_pots() -> None:
    measures = clients()
    distances = pairwise_distances(measures)
    np.testing.assert_array_equal(distances, distances.T)
    for i, mu in enumerate(measures):
        for j, nu in enumerate(measures[:i]):
            expected = ot.emd2([], [], ot.dist(mu.points, nu.points)) ** 0.5
            assert distances[i, j] == pytest.approx(expected)


def test_clients_with_one_kind_of_data_end_in_one_cluster() -> None:
    joins = dendrogram(pairwise_distances(clients()))
    assert clusters(joins, 2).tolist() == [0, 1, 0, 1, 0]
    assert clusters(joins, 1).tolist() == [0] * 5
    assert clusters(joins, 5).tolist() == [0, 1, 2, 3, 4]
    assert joins[-1, 2] > 3 * joins[-2, 2]


@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_clients_who_are_equally_far_from_each_other_end_in_as_many_clusters_as_are_asked(
    count: int,
) -> None:
    joins = dendrogram(np.ones((4, 4)) - np.eye(4))
    assert len(set(clusters(joins, count).tolist())) == count


def test_pushed_to_one_reference_point_all_are_nearer_by_one_share() -> None:
    measures = clients()
    reference = gaussian(np.random.default_rng(1), 1, 3)
    pushed = [project(measure, reference).interpolate(0.75) for measure in measures]
    np.testing.assert_allclose(
        pairwise_distances(pushed) / 0.25, pairwise_distances(measures), rtol=1e-9
    )


def test_invalid_distances_cannot_be_clustered() -> None:
    with pytest.raises(TransportError, match="N >= 2"):
        dendrogram([[0.0]])
    with pytest.raises(TransportError, match="symmetric"):
        dendrogram([[0.0, 1.0], [2.0, 0.0]])
    with pytest.raises(TransportError, match="not negative"):
        dendrogram([[0.0, -1.0], [-1.0, 0.0]])
    with pytest.raises(TransportError, match="1 to 2 clusters of 2 measures, received 3"):
        clusters(dendrogram([[0.0, 1.0], [1.0, 0.0]]), 3)


def test_points_of_another_distribution_are_filtered_and_the_others_kept() -> None:
    rng = np.random.default_rng(2)
    offered = rng.normal(size=(120, 4))
    offered[:12] += 8.0
    needed = rng.normal(size=(100, 4))
    cost = cost_block(offered, needed)
    solution = solve(cost, np.full(120, 1 / 120), np.full(100, 1 / 100))
    kept = in_distribution(scores(cost, solution)[0].values)
    assert not kept[:12].any()
    assert kept[12:].mean() > 0.95


def test_of_normal_scores_those_beyond_so_many_standard_deviations_are_filtered() -> None:
    quantiles = stats.norm(loc=5.0, scale=2.0).ppf((np.arange(2000) + 0.5) / 2000)
    for cutoff in (3.5, 4.0):
        just_inside, just_outside = 5.0 + 2.0 * cutoff * np.array([0.995, 1.005])
        kept = in_distribution([*quantiles, just_inside, just_outside], cutoff=cutoff)
        assert kept[:-1].all()
        assert not kept[-1]


def test_a_filter_needs_finite_scores() -> None:
    with pytest.raises(TransportError, match="at least one score"):
        in_distribution([])
    with pytest.raises(TransportError, match="received nan of point 1"):
        in_distribution([0.0, np.nan])
    with pytest.raises(TransportError, match="received inf of point 0 and 2 more"):
        in_distribution([np.inf, np.nan, 0.0, np.nan])
    with pytest.raises(TransportError, match="positive cutoff"):
        in_distribution([1.0], cutoff=0.0)
    assert in_distribution([1.0, 1.0, 1.0]).all()
