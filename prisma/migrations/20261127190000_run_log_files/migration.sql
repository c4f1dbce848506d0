ALTER TABLE runs ADD COLUMN log_location text;
CREATE INDEX runs_by_log ON runs (log_location) WHERE log_location IS NOT NULL;
CREATE INDEX runs_with_log ON runs (ended_at) WHERE ended_at IS NOT NULL AND log_location IS NULL;
