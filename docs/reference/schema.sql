-- Written by "npm run generate": the schema after all of prisma/migrations. Do not edit.

CREATE OR REPLACE FUNCTION public.table_search_text(namespace_id uuid, name text, description text, columns jsonb)
 RETURNS text
 LANGUAGE plpgsql
 STABLE
AS $function$
BEGIN
  RETURN lower(concat_ws(E'\n', (SELECT n.path FROM namespaces n WHERE n.id = namespace_id) || '.' || name, description,
    (SELECT string_agg(concat_ws(E'\n', c.name, c.description), E'\n' ORDER BY c.position)
     FROM ROWS FROM (jsonb_to_recordset(columns) AS (name text, description text)) WITH ORDINALITY
       AS c(name, description, position))));
END $function$
;

CREATE OR REPLACE FUNCTION public.tables_expiry()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
END $function$
;

CREATE OR REPLACE FUNCTION public.tables_search()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF NEW.dropped_at IS NOT NULL THEN
    DELETE FROM table_search_texts WHERE table_id = NEW.id;
  ELSE
    INSERT INTO table_search_texts (table_id, environment_id, text)
    VALUES (NEW.id, NEW.environment_id, table_search_text(NEW.namespace_id, NEW.name, NEW.description, NEW.columns))
    ON CONFLICT (table_id) DO UPDATE SET text = excluded.text;
  END IF;
  RETURN NULL;
END $function$
;

CREATE TABLE access_requests (
  id uuid NOT NULL,
  principal_id uuid NOT NULL,
  role text,
  action text,
  kind text NOT NULL,
  environment text,
  namespace text,
  table_name text,
  wanted text NOT NULL,
  reason text,
  expires_at timestamp(3) with time zone,
  state text NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  decided_at timestamp(3) with time zone,
  decided_by uuid,
  comment text,
  grant_id uuid,
  service_account text
);
ALTER TABLE access_requests ADD CONSTRAINT access_requests_pkey PRIMARY KEY (id);
CREATE INDEX access_requests_by_state ON public.access_requests USING btree (state, created_at DESC, id DESC);
CREATE INDEX access_requests_of_principal ON public.access_requests USING btree (principal_id, created_at DESC, id DESC);
CREATE UNIQUE INDEX access_requests_pending ON public.access_requests USING btree (principal_id, wanted) WHERE (state = 'pending'::text);

CREATE TABLE activity_views (
  principal_id uuid NOT NULL,
  view text NOT NULL,
  object_id uuid NOT NULL,
  targeting_key text NOT NULL,
  began_at timestamp(3) with time zone NOT NULL
);
ALTER TABLE activity_views ADD CONSTRAINT activity_views_pkey PRIMARY KEY (principal_id, view, object_id, targeting_key);

CREATE TABLE audit_activations (
  event_id uuid NOT NULL,
  "time" timestamp(3) with time zone NOT NULL,
  principal_id uuid NOT NULL,
  active boolean NOT NULL
);
ALTER TABLE audit_activations ADD CONSTRAINT audit_activations_pkey PRIMARY KEY (event_id);

CREATE TABLE audit_archives (
  until timestamp(3) with time zone NOT NULL,
  since timestamp(3) with time zone NOT NULL,
  rows bigint NOT NULL,
  first_sequence bigint NOT NULL,
  last_sequence bigint NOT NULL,
  last_hash bytea NOT NULL,
  metadata_location text NOT NULL,
  snapshot_id bigint NOT NULL,
  bytes bigint NOT NULL,
  types text[] NOT NULL,
  principal_ids uuid[] NOT NULL,
  environment_ids uuid[] NOT NULL,
  archived_at timestamp(3) with time zone NOT NULL
);
ALTER TABLE audit_archives ADD CONSTRAINT audit_archives_pkey PRIMARY KEY (metadata_location);

CREATE TABLE audit_events (
  id uuid NOT NULL,
  sequence bigint,
  "time" timestamp(3) with time zone NOT NULL,
  type text NOT NULL,
  principal_id uuid,
  principal text,
  environment_id uuid,
  object jsonb NOT NULL,
  request_id text,
  detail jsonb NOT NULL,
  hash bytea
) PARTITION BY RANGE ("time");
CREATE INDEX audit_events_by_environment ON ONLY public.audit_events USING btree (environment_id, "time" DESC, id DESC) WHERE (sequence IS NOT NULL);
CREATE INDEX audit_events_by_object ON ONLY public.audit_events USING btree (environment_id, "left"((object ->> 'namespace'::text), 256), "time" DESC, id DESC, "left"((object ->> 'table'::text), 128)) WHERE ((sequence IS NOT NULL) AND ((object ->> 'namespace'::text) IS NOT NULL));
CREATE INDEX audit_events_by_principal ON ONLY public.audit_events USING btree (principal_id, "time" DESC, id DESC) WHERE (sequence IS NOT NULL);
CREATE INDEX audit_events_by_request ON ONLY public.audit_events USING btree (request_id, "time" DESC, id DESC) WHERE ((sequence IS NOT NULL) AND (request_id IS NOT NULL));
CREATE INDEX audit_events_by_type ON ONLY public.audit_events USING btree (type, "time" DESC, id DESC) WHERE (sequence IS NOT NULL);
CREATE INDEX audit_events_page ON ONLY public.audit_events USING btree ("time" DESC, id DESC) WHERE (sequence IS NOT NULL);
CREATE INDEX audit_events_unsealed ON ONLY public.audit_events USING btree ("time" DESC, id DESC) WHERE (sequence IS NULL);

CREATE TABLE audit_events_first (
  id uuid NOT NULL,
  sequence bigint,
  "time" timestamp(3) with time zone NOT NULL,
  type text NOT NULL,
  principal_id uuid,
  principal text,
  environment_id uuid,
  object jsonb NOT NULL,
  request_id text,
  detail jsonb NOT NULL,
  hash bytea
);
ALTER TABLE audit_events_first ADD CONSTRAINT audit_events_first_pkey PRIMARY KEY (id);
CREATE INDEX audit_events_first_by_environment ON public.audit_events_first USING btree (environment_id, "time" DESC, id DESC) WHERE (sequence IS NOT NULL);
CREATE INDEX audit_events_first_by_object ON public.audit_events_first USING btree (environment_id, "left"((object ->> 'namespace'::text), 256), "time" DESC, id DESC, "left"((object ->> 'table'::text), 128)) WHERE ((sequence IS NOT NULL) AND ((object ->> 'namespace'::text) IS NOT NULL));
CREATE INDEX audit_events_first_by_principal ON public.audit_events_first USING btree (principal_id, "time" DESC, id DESC) WHERE (sequence IS NOT NULL);
CREATE INDEX audit_events_first_by_request ON public.audit_events_first USING btree (request_id, "time" DESC, id DESC) WHERE ((sequence IS NOT NULL) AND (request_id IS NOT NULL));
CREATE INDEX audit_events_first_by_type ON public.audit_events_first USING btree (type, "time" DESC, id DESC) WHERE (sequence IS NOT NULL);
CREATE INDEX audit_events_first_page ON public.audit_events_first USING btree ("time" DESC, id DESC) WHERE (sequence IS NOT NULL);
CREATE UNIQUE INDEX audit_events_first_sequence_key ON public.audit_events_first USING btree (sequence) WHERE (sequence IS NOT NULL);
CREATE INDEX audit_events_first_unsealed ON public.audit_events_first USING btree ("time" DESC, id DESC) WHERE (sequence IS NULL);
ALTER TABLE audit_events ATTACH PARTITION audit_events_first FOR VALUES FROM (MINVALUE) TO ((date_trunc('month', now() AT TIME ZONE 'UTC') + interval '2 months') AT TIME ZONE 'UTC');

CREATE TABLE audit_events_future (
  id uuid NOT NULL,
  sequence bigint,
  "time" timestamp(3) with time zone NOT NULL,
  type text NOT NULL,
  principal_id uuid,
  principal text,
  environment_id uuid,
  object jsonb NOT NULL,
  request_id text,
  detail jsonb NOT NULL,
  hash bytea
);
ALTER TABLE audit_events_future ADD CONSTRAINT audit_events_future_pkey PRIMARY KEY (id);
CREATE INDEX audit_events_future_environment_id_left_time_id_left1_idx ON public.audit_events_future USING btree (environment_id, "left"((object ->> 'namespace'::text), 256), "time" DESC, id DESC, "left"((object ->> 'table'::text), 128)) WHERE ((sequence IS NOT NULL) AND ((object ->> 'namespace'::text) IS NOT NULL));
CREATE INDEX audit_events_future_environment_id_time_id_idx ON public.audit_events_future USING btree (environment_id, "time" DESC, id DESC) WHERE (sequence IS NOT NULL);
CREATE INDEX audit_events_future_principal_id_time_id_idx ON public.audit_events_future USING btree (principal_id, "time" DESC, id DESC) WHERE (sequence IS NOT NULL);
CREATE INDEX audit_events_future_request_id_time_id_idx ON public.audit_events_future USING btree (request_id, "time" DESC, id DESC) WHERE ((sequence IS NOT NULL) AND (request_id IS NOT NULL));
CREATE UNIQUE INDEX audit_events_future_sequence_key ON public.audit_events_future USING btree (sequence) WHERE (sequence IS NOT NULL);
CREATE INDEX audit_events_future_time_id_idx ON public.audit_events_future USING btree ("time" DESC, id DESC) WHERE (sequence IS NOT NULL);
CREATE INDEX audit_events_future_time_id_idx1 ON public.audit_events_future USING btree ("time" DESC, id DESC) WHERE (sequence IS NULL);
CREATE INDEX audit_events_future_type_time_id_idx ON public.audit_events_future USING btree (type, "time" DESC, id DESC) WHERE (sequence IS NOT NULL);
ALTER TABLE audit_events ATTACH PARTITION audit_events_future FOR VALUES FROM ((date_trunc('month', now() AT TIME ZONE 'UTC') + interval '2 months') AT TIME ZONE 'UTC') TO (MAXVALUE);

CREATE TABLE audit_head (
  id integer NOT NULL DEFAULT 1,
  sequence bigint NOT NULL,
  hash bytea NOT NULL,
  key_id text,
  mac bytea,
  signed_hash bytea,
  signed_sequence bigint,
  signed_since timestamp(3) with time zone,
  signed_since_sequence bigint
);
ALTER TABLE audit_head ADD CONSTRAINT audit_head_pkey PRIMARY KEY (id);

CREATE TABLE bundles (
  id uuid NOT NULL,
  environment_id uuid NOT NULL,
  location text NOT NULL,
  sha256 text NOT NULL,
  size_bytes bigint NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  created_by uuid NOT NULL,
  expires_at timestamp(3) with time zone NOT NULL
);
ALTER TABLE bundles ADD CONSTRAINT bundles_pkey PRIMARY KEY (id);
CREATE INDEX bundles_to_remove ON public.bundles USING btree (expires_at);

CREATE TABLE column_masks (
  id uuid NOT NULL,
  table_id uuid NOT NULL,
  principal_id uuid,
  group_id uuid,
  "column" text NOT NULL,
  expression text NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  created_by uuid,
  ended_at timestamp(3) with time zone,
  ended_by uuid,
  ended_by_drop uuid,
  broken_at timestamp(3) with time zone,
  fields jsonb
);
ALTER TABLE column_masks ADD CONSTRAINT column_masks_pkey PRIMARY KEY (id);
ALTER TABLE column_masks ADD CONSTRAINT column_masks_one_target CHECK ((num_nonnulls(principal_id, group_id) = 1));
CREATE INDEX column_masks_live ON public.column_masks USING btree (table_id) WHERE (ended_at IS NULL);
CREATE INDEX column_masks_of_drop ON public.column_masks USING btree (ended_by_drop);

CREATE TABLE deployments (
  id uuid NOT NULL,
  environment_id uuid NOT NULL,
  repository_id uuid NOT NULL,
  project_version_id uuid NOT NULL,
  previous_version_id uuid,
  run_as_id uuid,
  created_at timestamp(3) with time zone NOT NULL,
  created_by uuid NOT NULL,
  updated_at timestamp(3) with time zone NOT NULL,
  ended_at timestamp(3) with time zone,
  ended_by uuid,
  rolled_back_at timestamp(3) with time zone
);
ALTER TABLE deployments ADD CONSTRAINT deployments_pkey PRIMARY KEY (id);
CREATE UNIQUE INDEX deployments_live ON public.deployments USING btree (environment_id, repository_id) WHERE (ended_at IS NULL);

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
  created_at timestamp(3) with time zone NOT NULL,
  started_at timestamp(3) with time zone,
  ended_at timestamp(3) with time zone,
  attempts integer NOT NULL DEFAULT 0,
  lease_owner uuid,
  lease_fence bigint NOT NULL DEFAULT 0,
  lease_expires_at timestamp(3) with time zone,
  request_id text,
  traceparent text,
  assets jsonb,
  dirty boolean,
  dev_namespace text,
  previous_version_id uuid,
  token_actions jsonb
);
ALTER TABLE deploys ADD CONSTRAINT deploys_pkey PRIMARY KEY (id);
ALTER TABLE deploys ADD CONSTRAINT deploys_status CHECK (((status = ANY (ARRAY['queued'::text, 'running'::text, 'succeeded'::text, 'failed'::text, 'cancelled'::text])) AND ((status = ANY (ARRAY['queued'::text, 'running'::text])) = (ended_at IS NULL))));
CREATE INDEX deploys_by_repository ON public.deploys USING btree (environment_id, repository_id, created_at DESC, id DESC) WHERE (dry_run = false);
CREATE INDEX deploys_leased ON public.deploys USING btree (lease_expires_at) WHERE (status = 'running'::text);
CREATE INDEX deploys_page ON public.deploys USING btree (environment_id, created_at DESC, id DESC) WHERE (dry_run = false);
CREATE INDEX deploys_queued ON public.deploys USING btree (created_at) WHERE (status = 'queued'::text);

CREATE TABLE environments (
  id uuid NOT NULL,
  name text NOT NULL,
  protected boolean NOT NULL DEFAULT false,
  description text,
  retention_days integer,
  retention_set_at timestamp(3) with time zone,
  retention_set_by uuid,
  created_at timestamp(3) with time zone NOT NULL,
  created_by uuid,
  deleted_at timestamp(3) with time zone,
  deleted_by uuid,
  purge_after timestamp(3) with time zone,
  purge_requested boolean NOT NULL DEFAULT false,
  purged_at timestamp(3) with time zone,
  drop_id uuid,
  maintain_compact boolean NOT NULL DEFAULT false,
  maintain_expire_days integer,
  quota_concurrent_queries integer,
  quota_storage_bytes bigint,
  storage_location text,
  storage_secret text
);
ALTER TABLE environments ADD CONSTRAINT environments_pkey PRIMARY KEY (id);
ALTER TABLE environments ADD CONSTRAINT environments_deleted_how CHECK ((num_nulls(deleted_at, purge_after, drop_id) = ANY (ARRAY[0, 3])));
ALTER TABLE environments ADD CONSTRAINT environments_purged_once_deleted CHECK (((purged_at IS NULL) OR (deleted_at IS NOT NULL)));
ALTER TABLE environments ADD CONSTRAINT environments_quotas CHECK (((quota_storage_bytes >= 0) AND (quota_concurrent_queries >= 1)));
ALTER TABLE environments ADD CONSTRAINT environments_retention_range CHECK (((retention_days >= 1) AND (retention_days <= 3650)));
ALTER TABLE environments ADD CONSTRAINT environments_storage CHECK ((((storage_location ~ '^(s3|gs|abfss)://'::text) AND (storage_location !~~ '%/'::text)) OR ((storage_location IS NULL) AND (storage_secret IS NULL))));
CREATE UNIQUE INDEX environments_name_held ON public.environments USING btree (name) WHERE (purged_at IS NULL);
CREATE UNIQUE INDEX environments_storage_held ON public.environments USING btree (storage_location) WHERE ((purged_at IS NULL) AND (storage_location IS NOT NULL));
CREATE INDEX environments_to_purge ON public.environments USING btree (purge_after) WHERE ((deleted_at IS NOT NULL) AND (purged_at IS NULL));

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
  created_at timestamp(3) with time zone NOT NULL,
  created_by uuid,
  ended_at timestamp(3) with time zone,
  ended_by uuid,
  ended_by_drop uuid,
  expires_at timestamp(3) with time zone,
  service_account_id uuid,
  last_used_at timestamp(3) with time zone
);
ALTER TABLE grants ADD CONSTRAINT grants_pkey PRIMARY KEY (id);
ALTER TABLE grants ADD CONSTRAINT grants_object CHECK (
CASE kind
    WHEN 'INSTANCE'::text THEN (num_nonnulls(environment_id, namespace_id, table_id, service_account_id) = 0)
    WHEN 'ENVIRONMENT'::text THEN ((environment_id IS NOT NULL) AND (num_nonnulls(namespace_id, table_id, service_account_id) = 0))
    WHEN 'NAMESPACE'::text THEN ((num_nonnulls(environment_id, namespace_id) = 2) AND (num_nonnulls(table_id, service_account_id) = 0))
    WHEN 'TABLE'::text THEN ((num_nonnulls(environment_id, namespace_id, table_id) = 3) AND (service_account_id IS NULL))
    WHEN 'SERVICE_ACCOUNT'::text THEN ((service_account_id IS NOT NULL) AND (num_nonnulls(environment_id, namespace_id, table_id) = 0))
    ELSE false
END);
ALTER TABLE grants ADD CONSTRAINT grants_object_id CHECK ((object_id = COALESCE(service_account_id, table_id, namespace_id, environment_id, '00000000-0000-0000-0000-000000000000'::uuid)));
ALTER TABLE grants ADD CONSTRAINT grants_one_right CHECK ((num_nonnulls(role, action) = 1));
ALTER TABLE grants ADD CONSTRAINT grants_one_target CHECK ((num_nonnulls(principal_id, group_id) = 1));
CREATE INDEX grants_by_action ON public.grants USING btree (action, created_at DESC, id DESC) WHERE (ended_at IS NULL);
CREATE INDEX grants_by_role ON public.grants USING btree (role, created_at DESC, id DESC) WHERE (ended_at IS NULL);
CREATE INDEX grants_expiring ON public.grants USING btree (expires_at) WHERE ((ended_at IS NULL) AND (expires_at IS NOT NULL));
CREATE INDEX grants_in_environment ON public.grants USING btree (environment_id) WHERE (ended_at IS NULL);
CREATE INDEX grants_of_drop ON public.grants USING btree (ended_by_drop);
CREATE INDEX grants_of_group ON public.grants USING btree (group_id, object_id) WHERE (ended_at IS NULL);
CREATE INDEX grants_of_principal ON public.grants USING btree (principal_id, object_id) WHERE (ended_at IS NULL);
CREATE INDEX grants_on_object ON public.grants USING btree (object_id, created_at DESC, id DESC) WHERE (ended_at IS NULL);
CREATE INDEX grants_page ON public.grants USING btree (created_at DESC, id DESC) WHERE (ended_at IS NULL);
CREATE INDEX grants_to_groups ON public.grants USING btree (object_id, group_id) WHERE ((ended_at IS NULL) AND (group_id IS NOT NULL));

CREATE TABLE group_members (
  id uuid NOT NULL,
  group_id uuid NOT NULL,
  principal_id uuid NOT NULL,
  added_at timestamp(3) with time zone NOT NULL,
  added_by uuid,
  removed_at timestamp(3) with time zone,
  removed_by uuid,
  identity_provider_id uuid
);
ALTER TABLE group_members ADD CONSTRAINT group_members_pkey PRIMARY KEY (id);
CREATE UNIQUE INDEX group_members_live ON public.group_members USING btree (group_id, principal_id) WHERE (removed_at IS NULL);
CREATE INDEX group_members_of_principal ON public.group_members USING btree (principal_id) WHERE (removed_at IS NULL);

CREATE TABLE groups (
  id uuid NOT NULL,
  name text NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  created_by uuid,
  deleted_at timestamp(3) with time zone,
  deleted_by uuid
);
ALTER TABLE groups ADD CONSTRAINT groups_pkey PRIMARY KEY (id);
CREATE UNIQUE INDEX groups_name_live ON public.groups USING btree (name) WHERE (deleted_at IS NULL);
CREATE INDEX groups_page ON public.groups USING btree (created_at DESC, id DESC);

CREATE TABLE idempotency_keys (
  principal_id uuid NOT NULL,
  method text NOT NULL,
  path text NOT NULL,
  key text NOT NULL,
  body_hash bytea NOT NULL,
  status integer NOT NULL,
  answer json,
  created_at timestamp(3) with time zone NOT NULL,
  expires_at timestamp(3) with time zone NOT NULL
);
ALTER TABLE idempotency_keys ADD CONSTRAINT idempotency_keys_pkey PRIMARY KEY (principal_id, method, path, key);
CREATE INDEX idempotency_keys_to_remove ON public.idempotency_keys USING btree (expires_at);

CREATE TABLE identities (
  id uuid NOT NULL,
  identity_provider_id uuid NOT NULL,
  subject text NOT NULL,
  principal_id uuid NOT NULL,
  email text,
  linked_at timestamp(3) with time zone NOT NULL,
  linked_by uuid,
  last_sign_in_at timestamp(3) with time zone,
  ended_at timestamp(3) with time zone,
  ended_by uuid
);
ALTER TABLE identities ADD CONSTRAINT identities_pkey PRIMARY KEY (id);
CREATE UNIQUE INDEX identities_principal_live ON public.identities USING btree (principal_id, identity_provider_id) WHERE (ended_at IS NULL);
CREATE UNIQUE INDEX identities_subject_live ON public.identities USING btree (identity_provider_id, subject) WHERE (ended_at IS NULL);

CREATE TABLE identity_providers (
  id uuid NOT NULL,
  name text NOT NULL,
  issuer text NOT NULL,
  client_id text NOT NULL,
  key_id text,
  sealed bytea,
  scopes text[],
  link_by text NOT NULL,
  create_people boolean NOT NULL,
  email_domains text[],
  groups_claim text,
  group_mapping jsonb NOT NULL,
  active boolean NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  created_by uuid,
  updated_at timestamp(3) with time zone NOT NULL,
  deleted_at timestamp(3) with time zone,
  deleted_by uuid,
  scim_account_id uuid
);
ALTER TABLE identity_providers ADD CONSTRAINT identity_providers_pkey PRIMARY KEY (id);
CREATE UNIQUE INDEX identity_providers_name_live ON public.identity_providers USING btree (name) WHERE (deleted_at IS NULL);
CREATE UNIQUE INDEX identity_providers_scim_account ON public.identity_providers USING btree (scim_account_id) WHERE (deleted_at IS NULL);

CREATE TABLE instance (
  singleton boolean NOT NULL DEFAULT true,
  id uuid NOT NULL
);
ALTER TABLE instance ADD CONSTRAINT instance_pkey PRIMARY KEY (singleton);
ALTER TABLE instance ADD CONSTRAINT instance_singleton CHECK (singleton);

CREATE TABLE job_starts (
  id uuid NOT NULL,
  job_id uuid NOT NULL,
  environment_id uuid NOT NULL,
  repository_id uuid NOT NULL,
  trigger text NOT NULL,
  requesters uuid[],
  requested_at timestamp(3) with time zone NOT NULL,
  scheduled_for timestamp(3) with time zone,
  missed integer NOT NULL DEFAULT 0,
  merged integer NOT NULL DEFAULT 1,
  ended_at timestamp(3) with time zone,
  run_id uuid,
  reason text
);
ALTER TABLE job_starts ADD CONSTRAINT job_starts_pkey PRIMARY KEY (id);
CREATE INDEX job_starts_of_project ON public.job_starts USING btree (environment_id, repository_id, requested_at) WHERE (ended_at IS NULL);
CREATE UNIQUE INDEX job_starts_one_waiting ON public.job_starts USING btree (job_id) WHERE (ended_at IS NULL);
CREATE INDEX job_starts_waiting ON public.job_starts USING btree (requested_at) WHERE (ended_at IS NULL);

CREATE TABLE jobs (
  id uuid NOT NULL,
  environment_id uuid NOT NULL,
  repository_id uuid NOT NULL,
  name text NOT NULL,
  definition jsonb NOT NULL,
  cron text,
  timezone text,
  paused boolean NOT NULL DEFAULT false,
  next_run_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone NOT NULL,
  updated_at timestamp(3) with time zone NOT NULL,
  removed_at timestamp(3) with time zone,
  zone_database text,
  tasks jsonb
);
ALTER TABLE jobs ADD CONSTRAINT jobs_pkey PRIMARY KEY (id);
CREATE INDEX jobs_due ON public.jobs USING btree (next_run_at, id) WHERE ((removed_at IS NULL) AND (NOT paused));
CREATE UNIQUE INDEX jobs_live ON public.jobs USING btree (environment_id, repository_id, name) WHERE (removed_at IS NULL);

CREATE TABLE leases (
  name text NOT NULL,
  holder uuid NOT NULL,
  fence bigint NOT NULL,
  expires_at timestamp(3) with time zone NOT NULL
);
ALTER TABLE leases ADD CONSTRAINT leases_pkey PRIMARY KEY (name);

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
  created_at timestamp(3) with time zone NOT NULL,
  started_at timestamp(3) with time zone,
  ended_at timestamp(3) with time zone,
  attempts integer NOT NULL DEFAULT 0,
  lease_owner uuid,
  lease_fence bigint NOT NULL DEFAULT 0,
  lease_expires_at timestamp(3) with time zone,
  request_id text,
  traceparent text,
  bloom_filters text[] DEFAULT ARRAY[]::text[],
  sort_by text[] DEFAULT ARRAY[]::text[]
);
ALTER TABLE maintenance ADD CONSTRAINT maintenance_pkey PRIMARY KEY (id);
ALTER TABLE maintenance ADD CONSTRAINT maintenance_status CHECK (((status = ANY (ARRAY['queued'::text, 'running'::text, 'succeeded'::text, 'failed'::text, 'cancelled'::text])) AND ((status = ANY (ARRAY['queued'::text, 'running'::text])) = (ended_at IS NULL))));
CREATE INDEX maintenance_leased ON public.maintenance USING btree (lease_expires_at) WHERE (status = 'running'::text);
CREATE INDEX maintenance_of_table ON public.maintenance USING btree (table_id, created_at DESC);
CREATE INDEX maintenance_queued ON public.maintenance USING btree (created_at) WHERE (status = 'queued'::text);

CREATE TABLE namespaces (
  id uuid NOT NULL,
  environment_id uuid NOT NULL,
  path text NOT NULL,
  path_key text NOT NULL,
  description text,
  properties jsonb NOT NULL DEFAULT '{}'::jsonb,
  created_at timestamp(3) with time zone NOT NULL,
  created_by uuid,
  dropped_at timestamp(3) with time zone,
  dropped_by uuid
);
ALTER TABLE namespaces ADD CONSTRAINT namespaces_pkey PRIMARY KEY (id);
CREATE UNIQUE INDEX namespaces_path_live ON public.namespaces USING btree (environment_id, path_key) WHERE (dropped_at IS NULL);

CREATE TABLE package_indexes (
  id uuid NOT NULL,
  name text NOT NULL,
  url text NOT NULL,
  credential_secret text,
  created_at timestamp(3) with time zone NOT NULL,
  created_by uuid,
  updated_at timestamp(3) with time zone NOT NULL,
  deleted_at timestamp(3) with time zone,
  deleted_by uuid
);
ALTER TABLE package_indexes ADD CONSTRAINT package_indexes_pkey PRIMARY KEY (id);
CREATE UNIQUE INDEX package_indexes_name_live ON public.package_indexes USING btree (name) WHERE (deleted_at IS NULL);
CREATE UNIQUE INDEX package_indexes_url_live ON public.package_indexes USING btree (url) WHERE (deleted_at IS NULL);

CREATE TABLE principals (
  id uuid NOT NULL,
  name text NOT NULL,
  type text NOT NULL,
  active boolean NOT NULL DEFAULT true,
  password_hash text,
  created_at timestamp(3) with time zone NOT NULL,
  created_by uuid,
  deactivated_at timestamp(3) with time zone,
  deleted_at timestamp(3) with time zone,
  deleted_by uuid,
  email text,
  must_change_password boolean NOT NULL DEFAULT false
);
ALTER TABLE principals ADD CONSTRAINT principals_pkey PRIMARY KEY (id);
ALTER TABLE principals ADD CONSTRAINT principals_type CHECK ((type = ANY (ARRAY['person'::text, 'service-account'::text])));
CREATE UNIQUE INDEX principals_email_live ON public.principals USING btree (email) WHERE (deleted_at IS NULL);
CREATE UNIQUE INDEX principals_name_live ON public.principals USING btree (name) WHERE (deleted_at IS NULL);
CREATE INDEX principals_page ON public.principals USING btree (created_at DESC, id DESC);

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
  created_at timestamp(3) with time zone NOT NULL,
  created_by uuid NOT NULL,
  defaults jsonb NOT NULL DEFAULT '{"retries": 0, "timeoutSeconds": null}'::jsonb,
  dirty boolean,
  dev_namespace text,
  code jsonb,
  network text[] DEFAULT ARRAY[]::text[]
);
ALTER TABLE project_versions ADD CONSTRAINT project_versions_pkey PRIMARY KEY (id);
CREATE INDEX project_versions_of_project ON public.project_versions USING btree (environment_id, repository_id, created_at DESC);

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
  result_expires_at timestamp(3) with time zone,
  progress double precision,
  error jsonb,
  created_at timestamp(3) with time zone NOT NULL,
  started_at timestamp(3) with time zone,
  ended_at timestamp(3) with time zone,
  cancel_requested_at timestamp(3) with time zone,
  attempts integer NOT NULL DEFAULT 0,
  lease_owner uuid,
  lease_fence bigint NOT NULL DEFAULT 0,
  lease_expires_at timestamp(3) with time zone,
  request_id text,
  recent boolean NOT NULL DEFAULT true,
  retention_error jsonb,
  placed boolean NOT NULL DEFAULT false,
  traceparent text,
  cached boolean NOT NULL DEFAULT false,
  use_cache boolean NOT NULL DEFAULT true,
  is_long boolean NOT NULL DEFAULT false,
  params jsonb,
  affected jsonb,
  dry_run boolean NOT NULL DEFAULT false,
  client jsonb,
  parameter_types jsonb,
  search_path jsonb,
  source text,
  preview jsonb,
  token_actions jsonb
);
ALTER TABLE queries ADD CONSTRAINT queries_pkey PRIMARY KEY (id);
ALTER TABLE queries ADD CONSTRAINT queries_status CHECK (((status = ANY (ARRAY['waiting'::text, 'queued'::text, 'running'::text, 'succeeded'::text, 'failed'::text, 'cancelled'::text])) AND ((status = ANY (ARRAY['waiting'::text, 'queued'::text, 'running'::text])) = (ended_at IS NULL))));
CREATE INDEX queries_ended ON public.queries USING btree (environment_id, ended_at) WHERE (recent = true);
CREATE INDEX queries_failed ON public.queries USING btree (environment_id, status, created_at DESC, id DESC) WHERE (recent AND (status = ANY (ARRAY['failed'::text, 'cancelled'::text])));
CREATE INDEX queries_lanes ON public.queries USING btree (is_long, submitter_id, created_at, id) WHERE (status = 'queued'::text);
CREATE INDEX queries_leased ON public.queries USING btree (lease_expires_at) WHERE (status = 'running'::text);
CREATE INDEX queries_not_ended ON public.queries USING btree (environment_id, created_at DESC, id DESC) WHERE (ended_at IS NULL);
CREATE INDEX queries_of_submitter ON public.queries USING btree (environment_id, submitter_id, created_at DESC, id DESC) WHERE (recent = true);
CREATE INDEX queries_page ON public.queries USING btree (environment_id, created_at DESC, id DESC) WHERE (recent = true);
CREATE INDEX queries_placed ON public.queries USING btree (environment_id) WHERE (placed AND (ended_at IS NULL));
CREATE INDEX queries_queued ON public.queries USING btree (created_at) WHERE (status = 'queued'::text);
CREATE INDEX queries_results_to_remove ON public.queries USING btree (result_expires_at) WHERE ((result_location IS NOT NULL) OR (first_rows IS NOT NULL));
CREATE INDEX queries_waiting ON public.queries USING btree (environment_id, created_at, id) WHERE (status = 'waiting'::text);

CREATE TABLE query_tabs (
  environment_id uuid NOT NULL,
  owner_id uuid NOT NULL,
  id uuid NOT NULL,
  version integer NOT NULL,
  title text,
  sql_text text NOT NULL,
  parameters jsonb NOT NULL,
  query_id uuid,
  saved_query_id uuid,
  chart jsonb,
  created_at timestamp(3) with time zone NOT NULL,
  updated_at timestamp(3) with time zone NOT NULL,
  saved_query_version integer
);
ALTER TABLE query_tabs ADD CONSTRAINT query_tabs_pkey PRIMARY KEY (environment_id, owner_id, id);

CREATE TABLE recovery_codes (
  id uuid NOT NULL,
  principal_id uuid NOT NULL,
  hash bytea NOT NULL,
  used_at timestamp(3) with time zone
);
ALTER TABLE recovery_codes ADD CONSTRAINT recovery_codes_pkey PRIMARY KEY (id);
CREATE UNIQUE INDEX recovery_codes_of_principal ON public.recovery_codes USING btree (principal_id, hash);

CREATE TABLE removed_creations (
  location text NOT NULL,
  removed_at timestamp(3) with time zone NOT NULL
);
ALTER TABLE removed_creations ADD CONSTRAINT removed_creations_pkey PRIMARY KEY (location);

CREATE TABLE repositories (
  id uuid NOT NULL,
  name text NOT NULL,
  url text,
  default_ref text,
  folder text,
  credential_secret text,
  created_at timestamp(3) with time zone NOT NULL,
  created_by uuid,
  updated_at timestamp(3) with time zone NOT NULL,
  deleted_at timestamp(3) with time zone,
  deleted_by uuid
);
ALTER TABLE repositories ADD CONSTRAINT repositories_pkey PRIMARY KEY (id);
CREATE UNIQUE INDEX repositories_name_live ON public.repositories USING btree (name) WHERE (deleted_at IS NULL);

CREATE TABLE request_counts (
  minute bigint NOT NULL,
  token_id uuid NOT NULL,
  requests integer NOT NULL
);
ALTER TABLE request_counts ADD CONSTRAINT request_counts_pkey PRIMARY KEY (minute, token_id);

CREATE TABLE row_filters (
  id uuid NOT NULL,
  table_id uuid NOT NULL,
  principal_id uuid,
  group_id uuid,
  predicate text NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  created_by uuid,
  ended_at timestamp(3) with time zone,
  ended_by uuid,
  ended_by_drop uuid,
  broken_at timestamp(3) with time zone,
  fields jsonb
);
ALTER TABLE row_filters ADD CONSTRAINT row_filters_pkey PRIMARY KEY (id);
ALTER TABLE row_filters ADD CONSTRAINT row_filters_one_target CHECK ((num_nonnulls(principal_id, group_id) = 1));
CREATE INDEX row_filters_live ON public.row_filters USING btree (table_id) WHERE (ended_at IS NULL);
CREATE INDEX row_filters_of_drop ON public.row_filters USING btree (ended_by_drop);

CREATE TABLE run_logs (
  run_id uuid NOT NULL,
  sequence bigint NOT NULL DEFAULT nextval('run_logs_sequence_seq'::regclass),
  asset text,
  stream text NOT NULL,
  "time" timestamp(3) with time zone NOT NULL,
  line text NOT NULL
);
ALTER TABLE run_logs ADD CONSTRAINT run_logs_pkey PRIMARY KEY (run_id, sequence);

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
  started_at timestamp(3) with time zone,
  ended_at timestamp(3) with time zone,
  checks jsonb,
  past_attempts jsonb
);
ALTER TABLE run_tasks ADD CONSTRAINT run_tasks_pkey PRIMARY KEY (id);
ALTER TABLE run_tasks ADD CONSTRAINT run_tasks_status CHECK ((status = ANY (ARRAY['queued'::text, 'running'::text, 'succeeded'::text, 'failed'::text, 'cancelled'::text, 'skipped'::text])));
CREATE UNIQUE INDEX run_tasks_run_id_position_key ON public.run_tasks USING btree (run_id, "position");

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
  scheduled_for timestamp(3) with time zone,
  missed integer NOT NULL DEFAULT 0,
  retry_of uuid,
  timeout_seconds integer,
  error jsonb,
  created_at timestamp(3) with time zone NOT NULL,
  started_at timestamp(3) with time zone,
  ended_at timestamp(3) with time zone,
  cancel_requested_at timestamp(3) with time zone,
  attempts integer NOT NULL DEFAULT 0,
  lease_owner uuid,
  lease_fence bigint NOT NULL DEFAULT 0,
  lease_expires_at timestamp(3) with time zone,
  request_id text,
  planned jsonb,
  traceparent text,
  full_refresh boolean NOT NULL DEFAULT false,
  log_location text
);
ALTER TABLE runs ADD CONSTRAINT runs_pkey PRIMARY KEY (id);
ALTER TABLE runs ADD CONSTRAINT runs_status CHECK (((status = ANY (ARRAY['queued'::text, 'running'::text, 'succeeded'::text, 'failed'::text, 'cancelled'::text])) AND ((status = ANY (ARRAY['queued'::text, 'running'::text])) = (ended_at IS NULL))));
ALTER TABLE runs ADD CONSTRAINT runs_trigger CHECK ((trigger = ANY (ARRAY['manual'::text, 'api'::text, 'schedule'::text])));
CREATE INDEX runs_active ON public.runs USING btree (environment_id, created_at DESC, id DESC) WHERE (ended_at IS NULL);
CREATE INDEX runs_by_end ON public.runs USING btree (environment_id, ended_at, created_at) WHERE (ended_at IS NOT NULL);
CREATE INDEX runs_by_job ON public.runs USING btree (environment_id, job, created_at DESC, id DESC) WHERE (ended_at IS NOT NULL);
CREATE INDEX runs_by_log ON public.runs USING btree (log_location) WHERE (log_location IS NOT NULL);
CREATE INDEX runs_by_repository ON public.runs USING btree (environment_id, repository_id, created_at DESC, id DESC) WHERE (ended_at IS NOT NULL);
CREATE INDEX runs_by_retry ON public.runs USING btree (retry_of, created_at DESC, id DESC) WHERE (retry_of IS NOT NULL);
CREATE INDEX runs_by_status ON public.runs USING btree (environment_id, status, created_at DESC, id DESC) WHERE (ended_at IS NOT NULL);
CREATE INDEX runs_by_trigger ON public.runs USING btree (environment_id, trigger, created_at DESC, id DESC) WHERE (ended_at IS NOT NULL);
CREATE INDEX runs_leased ON public.runs USING btree (lease_expires_at) WHERE (status = 'running'::text);
CREATE INDEX runs_of_job ON public.runs USING btree (environment_id, repository_id, job, created_at DESC) WHERE (ended_at IS NOT NULL);
CREATE UNIQUE INDEX runs_one_active ON public.runs USING btree (environment_id, repository_id) WHERE (status = ANY (ARRAY['queued'::text, 'running'::text]));
CREATE INDEX runs_page ON public.runs USING btree (environment_id, created_at DESC, id DESC) WHERE (ended_at IS NOT NULL);
CREATE INDEX runs_queued ON public.runs USING btree (created_at) WHERE (status = 'queued'::text);
CREATE INDEX runs_with_log ON public.runs USING btree (ended_at) WHERE ((ended_at IS NOT NULL) AND (log_location IS NULL));

CREATE TABLE saved_queries (
  id uuid NOT NULL,
  environment_id uuid NOT NULL,
  owner_id uuid NOT NULL,
  name text NOT NULL,
  description text,
  sql_text text NOT NULL,
  parameters jsonb NOT NULL,
  shared boolean NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  updated_at timestamp(3) with time zone NOT NULL,
  version integer NOT NULL DEFAULT 1
);
ALTER TABLE saved_queries ADD CONSTRAINT saved_queries_pkey PRIMARY KEY (id);
CREATE UNIQUE INDEX saved_queries_name ON public.saved_queries USING btree (environment_id, owner_id, name);

CREATE TABLE scim_resources (
  id uuid NOT NULL,
  identity_provider_id uuid NOT NULL,
  kind text NOT NULL,
  external_id text,
  attributes jsonb NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  updated_at timestamp(3) with time zone NOT NULL
);
ALTER TABLE scim_resources ADD CONSTRAINT scim_resources_pkey PRIMARY KEY (id);
CREATE UNIQUE INDEX scim_resources_external_id ON public.scim_resources USING btree (identity_provider_id, kind, external_id);
CREATE INDEX scim_resources_page ON public.scim_resources USING btree (identity_provider_id, kind, created_at, id);

CREATE TABLE second_factors (
  id uuid NOT NULL,
  principal_id uuid NOT NULL,
  kind text NOT NULL,
  name text NOT NULL,
  key_id text,
  sealed bytea,
  last_step bigint,
  credential_id text,
  public_key bytea,
  counter bigint,
  transports text[],
  created_at timestamp(3) with time zone NOT NULL,
  last_used_at timestamp(3) with time zone
);
ALTER TABLE second_factors ADD CONSTRAINT second_factors_pkey PRIMARY KEY (id);
CREATE UNIQUE INDEX second_factors_credential_id_key ON public.second_factors USING btree (credential_id);
CREATE UNIQUE INDEX second_factors_of_principal ON public.second_factors USING btree (principal_id, name);

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
  created_at timestamp(3) with time zone NOT NULL,
  created_by uuid,
  rotated_at timestamp(3) with time zone,
  rotated_by uuid,
  bound_at timestamp(3) with time zone,
  bound_by uuid,
  revoked_at timestamp(3) with time zone,
  revoked_by uuid
);
ALTER TABLE secrets ADD CONSTRAINT secrets_pkey PRIMARY KEY (id);
ALTER TABLE secrets ADD CONSTRAINT secrets_one_use CHECK ((((package_index_id IS NOT NULL) = (COALESCE(use, ''::text) = 'package-index'::text)) AND ((repository_id IS NOT NULL) = (COALESCE(use, ''::text) = 'repository'::text))));
ALTER TABLE secrets ADD CONSTRAINT secrets_use CHECK ((use = ANY (ARRAY['package-index'::text, 'repository'::text, 'environment'::text])));
CREATE UNIQUE INDEX secrets_name_live ON public.secrets USING btree (environment_id, name) WHERE (revoked_at IS NULL);
CREATE INDEX secrets_named ON public.secrets USING btree (name) WHERE (revoked_at IS NULL);
CREATE INDEX secrets_of_index ON public.secrets USING btree (package_index_id) WHERE (revoked_at IS NULL);
CREATE INDEX secrets_of_repository ON public.secrets USING btree (repository_id) WHERE (revoked_at IS NULL);

CREATE TABLE sign_in_throttles (
  key text NOT NULL,
  failures integer NOT NULL,
  window_ends timestamp(3) with time zone NOT NULL
);
ALTER TABLE sign_in_throttles ADD CONSTRAINT sign_in_throttles_pkey PRIMARY KEY (key);

CREATE TABLE snapshot_sources (
  table_id uuid NOT NULL,
  snapshot_id bigint NOT NULL,
  principal_id uuid,
  run_id uuid,
  asset text,
  query_id uuid,
  write_id uuid,
  created_at timestamp(3) with time zone NOT NULL
);
ALTER TABLE snapshot_sources ADD CONSTRAINT snapshot_sources_pkey PRIMARY KEY (table_id, snapshot_id);
CREATE INDEX snapshot_sources_by_run ON public.snapshot_sources USING btree (run_id) WHERE (run_id IS NOT NULL);

CREATE TABLE staging_tables (
  id uuid NOT NULL,
  environment_id uuid NOT NULL,
  principal_id uuid NOT NULL,
  location text NOT NULL,
  metadata_location text NOT NULL,
  is_written boolean NOT NULL DEFAULT false,
  created_at timestamp(3) with time zone NOT NULL,
  expires_at timestamp(3) with time zone NOT NULL,
  task_id uuid,
  base_location text
);
ALTER TABLE staging_tables ADD CONSTRAINT staging_tables_pkey PRIMARY KEY (id);
CREATE INDEX staging_tables_to_remove ON public.staging_tables USING btree (expires_at);

CREATE TABLE table_creations (
  location text NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  removal_started_at timestamp(3) with time zone
);
ALTER TABLE table_creations ADD CONSTRAINT table_creations_pkey PRIMARY KEY (location);
CREATE INDEX table_creations_by_age ON public.table_creations USING btree (created_at);

CREATE TABLE table_inputs (
  table_id uuid NOT NULL,
  input_id uuid NOT NULL,
  is_read boolean NOT NULL,
  input_snapshot_id bigint,
  columns jsonb,
  run_id uuid NOT NULL,
  project_version_id uuid NOT NULL,
  built_at timestamp(3) with time zone NOT NULL
);
ALTER TABLE table_inputs ADD CONSTRAINT table_inputs_pkey PRIMARY KEY (table_id, input_id);
CREATE INDEX table_inputs_by_input ON public.table_inputs USING btree (input_id);

CREATE TABLE table_reads (
  id bigint NOT NULL DEFAULT nextval('table_reads_id_seq'::regclass),
  table_id uuid NOT NULL,
  principal_id uuid NOT NULL,
  read_at timestamp(3) with time zone NOT NULL
);
ALTER TABLE table_reads ADD CONSTRAINT table_reads_pkey PRIMARY KEY (id);
CREATE INDEX table_reads_of_table ON public.table_reads USING btree (table_id, read_at);
CREATE INDEX table_reads_to_remove ON public.table_reads USING btree (read_at);

CREATE TABLE table_search_texts (
  table_id uuid NOT NULL,
  environment_id uuid NOT NULL,
  text text NOT NULL
);
ALTER TABLE table_search_texts ADD CONSTRAINT table_search_texts_pkey PRIMARY KEY (table_id);
CREATE INDEX table_search_texts_of_environment ON public.table_search_texts USING btree (environment_id);

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
  created_at timestamp(3) with time zone NOT NULL,
  created_by uuid,
  updated_at timestamp(3) with time zone NOT NULL,
  last_write_at timestamp(3) with time zone,
  last_read_at timestamp(3) with time zone,
  retention_days integer,
  retention_on date,
  retention_never boolean NOT NULL DEFAULT false,
  retention_set_at timestamp(3) with time zone,
  retention_set_by uuid,
  built_by_repository uuid,
  watermark text,
  dropped_at timestamp(3) with time zone,
  dropped_by uuid,
  drop_id uuid,
  drop_reason text,
  purge_after timestamp(3) with time zone,
  purge_started_at timestamp(3) with time zone,
  purged_at timestamp(3) with time zone,
  expires_at timestamp(3) with time zone,
  held_at timestamp(3) with time zone,
  held_by uuid,
  hold_reason text,
  hold_until timestamp(3) with time zone,
  idle_since timestamp(3) with time zone,
  purge_attempts integer NOT NULL DEFAULT 0,
  purge_bytes bigint NOT NULL DEFAULT 0,
  purge_error text,
  purge_files bigint NOT NULL DEFAULT 0,
  restored_at timestamp(3) with time zone
);
ALTER TABLE tables ADD CONSTRAINT tables_pkey PRIMARY KEY (id);
ALTER TABLE tables ADD CONSTRAINT tables_drop_reason CHECK ((drop_reason = ANY (ARRAY['user'::text, 'purge'::text, 'environment_deleted'::text, 'retention'::text])));
ALTER TABLE tables ADD CONSTRAINT tables_dropped_how CHECK ((num_nulls(dropped_at, drop_id, drop_reason) = ANY (ARRAY[0, 3])));
ALTER TABLE tables ADD CONSTRAINT tables_held_why CHECK ((((held_at IS NULL) = (hold_reason IS NULL)) AND ((hold_until IS NULL) OR (held_at IS NOT NULL))));
ALTER TABLE tables ADD CONSTRAINT tables_kind CHECK ((kind = ANY (ARRAY['managed'::text, 'external'::text, 'view'::text, 'artifact'::text])));
ALTER TABLE tables ADD CONSTRAINT tables_one_retention CHECK (((num_nonnulls(retention_days, retention_on) +
CASE
    WHEN retention_never THEN 1
    ELSE 0
END) <= 1));
ALTER TABLE tables ADD CONSTRAINT tables_purged_once_dropped CHECK (((num_nonnulls(purge_after, purge_started_at, purged_at) = 0) OR (dropped_at IS NOT NULL)));
ALTER TABLE tables ADD CONSTRAINT tables_retention_range CHECK (((retention_days >= 1) AND (retention_days <= 3650)));
CREATE INDEX tables_dropped ON public.tables USING btree (namespace_id, dropped_at DESC, id DESC) WHERE ((dropped_at IS NOT NULL) AND (purged_at IS NULL));
CREATE INDEX tables_expiring ON public.tables USING btree (environment_id, expires_at, id) WHERE (expires_at IS NOT NULL);
CREATE INDEX tables_idle ON public.tables USING btree (environment_id, idle_since, id) WHERE (idle_since IS NOT NULL);
CREATE INDEX tables_idle_ids ON public.tables USING btree (environment_id, id) WHERE (idle_since IS NOT NULL);
CREATE INDEX tables_location_bytes ON public.tables USING btree (location COLLATE "C") WHERE (purged_at IS NULL);
CREATE UNIQUE INDEX tables_location_held ON public.tables USING btree (location) WHERE ((purged_at IS NULL) AND (kind <> 'external'::text));
CREATE UNIQUE INDEX tables_name_live ON public.tables USING btree (namespace_id, name_key) WHERE (dropped_at IS NULL);
CREATE INDEX tables_of_namespace ON public.tables USING btree (environment_id, namespace_id);
CREATE INDEX tables_purges ON public.tables USING btree (namespace_id, purge_after DESC, id DESC) WHERE (purge_after IS NOT NULL);
CREATE INDEX tables_to_purge ON public.tables USING btree (purge_after, id) WHERE ((dropped_at IS NOT NULL) AND (purged_at IS NULL));
CREATE TRIGGER tables_expiry BEFORE INSERT OR UPDATE ON public.tables FOR EACH ROW EXECUTE FUNCTION tables_expiry();
CREATE TRIGGER tables_search_insert AFTER INSERT ON public.tables FOR EACH ROW EXECUTE FUNCTION tables_search();
CREATE TRIGGER tables_search_update AFTER UPDATE ON public.tables FOR EACH ROW WHEN (((old.namespace_id IS DISTINCT FROM new.namespace_id) OR (old.name IS DISTINCT FROM new.name) OR (old.description IS DISTINCT FROM new.description) OR (old.columns IS DISTINCT FROM new.columns) OR (old.dropped_at IS DISTINCT FROM new.dropped_at))) EXECUTE FUNCTION tables_search();

CREATE TABLE tokens (
  id uuid NOT NULL,
  principal_id uuid NOT NULL,
  name text NOT NULL,
  kind text NOT NULL,
  hash bytea NOT NULL,
  environment_id uuid,
  run_id uuid,
  task_id uuid,
  created_at timestamp(3) with time zone NOT NULL,
  created_by uuid,
  expires_at timestamp(3) with time zone,
  revoked_at timestamp(3) with time zone,
  revoked_by uuid,
  sign_in text,
  confirmed_at timestamp(3) with time zone,
  scope jsonb,
  replaced_by uuid,
  last_used_at timestamp(3) with time zone,
  last_used_address text,
  last_used_client text,
  workload_identity_id uuid
);
ALTER TABLE tokens ADD CONSTRAINT tokens_pkey PRIMARY KEY (id);
ALTER TABLE tokens ADD CONSTRAINT tokens_kind CHECK ((kind = ANY (ARRAY['personal'::text, 'service-account'::text, 'session'::text, 'task'::text])));
CREATE UNIQUE INDEX tokens_hash_key ON public.tokens USING btree (hash);
CREATE INDEX tokens_of_principal ON public.tokens USING btree (principal_id, created_at);
CREATE INDEX tokens_of_run ON public.tokens USING btree (run_id) WHERE (revoked_at IS NULL);

CREATE TABLE upload_parts (
  upload_id uuid NOT NULL,
  number integer NOT NULL,
  size_bytes integer NOT NULL,
  sha256 text NOT NULL,
  location text NOT NULL
);
ALTER TABLE upload_parts ADD CONSTRAINT upload_parts_pkey PRIMARY KEY (upload_id, number);
CREATE INDEX upload_parts_by_location ON public.upload_parts USING btree (location);

CREATE TABLE uploads (
  id uuid NOT NULL,
  environment_id uuid NOT NULL,
  table_id uuid NOT NULL,
  requested_by uuid NOT NULL,
  format text NOT NULL,
  size_bytes bigint NOT NULL,
  part_bytes integer NOT NULL,
  fingerprint text,
  write_id uuid,
  created_at timestamp(3) with time zone NOT NULL,
  expires_at timestamp(3) with time zone NOT NULL,
  name text
);
ALTER TABLE uploads ADD CONSTRAINT uploads_pkey PRIMARY KEY (id);
CREATE INDEX uploads_to_remove ON public.uploads USING btree (expires_at);
CREATE UNIQUE INDEX uploads_unfinished ON public.uploads USING btree (table_id, requested_by, fingerprint, format, size_bytes) WHERE (write_id IS NULL);

CREATE TABLE webhook_deliveries (
  run_id uuid NOT NULL,
  secret text NOT NULL,
  status text NOT NULL,
  tries integer NOT NULL DEFAULT 0,
  due_at timestamp(3) with time zone NOT NULL,
  outcome text,
  created_at timestamp(3) with time zone NOT NULL,
  ended_at timestamp(3) with time zone
);
ALTER TABLE webhook_deliveries ADD CONSTRAINT webhook_deliveries_pkey PRIMARY KEY (run_id);
CREATE INDEX webhook_deliveries_due ON public.webhook_deliveries USING btree (due_at) WHERE (status = 'waiting'::text);
CREATE INDEX webhook_deliveries_ended ON public.webhook_deliveries USING btree (ended_at) WHERE (ended_at IS NOT NULL);

CREATE TABLE workers (
  id uuid NOT NULL,
  host text NOT NULL,
  started_at timestamp(3) with time zone NOT NULL,
  seen_at timestamp(3) with time zone NOT NULL,
  isolation text NOT NULL,
  task_limits jsonb NOT NULL,
  notes text[],
  task_network text NOT NULL DEFAULT 'unrestricted'::text
);
ALTER TABLE workers ADD CONSTRAINT workers_pkey PRIMARY KEY (id);

CREATE TABLE workload_identities (
  id uuid NOT NULL,
  principal_id uuid NOT NULL,
  issuer text NOT NULL,
  audience text NOT NULL,
  subject text NOT NULL,
  claims jsonb NOT NULL,
  scope jsonb,
  created_at timestamp(3) with time zone NOT NULL,
  created_by uuid,
  deleted_at timestamp(3) with time zone,
  deleted_by uuid
);
ALTER TABLE workload_identities ADD CONSTRAINT workload_identities_pkey PRIMARY KEY (id);
CREATE INDEX workload_identities_of_issuer ON public.workload_identities USING btree (issuer) WHERE (deleted_at IS NULL);
CREATE INDEX workload_identities_of_principal ON public.workload_identities USING btree (principal_id, created_at) WHERE (deleted_at IS NULL);

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
  created_at timestamp(3) with time zone NOT NULL,
  started_at timestamp(3) with time zone,
  ended_at timestamp(3) with time zone,
  attempts integer NOT NULL DEFAULT 0,
  lease_owner uuid,
  lease_fence bigint NOT NULL DEFAULT 0,
  lease_expires_at timestamp(3) with time zone,
  request_id text,
  traceparent text,
  staged_parts text[] DEFAULT ARRAY[]::text[],
  merge_key text[] DEFAULT ARRAY[]::text[],
  csv jsonb,
  csv_options jsonb,
  file_names text[] DEFAULT ARRAY[]::text[],
  file_parts integer[] DEFAULT ARRAY[]::integer[],
  max_errors integer,
  rejected bigint,
  rejected_location text,
  progress double precision
);
ALTER TABLE writes ADD CONSTRAINT writes_pkey PRIMARY KEY (id);
ALTER TABLE writes ADD CONSTRAINT writes_status CHECK (((status = ANY (ARRAY['queued'::text, 'running'::text, 'succeeded'::text, 'failed'::text, 'cancelled'::text])) AND ((status = ANY (ARRAY['queued'::text, 'running'::text])) = (ended_at IS NULL))));
CREATE INDEX writes_leased ON public.writes USING btree (lease_expires_at) WHERE (status = 'running'::text);
CREATE INDEX writes_pending_of_table ON public.writes USING btree (table_id) WHERE (status = ANY (ARRAY['queued'::text, 'running'::text]));
CREATE INDEX writes_queued ON public.writes USING btree (created_at) WHERE (status = 'queued'::text);
