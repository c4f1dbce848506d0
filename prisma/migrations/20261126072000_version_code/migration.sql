-- The Python files of a version, for comparisons; null in versions of older programs, whose files are only in storage.
ALTER TABLE project_versions ADD COLUMN code JSONB;

-- The version that the changes of a deploy are relative to.
ALTER TABLE deploys ADD COLUMN previous_version_id UUID;
