# syntax=docker/dockerfile:1
# Two stages: the first builds wheels with a compiler at hand, the second holds only what runs.
FROM python:3.13-slim AS build

WORKDIR /source
COPY pyproject.toml constraints.txt README.md LICENSE ./
COPY wassay ./wassay
COPY app ./app
COPY migrations ./migrations
RUN pip wheel --no-cache-dir --wheel-dir /wheels --constraint constraints.txt '.[server]'

FROM python:3.13-slim

ENV PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    WASSAY_HOST=0.0.0.0 \
    WASSAY_DATA_FOLDER=/data

RUN --mount=type=bind,from=build,source=/wheels,target=/wheels \
    pip install --no-cache-dir --no-index --find-links /wheels 'wassay[server]' \
    && useradd --system --uid 10001 --home-dir /data --shell /usr/sbin/nologin wassay \
    && install --directory --owner=wassay --group=wassay --mode=0700 /data

USER wassay
WORKDIR /data
VOLUME /data
EXPOSE 8000
STOPSIGNAL SIGTERM

HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --retries=3 \
    CMD ["python", "-c", "import httpx; httpx.get('http://127.0.0.1:8000/readyz', timeout=2).raise_for_status()"]

# Web and one worker. `wassay worker` in the same image adds more, `wassay migrate` prepares Postgres.
ENTRYPOINT ["wassay"]
CMD ["serve"]
