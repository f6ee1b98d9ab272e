ALTER TABLE web_sessions ADD COLUMN provider_id TEXT;
ALTER TABLE web_sessions ADD COLUMN provider_subject TEXT;
ALTER TABLE web_sessions ADD COLUMN provider_sid TEXT;

CREATE TABLE sso_providers (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  name TEXT NOT NULL,
  issuer TEXT NOT NULL,
  client_id TEXT NOT NULL,
  scopes TEXT NOT NULL,
  groups_claim TEXT,
  rules_json TEXT NOT NULL,
  domains_json TEXT NOT NULL,
  accounts TEXT NOT NULL CHECK (accounts IN ('invited', 'domain', 'group', 'anyone')),
  linking TEXT NOT NULL CHECK (linking IN ('ask', 'trusted', 'no')),
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  UNIQUE (org_id, id),
  UNIQUE (org_id, issuer, client_id)
);

CREATE TABLE sso_identities (
  provider_id TEXT NOT NULL,
  subject TEXT NOT NULL,
  org_id TEXT NOT NULL,
  person_id TEXT NOT NULL,
  email TEXT,
  created_at BIGINT NOT NULL,
  used_at BIGINT NOT NULL,
  PRIMARY KEY (provider_id, subject),
  FOREIGN KEY (org_id, provider_id) REFERENCES sso_providers (org_id, id),
  FOREIGN KEY (org_id, person_id) REFERENCES users (org_id, id)
);
CREATE INDEX sso_identities_by_person ON sso_identities (person_id);

CREATE TABLE sso_requests (
  state_hash TEXT PRIMARY KEY,
  org_id TEXT NOT NULL,
  provider_id TEXT NOT NULL,
  purpose TEXT NOT NULL CHECK (purpose IN ('sign_in', 'link', 'verify')),
  holder_hash TEXT NOT NULL,
  session_id TEXT,
  return_to TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  FOREIGN KEY (org_id, provider_id) REFERENCES sso_providers (org_id, id)
);
CREATE INDEX sso_requests_by_end ON sso_requests (expires_at);

CREATE TABLE sso_only_orgs (
  org_id TEXT PRIMARY KEY REFERENCES orgs (id),
  created_at BIGINT NOT NULL
);

CREATE TABLE sso_emergency_accounts (
  org_id TEXT NOT NULL,
  person_id TEXT PRIMARY KEY,
  created_at BIGINT NOT NULL,
  FOREIGN KEY (org_id, person_id) REFERENCES users (org_id, id)
);
