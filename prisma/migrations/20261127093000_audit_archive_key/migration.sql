-- Old programs: none of their statements uses the key.
-- Partitions start afresh after a restore, so the events of a later archive can end at the same time as those of an earlier one.
ALTER TABLE audit_archives DROP CONSTRAINT audit_archives_pkey;
ALTER TABLE audit_archives ADD CONSTRAINT audit_archives_pkey PRIMARY KEY (metadata_location);
