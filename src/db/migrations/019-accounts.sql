-- Connected accounts: the mail, calendars and files that people have elsewhere.

CREATE TABLE accounts (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  owner_id TEXT NOT NULL,
  provider TEXT NOT NULL CHECK (provider IN ('google', 'imap', 'caldav')),
  address TEXT NOT NULL,
  display_name TEXT NOT NULL,
  login TEXT NOT NULL,
  has_mail INTEGER NOT NULL CHECK (has_mail IN (0, 1)),
  has_calendar INTEGER NOT NULL CHECK (has_calendar IN (0, 1)),
  has_drive INTEGER NOT NULL CHECK (has_drive IN (0, 1)),
  status TEXT NOT NULL CHECK (status IN ('syncing', 'active', 'degraded', 'reauth_required', 'disabled')),
  problem TEXT,
  problem_since BIGINT,
  services_json TEXT NOT NULL,
  last_sync_at BIGINT,
  synced_back_to TEXT,
  servers_json TEXT NOT NULL,
  scopes_json TEXT,
  signed_in_at BIGINT NOT NULL,
  signature_markdown TEXT,
  is_default INTEGER NOT NULL CHECK (is_default IN (0, 1)),
  removed_at BIGINT,
  revision INTEGER NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  created_by TEXT NOT NULL REFERENCES users (id),
  created_via TEXT NOT NULL CHECK (created_via IN ('web', 'api', 'mcp', 'automation', 'sync', 'cli')),
  UNIQUE (org_id, id),
  FOREIGN KEY (org_id, owner_id) REFERENCES users (org_id, id)
);
CREATE INDEX accounts_by_owner ON accounts (owner_id, id);
CREATE UNIQUE INDEX accounts_by_address ON accounts (owner_id, provider, address) WHERE removed_at IS NULL;
CREATE UNIQUE INDEX accounts_default ON accounts (owner_id) WHERE is_default = 1 AND removed_at IS NULL;
CREATE INDEX accounts_removed ON accounts (removed_at) WHERE removed_at IS NOT NULL;
