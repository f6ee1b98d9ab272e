-- Entities and what is said of them, links between items.

CREATE TABLE entities (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  name TEXT NOT NULL,
  name_key TEXT NOT NULL,
  type TEXT NOT NULL,
  description TEXT,
  item_type TEXT,
  item_id TEXT,
  follows_item INTEGER NOT NULL CHECK (follows_item IN (0, 1)),
  revision INTEGER NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  created_by TEXT NOT NULL REFERENCES users (id),
  created_via TEXT NOT NULL CHECK (created_via IN ('web', 'api', 'mcp', 'automation', 'sync', 'cli')),
  deleted_at BIGINT,
  deleted_by TEXT,
  deleted_with TEXT,
  UNIQUE (org_id, id),
  CHECK ((item_type IS NULL) = (item_id IS NULL))
);
CREATE INDEX entities_by_name ON entities (org_id, name_key, id);
CREATE INDEX entities_by_type ON entities (org_id, type, id);
CREATE INDEX entities_by_change ON entities (org_id, updated_at, id);
CREATE INDEX entities_by_item ON entities (item_id) WHERE item_id IS NOT NULL;
CREATE INDEX entities_trashed ON entities (deleted_with) WHERE deleted_at IS NOT NULL;

CREATE TABLE entity_names (
  entity_id TEXT NOT NULL,
  name_key TEXT NOT NULL,
  org_id TEXT NOT NULL,
  name TEXT NOT NULL,
  added_at BIGINT NOT NULL,
  PRIMARY KEY (entity_id, name_key),
  FOREIGN KEY (org_id, entity_id) REFERENCES entities (org_id, id) ON DELETE CASCADE
);
CREATE INDEX entity_names_by_name ON entity_names (org_id, name_key, entity_id);

CREATE TABLE entity_redirects (
  old_id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL,
  entity_id TEXT NOT NULL,
  added_at BIGINT NOT NULL,
  FOREIGN KEY (org_id, entity_id) REFERENCES entities (org_id, id) ON DELETE CASCADE
);
CREATE INDEX entity_redirects_by_entity ON entity_redirects (entity_id);

CREATE TABLE relations (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  from_id TEXT NOT NULL,
  type TEXT NOT NULL,
  to_id TEXT NOT NULL,
  valid_from BIGINT,
  valid_to BIGINT,
  is_wrong INTEGER NOT NULL CHECK (is_wrong IN (0, 1)),
  confidence DOUBLE PRECISION NOT NULL,
  source_type TEXT,
  source_id TEXT,
  note TEXT,
  revision INTEGER NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  created_by TEXT NOT NULL REFERENCES users (id),
  created_via TEXT NOT NULL CHECK (created_via IN ('web', 'api', 'mcp', 'automation', 'sync', 'cli')),
  UNIQUE (org_id, id),
  CHECK (from_id <> to_id),
  FOREIGN KEY (org_id, from_id) REFERENCES entities (org_id, id) ON DELETE CASCADE,
  FOREIGN KEY (org_id, to_id) REFERENCES entities (org_id, id) ON DELETE CASCADE
);
CREATE INDEX relations_from ON relations (from_id, id);
CREATE INDEX relations_to ON relations (to_id, id);
CREATE INDEX relations_by_ends ON relations (from_id, to_id, type);
CREATE INDEX relations_by_type ON relations (org_id, type, is_wrong, valid_to);
CREATE INDEX relations_by_source ON relations (source_id) WHERE source_id IS NOT NULL;
CREATE INDEX relations_sourced_from ON relations (from_id, id) WHERE source_id IS NOT NULL;
CREATE INDEX relations_sourced_to ON relations (to_id, id) WHERE source_id IS NOT NULL;

CREATE TABLE facts (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  entity_id TEXT NOT NULL,
  predicate TEXT NOT NULL,
  value TEXT NOT NULL,
  value_key TEXT NOT NULL,
  value_entity_id TEXT,
  valid_from BIGINT NOT NULL,
  said_to BIGINT,
  valid_to BIGINT,
  status TEXT NOT NULL CHECK (status IN ('valid', 'superseded', 'invalidated')),
  superseded_by TEXT,
  superseded_at BIGINT,
  reason TEXT,
  confidence DOUBLE PRECISION NOT NULL,
  source_type TEXT,
  source_id TEXT,
  revision INTEGER NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  created_by TEXT NOT NULL REFERENCES users (id),
  created_via TEXT NOT NULL CHECK (created_via IN ('web', 'api', 'mcp', 'automation', 'sync', 'cli')),
  UNIQUE (org_id, id),
  FOREIGN KEY (org_id, entity_id) REFERENCES entities (org_id, id) ON DELETE CASCADE,
  FOREIGN KEY (org_id, value_entity_id) REFERENCES entities (org_id, id)
);
CREATE INDEX facts_by_entity ON facts (entity_id, predicate, valid_from);
CREATE INDEX facts_by_making ON facts (entity_id, id);
CREATE INDEX facts_by_time ON facts (org_id, valid_from, valid_to);
CREATE INDEX facts_by_predicate ON facts (org_id, predicate, id);
CREATE INDEX facts_by_value ON facts (value_entity_id, id) WHERE value_entity_id IS NOT NULL;
CREATE INDEX facts_by_source ON facts (source_id) WHERE source_id IS NOT NULL;

CREATE TABLE observations (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  entity_id TEXT NOT NULL,
  body TEXT NOT NULL,
  observed_at BIGINT NOT NULL,
  source_type TEXT,
  source_id TEXT,
  revision INTEGER NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  created_by TEXT NOT NULL REFERENCES users (id),
  created_via TEXT NOT NULL CHECK (created_via IN ('web', 'api', 'mcp', 'automation', 'sync', 'cli')),
  UNIQUE (org_id, id),
  FOREIGN KEY (org_id, entity_id) REFERENCES entities (org_id, id) ON DELETE CASCADE
);
CREATE INDEX observations_by_entity ON observations (entity_id, observed_at, id);
CREATE INDEX observations_by_source ON observations (source_id) WHERE source_id IS NOT NULL;

CREATE TABLE item_links (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  from_type TEXT NOT NULL,
  from_id TEXT NOT NULL,
  to_type TEXT NOT NULL,
  to_id TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('relates_to', 'documents', 'caused_by', 'results_in', 'duplicates')),
  note TEXT,
  revision INTEGER NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  created_by TEXT NOT NULL REFERENCES users (id),
  created_via TEXT NOT NULL CHECK (created_via IN ('web', 'api', 'mcp', 'automation', 'sync', 'cli')),
  UNIQUE (org_id, id),
  UNIQUE (from_id, to_id, kind),
  CHECK (from_id <> to_id)
);
CREATE INDEX item_links_to ON item_links (to_id);

CREATE TABLE entity_feeds (
  item_type TEXT PRIMARY KEY,
  after_id TEXT NOT NULL,
  seq BIGINT NOT NULL
);
