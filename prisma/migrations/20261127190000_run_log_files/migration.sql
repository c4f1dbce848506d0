ALTER TABLE runs ADD COLUMN log_location text;
CREATE UNIQUE INDEX runs_log_location_key ON runs (log_location);
CREATE INDEX runs_with_log ON runs (ended_at) WHERE ended_at IS NOT NULL AND log_location IS NULL;
