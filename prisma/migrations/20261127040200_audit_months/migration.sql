-- Old programs: they read and write audit_events as before; none of their statements names an index of it or has an ON CONFLICT.
ALTER TABLE audit_events RENAME TO audit_events_first;
ALTER INDEX audit_events_pkey RENAME TO audit_events_first_pkey;
ALTER INDEX audit_events_sequence_key RENAME TO audit_events_first_sequence_key;
ALTER INDEX audit_events_page RENAME TO audit_events_first_page;
ALTER INDEX audit_events_by_type RENAME TO audit_events_first_by_type;
ALTER INDEX audit_events_by_principal RENAME TO audit_events_first_by_principal;
ALTER INDEX audit_events_by_environment RENAME TO audit_events_first_by_environment;
ALTER INDEX audit_events_by_request RENAME TO audit_events_first_by_request;
ALTER INDEX audit_events_by_object RENAME TO audit_events_first_by_object;
ALTER INDEX audit_events_unsealed RENAME TO audit_events_first_unsealed;

CREATE TABLE audit_events (LIKE audit_events_first) PARTITION BY RANGE ("time");
CREATE INDEX audit_events_page ON audit_events ("time" DESC, id DESC) WHERE sequence IS NOT NULL;
CREATE INDEX audit_events_by_type ON audit_events (type, "time" DESC, id DESC) WHERE sequence IS NOT NULL;
CREATE INDEX audit_events_by_principal ON audit_events (principal_id, "time" DESC, id DESC) WHERE sequence IS NOT NULL;
CREATE INDEX audit_events_by_environment ON audit_events (environment_id, "time" DESC, id DESC) WHERE sequence IS NOT NULL;
CREATE INDEX audit_events_by_request ON audit_events (request_id, "time" DESC, id DESC)
  WHERE sequence IS NOT NULL AND request_id IS NOT NULL;
CREATE INDEX audit_events_by_object ON audit_events (environment_id, left(object ->> 'namespace', 256), "time" DESC, id DESC,
    left(object ->> 'table', 128))
  WHERE sequence IS NOT NULL AND (object ->> 'namespace') IS NOT NULL;
CREATE INDEX audit_events_unsealed ON audit_events ("time" DESC, id DESC) WHERE sequence IS NULL;

-- The last partition has no upper bound, so that every event has one. Ids and numbers are unique in each partition: a unique index of
-- the whole table would have to contain the time.
DO $$
DECLARE
  bound text := (SELECT substring(pg_get_constraintdef(oid) FROM '''([^'']+)''') FROM pg_constraint
                 WHERE conrelid = 'audit_events_first'::regclass AND conname = 'audit_events_bound');
BEGIN
  EXECUTE format('ALTER TABLE audit_events ATTACH PARTITION audit_events_first FOR VALUES FROM (MINVALUE) TO (%L)', bound);
  EXECUTE format('CREATE TABLE audit_events_future PARTITION OF audit_events FOR VALUES FROM (%L) TO (MAXVALUE)', bound);
END $$;
ALTER TABLE audit_events_first DROP CONSTRAINT audit_events_bound;
ALTER TABLE audit_events_future ADD PRIMARY KEY (id);
CREATE UNIQUE INDEX audit_events_future_sequence_key ON audit_events_future (sequence) WHERE sequence IS NOT NULL;
