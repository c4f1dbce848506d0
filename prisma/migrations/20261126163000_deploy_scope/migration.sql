-- The actions that the token of the deploying principal carried at most.
-- Old programs: they neither write nor read the column. A deploy that they store or execute has all actions of its principal.
ALTER TABLE deploys ADD COLUMN token_actions JSONB;
