CREATE TABLE instance (
  singleton boolean NOT NULL DEFAULT true,
  id uuid NOT NULL,
  CONSTRAINT instance_pkey PRIMARY KEY (singleton)
);
ALTER TABLE instance ADD CONSTRAINT instance_singleton CHECK (singleton);
