-- What people enter after their password. Removed ones leave no row, because their secrets must not stay.
CREATE TABLE second_factors (
  id UUID PRIMARY KEY,
  principal_id UUID NOT NULL,
  kind TEXT NOT NULL,
  name TEXT NOT NULL,
  key_id TEXT,
  sealed BYTEA,
  last_step BIGINT,
  credential_id TEXT,
  public_key BYTEA,
  counter BIGINT,
  transports TEXT[],
  created_at TIMESTAMPTZ(3) NOT NULL,
  last_used_at TIMESTAMPTZ(3)
);
CREATE UNIQUE INDEX second_factors_of_principal ON second_factors (principal_id, name);
CREATE UNIQUE INDEX second_factors_credential_id_key ON second_factors (credential_id);

CREATE TABLE recovery_codes (
  id UUID PRIMARY KEY,
  principal_id UUID NOT NULL,
  hash BYTEA NOT NULL,
  used_at TIMESTAMPTZ(3)
);
CREATE UNIQUE INDEX recovery_codes_of_principal ON recovery_codes (principal_id, hash);

ALTER TABLE principals ADD COLUMN must_change_password BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE tokens ADD COLUMN sign_in TEXT, ADD COLUMN confirmed_at TIMESTAMPTZ(3);
