"""The extensions in docs/extending.md work, with the changes to other files that the page shows."""

import json
import math
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from runpy import run_path
from typing import Any

import httpx
import numpy as np
import ot
import pytest

from app.contributions import modes as service_modes
from app.contributions.modes.array_mode import ArrayMode
from app.contributions.modes.registry import mode_of
from app.contributions.modes.stated_mode import StatedMode
from app.database import Database
from app.settings import Settings
from tests.app.conftest import Service, new_parties, problem, running_app
from tests.app.evaluations.jobs import Jobs
from tests.app.requests.market import put
from tests.e2e.service import Party, parties, running_service
from tests.extended_tree import extend_copy, modules
from wassay import (
    Buyer,
    BuyerPrivacy,
    Client,
    Measure,
    Normal,
    Profile,
    Protocol,
    Reference,
    Seller,
    SellerPrivacy,
    WassayError,
)
from wassay.audit import SellerScalars, audit
from wassay.audit.attacks import registry as attacks
from wassay.client.seller import modes as seller_modes
from wassay.client.seller.modes.mode import SellerMode
from wassay.client.seller.modes.registry import seller_mode
from wassay.client.valuation.methods.registry import VALUATIONS, method_of
from wassay.errors import InvalidArgumentError
from wassay.files import formats, read_labelled, read_sample, read_table
from wassay.files.registry import by_suffix
from wassay.modes import MODES, ModeTerms
from wassay.sampling import Sample

T0 = 0.35
OPEN = BuyerPrivacy(sealed=False, max_disclosure="exact")
ANY = SellerPrivacy(max_disclosure="exact", open_reference=True)


def defined(folder: Path, path: str, name: str) -> Any:
    """Run one of the page's modules, and return the object `name` that it defines."""
    module = folder / "module.py"
    module.write_text(modules()[path])
    return run_path(str(module))[name]


@pytest.fixture
def mean_mode(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """Add the page's mode: its entry in the registry, and its module on each side."""
    monkeypatch.setitem(MODES, "mean", ModeTerms("mean", "the mean of the pushed points"))
    for package in (service_modes, seller_modes):
        folder = package.__name__.replace(".", "/")
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "mean.py").write_text(modules()[f"{folder}/mean.py"])
        monkeypatch.setattr(package, "__path__", [*package.__path__, str(tmp_path / folder)])
    yield
    for package, cached in ((service_modes, mode_of), (seller_modes, seller_mode)):
        sys.modules.pop(f"{package.__name__}.mean", None)
        cached.cache_clear()


@pytest.fixture
def extended(mean_mode: None, settings: Settings, database: Database) -> Iterator[Service]:
    with running_app(settings, database) as service:
        yield service


def test_the_distance_in_a_new_mode_is_that_to_the_sellers_mean(
    extended: Service, tmp_path: Path
) -> None:
    random = np.random.default_rng(5)
    needed, offered = random.normal(size=(30, 3)), random.normal(1.0, 2.0, size=(20, 3))
    jobs = Jobs(extended)
    with new_parties(extended) as party:
        buyer, seller = party("buyer"), party("seller")
        with Client(extended.url, buyer.key) as asks, Client(extended.url, seller.key) as offers:
            request = Buyer(asks, Profile(tmp_path / "buyer")).ask(
                needed,
                title="Means",
                protocol=Protocol(t0=T0, modes=["mean"]),
                privacy=OPEN,
                sellers=[seller.account_id],
            )
            answered = Seller(offers, Profile(tmp_path / "seller")).answer(
                request.id, offered, mode="mean", privacy=ANY
            )
            assert (answered.mode, answered.points) == ("mean", 1)
            evaluation = request.evaluate()
            output = jobs.computed(jobs.evaluations, evaluation.id)
            jobs.evaluations.publish(evaluation.id, output)
            found = evaluation.result().estimates().sellers[0].singleton
    squared = np.square(needed - offered.mean(axis=0)).sum(axis=1).mean()
    assert found.bracket is not None
    assert found.value == pytest.approx(np.sqrt(squared), rel=1e-9)


def test_a_new_mode_has_limits_of_its_own(extended: Service, tmp_path: Path) -> None:
    with new_parties(extended) as party:
        buyer, seller = party("buyer"), party("seller")
        with Client(extended.url, buyer.key) as asks:
            request = Buyer(asks, Profile(tmp_path / "buyer")).ask(
                np.eye(3),
                title="Means",
                protocol=Protocol(t0=T0, modes=["mean"]),
                privacy=OPEN,
                sellers=[seller.account_id],
            )
        begun = seller.post(
            f"/v1/requests/{request.id}/contributions", json={"mode": "mean"}
        ).json()
        path = f"/v1/contributions/{begun['id']}"
        assert problem(put(seller, f"{path}/means/0.25", np.eye(3))) == (422, "wrong-shape")
        wrong = put(seller, f"{path}/measures/0.25", np.ones((1, 3)))
        assert problem(wrong) == (409, "wrong-mode")
        assert wrong.json()["detail"].endswith(f"Upload to {path}/means/{{s}}.")


def test_service_and_sdk_have_a_module_for_every_mode() -> None:
    for name, terms in MODES.items():
        assert mode_of(name).name == terms.name == name
        assert isinstance(mode_of(name), ArrayMode if terms.is_verified else StatedMode)
        assert isinstance(seller_mode(name), SellerMode)


def test_a_new_valuation_method_gives_means_over_coalitions_of_the_raw_distances(
    service: Service, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = "wassay/client/valuation/methods/banzhaf.py"
    method = defined(tmp_path, path, "BanzhafMethod")()
    monkeypatch.setitem(VALUATIONS, method.name, method)
    random = np.random.default_rng(6)
    needed = random.normal(size=(20, 2))
    offered = [random.normal(shift, 1.0, size=(15, 2)) for shift in (0.3, 1.0, 2.0)]
    jobs = Jobs(service)
    with new_parties(service) as party:
        buyer = party("buyer")
        sellers = [party("seller") for _ in offered]
        with Client(service.url, buyer.key) as asks:
            request = Buyer(asks, Profile(tmp_path / "buyer")).ask(
                needed,
                title="Coalitions",
                protocol=Protocol(t0=T0),
                privacy=OPEN,
                sellers=[each.account_id for each in sellers],
            )
            held = {}
            for place, (seller, points) in enumerate(zip(sellers, offered, strict=True)):
                with Client(service.url, seller.key) as offers:
                    answered = Seller(offers, Profile(tmp_path / str(place))).answer(
                        request.id, points, privacy=ANY
                    )
                held[answered.id] = points
            evaluation = request.evaluate()
            jobs.evaluations.publish(evaluation.id, jobs.computed(jobs.evaluations, evaluation.id))
            found = evaluation.value("banzhaf")
            with pytest.raises(InvalidArgumentError, match="with the options"):
                evaluation.value("banzhaf", cutoff=1)
            printed = method.printed(found, evaluation.result().document.sellers)

    def distance(*names: str) -> float:
        together = np.vstack([held[name] for name in names])
        return math.sqrt(ot.emd2([], [], ot.dist(together, needed)))

    for name, value in found.items():
        one, other = (each for each in held if each != name)
        gains = [
            distance(one) - distance(one, name),
            distance(other) - distance(other, name),
            distance(one, other) - distance(*held),
        ]
        assert value == pytest.approx(np.mean(gains), abs=0.02 * distance(name))
    nearest = next(iter(held))
    assert printed.lines[0].splitlines()[2].split()[-2] == nearest


def test_a_new_file_format_is_read_by_its_suffix(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = tmp_path / "formats" / "json_lines.py"
    module.parent.mkdir()
    module.write_text(modules()["wassay/files/formats/json_lines.py"])
    monkeypatch.setattr(formats, "__path__", [*formats.__path__, str(module.parent)])
    by_suffix.cache_clear()
    try:
        path = tmp_path / "points.jsonl"
        kinds = ["ant"] * 90 + ["bee"] * 10
        path.write_text(
            "".join(
                f'{{"x": {row / 2}, "y": 4.5, "kind": "{kind}"}}\n'
                for row, kind in enumerate(kinds)
            )
        )
        points, classes = read_labelled(path, class_column="kind")
        assert points.tolist() == [[row / 2, 4.5] for row in range(100)]
        assert classes is not None
        assert classes.tolist() == kinds
        drawn = read_sample(path, Sample(10, seed=1, by="kind")).rows
        assert sorted(drawn.column("kind").to_pylist()) == ["ant"] * 9 + ["bee"]
        for broken in ("[1, 2]", '{"x": 1}\n{"x": "a"}', "{"):
            path.write_text(broken)
            with pytest.raises(WassayError, match="one object for each row"):
                read_table(path)
    finally:
        by_suffix.cache_clear()
        sys.modules.pop("wassay.files.formats.json_lines", None)


def test_a_new_attack_appears_in_the_audit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    attack = defined(tmp_path, "wassay/audit/attacks/count.py", "COUNT")
    monkeypatch.setattr(attacks, "ATTACKS", (attack, *attacks.ATTACKS))
    points = Measure(np.random.default_rng(0).normal(size=(12, 2)))
    reference = Reference(1, 2, Normal(), seed=1)
    assert "there are 12 records" in str(audit(points, SellerScalars(12), reference))


def test_an_unknown_method_is_an_error_that_lists_the_known_ones() -> None:
    with pytest.raises(InvalidArgumentError, match="one of the methods shapley, buy, compare"):
        method_of("banzhaf")


def test_the_source_extended_as_the_page_says_takes_the_commands_that_it_shows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree, work = tmp_path / "tree", tmp_path / "work"
    work.mkdir()
    extend_copy(tree)
    monkeypatch.chdir(tree)
    monkeypatch.setenv("PYTHONPATH", str(tree))

    def run(*command: str, party: Party | None = None) -> subprocess.CompletedProcess[str]:
        environment = os.environ if party is None else party.environment
        done = subprocess.run(
            [sys.executable, "-m", *command], env=environment, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
        return done

    run("app.openapi")
    described = json.loads((tree / "openapi" / "openapi.json").read_text())
    upload = "/v1/contributions/{contribution_id}/means/{s}"
    assert described["paths"][upload]["put"]["operationId"] == "upload_mean"

    random = np.random.default_rng(7)
    needed = random.normal(size=(20, 2))
    np.save(work / "needed.npy", needed)
    offered = {"near": random.normal(1.0, 1.0, (15, 2)), "far": random.normal(4.0, 1.0, (15, 2))}
    for label, points in offered.items():
        lines = [json.dumps({"x": x, "y": y}) for x, y in points.tolist()]
        (work / f"{label}.jsonl").write_text("\n".join(lines))

    with running_service(work, {}) as service, parties(service) as new_party:
        assert httpx.get(f"{service.url}/openapi.json").json()["paths"][upload]
        buyer, sellers = new_party("buyer"), {each: new_party("seller") for each in offered}
        asked = run(
            *("wassay", "ask", f"{work}/needed.npy", f"{work}/request.json", "--title", "Means"),
            *(word for each in sellers.values() for word in ("--seller", each.account_id)),
            *("--t0", str(T0)),
            party=buyer,
        )
        for label, seller in sellers.items():
            answer = ("answer", asked.stdout.split()[-1], f"{work}/{label}.jsonl", "--mode", "mean")
            run("wassay", *answer, "--label", label, party=seller)
        evaluated = run("wassay", "evaluate", f"{work}/request.json", party=buyer)
        evaluation = evaluated.stderr.split()[1].removesuffix(":")
        of_it = (f"{work}/request.json", evaluation)
        valued = run("wassay", "value", *of_it, "banzhaf", party=buyer)
    audited = run("wassay", "audit", f"{work}/far.jsonl", "--mode", "scalar")
    assert "there are 15 records" in audited.stdout

    means = {label: points.mean(axis=0, keepdims=True) for label, points in offered.items()}

    def distance(*labels: str) -> float:
        together = np.vstack([means[label] for label in labels])
        return math.sqrt(ot.emd2([], [], ot.dist(together, needed)))

    rows = [line.split() for line in valued.stdout.splitlines()[2:]]
    adds = {label: float(value) for label, _, value in rows}
    assert adds == {
        "near": pytest.approx(distance("far") - distance("near", "far"), abs=0.02),
        "far": pytest.approx(distance("near") - distance("near", "far"), abs=0.02),
    }
