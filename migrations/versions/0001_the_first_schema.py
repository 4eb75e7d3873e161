"""The first schema."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision: str = "0001"
down_revision: str | None = None
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None
compatible_since: str = "0001"


def upgrade() -> None:
    op.create_table(
        "accounts",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("organisation", sa.String(), nullable=False),
        sa.Column("organisation_key", sa.String(), nullable=False),
        sa.Column("organisation_skeleton", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("caps", sa.JSON().with_variant(postgresql.JSONB(), "postgresql"), nullable=True),
        sa.Column("closed_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("disabled_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_accounts")),
    )
    with op.batch_alter_table("accounts", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_accounts_organisation_key"), ["organisation_key"], unique=False
        )
        batch_op.create_index(
            batch_op.f("ix_accounts_organisation_skeleton"),
            ["organisation_skeleton"],
            unique=False,
        )

    op.create_table(
        "schema_versions",
        sa.Column("revision", sa.String(), nullable=False),
        sa.Column("compatible_since", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("revision", name=op.f("pk_schema_versions")),
    )
    op.create_table(
        "array_deletions",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_array_deletions")),
    )
    op.create_table(
        "installations",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_installations")),
    )
    op.create_table(
        "idempotent_calls",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("account_id", sa.String(), nullable=False),
        sa.Column("method", sa.String(), nullable=False),
        sa.Column("route", sa.String(), nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("fingerprint", sa.String(), nullable=False),
        sa.Column("status", sa.Integer(), nullable=True),
        sa.Column(
            "headers", sa.JSON().with_variant(postgresql.JSONB(), "postgresql"), nullable=True
        ),
        sa.Column("body", sa.JSON().with_variant(postgresql.JSONB(), "postgresql"), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_idempotent_calls")),
        sa.UniqueConstraint(
            "account_id",
            "method",
            "route",
            "key",
            name=op.f("uq_idempotent_calls_account_id_method_route_key"),
        ),
    )
    with op.batch_alter_table("idempotent_calls", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_idempotent_calls_created_at"), ["created_at"], unique=False
        )

    op.create_table(
        "receipt_keys",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("public_key", sa.String(), nullable=False),
        sa.Column("retired_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_receipt_keys")),
    )
    op.create_table(
        "workers",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("host", sa.String(), nullable=False),
        sa.Column("pid", sa.Integer(), nullable=False),
        sa.Column("concurrency", sa.Integer(), nullable=False),
        sa.Column("fault", sa.String(), nullable=True),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_workers")),
    )
    op.create_table(
        "admin_actions",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("account_id", sa.String(), nullable=True),
        sa.Column("key_id", sa.String(), nullable=True),
        sa.Column("action", sa.String(), nullable=False),
        sa.Column("object_id", sa.String(), nullable=True),
        sa.Column("request_id", sa.String(), nullable=True),
        sa.ForeignKeyConstraint(
            ["account_id"], ["accounts.id"], name=op.f("fk_admin_actions_account_id_accounts")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_admin_actions")),
    )
    with op.batch_alter_table("admin_actions", schema=None) as batch_op:
        batch_op.create_index("ix_admin_actions_created_at", ["created_at", "id"], unique=False)
        batch_op.create_index(
            batch_op.f("ix_admin_actions_account_id"), ["account_id"], unique=False
        )
        batch_op.create_index(batch_op.f("ix_admin_actions_object_id"), ["object_id"], unique=False)

    op.create_table(
        "api_keys",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("account_id", sa.String(), nullable=False),
        sa.Column("label", sa.String(), nullable=True),
        sa.Column("prefix", sa.String(), nullable=False),
        sa.Column("hash", sa.String(), nullable=False),
        sa.Column(
            "scopes", sa.JSON().with_variant(postgresql.JSONB(), "postgresql"), nullable=False
        ),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("revoked_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("last_used_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"], ["accounts.id"], name=op.f("fk_api_keys_account_id_accounts")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_api_keys")),
        sa.UniqueConstraint("hash", name=op.f("uq_api_keys_hash")),
    )
    with op.batch_alter_table("api_keys", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_api_keys_account_id"), ["account_id"], unique=False)

    op.create_table(
        "encryption_keys",
        sa.Column("account_id", sa.String(), nullable=False),
        sa.Column("public_key", sa.String(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"], ["accounts.id"], name=op.f("fk_encryption_keys_account_id_accounts")
        ),
        sa.PrimaryKeyConstraint("account_id", name=op.f("pk_encryption_keys")),
    )
    op.create_table(
        "listings",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("account_id", sa.String(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("title", sa.String(), nullable=False),
        sa.Column("description", sa.String(), nullable=False),
        sa.Column("dimension", sa.Integer(), nullable=False),
        sa.Column("points", sa.Integer(), nullable=False),
        sa.Column(
            "fields", sa.JSON().with_variant(postgresql.JSONB(), "postgresql"), nullable=False
        ),
        sa.Column(
            "classes", sa.JSON().with_variant(postgresql.JSONB(), "postgresql"), nullable=True
        ),
        sa.Column("licence", sa.String(), nullable=True),
        sa.Column("licence_key", sa.String(), nullable=True),
        sa.Column("terms", sa.String(), nullable=True),
        sa.Column("caps", sa.JSON().with_variant(postgresql.JSONB(), "postgresql"), nullable=True),
        sa.Column("words", sa.String(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"], ["accounts.id"], name=op.f("fk_listings_account_id_accounts")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_listings")),
    )
    with op.batch_alter_table("listings", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_listings_account_id"), ["account_id"], unique=False)

    op.create_table(
        "searched_fields",
        sa.Column("listing_id", sa.String(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("name_key", sa.String(), nullable=False),
        sa.Column("type", sa.String(), nullable=False),
        sa.Column("unit", sa.String(), nullable=True),
        sa.Column("embedding_key", sa.String(), nullable=True),
        sa.ForeignKeyConstraint(
            ["listing_id"], ["listings.id"], name=op.f("fk_searched_fields_listing_id_listings")
        ),
        sa.PrimaryKeyConstraint("listing_id", "position", name=op.f("pk_searched_fields")),
    )
    with op.batch_alter_table("searched_fields", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_searched_fields_name_key"), ["name_key"], unique=False)

    op.create_table(
        "references",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("account_id", sa.String(), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("dimension", sa.Integer(), nullable=False),
        sa.Column("projected_from", sa.Integer(), nullable=True),
        sa.Column(
            "distribution", sa.JSON().with_variant(postgresql.JSONB(), "postgresql"), nullable=False
        ),
        sa.Column("disclosure", sa.String(), nullable=False),
        sa.Column("seed", sa.String(), nullable=True),
        sa.Column("commitment", sa.String(), nullable=True),
        sa.Column("derivation", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"], ["accounts.id"], name=op.f("fk_references_account_id_accounts")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_references")),
    )
    with op.batch_alter_table("references", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_references_account_id"), ["account_id"], unique=False)

    op.create_table(
        "requests",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("account_id", sa.String(), nullable=False),
        sa.Column("reference_id", sa.String(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("title", sa.String(), nullable=False),
        sa.Column("description", sa.String(), nullable=False),
        sa.Column("order", sa.Integer(), nullable=False),
        sa.Column(
            "sweep", sa.JSON().with_variant(postgresql.JSONB(), "postgresql"), nullable=False
        ),
        sa.Column(
            "modes", sa.JSON().with_variant(postgresql.JSONB(), "postgresql"), nullable=False
        ),
        sa.Column("audience", sa.String(), nullable=False),
        sa.Column("reveals_measure", sa.Boolean(), nullable=False),
        sa.Column("reveals_scores", sa.Boolean(), nullable=False),
        sa.Column("interpolation", sa.String(), nullable=False),
        sa.Column("labelled", sa.Boolean(), nullable=False),
        sa.Column(
            "class_names", sa.JSON().with_variant(postgresql.JSONB(), "postgresql"), nullable=True
        ),
        sa.Column(
            "recipe", sa.JSON().with_variant(postgresql.JSONB(), "postgresql"), nullable=True
        ),
        sa.Column("searched_fields", sa.String(), nullable=False),
        sa.Column("words", sa.String(), nullable=False),
        sa.Column("epsilon", sa.Double(), nullable=True),
        sa.Column("radius", sa.Double(), nullable=True),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"], ["accounts.id"], name=op.f("fk_requests_account_id_accounts")
        ),
        sa.ForeignKeyConstraint(
            ["reference_id"], ["references.id"], name=op.f("fk_requests_reference_id_references")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_requests")),
    )
    with op.batch_alter_table("requests", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_requests_account_id"), ["account_id"], unique=False)

    op.create_table(
        "buyer_measures",
        sa.Column("request_id", sa.String(), nullable=False),
        sa.Column("effective_support", sa.Integer(), nullable=False),
        sa.Column("uniform", sa.Boolean(), nullable=False),
        sa.Column(
            "radii", sa.JSON().with_variant(postgresql.JSONB(), "postgresql"), nullable=False
        ),
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("rows", sa.Integer(), nullable=False),
        sa.Column("columns", sa.Integer(), nullable=False),
        sa.Column("weighted", sa.Boolean(), nullable=False),
        sa.Column("bytes", sa.BigInteger(), nullable=False),
        sa.Column("deleted_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["request_id"], ["requests.id"], name=op.f("fk_buyer_measures_request_id_requests")
        ),
        sa.PrimaryKeyConstraint("request_id", name=op.f("pk_buyer_measures")),
    )
    with op.batch_alter_table("buyer_measures", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_buyer_measures_digest"), ["digest"], unique=False)

    op.create_table(
        "contributions",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("request_id", sa.String(), nullable=False),
        sa.Column("account_id", sa.String(), nullable=False),
        sa.Column("listing_id", sa.String(), nullable=True),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("mode", sa.String(), nullable=False),
        sa.Column("label", sa.String(), nullable=False),
        sa.Column("score_policy", sa.String(), nullable=False),
        sa.Column("allows_comparison", sa.Boolean(), nullable=False),
        sa.Column("sampled_from", sa.BigInteger(), nullable=True),
        sa.Column("buyer_places", sa.Integer(), nullable=True),
        sa.Column("projection_spread", sa.Double(), nullable=True),
        sa.Column("decline_reason", sa.String(), nullable=True),
        sa.Column("used_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column(
            "scalars", sa.JSON().with_variant(postgresql.JSONB(), "postgresql"), nullable=True
        ),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"], ["accounts.id"], name=op.f("fk_contributions_account_id_accounts")
        ),
        sa.ForeignKeyConstraint(
            ["listing_id"], ["listings.id"], name=op.f("fk_contributions_listing_id_listings")
        ),
        sa.ForeignKeyConstraint(
            ["request_id"], ["requests.id"], name=op.f("fk_contributions_request_id_requests")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_contributions")),
    )
    with op.batch_alter_table("contributions", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_contributions_account_id"), ["account_id"], unique=False
        )
        batch_op.create_index(
            batch_op.f("ix_contributions_request_id"), ["request_id"], unique=False
        )
        batch_op.create_index(
            "uq_contributions_live",
            ["request_id", "account_id"],
            unique=True,
            sqlite_where=sa.text("state != 'withdrawn'"),
            postgresql_where=sa.text("state != 'withdrawn'"),
        )

    op.create_table(
        "disclosures",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("owner_id", sa.String(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("dataset", sa.String(), nullable=False),
        sa.Column("viewer_id", sa.String(), nullable=True),
        sa.Column("viewer_organisation", sa.String(), nullable=True),
        sa.Column("request_id", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("reference_id", sa.String(), nullable=False),
        sa.Column("sealed", sa.Boolean(), nullable=False),
        sa.Column(
            "sweep", sa.JSON().with_variant(postgresql.JSONB(), "postgresql"), nullable=False
        ),
        sa.Column("points", sa.Integer(), nullable=False),
        sa.Column("dimension", sa.Integer(), nullable=False),
        sa.Column("rank", sa.Integer(), nullable=True),
        sa.Column("coalitions", sa.Integer(), nullable=True),
        sa.Column("epsilon", sa.Double(), nullable=True),
        sa.Column("digest", sa.String(), nullable=True),
        sa.Column("disclosure_class", sa.String(), nullable=False),
        sa.Column("previous_hash", sa.String(), nullable=False),
        sa.Column("hash", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(
            ["owner_id"], ["accounts.id"], name=op.f("fk_disclosures_owner_id_accounts")
        ),
        sa.ForeignKeyConstraint(
            ["reference_id"], ["references.id"], name=op.f("fk_disclosures_reference_id_references")
        ),
        sa.ForeignKeyConstraint(
            ["request_id"], ["requests.id"], name=op.f("fk_disclosures_request_id_requests")
        ),
        sa.ForeignKeyConstraint(
            ["viewer_id"], ["accounts.id"], name=op.f("fk_disclosures_viewer_id_accounts")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_disclosures")),
        sa.UniqueConstraint("owner_id", "position", name=op.f("uq_disclosures_owner_id_position")),
    )
    with op.batch_alter_table("disclosures", schema=None) as batch_op:
        batch_op.create_index(
            "ix_disclosures_owner_id_request_id", ["owner_id", "request_id"], unique=False
        )
        batch_op.create_index(batch_op.f("ix_disclosures_viewer_id"), ["viewer_id"], unique=False)

    op.create_table(
        "evaluations",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("request_id", sa.String(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("seller_weighting", sa.String(), nullable=False),
        sa.Column(
            "seller_weights",
            sa.JSON().with_variant(postgresql.JSONB(), "postgresql"),
            nullable=True,
        ),
        sa.Column("extends", sa.String(), nullable=True),
        sa.Column("leave_one_out", sa.Boolean(), nullable=False),
        sa.Column("leave_one_out_omitted", sa.String(), nullable=True),
        sa.Column(
            "coalitions", sa.JSON().with_variant(postgresql.JSONB(), "postgresql"), nullable=False
        ),
        sa.Column("first_permutation", sa.Integer(), nullable=False),
        sa.Column("pairs", sa.Boolean(), nullable=False),
        sa.Column("permutations", sa.Integer(), nullable=False),
        sa.Column("inputs_digest", sa.String(), nullable=False),
        sa.Column("progress_done", sa.Integer(), nullable=True),
        sa.Column("progress_total", sa.Integer(), nullable=True),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("reason", sa.String(), nullable=True),
        sa.Column(
            "problem", sa.JSON().with_variant(postgresql.JSONB(), "postgresql"), nullable=True
        ),
        sa.Column("estimated_seconds", sa.Double(), nullable=False),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("finished_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["extends"], ["evaluations.id"], name=op.f("fk_evaluations_extends_evaluations")
        ),
        sa.ForeignKeyConstraint(
            ["request_id"], ["requests.id"], name=op.f("fk_evaluations_request_id_requests")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_evaluations")),
    )
    with op.batch_alter_table("evaluations", schema=None) as batch_op:
        batch_op.create_index(
            "ix_evaluations_begun",
            ["turn"],
            unique=False,
            sqlite_where=sa.text("started_at IS NOT NULL"),
            postgresql_where=sa.text("started_at IS NOT NULL"),
        )
        batch_op.create_index(
            "ix_evaluations_queue",
            ["turn", "created_at", "id"],
            unique=False,
            sqlite_where=sa.text("state = 'waiting'"),
            postgresql_where=sa.text("state = 'waiting'"),
        )
        batch_op.create_index(
            "ix_evaluations_succeeded",
            ["finished_at"],
            unique=False,
            sqlite_where=sa.text("state = 'succeeded'"),
            postgresql_where=sa.text("state = 'succeeded'"),
        )
        batch_op.create_index(
            "ix_evaluations_unfinished",
            ["request_id"],
            unique=False,
            sqlite_where=sa.text("state IN ('waiting', 'running')"),
            postgresql_where=sa.text("state IN ('waiting', 'running')"),
        )
        batch_op.create_index(batch_op.f("ix_evaluations_request_id"), ["request_id"], unique=False)

    op.create_table(
        "invitations",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("request_id", sa.String(), nullable=False),
        sa.Column("account_id", sa.String(), nullable=False),
        sa.Column("sealed_key", sa.String(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"], ["accounts.id"], name=op.f("fk_invitations_account_id_accounts")
        ),
        sa.ForeignKeyConstraint(
            ["request_id"], ["requests.id"], name=op.f("fk_invitations_request_id_requests")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_invitations")),
        sa.UniqueConstraint(
            "request_id", "account_id", name=op.f("uq_invitations_request_id_account_id")
        ),
    )
    with op.batch_alter_table("invitations", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_invitations_account_id"), ["account_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_invitations_request_id"), ["request_id"], unique=False)

    op.create_table(
        "request_readers",
        sa.Column("request_id", sa.String(), nullable=False),
        sa.Column("account_id", sa.String(), nullable=False),
        sa.Column("reads_measure", sa.Boolean(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"], ["accounts.id"], name=op.f("fk_request_readers_account_id_accounts")
        ),
        sa.ForeignKeyConstraint(
            ["request_id"], ["requests.id"], name=op.f("fk_request_readers_request_id_requests")
        ),
        sa.PrimaryKeyConstraint("request_id", "account_id", name=op.f("pk_request_readers")),
    )
    with op.batch_alter_table("request_readers", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_request_readers_account_id"), ["account_id"], unique=False
        )

    op.create_table(
        "contribution_arrays",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("contribution_id", sa.String(), nullable=False),
        sa.Column("s", sa.Double(), nullable=False),
        sa.Column("weights_digest", sa.String(), nullable=False),
        sa.Column("effective_rows", sa.Integer(), nullable=False),
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("rows", sa.Integer(), nullable=False),
        sa.Column("columns", sa.Integer(), nullable=False),
        sa.Column("weighted", sa.Boolean(), nullable=False),
        sa.Column("bytes", sa.BigInteger(), nullable=False),
        sa.Column("deleted_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["contribution_id"],
            ["contributions.id"],
            name=op.f("fk_contribution_arrays_contribution_id_contributions"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_contribution_arrays")),
        sa.UniqueConstraint(
            "contribution_id", "s", name=op.f("uq_contribution_arrays_contribution_id_s")
        ),
    )
    with op.batch_alter_table("contribution_arrays", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_contribution_arrays_contribution_id"), ["contribution_id"], unique=False
        )
        batch_op.create_index(batch_op.f("ix_contribution_arrays_digest"), ["digest"], unique=False)

    op.create_table(
        "evaluated_contributions",
        sa.Column("evaluation_id", sa.String(), nullable=False),
        sa.Column("contribution_id", sa.String(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("coalition_count", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["contribution_id"],
            ["contributions.id"],
            name=op.f("fk_evaluated_contributions_contribution_id_contributions"),
        ),
        sa.ForeignKeyConstraint(
            ["evaluation_id"],
            ["evaluations.id"],
            name=op.f("fk_evaluated_contributions_evaluation_id_evaluations"),
        ),
        sa.PrimaryKeyConstraint(
            "evaluation_id", "contribution_id", name=op.f("pk_evaluated_contributions")
        ),
    )
    with op.batch_alter_table("evaluated_contributions", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_evaluated_contributions_contribution_id"),
            ["contribution_id"],
            unique=False,
        )

    op.create_table(
        "evaluation_chunks",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("evaluation_id", sa.String(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("first", sa.Integer(), nullable=False),
        sa.Column("stop", sa.Integer(), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("running", sa.Boolean(), nullable=False),
        sa.Column("done", sa.Integer(), nullable=False),
        sa.Column(
            "output", sa.JSON().with_variant(postgresql.JSONB(), "postgresql"), nullable=True
        ),
        sa.ForeignKeyConstraint(
            ["evaluation_id"],
            ["evaluations.id"],
            name=op.f("fk_evaluation_chunks_evaluation_id_evaluations"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_evaluation_chunks")),
    )
    with op.batch_alter_table("evaluation_chunks", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_evaluation_chunks_evaluation_id"), ["evaluation_id"], unique=False
        )

    op.create_table(
        "receipts",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("evaluation_id", sa.String(), nullable=False),
        sa.Column("contribution_id", sa.String(), nullable=True),
        sa.Column("key_id", sa.String(), nullable=False),
        sa.Column("content", sa.String(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["contribution_id"],
            ["contributions.id"],
            name=op.f("fk_receipts_contribution_id_contributions"),
        ),
        sa.ForeignKeyConstraint(
            ["evaluation_id"],
            ["evaluations.id"],
            name=op.f("fk_receipts_evaluation_id_evaluations"),
        ),
        sa.ForeignKeyConstraint(
            ["key_id"], ["receipt_keys.id"], name=op.f("fk_receipts_key_id_receipt_keys")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_receipts")),
        sa.UniqueConstraint(
            "evaluation_id",
            "contribution_id",
            name=op.f("uq_receipts_evaluation_id_contribution_id"),
        ),
    )
    with op.batch_alter_table("receipts", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_receipts_evaluation_id"), ["evaluation_id"], unique=False
        )

    op.create_table(
        "results",
        sa.Column("evaluation_id", sa.String(), nullable=False),
        sa.Column("document", sa.String(), nullable=False),
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("nearest_s", sa.Double(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["evaluation_id"], ["evaluations.id"], name=op.f("fk_results_evaluation_id_evaluations")
        ),
        sa.PrimaryKeyConstraint("evaluation_id", name=op.f("pk_results")),
    )
    op.create_table(
        "scored_points",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("evaluation_id", sa.String(), nullable=False),
        sa.Column("contribution_id", sa.String(), nullable=True),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("s", sa.Double(), nullable=False),
        sa.Column("method", sa.String(), nullable=False),
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("first_column", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["contribution_id"],
            ["contributions.id"],
            name=op.f("fk_scored_points_contribution_id_contributions"),
        ),
        sa.ForeignKeyConstraint(
            ["evaluation_id"],
            ["evaluations.id"],
            name=op.f("fk_scored_points_evaluation_id_evaluations"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_scored_points")),
        sa.UniqueConstraint(
            "evaluation_id",
            "contribution_id",
            "kind",
            "s",
            name=op.f("uq_scored_points_evaluation_id_contribution_id_kind_s"),
        ),
    )
    with op.batch_alter_table("scored_points", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_scored_points_evaluation_id"), ["evaluation_id"], unique=False
        )
        batch_op.create_index(batch_op.f("ix_scored_points_digest"), ["digest"], unique=False)


def downgrade() -> None:
    with op.batch_alter_table("scored_points", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_scored_points_digest"))
        batch_op.drop_index(batch_op.f("ix_scored_points_evaluation_id"))

    op.drop_table("scored_points")
    op.drop_table("results")
    with op.batch_alter_table("receipts", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_receipts_evaluation_id"))

    op.drop_table("receipts")
    with op.batch_alter_table("evaluation_chunks", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_evaluation_chunks_evaluation_id"))

    op.drop_table("evaluation_chunks")
    with op.batch_alter_table("evaluated_contributions", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_evaluated_contributions_contribution_id"))

    op.drop_table("evaluated_contributions")
    with op.batch_alter_table("contribution_arrays", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_contribution_arrays_digest"))
        batch_op.drop_index(batch_op.f("ix_contribution_arrays_contribution_id"))

    op.drop_table("contribution_arrays")
    with op.batch_alter_table("request_readers", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_request_readers_account_id"))

    op.drop_table("request_readers")
    with op.batch_alter_table("invitations", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_invitations_request_id"))
        batch_op.drop_index(batch_op.f("ix_invitations_account_id"))

    op.drop_table("invitations")
    with op.batch_alter_table("evaluations", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_evaluations_request_id"))
        batch_op.drop_index(
            "ix_evaluations_queue",
            sqlite_where=sa.text("state = 'waiting'"),
            postgresql_where=sa.text("state = 'waiting'"),
        )

    op.drop_table("evaluations")
    with op.batch_alter_table("disclosures", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_disclosures_viewer_id"))
        batch_op.drop_index("ix_disclosures_owner_id_request_id")

    op.drop_table("disclosures")
    with op.batch_alter_table("contributions", schema=None) as batch_op:
        batch_op.drop_index(
            "uq_contributions_live",
            sqlite_where=sa.text("state != 'withdrawn'"),
            postgresql_where=sa.text("state != 'withdrawn'"),
        )
        batch_op.drop_index(batch_op.f("ix_contributions_request_id"))
        batch_op.drop_index(batch_op.f("ix_contributions_account_id"))

    op.drop_table("contributions")
    with op.batch_alter_table("buyer_measures", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_buyer_measures_digest"))

    op.drop_table("buyer_measures")
    with op.batch_alter_table("requests", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_requests_account_id"))

    op.drop_table("requests")
    with op.batch_alter_table("references", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_references_account_id"))

    op.drop_table("references")
    with op.batch_alter_table("searched_fields", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_searched_fields_name_key"))

    op.drop_table("searched_fields")
    with op.batch_alter_table("listings", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_listings_account_id"))

    op.drop_table("listings")
    op.drop_table("encryption_keys")
    with op.batch_alter_table("api_keys", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_api_keys_account_id"))

    op.drop_table("api_keys")
    with op.batch_alter_table("admin_actions", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_admin_actions_object_id"))
        batch_op.drop_index(batch_op.f("ix_admin_actions_account_id"))
        batch_op.drop_index("ix_admin_actions_created_at")

    op.drop_table("admin_actions")
    op.drop_table("workers")
    op.drop_table("receipt_keys")
    with op.batch_alter_table("idempotent_calls", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_idempotent_calls_created_at"))

    op.drop_table("idempotent_calls")
    op.drop_table("installations")
    op.drop_table("array_deletions")
    op.drop_table("schema_versions")
    with op.batch_alter_table("accounts", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_accounts_organisation_skeleton"))
        batch_op.drop_index(batch_op.f("ix_accounts_organisation_key"))

    op.drop_table("accounts")
