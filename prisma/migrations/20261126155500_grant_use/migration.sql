-- Use is recorded from now on: older grants count as used at the upgrade.
-- Old programs: they neither write nor read the column. A grant that they create has not been used.
ALTER TABLE grants ADD COLUMN last_used_at TIMESTAMPTZ(3) DEFAULT now();
ALTER TABLE grants ALTER COLUMN last_used_at DROP DEFAULT;
