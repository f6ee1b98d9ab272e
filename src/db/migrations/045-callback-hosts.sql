CREATE TABLE oauth_callback_hosts (
  host TEXT PRIMARY KEY,
  policy TEXT NOT NULL CHECK (policy IN ('allow', 'refuse')),
  created_at BIGINT NOT NULL
);
