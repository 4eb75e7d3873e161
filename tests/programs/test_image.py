"""The packages of the image, and its liveness check."""

import os
import re
import subprocess
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.e2e.service import Service
from tests.object_store import free_ports

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
PIN = re.compile(r"^([A-Za-z0-9_.-]+)==(\S+)", re.M)
IMAGE = {"python_version": "3.13", "python_full_version": "3.13.15", "extra": "server"}


def pins(file: Path) -> dict[str, str]:
    return {canonicalize_name(name): version for name, version in PIN.findall(file.read_text())}


def needed(name: str, extras: frozenset[str], seen: set[tuple[str, frozenset[str]]]) -> set[str]:
    """Return a package and all packages on which it depends in the image."""
    if (name, extras) in seen:
        return set()
    seen.add((name, extras))
    found = set() if name == "wassay" else {name}
    for line in metadata.requires(name) or ():
        requirement = Requirement(line)
        marker = requirement.marker
        if marker is None or any(
            marker.evaluate({**IMAGE, "extra": extra}) for extra in extras or {""}
        ):
            child = canonicalize_name(requirement.name)
            found |= needed(child, frozenset(requirement.extras), seen)
    return found


def test_the_image_installs_the_tested_versions_of_what_the_server_needs_and_no_other() -> None:
    image, tested = pins(DEPLOY / "requirements.txt"), pins(ROOT / "constraints.txt")
    assert image.items() <= tested.items(), "run `make lock`"
    assert image.keys() == needed("wassay", frozenset({"server"}), set()), "run `make lock`"
    assert pins(DEPLOY / "build-requirements.txt").items() <= tested.items(), "run `make lock`"


def test_every_file_that_the_image_installs_has_a_hash_and_no_index_is_named() -> None:
    for name in ("requirements.txt", "build-requirements.txt"):
        content = (DEPLOY / name).read_text()
        for entry in re.split(r"\n(?=\S)", content.strip()):
            assert re.search(r"--hash=sha256:[0-9a-f]{64}", entry), entry
        assert "://" not in content
        assert "index" not in content


def test_every_base_is_pinned_by_its_digest() -> None:
    bases = re.findall(r"^FROM (\S+)", (ROOT / "Dockerfile").read_text(), re.M)
    assert len(bases) == 2
    assert all(re.search(r"@sha256:[0-9a-f]{64}$", base) for base in bases)
    assert len(set(bases)) == 1


def test_the_check_of_life_passes_if_the_web_process_responds_and_only_then(
    service: Service,
) -> None:
    def status(port: str | int) -> int:
        variables = os.environ | {"WASSAY_PORT": str(port)}
        return subprocess.run([DEPLOY / "liveness", "60"], env=variables, check=False).returncode

    (free,) = free_ports("127.0.0.1", 1)
    assert status(service.url.rpartition(":")[2]) == 0
    assert status(free) != 0
