CREATE TABLE scim_tokens (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL,
  provider_id TEXT NOT NULL,
  name TEXT NOT NULL,
  token_hash TEXT NOT NULL UNIQUE,
  hint TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  created_by TEXT,
  expires_at BIGINT,
  revoked_at BIGINT,
  used_at BIGINT,
  FOREIGN KEY (org_id, provider_id) REFERENCES sso_providers (org_id, id)
);
CREATE INDEX scim_tokens_by_provider ON scim_tokens (provider_id, created_at);

CREATE TABLE scim_people (
  person_id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL,
  provider_id TEXT NOT NULL,
  user_name TEXT NOT NULL,
  external_id TEXT,
  given_name TEXT,
  family_name TEXT,
  is_created INTEGER NOT NULL CHECK (is_created IN (0, 1)),
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  deactivated_at BIGINT,
  deleted_at BIGINT,
  UNIQUE (provider_id, user_name),
  UNIQUE (provider_id, external_id),
  FOREIGN KEY (org_id, provider_id) REFERENCES sso_providers (org_id, id),
  FOREIGN KEY (org_id, person_id) REFERENCES users (org_id, id)
);

CREATE TABLE scim_groups (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL,
  provider_id TEXT NOT NULL,
  display_name TEXT NOT NULL,
  external_id TEXT,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  UNIQUE (provider_id, display_name),
  UNIQUE (provider_id, external_id),
  FOREIGN KEY (org_id, provider_id) REFERENCES sso_providers (org_id, id)
);

CREATE TABLE scim_group_members (
  group_id TEXT NOT NULL REFERENCES scim_groups (id),
  person_id TEXT NOT NULL REFERENCES users (id),
  PRIMARY KEY (group_id, person_id)
);
CREATE INDEX scim_group_members_by_person ON scim_group_members (person_id);
