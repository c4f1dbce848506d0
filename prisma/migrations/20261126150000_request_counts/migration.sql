-- Requests per token and minute, summed over all servers. Losing them in a crash only lets a token send more for a minute.
CREATE UNLOGGED TABLE request_counts (
  minute BIGINT NOT NULL,
  token_id UUID NOT NULL,
  requests INTEGER NOT NULL,
  PRIMARY KEY (minute, token_id)
);
