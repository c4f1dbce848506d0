-- The earlier attempts of a task, and those of tasks whose worker was lost.
ALTER TABLE run_tasks ADD COLUMN past_attempts JSONB;

-- A run shows which runs retried it.
CREATE INDEX runs_by_retry ON runs (retry_of, created_at DESC, id DESC) WHERE (retry_of IS NOT NULL);
