-- What tokens carry at most, when they were last used, and what replaced them.
ALTER TABLE tokens
  ADD COLUMN scope JSONB,
  ADD COLUMN replaced_by UUID,
  ADD COLUMN last_used_at TIMESTAMPTZ(3),
  ADD COLUMN last_used_address TEXT,
  ADD COLUMN last_used_client TEXT;
-- The actions that the token of the submitter carried at most.
ALTER TABLE queries ADD COLUMN token_actions JSONB;
