-- Plans, what of them is used, and what the rules against abuse found.

-- The plan that an organization was given; without a row, the one of the settings.
CREATE TABLE org_plans (
  org_id TEXT PRIMARY KEY REFERENCES orgs (id),
  plan TEXT NOT NULL,
  set_at BIGINT NOT NULL
);

CREATE TABLE usage_days (
  org_id TEXT NOT NULL REFERENCES orgs (id),
  day_on TEXT NOT NULL,
  person_id TEXT NOT NULL,
  key_id TEXT NOT NULL,
  calls BIGINT NOT NULL,
  PRIMARY KEY (org_id, day_on, person_id, key_id),
  FOREIGN KEY (org_id, person_id) REFERENCES users (org_id, id)
);

CREATE TABLE abuse_findings (
  id TEXT PRIMARY KEY,
  org_id TEXT REFERENCES orgs (id),
  rule TEXT NOT NULL,
  key_id TEXT,
  owner_id TEXT,
  subject TEXT,
  detail_json TEXT NOT NULL,
  occurrences BIGINT NOT NULL,
  first_at BIGINT NOT NULL,
  last_at BIGINT NOT NULL,
  hold TEXT NOT NULL CHECK (hold IN ('none', 'all', 'writes', 'outbound', 'key')),
  until_at BIGINT,
  released_at BIGINT,
  released_by TEXT,
  FOREIGN KEY (org_id, key_id) REFERENCES api_keys (org_id, id),
  FOREIGN KEY (org_id, owner_id) REFERENCES users (org_id, id)
);
CREATE INDEX abuse_findings_by_key ON abuse_findings (key_id, first_at) WHERE key_id IS NOT NULL;
CREATE INDEX abuse_findings_by_org ON abuse_findings (org_id, first_at);

ALTER TABLE api_keys ADD COLUMN suspended_at BIGINT;
