-- Old programs: they write the database's time, which stays below the bound for a month or longer.
-- The events so far become the first partition of the audit log, without being copied: see 20261127040200_audit_months. Its bound is a
-- constraint first, because PostgreSQL then doesn't read the table while it is locked.
DO $$
DECLARE
  newest timestamptz := greatest(now(), (SELECT max("time") FROM audit_events WHERE sequence IS NOT NULL),
                                 (SELECT max("time") FROM audit_events WHERE sequence IS NULL));
BEGIN
  EXECUTE format('ALTER TABLE audit_events ADD CONSTRAINT audit_events_bound CHECK ("time" < %L) NOT VALID',
                 (date_trunc('month', newest AT TIME ZONE 'UTC') + interval '2 months') AT TIME ZONE 'UTC');
END $$;
