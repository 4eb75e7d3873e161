"""The history of the schema for Alembic, which SQLite and Postgres share."""
