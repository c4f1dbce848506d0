-- The hosts that the Python tasks of a version connect to, as host:port.
ALTER TABLE project_versions ADD COLUMN network TEXT[] DEFAULT ARRAY[]::TEXT[];

-- Whether a worker restricts what Python tasks can connect to. Older workers don't.
ALTER TABLE workers ADD COLUMN task_network TEXT NOT NULL DEFAULT 'unrestricted';
