-- Who or what made each snapshot. It goes with the snapshot or the table; snapshots of older programs have none.
CREATE TABLE snapshot_sources (
  table_id UUID NOT NULL,
  snapshot_id BIGINT NOT NULL,
  principal_id UUID,
  run_id UUID,
  asset TEXT,
  query_id UUID,
  write_id UUID,
  created_at TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT snapshot_sources_pkey PRIMARY KEY (table_id, snapshot_id)
);
CREATE INDEX snapshot_sources_by_run ON snapshot_sources (run_id) WHERE (run_id IS NOT NULL);
