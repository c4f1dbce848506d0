-- The schema of 0.1.0. A database that has all of the migrations that this one replaces, and only those, keeps them
-- recorded as this one.
-- Replaces: 20261121000000_init
-- Replaces: 20261121201954_audit_and_reads
-- Replaces: 20261121203711_recent_queries
-- Replaces: 20261121203956_ordered_answers
-- Replaces: 20261121204754_secrets_and_indexes
-- Replaces: 20261121204902_job_starts
-- Replaces: 20261121210340_list_filters
-- Replaces: 20261121221309_webhook_deliveries
-- Replaces: 20261121221834_drops_and_retention
-- Replaces: 20261121224119_zone_database_and_defaults
-- Replaces: 20261122014052_planned_jobs
-- Replaces: 20261122020311_grants_to_groups
-- Replaces: 20261122024209_maintenance
-- Replaces: 20261122030311_environment_maintenance
-- Replaces: 20261122050238_order_of_purges
-- Replaces: 20261122052137_tasks_made_when_claimed
-- Replaces: 20261122055049_old_deliveries
-- Replaces: 20261122075143_results_of_rows
-- Replaces: 20261122093324_external_tables_share_locations
-- Replaces: 20261122110943_quotas
-- Replaces: 20261122113034_environment_storage
-- Replaces: 20261122115748_entries_when_ended
-- Replaces: 20261122143214_add_traceparent_to_work
-- Replaces: 20261123214649_bind_policies_to_fields
-- Replaces: 20261123233550_sign_audit_heads
-- Replaces: 20261123234234_add_workers

CREATE FUNCTION tables_expiry() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.expires_at := NULL;
  NEW.idle_since := NULL;
  IF NEW.dropped_at IS NULL AND NEW.kind = 'managed' THEN
    IF NEW.retention_on IS NOT NULL THEN
      NEW.expires_at := NEW.retention_on::timestamp AT TIME ZONE 'UTC';
    ELSIF NEW.retention_days IS NOT NULL THEN
      NEW.expires_at := greatest(NEW.updated_at, NEW.last_read_at) + make_interval(hours => 24 * NEW.retention_days);
    ELSIF NOT NEW.retention_never THEN
      NEW.idle_since := greatest(NEW.updated_at, NEW.last_read_at);
    END IF;
  END IF;
  RETURN NEW;
END $$;

CREATE TABLE activity_views (
  principal_id uuid NOT NULL,
  view text NOT NULL,
  object_id uuid NOT NULL,
  targeting_key text NOT NULL,
  began_at timestamptz(3) NOT NULL,
  CONSTRAINT activity_views_pkey PRIMARY KEY (principal_id, view, object_id, targeting_key)
);

CREATE TABLE audit_events (
  id uuid NOT NULL,
  sequence bigint,
  "time" timestamptz(3) NOT NULL,
  type text NOT NULL,
  principal_id uuid,
  principal text,
  environment_id uuid,
  object jsonb NOT NULL,
  request_id text,
  detail jsonb NOT NULL,
  hash bytea,
  CONSTRAINT audit_events_pkey PRIMARY KEY (id)
);
CREATE INDEX audit_events_by_environment ON audit_events (environment_id, "time" DESC, id DESC) WHERE (sequence IS NOT NULL);
CREATE INDEX audit_events_by_principal ON audit_events (principal_id, "time" DESC, id DESC) WHERE (sequence IS NOT NULL);
CREATE INDEX audit_events_by_type ON audit_events (type, "time" DESC, id DESC) WHERE (sequence IS NOT NULL);
CREATE INDEX audit_events_page ON audit_events ("time" DESC, id DESC) WHERE (sequence IS NOT NULL);
CREATE UNIQUE INDEX audit_events_sequence_key ON audit_events (sequence) WHERE (sequence IS NOT NULL);
CREATE INDEX audit_events_unsealed ON audit_events ("time" DESC, id DESC) WHERE (sequence IS NULL);

CREATE TABLE audit_head (
  id integer NOT NULL DEFAULT 1,
  sequence bigint NOT NULL,
  hash bytea NOT NULL,
  key_id text,
  mac bytea,
  signed_hash bytea,
  signed_sequence bigint,
  signed_since timestamptz(3),
  signed_since_sequence bigint,
  CONSTRAINT audit_head_pkey PRIMARY KEY (id)
);

CREATE TABLE bundles (
  id uuid NOT NULL,
  environment_id uuid NOT NULL,
  location text NOT NULL,
  sha256 text NOT NULL,
  size_bytes bigint NOT NULL,
  created_at timestamptz(3) NOT NULL,
  created_by uuid NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  CONSTRAINT bundles_pkey PRIMARY KEY (id)
);
CREATE INDEX bundles_to_remove ON bundles (expires_at);

CREATE TABLE column_masks (
  id uuid NOT NULL,
  table_id uuid NOT NULL,
  principal_id uuid,
  group_id uuid,
  "column" text NOT NULL,
  expression text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  created_by uuid,
  ended_at timestamptz(3),
  ended_by uuid,
  ended_by_drop uuid,
  broken_at timestamptz(3),
  fields jsonb,
  CONSTRAINT column_masks_pkey PRIMARY KEY (id),
  CONSTRAINT column_masks_one_target CHECK ((num_nonnulls(principal_id, group_id) = 1))
);
CREATE INDEX column_masks_live ON column_masks (table_id) WHERE (ended_at IS NULL);
CREATE INDEX column_masks_of_drop ON column_masks (ended_by_drop);

CREATE TABLE deployments (
  id uuid NOT NULL,
  environment_id uuid NOT NULL,
  repository_id uuid NOT NULL,
  project_version_id uuid NOT NULL,
  previous_version_id uuid,
  run_as_id uuid,
  created_at timestamptz(3) NOT NULL,
  created_by uuid NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  ended_at timestamptz(3),
  ended_by uuid,
  CONSTRAINT deployments_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX deployments_live ON deployments (environment_id, repository_id) WHERE (ended_at IS NULL);

CREATE TABLE deploys (
  id uuid NOT NULL,
  environment_id uuid NOT NULL,
  repository_id uuid NOT NULL,
  ref text,
  bundle_id uuid,
  commit text,
  dry_run boolean NOT NULL DEFAULT false,
  rollback_to uuid,
  status text NOT NULL,
  warnings jsonb NOT NULL DEFAULT '[]'::jsonb,
  jobs jsonb,
  package_indexes jsonb NOT NULL DEFAULT '[]'::jsonb,
  project_version_id uuid,
  error jsonb,
  created_by uuid NOT NULL,
  created_at timestamptz(3) NOT NULL,
  started_at timestamptz(3),
  ended_at timestamptz(3),
  attempts integer NOT NULL DEFAULT 0,
  lease_owner uuid,
  lease_fence bigint NOT NULL DEFAULT 0,
  lease_expires_at timestamptz(3),
  request_id text,
  traceparent text,
  CONSTRAINT deploys_pkey PRIMARY KEY (id),
  CONSTRAINT deploys_status CHECK (((status = ANY (ARRAY['queued'::text, 'running'::text, 'succeeded'::text, 'failed'::text, 'cancelled'::text])) AND ((status = ANY (ARRAY['queued'::text, 'running'::text])) = (ended_at IS NULL))))
);
CREATE INDEX deploys_by_repository ON deploys (environment_id, repository_id, created_at DESC, id DESC) WHERE (dry_run = false);
CREATE INDEX deploys_leased ON deploys (lease_expires_at) WHERE (status = 'running'::text);
CREATE INDEX deploys_page ON deploys (environment_id, created_at DESC, id DESC) WHERE (dry_run = false);
CREATE INDEX deploys_queued ON deploys (created_at) WHERE (status = 'queued'::text);

CREATE TABLE environments (
  id uuid NOT NULL,
  name text NOT NULL,
  protected boolean NOT NULL DEFAULT false,
  description text,
  retention_days integer,
  retention_set_at timestamptz(3),
  retention_set_by uuid,
  created_at timestamptz(3) NOT NULL,
  created_by uuid,
  deleted_at timestamptz(3),
  deleted_by uuid,
  purge_after timestamptz(3),
  purge_requested boolean NOT NULL DEFAULT false,
  purged_at timestamptz(3),
  drop_id uuid,
  maintain_compact boolean NOT NULL DEFAULT false,
  maintain_expire_days integer,
  quota_concurrent_queries integer,
  quota_storage_bytes bigint,
  storage_location text,
  storage_secret text,
  CONSTRAINT environments_pkey PRIMARY KEY (id),
  CONSTRAINT environments_deleted_how CHECK ((num_nulls(deleted_at, purge_after, drop_id) = ANY (ARRAY[0, 3]))),
  CONSTRAINT environments_purged_once_deleted CHECK (((purged_at IS NULL) OR (deleted_at IS NOT NULL))),
  CONSTRAINT environments_quotas CHECK (((quota_storage_bytes >= 0) AND (quota_concurrent_queries >= 1))),
  CONSTRAINT environments_retention_range CHECK (((retention_days >= 1) AND (retention_days <= 3650))),
  CONSTRAINT environments_storage CHECK ((((storage_location ~~ 's3://%'::text) AND (storage_location !~~ '%/'::text)) OR ((storage_location IS NULL) AND (storage_secret IS NULL))))
);
CREATE UNIQUE INDEX environments_name_held ON environments (name) WHERE (purged_at IS NULL);
CREATE UNIQUE INDEX environments_storage_held ON environments (storage_location) WHERE ((purged_at IS NULL) AND (storage_location IS NOT NULL));
CREATE INDEX environments_to_purge ON environments (purge_after) WHERE ((deleted_at IS NOT NULL) AND (purged_at IS NULL));

CREATE TABLE grants (
  id uuid NOT NULL,
  principal_id uuid,
  group_id uuid,
  role text,
  action text,
  kind text NOT NULL,
  environment_id uuid,
  namespace_id uuid,
  table_id uuid,
  object_id uuid NOT NULL,
  created_at timestamptz(3) NOT NULL,
  created_by uuid,
  ended_at timestamptz(3),
  ended_by uuid,
  ended_by_drop uuid,
  CONSTRAINT grants_pkey PRIMARY KEY (id),
  CONSTRAINT grants_object CHECK ((((kind = 'INSTANCE'::text) AND (num_nonnulls(environment_id, namespace_id, table_id) = 0)) OR ((kind = 'ENVIRONMENT'::text) AND (environment_id IS NOT NULL) AND (num_nonnulls(namespace_id, table_id) = 0)) OR ((kind = 'NAMESPACE'::text) AND (num_nonnulls(environment_id, namespace_id) = 2) AND (table_id IS NULL)) OR ((kind = 'TABLE'::text) AND (num_nonnulls(environment_id, namespace_id, table_id) = 3)))),
  CONSTRAINT grants_object_id CHECK ((object_id = COALESCE(table_id, namespace_id, environment_id, '00000000-0000-0000-0000-000000000000'::uuid))),
  CONSTRAINT grants_one_right CHECK ((num_nonnulls(role, action) = 1)),
  CONSTRAINT grants_one_target CHECK ((num_nonnulls(principal_id, group_id) = 1))
);
CREATE INDEX grants_by_action ON grants (action, created_at DESC, id DESC) WHERE (ended_at IS NULL);
CREATE INDEX grants_by_role ON grants (role, created_at DESC, id DESC) WHERE (ended_at IS NULL);
CREATE INDEX grants_in_environment ON grants (environment_id) WHERE (ended_at IS NULL);
CREATE INDEX grants_of_drop ON grants (ended_by_drop);
CREATE INDEX grants_of_group ON grants (group_id, object_id) WHERE (ended_at IS NULL);
CREATE INDEX grants_of_principal ON grants (principal_id, object_id) WHERE (ended_at IS NULL);
CREATE INDEX grants_on_object ON grants (object_id, created_at DESC, id DESC) WHERE (ended_at IS NULL);
CREATE INDEX grants_page ON grants (created_at DESC, id DESC) WHERE (ended_at IS NULL);
CREATE INDEX grants_to_groups ON grants (object_id, group_id) WHERE ((ended_at IS NULL) AND (group_id IS NOT NULL));

CREATE TABLE group_members (
  id uuid NOT NULL,
  group_id uuid NOT NULL,
  principal_id uuid NOT NULL,
  added_at timestamptz(3) NOT NULL,
  added_by uuid,
  removed_at timestamptz(3),
  removed_by uuid,
  CONSTRAINT group_members_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX group_members_live ON group_members (group_id, principal_id) WHERE (removed_at IS NULL);
CREATE INDEX group_members_of_principal ON group_members (principal_id) WHERE (removed_at IS NULL);

CREATE TABLE groups (
  id uuid NOT NULL,
  name text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  created_by uuid,
  deleted_at timestamptz(3),
  deleted_by uuid,
  CONSTRAINT groups_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX groups_name_live ON groups (name) WHERE (deleted_at IS NULL);
CREATE INDEX groups_page ON groups (created_at DESC, id DESC);

CREATE TABLE idempotency_keys (
  principal_id uuid NOT NULL,
  method text NOT NULL,
  path text NOT NULL,
  key text NOT NULL,
  body_hash bytea NOT NULL,
  status integer NOT NULL,
  answer json,
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  CONSTRAINT idempotency_keys_pkey PRIMARY KEY (principal_id, method, path, key)
);
CREATE INDEX idempotency_keys_to_remove ON idempotency_keys (expires_at);

CREATE TABLE job_starts (
  id uuid NOT NULL,
  job_id uuid NOT NULL,
  environment_id uuid NOT NULL,
  repository_id uuid NOT NULL,
  trigger text NOT NULL,
  requesters uuid[],
  requested_at timestamptz(3) NOT NULL,
  scheduled_for timestamptz(3),
  missed integer NOT NULL DEFAULT 0,
  merged integer NOT NULL DEFAULT 1,
  ended_at timestamptz(3),
  run_id uuid,
  reason text,
  CONSTRAINT job_starts_pkey PRIMARY KEY (id)
);
CREATE INDEX job_starts_of_project ON job_starts (environment_id, repository_id, requested_at) WHERE (ended_at IS NULL);
CREATE UNIQUE INDEX job_starts_one_waiting ON job_starts (job_id) WHERE (ended_at IS NULL);
CREATE INDEX job_starts_waiting ON job_starts (requested_at) WHERE (ended_at IS NULL);

CREATE TABLE jobs (
  id uuid NOT NULL,
  environment_id uuid NOT NULL,
  repository_id uuid NOT NULL,
  name text NOT NULL,
  definition jsonb NOT NULL,
  cron text,
  timezone text,
  paused boolean NOT NULL DEFAULT false,
  next_run_at timestamptz(3),
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  removed_at timestamptz(3),
  zone_database text,
  tasks jsonb,
  CONSTRAINT jobs_pkey PRIMARY KEY (id)
);
CREATE INDEX jobs_due ON jobs (next_run_at, id) WHERE ((removed_at IS NULL) AND (NOT paused));
CREATE UNIQUE INDEX jobs_live ON jobs (environment_id, repository_id, name) WHERE (removed_at IS NULL);

CREATE TABLE leases (
  name text NOT NULL,
  holder uuid NOT NULL,
  fence bigint NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  CONSTRAINT leases_pkey PRIMARY KEY (name)
);

CREATE TABLE maintenance (
  id uuid NOT NULL,
  environment_id uuid NOT NULL,
  table_id uuid NOT NULL,
  requested_by uuid,
  compact boolean NOT NULL,
  expire_days integer,
  status text NOT NULL,
  result jsonb,
  error jsonb,
  created_at timestamptz(3) NOT NULL,
  started_at timestamptz(3),
  ended_at timestamptz(3),
  attempts integer NOT NULL DEFAULT 0,
  lease_owner uuid,
  lease_fence bigint NOT NULL DEFAULT 0,
  lease_expires_at timestamptz(3),
  request_id text,
  traceparent text,
  CONSTRAINT maintenance_pkey PRIMARY KEY (id),
  CONSTRAINT maintenance_status CHECK (((status = ANY (ARRAY['queued'::text, 'running'::text, 'succeeded'::text, 'failed'::text, 'cancelled'::text])) AND ((status = ANY (ARRAY['queued'::text, 'running'::text])) = (ended_at IS NULL))))
);
CREATE INDEX maintenance_leased ON maintenance (lease_expires_at) WHERE (status = 'running'::text);
CREATE INDEX maintenance_of_table ON maintenance (table_id, created_at DESC);
CREATE INDEX maintenance_queued ON maintenance (created_at) WHERE (status = 'queued'::text);

CREATE TABLE namespaces (
  id uuid NOT NULL,
  environment_id uuid NOT NULL,
  path text NOT NULL,
  path_key text NOT NULL,
  description text,
  properties jsonb NOT NULL DEFAULT '{}'::jsonb,
  created_at timestamptz(3) NOT NULL,
  created_by uuid,
  dropped_at timestamptz(3),
  dropped_by uuid,
  CONSTRAINT namespaces_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX namespaces_path_live ON namespaces (environment_id, path_key) WHERE (dropped_at IS NULL);

CREATE TABLE package_indexes (
  id uuid NOT NULL,
  name text NOT NULL,
  url text NOT NULL,
  credential_secret text,
  created_at timestamptz(3) NOT NULL,
  created_by uuid,
  updated_at timestamptz(3) NOT NULL,
  deleted_at timestamptz(3),
  deleted_by uuid,
  CONSTRAINT package_indexes_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX package_indexes_name_live ON package_indexes (name) WHERE (deleted_at IS NULL);
CREATE UNIQUE INDEX package_indexes_url_live ON package_indexes (url) WHERE (deleted_at IS NULL);

CREATE TABLE principals (
  id uuid NOT NULL,
  name text NOT NULL,
  type text NOT NULL,
  active boolean NOT NULL DEFAULT true,
  password_hash text,
  created_at timestamptz(3) NOT NULL,
  created_by uuid,
  deactivated_at timestamptz(3),
  deleted_at timestamptz(3),
  deleted_by uuid,
  CONSTRAINT principals_pkey PRIMARY KEY (id),
  CONSTRAINT principals_type CHECK ((type = ANY (ARRAY['person'::text, 'service-account'::text])))
);
CREATE UNIQUE INDEX principals_name_live ON principals (name) WHERE (deleted_at IS NULL);
CREATE INDEX principals_page ON principals (created_at DESC, id DESC);

CREATE TABLE project_versions (
  id uuid NOT NULL,
  environment_id uuid NOT NULL,
  repository_id uuid NOT NULL,
  deploy_id uuid NOT NULL,
  commit text,
  location text NOT NULL,
  name text NOT NULL,
  python text,
  lock_hash text,
  assets jsonb NOT NULL,
  jobs jsonb NOT NULL,
  package_indexes jsonb NOT NULL DEFAULT '[]'::jsonb,
  created_at timestamptz(3) NOT NULL,
  created_by uuid NOT NULL,
  defaults jsonb NOT NULL DEFAULT '{"retries": 0, "timeoutSeconds": null}'::jsonb,
  CONSTRAINT project_versions_pkey PRIMARY KEY (id)
);
CREATE INDEX project_versions_of_project ON project_versions (environment_id, repository_id, created_at DESC);

CREATE TABLE queries (
  id uuid NOT NULL,
  environment_id uuid NOT NULL,
  submitter_id uuid NOT NULL,
  status text NOT NULL,
  sql_text text NOT NULL,
  into_namespace text,
  into_table text,
  mode text,
  expire_after integer,
  break_glass text,
  token_kind text NOT NULL,
  run_id uuid,
  tables jsonb NOT NULL DEFAULT '[]'::jsonb,
  columns jsonb,
  row_count bigint,
  first_rows jsonb,
  result_location text,
  result_expires_at timestamptz(3),
  progress double precision,
  error jsonb,
  created_at timestamptz(3) NOT NULL,
  started_at timestamptz(3),
  ended_at timestamptz(3),
  cancel_requested_at timestamptz(3),
  attempts integer NOT NULL DEFAULT 0,
  lease_owner uuid,
  lease_fence bigint NOT NULL DEFAULT 0,
  lease_expires_at timestamptz(3),
  request_id text,
  recent boolean NOT NULL DEFAULT true,
  retention_error jsonb,
  placed boolean NOT NULL DEFAULT false,
  traceparent text,
  CONSTRAINT queries_pkey PRIMARY KEY (id),
  CONSTRAINT queries_status CHECK (((status = ANY (ARRAY['waiting'::text, 'queued'::text, 'running'::text, 'succeeded'::text, 'failed'::text, 'cancelled'::text])) AND ((status = ANY (ARRAY['waiting'::text, 'queued'::text, 'running'::text])) = (ended_at IS NULL))))
);
CREATE INDEX queries_ended ON queries (environment_id, ended_at) WHERE (recent = true);
CREATE INDEX queries_failed ON queries (environment_id, status, created_at DESC, id DESC) WHERE (recent AND (status = ANY (ARRAY['failed'::text, 'cancelled'::text])));
CREATE INDEX queries_leased ON queries (lease_expires_at) WHERE (status = 'running'::text);
CREATE INDEX queries_not_ended ON queries (environment_id, created_at DESC, id DESC) WHERE (ended_at IS NULL);
CREATE INDEX queries_of_submitter ON queries (environment_id, submitter_id, created_at DESC, id DESC) WHERE (recent = true);
CREATE INDEX queries_page ON queries (environment_id, created_at DESC, id DESC) WHERE (recent = true);
CREATE INDEX queries_placed ON queries (environment_id) WHERE (placed AND (ended_at IS NULL));
CREATE INDEX queries_queued ON queries (created_at) WHERE (status = 'queued'::text);
CREATE INDEX queries_results_to_remove ON queries (result_expires_at) WHERE ((result_location IS NOT NULL) OR (first_rows IS NOT NULL));
CREATE INDEX queries_waiting ON queries (environment_id, created_at, id) WHERE (status = 'waiting'::text);

CREATE TABLE repositories (
  id uuid NOT NULL,
  name text NOT NULL,
  url text,
  default_ref text,
  folder text,
  credential_secret text,
  created_at timestamptz(3) NOT NULL,
  created_by uuid,
  updated_at timestamptz(3) NOT NULL,
  deleted_at timestamptz(3),
  deleted_by uuid,
  CONSTRAINT repositories_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX repositories_name_live ON repositories (name) WHERE (deleted_at IS NULL);

CREATE TABLE row_filters (
  id uuid NOT NULL,
  table_id uuid NOT NULL,
  principal_id uuid,
  group_id uuid,
  predicate text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  created_by uuid,
  ended_at timestamptz(3),
  ended_by uuid,
  ended_by_drop uuid,
  broken_at timestamptz(3),
  fields jsonb,
  CONSTRAINT row_filters_pkey PRIMARY KEY (id),
  CONSTRAINT row_filters_one_target CHECK ((num_nonnulls(principal_id, group_id) = 1))
);
CREATE INDEX row_filters_live ON row_filters (table_id) WHERE (ended_at IS NULL);
CREATE INDEX row_filters_of_drop ON row_filters (ended_by_drop);

CREATE TABLE run_logs (
  run_id uuid NOT NULL,
  sequence bigserial NOT NULL,
  asset text,
  stream text NOT NULL,
  "time" timestamptz(3) NOT NULL,
  line text NOT NULL,
  CONSTRAINT run_logs_pkey PRIMARY KEY (run_id, sequence)
);

CREATE TABLE run_tasks (
  id uuid NOT NULL,
  run_id uuid NOT NULL,
  "position" integer NOT NULL,
  asset text NOT NULL,
  depends_on jsonb NOT NULL,
  status text NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  rows bigint,
  error jsonb,
  started_at timestamptz(3),
  ended_at timestamptz(3),
  CONSTRAINT run_tasks_pkey PRIMARY KEY (id),
  CONSTRAINT run_tasks_status CHECK ((status = ANY (ARRAY['queued'::text, 'running'::text, 'succeeded'::text, 'failed'::text, 'cancelled'::text, 'skipped'::text])))
);
CREATE UNIQUE INDEX run_tasks_run_id_position_key ON run_tasks (run_id, "position");

CREATE TABLE runs (
  id uuid NOT NULL,
  environment_id uuid NOT NULL,
  repository_id uuid NOT NULL,
  project_version_id uuid NOT NULL,
  job text,
  trigger text,
  principal_id uuid NOT NULL,
  requested_by uuid,
  status text NOT NULL,
  "select" jsonb NOT NULL,
  upstream boolean NOT NULL DEFAULT false,
  downstream boolean NOT NULL DEFAULT false,
  scheduled_for timestamptz(3),
  missed integer NOT NULL DEFAULT 0,
  retry_of uuid,
  timeout_seconds integer,
  error jsonb,
  created_at timestamptz(3) NOT NULL,
  started_at timestamptz(3),
  ended_at timestamptz(3),
  cancel_requested_at timestamptz(3),
  attempts integer NOT NULL DEFAULT 0,
  lease_owner uuid,
  lease_fence bigint NOT NULL DEFAULT 0,
  lease_expires_at timestamptz(3),
  request_id text,
  planned jsonb,
  traceparent text,
  CONSTRAINT runs_pkey PRIMARY KEY (id),
  CONSTRAINT runs_status CHECK (((status = ANY (ARRAY['queued'::text, 'running'::text, 'succeeded'::text, 'failed'::text, 'cancelled'::text])) AND ((status = ANY (ARRAY['queued'::text, 'running'::text])) = (ended_at IS NULL)))),
  CONSTRAINT runs_trigger CHECK ((trigger = ANY (ARRAY['manual'::text, 'api'::text, 'schedule'::text])))
);
CREATE INDEX runs_active ON runs (environment_id, created_at DESC, id DESC) WHERE (ended_at IS NULL);
CREATE INDEX runs_by_job ON runs (environment_id, job, created_at DESC, id DESC) WHERE (ended_at IS NOT NULL);
CREATE INDEX runs_by_repository ON runs (environment_id, repository_id, created_at DESC, id DESC) WHERE (ended_at IS NOT NULL);
CREATE INDEX runs_by_status ON runs (environment_id, status, created_at DESC, id DESC) WHERE (ended_at IS NOT NULL);
CREATE INDEX runs_by_trigger ON runs (environment_id, trigger, created_at DESC, id DESC) WHERE (ended_at IS NOT NULL);
CREATE INDEX runs_leased ON runs (lease_expires_at) WHERE (status = 'running'::text);
CREATE INDEX runs_of_job ON runs (environment_id, repository_id, job, created_at DESC) WHERE (ended_at IS NOT NULL);
CREATE UNIQUE INDEX runs_one_active ON runs (environment_id, repository_id) WHERE (status = ANY (ARRAY['queued'::text, 'running'::text]));
CREATE INDEX runs_page ON runs (environment_id, created_at DESC, id DESC) WHERE (ended_at IS NOT NULL);
CREATE INDEX runs_queued ON runs (created_at) WHERE (status = 'queued'::text);

CREATE TABLE secrets (
  id uuid NOT NULL,
  environment_id uuid NOT NULL,
  name text NOT NULL,
  key_id text NOT NULL,
  sealed bytea NOT NULL,
  facts jsonb NOT NULL,
  use text,
  package_index_id uuid,
  repository_id uuid,
  created_at timestamptz(3) NOT NULL,
  created_by uuid,
  rotated_at timestamptz(3),
  rotated_by uuid,
  bound_at timestamptz(3),
  bound_by uuid,
  revoked_at timestamptz(3),
  revoked_by uuid,
  CONSTRAINT secrets_pkey PRIMARY KEY (id),
  CONSTRAINT secrets_one_use CHECK ((((package_index_id IS NOT NULL) = (COALESCE(use, ''::text) = 'package-index'::text)) AND ((repository_id IS NOT NULL) = (COALESCE(use, ''::text) = 'repository'::text)))),
  CONSTRAINT secrets_use CHECK ((use = ANY (ARRAY['package-index'::text, 'repository'::text, 'environment'::text])))
);
CREATE UNIQUE INDEX secrets_name_live ON secrets (environment_id, name) WHERE (revoked_at IS NULL);
CREATE INDEX secrets_named ON secrets (name) WHERE (revoked_at IS NULL);
CREATE INDEX secrets_of_index ON secrets (package_index_id) WHERE (revoked_at IS NULL);
CREATE INDEX secrets_of_repository ON secrets (repository_id) WHERE (revoked_at IS NULL);

CREATE TABLE sign_in_throttles (
  key text NOT NULL,
  failures integer NOT NULL,
  window_ends timestamptz(3) NOT NULL,
  CONSTRAINT sign_in_throttles_pkey PRIMARY KEY (key)
);

CREATE TABLE table_creations (
  location text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  CONSTRAINT table_creations_pkey PRIMARY KEY (location)
);
CREATE INDEX table_creations_by_age ON table_creations (created_at);

CREATE TABLE table_reads (
  id bigserial NOT NULL,
  table_id uuid NOT NULL,
  principal_id uuid NOT NULL,
  read_at timestamptz(3) NOT NULL,
  CONSTRAINT table_reads_pkey PRIMARY KEY (id)
);
CREATE INDEX table_reads_of_table ON table_reads (table_id, read_at);
CREATE INDEX table_reads_to_remove ON table_reads (read_at);

CREATE TABLE tables (
  id uuid NOT NULL,
  environment_id uuid NOT NULL,
  namespace_id uuid NOT NULL,
  name text NOT NULL,
  name_key text NOT NULL,
  kind text NOT NULL,
  description text,
  owner_id uuid,
  columns jsonb NOT NULL,
  location text,
  metadata_location text,
  format text,
  view_sql text,
  row_count bigint,
  size_bytes bigint,
  file_count integer,
  snapshot_id bigint,
  created_at timestamptz(3) NOT NULL,
  created_by uuid,
  updated_at timestamptz(3) NOT NULL,
  last_write_at timestamptz(3),
  last_read_at timestamptz(3),
  retention_days integer,
  retention_on date,
  retention_never boolean NOT NULL DEFAULT false,
  retention_set_at timestamptz(3),
  retention_set_by uuid,
  built_by_repository uuid,
  watermark text,
  dropped_at timestamptz(3),
  dropped_by uuid,
  drop_id uuid,
  drop_reason text,
  purge_after timestamptz(3),
  purge_started_at timestamptz(3),
  purged_at timestamptz(3),
  expires_at timestamptz(3),
  held_at timestamptz(3),
  held_by uuid,
  hold_reason text,
  hold_until timestamptz(3),
  idle_since timestamptz(3),
  purge_attempts integer NOT NULL DEFAULT 0,
  purge_bytes bigint NOT NULL DEFAULT 0,
  purge_error text,
  purge_files bigint NOT NULL DEFAULT 0,
  restored_at timestamptz(3),
  CONSTRAINT tables_pkey PRIMARY KEY (id),
  CONSTRAINT tables_drop_reason CHECK ((drop_reason = ANY (ARRAY['user'::text, 'purge'::text, 'environment_deleted'::text, 'retention'::text]))),
  CONSTRAINT tables_dropped_how CHECK ((num_nulls(dropped_at, drop_id, drop_reason) = ANY (ARRAY[0, 3]))),
  CONSTRAINT tables_held_why CHECK ((((held_at IS NULL) = (hold_reason IS NULL)) AND ((hold_until IS NULL) OR (held_at IS NOT NULL)))),
  CONSTRAINT tables_kind CHECK ((kind = ANY (ARRAY['managed'::text, 'external'::text, 'view'::text, 'artifact'::text]))),
  CONSTRAINT tables_one_retention CHECK (((num_nonnulls(retention_days, retention_on) + CASE WHEN retention_never THEN 1 ELSE 0 END) <= 1)),
  CONSTRAINT tables_purged_once_dropped CHECK (((num_nonnulls(purge_after, purge_started_at, purged_at) = 0) OR (dropped_at IS NOT NULL))),
  CONSTRAINT tables_retention_range CHECK (((retention_days >= 1) AND (retention_days <= 3650)))
);
CREATE INDEX tables_dropped ON tables (namespace_id, dropped_at DESC, id DESC) WHERE ((dropped_at IS NOT NULL) AND (purged_at IS NULL));
CREATE INDEX tables_expiring ON tables (environment_id, expires_at, id) WHERE (expires_at IS NOT NULL);
CREATE INDEX tables_idle ON tables (environment_id, idle_since, id) WHERE (idle_since IS NOT NULL);
CREATE INDEX tables_idle_ids ON tables (environment_id, id) WHERE (idle_since IS NOT NULL);
CREATE INDEX tables_location_bytes ON tables (location COLLATE "C") WHERE (purged_at IS NULL);
CREATE UNIQUE INDEX tables_location_held ON tables (location) WHERE ((purged_at IS NULL) AND (kind <> 'external'::text));
CREATE UNIQUE INDEX tables_name_live ON tables (namespace_id, name_key) WHERE (dropped_at IS NULL);
CREATE INDEX tables_of_namespace ON tables (environment_id, namespace_id);
CREATE INDEX tables_purges ON tables (namespace_id, purge_after DESC, id DESC) WHERE (purge_after IS NOT NULL);
CREATE INDEX tables_to_purge ON tables (purge_after, id) WHERE ((dropped_at IS NOT NULL) AND (purged_at IS NULL));
CREATE TRIGGER tables_expiry BEFORE INSERT OR UPDATE ON tables FOR EACH ROW EXECUTE FUNCTION tables_expiry();

CREATE TABLE tokens (
  id uuid NOT NULL,
  principal_id uuid NOT NULL,
  name text NOT NULL,
  kind text NOT NULL,
  hash bytea NOT NULL,
  environment_id uuid,
  run_id uuid,
  task_id uuid,
  created_at timestamptz(3) NOT NULL,
  created_by uuid,
  expires_at timestamptz(3),
  revoked_at timestamptz(3),
  revoked_by uuid,
  CONSTRAINT tokens_pkey PRIMARY KEY (id),
  CONSTRAINT tokens_kind CHECK ((kind = ANY (ARRAY['personal'::text, 'service-account'::text, 'session'::text, 'task'::text])))
);
CREATE UNIQUE INDEX tokens_hash_key ON tokens (hash);
CREATE INDEX tokens_of_principal ON tokens (principal_id, created_at);
CREATE INDEX tokens_of_run ON tokens (run_id) WHERE (revoked_at IS NULL);

CREATE TABLE webhook_deliveries (
  run_id uuid NOT NULL,
  secret text NOT NULL,
  status text NOT NULL,
  tries integer NOT NULL DEFAULT 0,
  due_at timestamptz(3) NOT NULL,
  outcome text,
  created_at timestamptz(3) NOT NULL,
  ended_at timestamptz(3),
  CONSTRAINT webhook_deliveries_pkey PRIMARY KEY (run_id)
);
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (due_at) WHERE (status = 'waiting'::text);
CREATE INDEX webhook_deliveries_ended ON webhook_deliveries (ended_at) WHERE (ended_at IS NOT NULL);

CREATE TABLE workers (
  id uuid NOT NULL,
  host text NOT NULL,
  started_at timestamptz(3) NOT NULL,
  seen_at timestamptz(3) NOT NULL,
  isolation text NOT NULL,
  task_limits jsonb NOT NULL,
  notes text[],
  CONSTRAINT workers_pkey PRIMARY KEY (id)
);

CREATE TABLE writes (
  id uuid NOT NULL,
  environment_id uuid NOT NULL,
  table_id uuid NOT NULL,
  requested_by uuid NOT NULL,
  mode text NOT NULL,
  format text NOT NULL,
  staged_location text NOT NULL,
  watermark text,
  break_glass text,
  run_id uuid,
  status text NOT NULL,
  rows bigint,
  snapshot_id bigint,
  error jsonb,
  created_at timestamptz(3) NOT NULL,
  started_at timestamptz(3),
  ended_at timestamptz(3),
  attempts integer NOT NULL DEFAULT 0,
  lease_owner uuid,
  lease_fence bigint NOT NULL DEFAULT 0,
  lease_expires_at timestamptz(3),
  request_id text,
  traceparent text,
  CONSTRAINT writes_pkey PRIMARY KEY (id),
  CONSTRAINT writes_status CHECK (((status = ANY (ARRAY['queued'::text, 'running'::text, 'succeeded'::text, 'failed'::text, 'cancelled'::text])) AND ((status = ANY (ARRAY['queued'::text, 'running'::text])) = (ended_at IS NULL))))
);
CREATE INDEX writes_leased ON writes (lease_expires_at) WHERE (status = 'running'::text);
CREATE INDEX writes_pending_of_table ON writes (table_id) WHERE (status = ANY (ARRAY['queued'::text, 'running'::text]));
CREATE INDEX writes_queued ON writes (created_at) WHERE (status = 'queued'::text);
