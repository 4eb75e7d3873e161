"""The report's opening: whom to buy from, what others add, what to leave out, how sure this is."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import comb

from markupsafe import Markup

from wassay import models
from wassay.report.histograms import standing_out
from wassay.report.number_format import Column
from wassay.report.report import Coalition, Distance, Report
from wassay.report.sellers import AnySeller, nearest_first
from wassay.report.wording import certainty, flaws, nearest_sellers, seller_groups
from wassay.transport import Nearness, Verdict

MOST_DESCRIBED = 3
"""The largest number of sellers whose absence, points or labels are described."""
DIGITS = 4
"""The number of digits to which the largest distance is written in sentences."""


@dataclass(frozen=True)
class Advice:
    """The opening of a report: a headline, and sentences about several topics.

    `paragraphs` maps the title of each topic to its sentences.
    """

    headline: Markup
    paragraphs: dict[str, list[Markup]]


def advise(report: Report, distances: Mapping[Coalition, Distance]) -> Advice:
    """Write the opening of a report; `distances` are those to compare."""
    advisor = _Advisor(report, distances)
    topics = {
        "Whom to buy from first": advisor.first(),
        "What the others add": advisor.adds(),
        "What makes it worse": advisor.worse(),
        "How sure this is": advisor.sure(),
    }
    return Advice(advisor.headline(), {title: said for title, said in topics.items() if said})


class _Advisor:
    """Writes the sentences of one report's opening."""

    def __init__(self, report: Report, distances: Mapping[Coalition, Distance]) -> None:
        self._report = report
        self._distances = distances
        self._sellers = nearest_first(report, distances)
        self._labels = report.labels
        as_near = [each for each in self._sellers if self._verdict(each) == "as-near-as-own"]
        self._first = (as_near or self._sellers)[0]
        self._number = Column((each.value for each in distances.values()), digits=DIGITS)
        self._is_noised = isinstance(report.result, models.NoisedResult)

    def headline(self) -> Markup:
        """Return the headline: whom to buy from first, and whose labels are all wrong.

        If there is only one seller, the headline says how near this seller is.
        """
        verdict = self._verdict(self._first)
        if len(self._sellers) == 1:
            said = nearest_sellers.only_seller(
                self._label(self._first), verdict, self._alone(self._first)
            )
        else:
            said = nearest_sellers.begin_with([self._label(each) for each in self._tied()], verdict)
        found = self._report.label_scores
        wrong = [
            self._label(each)
            for each in self._sellers
            if each.contribution_id in found and found[each.contribution_id].is_all_wrong
        ]
        return said + Markup(" ") + flaws.all_labels_wrong(wrong) if wrong else said

    def first(self) -> list[Markup]:
        """Return sentences on whom to buy from first, who may be as near, and whose data are
        different.
        """
        first = self._first
        said = [
            nearest_sellers.nearest(
                self._label(first), len(self._sellers), self._alone(first), self._verdict(first)
            )
            if first is self._sellers[0]
            else nearest_sellers.nearest_as_own(
                self._label(first),
                self._alone(first),
                self._label(self._sellers[0]),
                self._alone(self._sellers[0]),
            )
        ]
        tied = self._tied()
        if len(tied) > 1:
            by_chance = not self._is_noised and not self._overlap(first, tied[1])
            said.append(nearest_sellers.tied([self._label(each) for each in tied], by_chance))
        unknown = [
            self._label(each)
            for each in self._sellers
            if self._verdict(each) == "cannot-tell"
            and self._verdict(first) != "cannot-tell"
            and self._may_be_chance(first, each)
        ]
        if unknown:
            said.append(nearest_sellers.perhaps_as_near(unknown))
        apart = [
            (self._label(each), f"{near.difference:.2g}")
            for each in self._sellers
            if (near := self._nearness(each)) is not None and near.verdict == "different"
        ]
        if apart and len(self._sellers) > 1:
            said.append(nearest_sellers.different(apart))
        return said

    def adds(self) -> list[Markup]:
        """Return sentences on whether a group is nearer than the seller of the headline alone.

        If there is only one seller, return no sentence.
        """
        if len(self._sellers) == 1:
            return []
        alone = self._distances[self._singleton(self._first)]
        groups = {each: found for each, found in self._distances.items() if len(each) > 1}
        if not groups:
            return [seller_groups.no_groups(not all(map(_is_verified, self._sellers)))]
        nearer = {
            members: each
            for members, each in groups.items()
            if each.tie_interval[1] < alone.tie_interval[0]
        }
        uncompared = self._uncompared(groups)
        if not nearer and uncompared:
            return [seller_groups.adds_unknown(len(groups), uncompared, self._is_noised)]
        if not nearer:
            return [seller_groups.nothing_added(self._label(self._first), len(groups))]
        members = min(nearer, key=lambda each: nearer[each].value)
        inside = [each for each in self._sellers if each.contribution_id in members]
        outside = [each for each in self._sellers if each.contribution_id not in members]
        group = seller_groups.group_of(
            [self._label(each) for each in inside], [self._label(each) for each in outside]
        )
        value = nearer[members].value
        said = [
            seller_groups.best_group(
                self._label(self._first),
                self._number(alone.value),
                group,
                self._number(value),
                1 - value / alone.value,
            )
        ]
        if missed := self._changes(sign=1):
            said.append(seller_groups.without_each(missed, "farther"))
        if uncompared:
            said.append(seller_groups.perhaps_nearer_still(uncompared, self._is_noised))
        return said

    def _uncompared(self, groups: Collection[Coalition]) -> str | None:
        """Return words for the groups of sellers that are not among the compared `groups`.

        Return None if all groups were compared.
        """
        sellers, compared = len(self._sellers), Counter(map(len, groups))
        sizes = [size for size in range(2, sellers + 1) if compared[size] < comb(sellers, size)]
        if not sizes:
            return None
        return seller_groups.uncompared_groups(sizes, any(compared[size] for size in sizes))

    def worse(self) -> list[Markup]:
        """Return sentences on what to leave out (sellers, points and labels), and on anomalies."""
        said = []
        worse = self._changes(sign=-1)
        if worse:
            said.append(seller_groups.without_each(worse, "nearer"))
        said += self._points()
        findings = [] if self._is_noised else self._report.result.findings  # type: ignore[union-attr]
        if findings:
            said.append(flaws.found(len(findings)))
        if not said:
            examined = not self._is_noised and all(map(_is_verified, self._sellers))
            leaves_out = any(self._known_changes())
            said.append(flaws.nothing_worse(examined, leaves_out, bool(self._report.scores)))
        return said

    def sure(self) -> list[Markup]:
        """Return sentences on what makes numbers unsure: chance, noise, or unverified claims."""
        report, result = self._report, self._report.result
        if isinstance(result, models.NoisedResult):
            interval = self._distances[self._singleton(self._first)].interval
            low, high = interval or (0.0, 0.0)
            return [
                certainty.with_noise(
                    result.epsilon, result.confidence, self._number(low), self._number(high)
                )
            ]
        said = []
        if not all(map(_is_verified, self._sellers)):
            said.append(certainty.UNVERIFIED)
        if report.private is None:
            return [*said, certainty.WITHOUT_T0]
        near = self._nearness(self._first)
        if near is not None:
            column = Column((near.distance, *near.interval, near.floor), digits=3)
            said.append(
                certainty.chance(
                    self._label(self._first),
                    column(near.distance),
                    column(near.interval[0]),
                    column(near.interval[1]),
                    column(near.floor),
                    near.part_points,
                )
            )
            said.append(certainty.rule(near.verdict, f"{near.noticeable:.2g}"))
        elif isinstance(self._first, models.SellerResult) and self._first.not_resampled:
            said.append(certainty.not_judged(self._first.not_resampled))
        if near is not None and len(self._sellers) > 1:
            said.append(self._verdicts())
        if near is not None and report.label_scores:
            said.append(certainty.LABELS_APART)
        if result.projected_from is not None:
            said.append(certainty.lower_bounds(result.projected_from, report.request.dimension))
        return said

    def _verdicts(self) -> Markup:
        found = [self._nearness(each) for each in self._sellers]
        count = [each.verdict for each in found if each is not None]
        near, different = count.count("as-near-as-own"), count.count("different")
        return certainty.verdicts(near, different, len(self._sellers) - near - different)

    def _points(self) -> list[Markup]:
        """Return sentences on points and labels to leave out, or to look at."""
        report = self._report
        said = []
        noise = {name: standing_out(report, name) for name in report.scores}
        spoilt = sorted(
            (each for each in self._sellers if noise.get(each.contribution_id)),
            key=lambda each: -len(noise[each.contribution_id]),
        )
        for seller in sorted(spoilt[:MOST_DESCRIBED], key=self._sellers.index):
            points = noise[seller.contribution_id]
            said.append(flaws.stand_out(self._label(seller), points, seller.points))
        wrong = [
            (self._label(each), found.worst)
            for each in self._sellers
            if (found := report.label_scores.get(each.contribution_id)) is not None
            and found.worst
            and found.accuracy is not None
            and not found.is_all_wrong
        ]
        said += [flaws.wrong_labels(*each) for each in wrong[:MOST_DESCRIBED]]
        if len(spoilt) > MOST_DESCRIBED or len(wrong) > MOST_DESCRIBED:
            said.append(flaws.MORE_POINTS)
        ranked = [self._label(each) for each in self._sellers if self._is_only_ranked(each)]
        if ranked:
            said.append(flaws.only_ranks(ranked))
        return said

    def _is_only_ranked(self, seller: AnySeller) -> bool:
        """Whether a seller's worst points or labels are named, but not scored."""
        name = seller.contribution_id
        labels = self._report.label_scores.get(name)
        by_label = labels is not None and labels.accuracy is None and bool(labels.worst)
        return by_label or bool(self._report.noisiest.get(name))

    def _changes(self, sign: int) -> list[tuple[str, str]]:
        """Return sellers whose removal makes all others farther (`sign` 1) or nearer (−1).

        Return at most `MOST_DESCRIBED` pairs: a seller's label, and the proven change of the
        distance. The largest change comes first.
        """
        proven = [(amount, each) for amount, each in self._known_changes() if sign * amount > 0]
        proven.sort(key=lambda pair: -abs(pair[0]))
        return [
            (self._label(each), self._number(abs(amount)))
            for amount, each in proven[:MOST_DESCRIBED]
            if self._number.shows(amount)
        ]

    def _known_changes(self) -> Iterator[tuple[float, AnySeller]]:
        """Yield how the distance of all sellers changes without a seller, and this seller.

        The change is 0 if none is proven. A seller whose change is unknown is skipped.
        """
        everyone = self._report.grand_coalition
        whole = self._distances.get(everyone)
        for seller in self._sellers:
            others = self._distances.get(everyone - self._singleton(seller))
            if whole is None or others is None or self._is_noised:
                continue
            is_proven = (
                others.tie_interval[0] > whole.tie_interval[1]
                or others.tie_interval[1] < whole.tie_interval[0]
            )
            yield (others.value - whole.value if is_proven else 0.0), seller

    def _tied(self) -> Sequence[AnySeller]:
        """Return the first seller, and others with the same verdict who may be as near."""
        return [
            self._first,
            *(
                each
                for each in self._sellers
                if each is not self._first
                and self._verdict(each) == self._verdict(self._first)
                and (self._overlap(self._first, each) or self._may_be_chance(self._first, each))
            ),
        ]

    def _overlap(
        self,
        one: AnySeller,
        other: AnySeller,
    ) -> bool:
        a, b = (self._distances[self._singleton(each)] for each in (one, other))
        if self._is_noised and a.interval is not None and b.interval is not None:
            return b.interval[0] <= a.interval[1]
        return b.tie_interval[0] <= a.tie_interval[1]

    def _may_be_chance(
        self,
        one: AnySeller,
        other: AnySeller,
    ) -> bool:
        a, b = self._nearness(one), self._nearness(other)
        if a is None or b is None:
            return False
        return b.difference_interval[0] <= a.difference_interval[1]

    def _nearness(self, seller: AnySeller) -> Nearness | None:
        private = self._report.private
        return None if private is None else private.nearness.get(seller.contribution_id)

    def _verdict(self, seller: AnySeller) -> Verdict | None:
        near = self._nearness(seller)
        return None if near is None else near.verdict

    def _alone(self, seller: AnySeller) -> str:
        return self._number(self._distances[self._singleton(seller)].value)

    def _label(self, seller: AnySeller) -> str:
        return self._labels[seller.contribution_id]

    @staticmethod
    def _singleton(seller: AnySeller) -> Coalition:
        return frozenset([seller.contribution_id])


def _is_verified(seller: AnySeller) -> bool:
    return isinstance(seller, models.NoisedSeller) or seller.verified
