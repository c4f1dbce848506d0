ALTER TABLE deployments ADD COLUMN rolled_back_at timestamptz(3);
