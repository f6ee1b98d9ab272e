ALTER TABLE api_keys ADD COLUMN kind TEXT NOT NULL DEFAULT 'key' CHECK (kind IN ('key', 'connection'));

CREATE TABLE oauth_clients (
  client_id TEXT PRIMARY KEY,
  source TEXT NOT NULL CHECK (source IN ('document', 'registered', 'entered')),
  name TEXT NOT NULL,
  uri TEXT,
  redirects_json TEXT NOT NULL,
  methods_json TEXT NOT NULL,
  jwks_uri TEXT,
  jwks_json TEXT,
  secret_hash TEXT,
  fetched_at BIGINT,
  fresh_until BIGINT,
  problem TEXT,
  policy TEXT NOT NULL CHECK (policy IN ('default', 'allow', 'refuse')),
  created_at BIGINT NOT NULL,
  created_ip TEXT,
  used_at BIGINT
);

CREATE TABLE oauth_requests (
  token_hash TEXT PRIMARY KEY,
  client_id TEXT NOT NULL REFERENCES oauth_clients (client_id),
  redirect_uri TEXT NOT NULL,
  state TEXT,
  challenge TEXT NOT NULL,
  resource TEXT NOT NULL,
  scope TEXT NOT NULL,
  issuer TEXT NOT NULL,
  ip TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  decided_at BIGINT
);
CREATE INDEX oauth_requests_by_end ON oauth_requests (expires_at);
CREATE INDEX oauth_requests_by_client ON oauth_requests (client_id);

CREATE TABLE oauth_connections (
  key_id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL,
  client_id TEXT NOT NULL REFERENCES oauth_clients (client_id),
  redirect_uri TEXT NOT NULL,
  issuer TEXT NOT NULL,
  resource TEXT NOT NULL,
  asked TEXT NOT NULL,
  scope TEXT NOT NULL,
  generation INTEGER NOT NULL,
  refreshed_at BIGINT NOT NULL,
  FOREIGN KEY (org_id, key_id) REFERENCES api_keys (org_id, id)
);
CREATE INDEX oauth_connections_by_client ON oauth_connections (client_id);

CREATE TABLE oauth_codes (
  code_hash TEXT PRIMARY KEY,
  key_id TEXT NOT NULL REFERENCES oauth_connections (key_id),
  challenge TEXT NOT NULL,
  expires_at BIGINT NOT NULL,
  used_at BIGINT
);
CREATE INDEX oauth_codes_by_key ON oauth_codes (key_id);

CREATE TABLE oauth_tokens (
  token_hash TEXT PRIMARY KEY,
  key_id TEXT NOT NULL REFERENCES oauth_connections (key_id),
  kind TEXT NOT NULL CHECK (kind IN ('access', 'refresh')),
  generation INTEGER NOT NULL,
  salt TEXT,
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  replaced_at BIGINT
);
CREATE INDEX oauth_tokens_by_key ON oauth_tokens (key_id, kind, generation);
CREATE INDEX oauth_tokens_by_end ON oauth_tokens (expires_at);

CREATE TABLE oauth_assertions (
  jti_hash TEXT PRIMARY KEY,
  expires_at BIGINT NOT NULL
);
