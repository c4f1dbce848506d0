-- Workloads that sign in as a service account with a token of an issuer, and the tokens that they got.
CREATE TABLE workload_identities (
  id UUID PRIMARY KEY,
  principal_id UUID NOT NULL,
  issuer TEXT NOT NULL,
  audience TEXT NOT NULL,
  subject TEXT NOT NULL,
  claims JSONB NOT NULL,
  scope JSONB,
  created_at TIMESTAMPTZ(3) NOT NULL,
  created_by UUID,
  deleted_at TIMESTAMPTZ(3),
  deleted_by UUID
);
CREATE INDEX workload_identities_of_issuer ON workload_identities (issuer) WHERE (deleted_at IS NULL);
CREATE INDEX workload_identities_of_principal ON workload_identities (principal_id, created_at) WHERE (deleted_at IS NULL);
ALTER TABLE tokens ADD COLUMN workload_identity_id UUID;
