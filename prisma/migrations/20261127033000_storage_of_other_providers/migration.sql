-- Old programs: they set only s3:// locations, which the new condition also accepts. A location that a new server sets
-- is outside of every store for them, so until they are replaced, they refuse work on that environment's tables.
ALTER TABLE environments
  DROP CONSTRAINT environments_storage,
  ADD CONSTRAINT environments_storage CHECK (
    (storage_location ~ '^(s3|gs|abfss)://'::text AND storage_location !~~ '%/'::text)
    OR (storage_location IS NULL AND storage_secret IS NULL)
  );
