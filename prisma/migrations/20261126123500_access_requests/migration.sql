-- Requests of principals for access, and what an administrator decided.
CREATE TABLE access_requests (
  id UUID PRIMARY KEY,
  principal_id UUID NOT NULL,
  role TEXT,
  action TEXT,
  kind TEXT NOT NULL,
  environment TEXT,
  namespace TEXT,
  table_name TEXT,
  wanted TEXT NOT NULL,
  reason TEXT,
  expires_at TIMESTAMPTZ(3),
  state TEXT NOT NULL,
  created_at TIMESTAMPTZ(3) NOT NULL,
  decided_at TIMESTAMPTZ(3),
  decided_by UUID,
  comment TEXT,
  grant_id UUID
);
CREATE UNIQUE INDEX access_requests_pending ON access_requests (principal_id, wanted) WHERE (state = 'pending');
CREATE INDEX access_requests_of_principal ON access_requests (principal_id, created_at DESC, id DESC);
CREATE INDEX access_requests_by_state ON access_requests (state, created_at DESC, id DESC);
