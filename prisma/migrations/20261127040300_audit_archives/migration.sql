CREATE TABLE audit_archives (
  until timestamptz(3) NOT NULL,
  since timestamptz(3) NOT NULL,
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
  archived_at timestamptz(3) NOT NULL,
  CONSTRAINT audit_archives_pkey PRIMARY KEY (until)
);

CREATE TABLE audit_activations (
  event_id uuid NOT NULL,
  time timestamptz(3) NOT NULL,
  principal_id uuid NOT NULL,
  active boolean NOT NULL,
  CONSTRAINT audit_activations_pkey PRIMARY KEY (event_id)
);
