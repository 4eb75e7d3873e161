# syntax=docker/dockerfile:1
# The first stage installs into a virtual environment; the second copies it, without sources and caches.
FROM python:3.13-slim AS build

RUN python -m venv /opt/wassay
WORKDIR /source
COPY pyproject.toml setup.py constraints.txt README.md LICENSE ./
COPY wassay ./wassay
COPY app ./app
COPY migrations ./migrations
RUN /opt/wassay/bin/pip install --no-cache-dir --constraint constraints.txt '.[server]'

FROM python:3.13-slim

ENV PATH=/opt/wassay/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    WASSAY_HOST=0.0.0.0 \
    WASSAY_DATA_FOLDER=/data

RUN useradd --system --uid 10001 --home-dir /data --shell /usr/sbin/nologin wassay \
    && install --directory --owner=wassay --group=wassay --mode=0700 /data /keys
COPY --from=build /opt/wassay /opt/wassay

USER 10001
WORKDIR /data
VOLUME /data
EXPOSE 8000
STOPSIGNAL SIGTERM

HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --retries=3 \
    CMD ["python", "-c", "import httpx; httpx.get('http://127.0.0.1:8000/readyz', timeout=2).raise_for_status()"]

# The web service and one worker. `wassay worker` in the same image adds a worker; `wassay migrate` prepares Postgres.
ENTRYPOINT ["wassay"]
CMD ["serve"]
