-- Grants that end by themselves.
ALTER TABLE grants ADD COLUMN expires_at TIMESTAMPTZ(3);

-- The sweep finds those whose time has come.
CREATE INDEX grants_expiring ON grants (expires_at) WHERE (ended_at IS NULL AND expires_at IS NOT NULL);
