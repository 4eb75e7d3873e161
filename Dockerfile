# syntax=docker/dockerfile:1
# The first stage installs into a virtual environment; the second copies it, without pip, sources and caches.
FROM python:3.13.15-slim-trixie@sha256:7c61056e61ac89e852de05f3dc6fa51a6dd2181797bceed46aa725dd7cb2cd3b AS build

ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1
RUN python -m venv --without-pip /opt/wassay
WORKDIR /source

# A layer that stays cached until a dependency changes. `make lock` writes the file.
COPY deploy/requirements.txt deploy/build-requirements.txt ./
RUN pip install --require-hashes --no-deps --only-binary :all: --requirement build-requirements.txt \
    && pip --python /opt/wassay/bin/python install --require-hashes --no-deps --only-binary :all: \
        --requirement requirements.txt

COPY pyproject.toml setup.py README.md LICENSE ./
COPY wassay ./wassay
COPY app ./app
COPY migrations ./migrations
RUN pip wheel --no-deps --no-index --no-build-isolation --wheel-dir /wheels . \
    && pip --python /opt/wassay/bin/python install --no-deps --no-index /wheels/*.whl

FROM python:3.13.15-slim-trixie@sha256:7c61056e61ac89e852de05f3dc6fa51a6dd2181797bceed46aa725dd7cb2cd3b

ARG VERSION=unknown
ARG REVISION=unknown
LABEL org.opencontainers.image.title="Wassay" \
      org.opencontainers.image.description="Private Wasserstein distances between buyers' and sellers' data" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="$VERSION" \
      org.opencontainers.image.revision="$REVISION" \
      org.opencontainers.image.base.name="docker.io/library/python:3.13.15-slim-trixie"

# HOME and the caches are in the volume, so that the rest can be read-only.
ENV PATH=/opt/wassay/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    HOME=/data \
    NUMBA_CACHE_DIR=/data/numba-cache \
    WASSAY_HOST=0.0.0.0 \
    WASSAY_DATA_FOLDER=/data

RUN python -m pip uninstall --yes pip \
    && rm -r /usr/local/lib/python3.13/ensurepip \
    && useradd --system --uid 10001 --home-dir /data --shell /usr/sbin/nologin wassay \
    && install --directory --owner=wassay --group=wassay --mode=0700 /data /keys
COPY --from=build /opt/wassay /opt/wassay
COPY --chmod=0755 deploy/liveness /usr/local/bin/wassay-liveness

USER 10001
WORKDIR /data
VOLUME /data
EXPOSE 8000
STOPSIGNAL SIGTERM

# The web service and one worker. `wassay worker` in the same image adds a worker; `wassay migrate` prepares Postgres.
# There is no HEALTHCHECK, because workers have no port: compose.yaml has the web process checked by wassay-liveness.
ENTRYPOINT ["wassay"]
CMD ["serve"]
