"""Where the packages lie: the service's source in app/ is installed as `wassay.server`.

A wheel with `app` and `migrations` at its top level would meet packages of people's own; see
docs/decisions/0046-the-service-is-installed-under-wassay.md. All else is in pyproject.toml.
"""

from setuptools import find_packages, setup

INSTALLED_AS = {
    "wassay": "wassay",
    "app": "wassay.server",
    "migrations": "wassay.server.migrations",
}

setup(
    packages=[
        INSTALLED_AS[name] + package.removeprefix(name)
        for name in INSTALLED_AS
        for package in find_packages(include=[name, f"{name}.*"])
    ],
    package_dir={installed: source for source, installed in INSTALLED_AS.items()},
    package_data={
        "wassay": ["py.typed", "**/*.pyi", "recipes/*.json", "report/templates/*"],
        "wassay.server": ["py.typed"],
        "wassay.server.migrations": ["*.mako"],
    },
)
