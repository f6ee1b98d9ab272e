-- The directory of people and companies outside the organization, what was said with them, and deals.

CREATE TABLE companies (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  name TEXT NOT NULL,
  name_key TEXT NOT NULL,
  domain TEXT,
  industry TEXT,
  size TEXT,
  owner_id TEXT,
  note TEXT,
  custom_fields_json TEXT NOT NULL,
  last_contacted_at BIGINT,
  revision INTEGER NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  created_by TEXT NOT NULL REFERENCES users (id),
  created_via TEXT NOT NULL CHECK (created_via IN ('web', 'api', 'mcp', 'automation', 'sync', 'cli')),
  deleted_at BIGINT,
  deleted_by TEXT,
  deleted_with TEXT,
  UNIQUE (org_id, id),
  FOREIGN KEY (org_id, owner_id) REFERENCES users (org_id, id)
);
CREATE UNIQUE INDEX companies_by_domain ON companies (org_id, domain) WHERE domain IS NOT NULL AND deleted_at IS NULL;
CREATE INDEX companies_by_name ON companies (org_id, name_key, id);
CREATE INDEX companies_by_owner ON companies (owner_id, name_key, id) WHERE owner_id IS NOT NULL;
CREATE INDEX companies_trashed ON companies (deleted_with) WHERE deleted_at IS NOT NULL;

CREATE TABLE contacts (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  name TEXT NOT NULL,
  name_key TEXT NOT NULL,
  emails_json TEXT NOT NULL,
  phones_json TEXT NOT NULL,
  title TEXT,
  company_id TEXT,
  owner_id TEXT,
  note TEXT,
  custom_fields_json TEXT NOT NULL,
  last_contacted_at BIGINT,
  revision INTEGER NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  created_by TEXT NOT NULL REFERENCES users (id),
  created_via TEXT NOT NULL CHECK (created_via IN ('web', 'api', 'mcp', 'automation', 'sync', 'cli')),
  deleted_at BIGINT,
  deleted_by TEXT,
  deleted_with TEXT,
  UNIQUE (org_id, id),
  FOREIGN KEY (org_id, company_id) REFERENCES companies (org_id, id),
  FOREIGN KEY (org_id, owner_id) REFERENCES users (org_id, id)
);
CREATE INDEX contacts_by_name ON contacts (org_id, name_key, id);
CREATE INDEX contacts_by_making ON contacts (org_id, created_at, id);
CREATE INDEX contacts_by_contact ON contacts (org_id, last_contacted_at, id);
CREATE INDEX contacts_by_company ON contacts (org_id, company_id, name_key, id) WHERE company_id IS NOT NULL;
CREATE INDEX contacts_by_owner ON contacts (owner_id, name_key, id) WHERE owner_id IS NOT NULL;
CREATE INDEX contacts_trashed ON contacts (deleted_with) WHERE deleted_at IS NOT NULL;

CREATE TABLE contact_emails (
  org_id TEXT NOT NULL REFERENCES orgs (id),
  email TEXT NOT NULL,
  contact_id TEXT NOT NULL,
  PRIMARY KEY (org_id, email),
  FOREIGN KEY (org_id, contact_id) REFERENCES contacts (org_id, id) ON DELETE CASCADE
);
CREATE INDEX contact_emails_by_contact ON contact_emails (contact_id);

CREATE TABLE contact_phones (
  org_id TEXT NOT NULL REFERENCES orgs (id),
  phone TEXT NOT NULL,
  contact_id TEXT NOT NULL,
  PRIMARY KEY (org_id, phone, contact_id),
  FOREIGN KEY (org_id, contact_id) REFERENCES contacts (org_id, id) ON DELETE CASCADE
);
CREATE INDEX contact_phones_by_contact ON contact_phones (contact_id);

CREATE TABLE contact_labels (
  contact_id TEXT NOT NULL,
  label_id TEXT NOT NULL,
  org_id TEXT NOT NULL,
  added_at BIGINT NOT NULL,
  PRIMARY KEY (contact_id, label_id),
  FOREIGN KEY (org_id, contact_id) REFERENCES contacts (org_id, id) ON DELETE CASCADE,
  FOREIGN KEY (org_id, label_id) REFERENCES labels (org_id, id) ON DELETE CASCADE
);
CREATE INDEX contact_labels_by_label ON contact_labels (label_id, contact_id);

CREATE TABLE contact_redirects (
  old_id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL,
  contact_id TEXT NOT NULL,
  added_at BIGINT NOT NULL,
  FOREIGN KEY (org_id, contact_id) REFERENCES contacts (org_id, id) ON DELETE CASCADE
);
CREATE INDEX contact_redirects_by_contact ON contact_redirects (contact_id);

CREATE TABLE contact_tombstones (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  erased_at BIGINT NOT NULL
);

CREATE TABLE contact_imports (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  owner_id TEXT NOT NULL,
  format TEXT NOT NULL CHECK (format IN ('csv', 'vcard')),
  mapping_json TEXT NOT NULL,
  on_match TEXT NOT NULL CHECK (on_match IN ('update', 'skip')),
  content TEXT,
  done INTEGER NOT NULL,
  result_json TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  finished_at BIGINT,
  FOREIGN KEY (org_id, owner_id) REFERENCES users (org_id, id)
);
CREATE INDEX contact_imports_old ON contact_imports (created_at);

CREATE TABLE deals (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  name TEXT NOT NULL,
  company_id TEXT,
  stage TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('open', 'won', 'lost')),
  lost_reason TEXT,
  amount DOUBLE PRECISION,
  currency TEXT NOT NULL,
  expected_close_on TEXT,
  owner_id TEXT NOT NULL,
  note TEXT,
  stage_since_at BIGINT NOT NULL,
  closed_at BIGINT,
  revision INTEGER NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  created_by TEXT NOT NULL REFERENCES users (id),
  created_via TEXT NOT NULL CHECK (created_via IN ('web', 'api', 'mcp', 'automation', 'sync', 'cli')),
  deleted_at BIGINT,
  deleted_by TEXT,
  deleted_with TEXT,
  UNIQUE (org_id, id),
  CHECK ((status = 'open') = (closed_at IS NULL)),
  FOREIGN KEY (org_id, company_id) REFERENCES companies (org_id, id),
  FOREIGN KEY (org_id, owner_id) REFERENCES users (org_id, id)
);
CREATE INDEX deals_by_org ON deals (org_id, id);
CREATE INDEX deals_open ON deals (org_id, expected_close_on, id) WHERE status = 'open';
CREATE INDEX deals_by_company ON deals (org_id, company_id, id) WHERE company_id IS NOT NULL;
CREATE INDEX deals_by_owner ON deals (org_id, owner_id, id);
CREATE INDEX deals_by_close ON deals (org_id, closed_at) WHERE closed_at IS NOT NULL;
CREATE INDEX deals_trashed ON deals (deleted_with) WHERE deleted_at IS NOT NULL;

CREATE TABLE deal_contacts (
  deal_id TEXT NOT NULL,
  contact_id TEXT NOT NULL,
  org_id TEXT NOT NULL,
  added_at BIGINT NOT NULL,
  PRIMARY KEY (deal_id, contact_id),
  FOREIGN KEY (org_id, deal_id) REFERENCES deals (org_id, id) ON DELETE CASCADE,
  FOREIGN KEY (org_id, contact_id) REFERENCES contacts (org_id, id) ON DELETE CASCADE
);
CREATE INDEX deal_contacts_by_contact ON deal_contacts (contact_id, deal_id);

CREATE TABLE deal_moves (
  deal_id TEXT NOT NULL,
  position INTEGER NOT NULL,
  org_id TEXT NOT NULL,
  stage TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('open', 'won', 'lost')),
  at BIGINT NOT NULL,
  added_at BIGINT NOT NULL,
  PRIMARY KEY (deal_id, position),
  FOREIGN KEY (org_id, deal_id) REFERENCES deals (org_id, id) ON DELETE CASCADE
);

CREATE TABLE interactions (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  kind TEXT NOT NULL CHECK (kind IN ('meeting', 'call', 'note', 'other')),
  occurred_at BIGINT NOT NULL,
  summary_markdown TEXT NOT NULL,
  company_id TEXT,
  deal_id TEXT,
  next_step TEXT,
  next_step_due_on TEXT,
  revision INTEGER NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  created_by TEXT NOT NULL REFERENCES users (id),
  created_via TEXT NOT NULL CHECK (created_via IN ('web', 'api', 'mcp', 'automation', 'sync', 'cli')),
  deleted_at BIGINT,
  deleted_by TEXT,
  deleted_with TEXT,
  UNIQUE (org_id, id),
  FOREIGN KEY (org_id, company_id) REFERENCES companies (org_id, id),
  FOREIGN KEY (org_id, deal_id) REFERENCES deals (org_id, id)
);
CREATE INDEX interactions_by_org ON interactions (org_id, occurred_at, id);
CREATE INDEX interactions_by_company ON interactions (org_id, company_id, occurred_at, id) WHERE company_id IS NOT NULL;
CREATE INDEX interactions_by_deal ON interactions (deal_id, occurred_at, id) WHERE deal_id IS NOT NULL;
CREATE INDEX interactions_trashed ON interactions (deleted_with) WHERE deleted_at IS NOT NULL;

CREATE TABLE interaction_contacts (
  interaction_id TEXT NOT NULL,
  contact_id TEXT NOT NULL,
  org_id TEXT NOT NULL,
  occurred_at BIGINT NOT NULL,
  added_at BIGINT NOT NULL,
  PRIMARY KEY (interaction_id, contact_id),
  FOREIGN KEY (org_id, interaction_id) REFERENCES interactions (org_id, id) ON DELETE CASCADE,
  FOREIGN KEY (org_id, contact_id) REFERENCES contacts (org_id, id) ON DELETE CASCADE
);
CREATE INDEX interaction_contacts_by_contact ON interaction_contacts (contact_id, occurred_at, interaction_id);

CREATE TABLE contact_feeds (
  org_id TEXT PRIMARY KEY REFERENCES orgs (id),
  seq BIGINT NOT NULL
);

CREATE TRIGGER contacts_listed AFTER INSERT ON contacts WHEN new.deleted_at IS NULL
BEGIN
  INSERT INTO contact_emails (org_id, email, contact_id) SELECT new.org_id, value, new.id FROM json_each(new.emails_json);
  INSERT INTO contact_phones (org_id, phone, contact_id) SELECT new.org_id, value, new.id FROM json_each(new.phones_json);
END;

CREATE TRIGGER contacts_relisted AFTER UPDATE OF emails_json, phones_json, deleted_at ON contacts
BEGIN
  DELETE FROM contact_emails WHERE contact_id = new.id;
  DELETE FROM contact_phones WHERE contact_id = new.id;
  INSERT INTO contact_emails (org_id, email, contact_id) SELECT new.org_id, value, new.id FROM json_each(new.emails_json) WHERE new.deleted_at IS NULL;
  INSERT INTO contact_phones (org_id, phone, contact_id) SELECT new.org_id, value, new.id FROM json_each(new.phones_json) WHERE new.deleted_at IS NULL;
END;

-- Key results are fed from deals and forms too.
ALTER TABLE key_results ADD COLUMN source_kind TEXT CHECK (source_kind IN ('tasks', 'deals', 'form'));
ALTER TABLE key_results ADD COLUMN source_params_json TEXT;
UPDATE key_results SET source_kind = 'tasks' WHERE source_measure IS NOT NULL;
DROP INDEX key_results_fed;
CREATE INDEX key_results_fed ON key_results (org_id) WHERE source_kind IS NOT NULL;
