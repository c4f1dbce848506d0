-- The timeline reads runs that started before its period and finished in it.
CREATE INDEX runs_by_end ON runs (environment_id, ended_at, created_at) WHERE (ended_at IS NOT NULL);
