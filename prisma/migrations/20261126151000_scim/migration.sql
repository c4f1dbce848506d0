-- The service account through which an identity provider manages people and groups, and what it manages.
-- Old programs: they don't know the new column, so it stays NULL, which may repeat.
ALTER TABLE identity_providers ADD COLUMN scim_account_id UUID;
CREATE UNIQUE INDEX identity_providers_scim_account ON identity_providers (scim_account_id) WHERE (deleted_at IS NULL);

CREATE TABLE scim_resources (
  id UUID PRIMARY KEY,
  identity_provider_id UUID NOT NULL,
  kind TEXT NOT NULL,
  external_id TEXT,
  attributes JSONB NOT NULL,
  created_at TIMESTAMPTZ(3) NOT NULL,
  updated_at TIMESTAMPTZ(3) NOT NULL
);
CREATE UNIQUE INDEX scim_resources_external_id ON scim_resources (identity_provider_id, kind, external_id);
CREATE INDEX scim_resources_page ON scim_resources (identity_provider_id, kind, created_at, id);
