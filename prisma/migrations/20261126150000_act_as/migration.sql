-- Grants of ACT_AS are on a service account.
ALTER TABLE grants ADD COLUMN service_account_id UUID;
ALTER TABLE access_requests ADD COLUMN service_account TEXT;

-- Existing rows are checked by a later migration, which doesn't block reads and writes.
-- Old programs: they create grants of the four other kinds, which the new constraints accept as the previous ones did.
ALTER TABLE grants DROP CONSTRAINT grants_object, DROP CONSTRAINT grants_object_id;
ALTER TABLE grants
  ADD CONSTRAINT grants_object CHECK (CASE kind
    WHEN 'INSTANCE' THEN num_nonnulls(environment_id, namespace_id, table_id, service_account_id) = 0
    WHEN 'ENVIRONMENT' THEN environment_id IS NOT NULL AND num_nonnulls(namespace_id, table_id, service_account_id) = 0
    WHEN 'NAMESPACE' THEN num_nonnulls(environment_id, namespace_id) = 2 AND num_nonnulls(table_id, service_account_id) = 0
    WHEN 'TABLE' THEN num_nonnulls(environment_id, namespace_id, table_id) = 3 AND service_account_id IS NULL
    WHEN 'SERVICE_ACCOUNT' THEN service_account_id IS NOT NULL AND num_nonnulls(environment_id, namespace_id, table_id) = 0
    ELSE false END) NOT VALID,
  ADD CONSTRAINT grants_object_id CHECK (object_id =
    COALESCE(service_account_id, table_id, namespace_id, environment_id, '00000000-0000-0000-0000-000000000000'::uuid)) NOT VALID;
