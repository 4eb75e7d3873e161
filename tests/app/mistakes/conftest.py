"""One service and one scene for all mistakes."""

import warnings
from collections.abc import Iterator

import pytest

from tests.app.conftest import Service, new_parties
from tests.app.mistakes.scene import Scene, scene_of


@pytest.fixture(scope="session")
def scene(service: Service, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scene]:
    with new_parties(service) as new, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        parties = {
            "buyer": new("buyer", organisation="Beta"),
            "seller": new("seller", organisation="Sigma"),
            "newcomer": new("buyer", "seller", organisation="Nova"),
            "admin": new("admin", organisation="Ops"),
        }
        scene = scene_of(service, parties, tmp_path_factory.mktemp("mistakes"))
        yield scene
        scene.close()
