"""Alembic's history of the schema: one for SQLite and Postgres."""
