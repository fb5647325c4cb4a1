# An image with the server alone: no Node.js, no development packages, not root.
#
#   docker build -t pith-graph .
#   docker run --rm -v pith-graph:/data pith-graph pith-graph db upgrade
#   docker run -v pith-graph:/data -p 8000:8000 pith-graph
#
# PITH_DATABASE_URL takes a PostgreSQL address instead of the SQLite file in /data.

FROM node:22-slim AS pages
WORKDIR /src/frontend
COPY frontend/package.json frontend/package-lock.json frontend/.npmrc ./
RUN npm ci --ignore-scripts
COPY frontend/ ./
RUN node build.mjs

FROM python:3.13-slim AS install
WORKDIR /src
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1 PIP_PROGRESS_BAR=off
COPY requirements-build.txt requirements-runtime.txt ./
RUN python -m venv /build && /build/bin/pip install --require-hashes -r requirements-build.txt
RUN python -m venv /app && /app/bin/pip install --require-hashes -r requirements-runtime.txt
COPY pyproject.toml README.md LICENSE schema.graphql ./
COPY pith_graph/ pith_graph/
COPY alembic/ alembic/
COPY seed/ seed/
COPY --from=pages /src/pith_graph/web/static/ pith_graph/web/static/
RUN /build/bin/python -m hatchling build -t wheel && /app/bin/pip install --no-deps dist/*.whl

FROM python:3.13-slim
RUN useradd --system --create-home --uid 10001 pith \
    && install -d -o pith -g pith /data
COPY --from=install /app /app
ENV PATH=/app/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    PITH_DATABASE_URL=sqlite+aiosqlite:////data/pith-graph.db
USER pith
WORKDIR /data
VOLUME /data
EXPOSE 8000
HEALTHCHECK --interval=30s --timeout=5s --start-period=10s CMD ["python", "-c", \
    "import urllib.request as r; r.urlopen('http://127.0.0.1:8000/healthz', timeout=4)"]
CMD ["pith-graph", "serve", "--host", "0.0.0.0", "--port", "8000"]
