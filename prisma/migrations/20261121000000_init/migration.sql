-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "public";

-- CreateTable
CREATE TABLE "principals" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "active" BOOLEAN NOT NULL DEFAULT true,
    "password_hash" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "created_by" UUID,
    "deactivated_at" TIMESTAMPTZ(3),
    "deleted_at" TIMESTAMPTZ(3),
    "deleted_by" UUID,

    CONSTRAINT "principals_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "tokens" (
    "id" UUID NOT NULL,
    "principal_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "hash" BYTEA NOT NULL,
    "environment_id" UUID,
    "run_id" UUID,
    "task_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "created_by" UUID,
    "expires_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),
    "revoked_by" UUID,

    CONSTRAINT "tokens_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "sign_in_throttles" (
    "key" TEXT NOT NULL,
    "failures" INTEGER NOT NULL,
    "window_ends" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "sign_in_throttles_pkey" PRIMARY KEY ("key")
);

-- CreateTable
CREATE TABLE "groups" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "created_by" UUID,
    "deleted_at" TIMESTAMPTZ(3),
    "deleted_by" UUID,

    CONSTRAINT "groups_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "group_members" (
    "id" UUID NOT NULL,
    "group_id" UUID NOT NULL,
    "principal_id" UUID NOT NULL,
    "added_at" TIMESTAMPTZ(3) NOT NULL,
    "added_by" UUID,
    "removed_at" TIMESTAMPTZ(3),
    "removed_by" UUID,

    CONSTRAINT "group_members_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "grants" (
    "id" UUID NOT NULL,
    "principal_id" UUID,
    "group_id" UUID,
    "role" TEXT,
    "action" TEXT,
    "kind" TEXT NOT NULL,
    "environment_id" UUID,
    "namespace_id" UUID,
    "table_id" UUID,
    "object_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "created_by" UUID,
    "ended_at" TIMESTAMPTZ(3),
    "ended_by" UUID,
    "ended_by_drop" UUID,

    CONSTRAINT "grants_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "audit_events" (
    "id" UUID NOT NULL,
    "sequence" BIGINT,
    "time" TIMESTAMPTZ(3) NOT NULL,
    "type" TEXT NOT NULL,
    "principal_id" UUID,
    "principal" TEXT,
    "environment_id" UUID,
    "object" JSONB NOT NULL,
    "request_id" TEXT,
    "detail" JSONB NOT NULL,
    "hash" BYTEA,

    CONSTRAINT "audit_events_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "environments" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "protected" BOOLEAN NOT NULL DEFAULT false,
    "description" TEXT,
    "retention_days" INTEGER,
    "retention_set_at" TIMESTAMPTZ(3),
    "retention_set_by" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "created_by" UUID,
    "deleted_at" TIMESTAMPTZ(3),
    "deleted_by" UUID,
    "purge_after" TIMESTAMPTZ(3),
    "purge_requested" BOOLEAN NOT NULL DEFAULT false,
    "purged_at" TIMESTAMPTZ(3),

    CONSTRAINT "environments_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "namespaces" (
    "id" UUID NOT NULL,
    "environment_id" UUID NOT NULL,
    "path" TEXT NOT NULL,
    "path_key" TEXT NOT NULL,
    "description" TEXT,
    "properties" JSONB NOT NULL DEFAULT '{}',
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "created_by" UUID,
    "dropped_at" TIMESTAMPTZ(3),
    "dropped_by" UUID,

    CONSTRAINT "namespaces_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "tables" (
    "id" UUID NOT NULL,
    "environment_id" UUID NOT NULL,
    "namespace_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "name_key" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "description" TEXT,
    "owner_id" UUID,
    "columns" JSONB NOT NULL,
    "location" TEXT,
    "metadata_location" TEXT,
    "format" TEXT,
    "view_sql" TEXT,
    "row_count" BIGINT,
    "size_bytes" BIGINT,
    "file_count" INTEGER,
    "snapshot_id" BIGINT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "created_by" UUID,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "last_write_at" TIMESTAMPTZ(3),
    "last_read_at" TIMESTAMPTZ(3),
    "retention_days" INTEGER,
    "retention_on" DATE,
    "retention_never" BOOLEAN NOT NULL DEFAULT false,
    "retention_set_at" TIMESTAMPTZ(3),
    "retention_set_by" UUID,
    "built_by_repository" UUID,
    "watermark" TEXT,
    "dropped_at" TIMESTAMPTZ(3),
    "dropped_by" UUID,
    "drop_id" UUID,
    "drop_reason" TEXT,
    "purge_after" TIMESTAMPTZ(3),
    "purge_started_at" TIMESTAMPTZ(3),
    "purged_at" TIMESTAMPTZ(3),

    CONSTRAINT "tables_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "row_filters" (
    "id" UUID NOT NULL,
    "table_id" UUID NOT NULL,
    "principal_id" UUID,
    "group_id" UUID,
    "predicate" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "created_by" UUID,
    "ended_at" TIMESTAMPTZ(3),
    "ended_by" UUID,
    "ended_by_drop" UUID,

    CONSTRAINT "row_filters_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "column_masks" (
    "id" UUID NOT NULL,
    "table_id" UUID NOT NULL,
    "principal_id" UUID,
    "group_id" UUID,
    "column" TEXT NOT NULL,
    "expression" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "created_by" UUID,
    "ended_at" TIMESTAMPTZ(3),
    "ended_by" UUID,
    "ended_by_drop" UUID,

    CONSTRAINT "column_masks_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "queries" (
    "id" UUID NOT NULL,
    "environment_id" UUID NOT NULL,
    "submitter_id" UUID NOT NULL,
    "status" TEXT NOT NULL,
    "sql_text" TEXT NOT NULL,
    "into_namespace" TEXT,
    "into_table" TEXT,
    "mode" TEXT,
    "expire_after" INTEGER,
    "break_glass" TEXT,
    "token_kind" TEXT NOT NULL,
    "run_id" UUID,
    "tables" JSONB NOT NULL DEFAULT '[]',
    "columns" JSONB,
    "row_count" BIGINT,
    "first_rows" JSONB,
    "result_location" TEXT,
    "result_expires_at" TIMESTAMPTZ(3),
    "progress" DOUBLE PRECISION,
    "error" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "started_at" TIMESTAMPTZ(3),
    "ended_at" TIMESTAMPTZ(3),
    "cancel_requested_at" TIMESTAMPTZ(3),
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "lease_owner" UUID,
    "lease_fence" BIGINT NOT NULL DEFAULT 0,
    "lease_expires_at" TIMESTAMPTZ(3),
    "request_id" TEXT,

    CONSTRAINT "queries_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "writes" (
    "id" UUID NOT NULL,
    "environment_id" UUID NOT NULL,
    "table_id" UUID NOT NULL,
    "requested_by" UUID NOT NULL,
    "mode" TEXT NOT NULL,
    "format" TEXT NOT NULL,
    "staged_location" TEXT NOT NULL,
    "watermark" TEXT,
    "break_glass" TEXT,
    "run_id" UUID,
    "status" TEXT NOT NULL,
    "rows" BIGINT,
    "snapshot_id" BIGINT,
    "error" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "started_at" TIMESTAMPTZ(3),
    "ended_at" TIMESTAMPTZ(3),
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "lease_owner" UUID,
    "lease_fence" BIGINT NOT NULL DEFAULT 0,
    "lease_expires_at" TIMESTAMPTZ(3),
    "request_id" TEXT,

    CONSTRAINT "writes_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "repositories" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "url" TEXT,
    "default_ref" TEXT,
    "folder" TEXT,
    "credential_secret" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "created_by" UUID,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "deleted_at" TIMESTAMPTZ(3),
    "deleted_by" UUID,

    CONSTRAINT "repositories_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "bundles" (
    "id" UUID NOT NULL,
    "environment_id" UUID NOT NULL,
    "location" TEXT NOT NULL,
    "sha256" TEXT NOT NULL,
    "size_bytes" BIGINT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "created_by" UUID NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "bundles_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "deploys" (
    "id" UUID NOT NULL,
    "environment_id" UUID NOT NULL,
    "repository_id" UUID NOT NULL,
    "ref" TEXT,
    "bundle_id" UUID,
    "commit" TEXT,
    "dry_run" BOOLEAN NOT NULL DEFAULT false,
    "rollback_to" UUID,
    "status" TEXT NOT NULL,
    "warnings" JSONB NOT NULL DEFAULT '[]',
    "jobs" JSONB,
    "package_indexes" JSONB NOT NULL DEFAULT '[]',
    "project_version_id" UUID,
    "error" JSONB,
    "created_by" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "started_at" TIMESTAMPTZ(3),
    "ended_at" TIMESTAMPTZ(3),
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "lease_owner" UUID,
    "lease_fence" BIGINT NOT NULL DEFAULT 0,
    "lease_expires_at" TIMESTAMPTZ(3),
    "request_id" TEXT,

    CONSTRAINT "deploys_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "project_versions" (
    "id" UUID NOT NULL,
    "environment_id" UUID NOT NULL,
    "repository_id" UUID NOT NULL,
    "deploy_id" UUID NOT NULL,
    "commit" TEXT,
    "location" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "python" TEXT,
    "lock_hash" TEXT,
    "assets" JSONB NOT NULL,
    "jobs" JSONB NOT NULL,
    "package_indexes" JSONB NOT NULL DEFAULT '[]',
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "created_by" UUID NOT NULL,

    CONSTRAINT "project_versions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "deployments" (
    "id" UUID NOT NULL,
    "environment_id" UUID NOT NULL,
    "repository_id" UUID NOT NULL,
    "project_version_id" UUID NOT NULL,
    "previous_version_id" UUID,
    "run_as_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "created_by" UUID NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),
    "ended_by" UUID,

    CONSTRAINT "deployments_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "jobs" (
    "id" UUID NOT NULL,
    "environment_id" UUID NOT NULL,
    "repository_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "definition" JSONB NOT NULL,
    "cron" TEXT,
    "timezone" TEXT,
    "paused" BOOLEAN NOT NULL DEFAULT false,
    "next_run_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "removed_at" TIMESTAMPTZ(3),

    CONSTRAINT "jobs_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "runs" (
    "id" UUID NOT NULL,
    "environment_id" UUID NOT NULL,
    "repository_id" UUID NOT NULL,
    "project_version_id" UUID NOT NULL,
    "job" TEXT,
    "trigger" TEXT,
    "principal_id" UUID NOT NULL,
    "requested_by" UUID,
    "status" TEXT NOT NULL,
    "select" JSONB NOT NULL,
    "upstream" BOOLEAN NOT NULL DEFAULT false,
    "downstream" BOOLEAN NOT NULL DEFAULT false,
    "scheduled_for" TIMESTAMPTZ(3),
    "missed" INTEGER NOT NULL DEFAULT 0,
    "retry_of" UUID,
    "timeout_seconds" INTEGER,
    "error" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "started_at" TIMESTAMPTZ(3),
    "ended_at" TIMESTAMPTZ(3),
    "cancel_requested_at" TIMESTAMPTZ(3),
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "lease_owner" UUID,
    "lease_fence" BIGINT NOT NULL DEFAULT 0,
    "lease_expires_at" TIMESTAMPTZ(3),
    "request_id" TEXT,

    CONSTRAINT "runs_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "run_tasks" (
    "id" UUID NOT NULL,
    "run_id" UUID NOT NULL,
    "position" INTEGER NOT NULL,
    "asset" TEXT NOT NULL,
    "depends_on" JSONB NOT NULL,
    "status" TEXT NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "rows" BIGINT,
    "error" JSONB,
    "started_at" TIMESTAMPTZ(3),
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "run_tasks_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "run_logs" (
    "run_id" UUID NOT NULL,
    "sequence" BIGSERIAL NOT NULL,
    "asset" TEXT,
    "stream" TEXT NOT NULL,
    "time" TIMESTAMPTZ(3) NOT NULL,
    "line" TEXT NOT NULL,

    CONSTRAINT "run_logs_pkey" PRIMARY KEY ("run_id","sequence")
);

-- CreateTable
CREATE TABLE "leases" (
    "name" TEXT NOT NULL,
    "holder" UUID NOT NULL,
    "fence" BIGINT NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "leases_pkey" PRIMARY KEY ("name")
);

-- CreateTable
CREATE TABLE "idempotency_keys" (
    "principal_id" UUID NOT NULL,
    "method" TEXT NOT NULL,
    "path" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "body_hash" BYTEA NOT NULL,
    "status" INTEGER NOT NULL,
    "answer" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "idempotency_keys_pkey" PRIMARY KEY ("principal_id","method","path","key")
);

-- CreateIndex
CREATE INDEX "principals_page" ON "principals"("created_at" DESC, "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "principals_name_live" ON "principals"("name") WHERE ("deleted_at" IS NULL);

-- CreateIndex
CREATE INDEX "tokens_of_principal" ON "tokens"("principal_id", "created_at");

-- CreateIndex
CREATE INDEX "tokens_of_run" ON "tokens"("run_id") WHERE ("revoked_at" IS NULL);

-- CreateIndex
CREATE UNIQUE INDEX "tokens_hash_key" ON "tokens"("hash");

-- CreateIndex
CREATE INDEX "groups_page" ON "groups"("created_at" DESC, "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "groups_name_live" ON "groups"("name") WHERE ("deleted_at" IS NULL);

-- CreateIndex
CREATE INDEX "group_members_of_principal" ON "group_members"("principal_id") WHERE ("removed_at" IS NULL);

-- CreateIndex
CREATE UNIQUE INDEX "group_members_live" ON "group_members"("group_id", "principal_id") WHERE ("removed_at" IS NULL);

-- CreateIndex
CREATE INDEX "grants_of_principal" ON "grants"("principal_id", "object_id") WHERE ("ended_at" IS NULL);

-- CreateIndex
CREATE INDEX "grants_of_group" ON "grants"("group_id", "object_id") WHERE ("ended_at" IS NULL);

-- CreateIndex
CREATE INDEX "grants_on_object" ON "grants"("object_id", "created_at" DESC, "id" DESC) WHERE ("ended_at" IS NULL);

-- CreateIndex
CREATE INDEX "grants_in_environment" ON "grants"("environment_id") WHERE ("ended_at" IS NULL);

-- CreateIndex
CREATE INDEX "grants_page" ON "grants"("created_at" DESC, "id" DESC) WHERE ("ended_at" IS NULL);

-- CreateIndex
CREATE INDEX "grants_of_drop" ON "grants"("ended_by_drop");

-- CreateIndex
CREATE INDEX "audit_events_page" ON "audit_events"("time" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "audit_events_by_type" ON "audit_events"("type", "time" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "audit_events_by_principal" ON "audit_events"("principal_id", "time" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "audit_events_by_environment" ON "audit_events"("environment_id", "time" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "audit_events_unsealed" ON "audit_events"("id") WHERE ("sequence" IS NULL);

-- CreateIndex
CREATE UNIQUE INDEX "audit_events_sequence_key" ON "audit_events"("sequence");

-- CreateIndex
CREATE UNIQUE INDEX "environments_name_held" ON "environments"("name") WHERE ("purged_at" IS NULL);

-- CreateIndex
CREATE UNIQUE INDEX "namespaces_path_live" ON "namespaces"("environment_id", "path_key") WHERE ("dropped_at" IS NULL);

-- CreateIndex
CREATE INDEX "tables_of_namespace" ON "tables"("environment_id", "namespace_id");

-- CreateIndex
CREATE INDEX "tables_to_purge" ON "tables"("purge_after") WHERE (dropped_at IS NOT NULL AND purged_at IS NULL);

-- CreateIndex
CREATE UNIQUE INDEX "tables_name_live" ON "tables"("namespace_id", "name_key") WHERE ("dropped_at" IS NULL);

-- CreateIndex
CREATE UNIQUE INDEX "tables_location_held" ON "tables"("location") WHERE ("purged_at" IS NULL);

-- CreateIndex
CREATE INDEX "row_filters_live" ON "row_filters"("table_id") WHERE ("ended_at" IS NULL);

-- CreateIndex
CREATE INDEX "column_masks_live" ON "column_masks"("table_id") WHERE ("ended_at" IS NULL);

-- CreateIndex
CREATE INDEX "queries_queued" ON "queries"("created_at") WHERE ("status" = 'queued');

-- CreateIndex
CREATE INDEX "queries_leased" ON "queries"("lease_expires_at") WHERE ("status" = 'running');

-- CreateIndex
CREATE INDEX "queries_page" ON "queries"("environment_id", "status", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "queries_of_submitter" ON "queries"("environment_id", "submitter_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "queries_results_to_remove" ON "queries"("result_expires_at") WHERE (result_location IS NOT NULL);

-- CreateIndex
CREATE INDEX "writes_queued" ON "writes"("created_at") WHERE ("status" = 'queued');

-- CreateIndex
CREATE INDEX "writes_leased" ON "writes"("lease_expires_at") WHERE ("status" = 'running');

-- CreateIndex
CREATE INDEX "writes_pending_of_table" ON "writes"("table_id") WHERE (status IN ('queued', 'running'));

-- CreateIndex
CREATE UNIQUE INDEX "repositories_name_live" ON "repositories"("name") WHERE ("deleted_at" IS NULL);

-- CreateIndex
CREATE INDEX "bundles_to_remove" ON "bundles"("expires_at");

-- CreateIndex
CREATE INDEX "deploys_queued" ON "deploys"("created_at") WHERE ("status" = 'queued');

-- CreateIndex
CREATE INDEX "deploys_leased" ON "deploys"("lease_expires_at") WHERE ("status" = 'running');

-- CreateIndex
CREATE INDEX "deploys_page" ON "deploys"("environment_id", "created_at" DESC, "id" DESC) WHERE ("dry_run" = false);

-- CreateIndex
CREATE INDEX "project_versions_of_project" ON "project_versions"("environment_id", "repository_id", "created_at" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "deployments_live" ON "deployments"("environment_id", "repository_id") WHERE ("ended_at" IS NULL);

-- CreateIndex
CREATE INDEX "jobs_due" ON "jobs"("next_run_at") WHERE (removed_at IS NULL AND NOT paused);

-- CreateIndex
CREATE UNIQUE INDEX "jobs_live" ON "jobs"("environment_id", "repository_id", "name") WHERE ("removed_at" IS NULL);

-- CreateIndex
CREATE INDEX "runs_queued" ON "runs"("created_at") WHERE ("status" = 'queued');

-- CreateIndex
CREATE INDEX "runs_leased" ON "runs"("lease_expires_at") WHERE ("status" = 'running');

-- CreateIndex
CREATE INDEX "runs_page" ON "runs"("environment_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "runs_of_job" ON "runs"("environment_id", "repository_id", "job", "created_at" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "runs_one_active" ON "runs"("environment_id", "repository_id") WHERE (status IN ('queued', 'running'));

-- CreateIndex
CREATE UNIQUE INDEX "run_tasks_run_id_position_key" ON "run_tasks"("run_id", "position");

-- CreateIndex
CREATE INDEX "idempotency_keys_to_remove" ON "idempotency_keys"("expires_at");



-- Closed unions and shapes that no writer may leave. (Not part of the Prisma schema, which has no CHECK.)
ALTER TABLE "principals" ADD CONSTRAINT "principals_type" CHECK (type IN ('person', 'service-account'));
ALTER TABLE "tokens" ADD CONSTRAINT "tokens_kind" CHECK (kind IN ('personal', 'service-account', 'session', 'task'));
ALTER TABLE "grants"
  ADD CONSTRAINT "grants_one_target" CHECK (num_nonnulls(principal_id, group_id) = 1),
  ADD CONSTRAINT "grants_one_right" CHECK (num_nonnulls(role, action) = 1),
  ADD CONSTRAINT "grants_object" CHECK (
    (kind = 'INSTANCE' AND num_nonnulls(environment_id, namespace_id, table_id) = 0)
    OR (kind = 'ENVIRONMENT' AND environment_id IS NOT NULL AND num_nonnulls(namespace_id, table_id) = 0)
    OR (kind = 'NAMESPACE' AND num_nonnulls(environment_id, namespace_id) = 2 AND table_id IS NULL)
    OR (kind = 'TABLE' AND num_nonnulls(environment_id, namespace_id, table_id) = 3)),
  ADD CONSTRAINT "grants_object_id" CHECK (
    object_id = coalesce(table_id, namespace_id, environment_id, '00000000-0000-0000-0000-000000000000'));
ALTER TABLE "tables"
  ADD CONSTRAINT "tables_kind" CHECK (kind IN ('managed', 'external', 'view', 'artifact')),
  ADD CONSTRAINT "tables_drop_reason" CHECK (drop_reason IN ('user', 'purge', 'environment_deleted', 'retention')),
  ADD CONSTRAINT "tables_one_retention" CHECK (
    num_nonnulls(retention_days, retention_on) + CASE WHEN retention_never THEN 1 ELSE 0 END <= 1);
ALTER TABLE "row_filters" ADD CONSTRAINT "row_filters_one_target" CHECK (num_nonnulls(principal_id, group_id) = 1);
ALTER TABLE "column_masks" ADD CONSTRAINT "column_masks_one_target" CHECK (num_nonnulls(principal_id, group_id) = 1);
ALTER TABLE "queries" ADD CONSTRAINT "queries_status"
  CHECK (status IN ('queued', 'running', 'succeeded', 'failed', 'cancelled') AND (status IN ('queued', 'running')) = (ended_at IS NULL));
ALTER TABLE "writes" ADD CONSTRAINT "writes_status"
  CHECK (status IN ('queued', 'running', 'succeeded', 'failed', 'cancelled') AND (status IN ('queued', 'running')) = (ended_at IS NULL));
ALTER TABLE "deploys" ADD CONSTRAINT "deploys_status"
  CHECK (status IN ('queued', 'running', 'succeeded', 'failed', 'cancelled') AND (status IN ('queued', 'running')) = (ended_at IS NULL));
ALTER TABLE "runs" ADD CONSTRAINT "runs_status"
  CHECK (status IN ('queued', 'running', 'succeeded', 'failed', 'cancelled') AND (status IN ('queued', 'running')) = (ended_at IS NULL));
ALTER TABLE "runs" ADD CONSTRAINT "runs_trigger" CHECK (trigger IN ('manual', 'api', 'schedule'));
ALTER TABLE "run_tasks" ADD CONSTRAINT "run_tasks_status"
  CHECK (status IN ('queued', 'running', 'succeeded', 'failed', 'cancelled', 'skipped'));
