-- Pages: their tree, every version of their text, shares, comments, links, publications.


CREATE TABLE pages (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  title TEXT NOT NULL,
  title_folded TEXT NOT NULL,
  icon TEXT,
  kind TEXT NOT NULL CHECK (kind IN ('page', 'template', 'postmortem', 'runbook', 'meeting_notes')),
  parent_id TEXT,
  parent_owner_id TEXT,
  position TEXT NOT NULL,
  visibility TEXT NOT NULL CHECK (visibility IN ('private', 'organization')),
  project_id TEXT,
  owner_id TEXT NOT NULL,
  version INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  created_by TEXT NOT NULL REFERENCES users (id),
  created_via TEXT NOT NULL CHECK (created_via IN ('web', 'api', 'mcp', 'automation', 'sync', 'cli')),
  deleted_at BIGINT,
  deleted_by TEXT,
  deleted_with TEXT,
  UNIQUE (org_id, id),
  FOREIGN KEY (org_id, parent_id) REFERENCES pages (org_id, id) ON DELETE CASCADE,
  FOREIGN KEY (org_id, parent_owner_id) REFERENCES users (org_id, id),
  FOREIGN KEY (org_id, project_id) REFERENCES projects (org_id, id),
  FOREIGN KEY (org_id, owner_id) REFERENCES users (org_id, id)
);
CREATE INDEX pages_by_parent ON pages (org_id, parent_id, position, id);
CREATE INDEX pages_below ON pages (parent_id) WHERE parent_id IS NOT NULL;
CREATE INDEX pages_by_owner ON pages (owner_id, updated_at, id);
CREATE INDEX pages_by_org ON pages (org_id, updated_at, id);
CREATE INDEX pages_by_title ON pages (org_id, title_folded, id);
CREATE INDEX pages_of_organization ON pages (org_id, updated_at, id) WHERE visibility = 'organization';
CREATE INDEX pages_by_project ON pages (project_id) WHERE project_id IS NOT NULL;
CREATE INDEX pages_under_others ON pages (parent_owner_id) WHERE parent_owner_id IS NOT NULL;
CREATE INDEX pages_deleted_with ON pages (deleted_with) WHERE deleted_with IS NOT NULL;

CREATE TABLE page_versions (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  page_id TEXT NOT NULL,
  number INTEGER NOT NULL,
  title TEXT NOT NULL,
  chars BIGINT NOT NULL,
  chars_changed BIGINT NOT NULL,
  key_id TEXT,
  base_number INTEGER,
  base_start BIGINT,
  base_end BIGINT,
  depth INTEGER NOT NULL,
  encoding TEXT NOT NULL CHECK (encoding IN ('plain', 'deflate')),
  created_at BIGINT NOT NULL,
  created_by TEXT NOT NULL REFERENCES users (id),
  created_via TEXT NOT NULL CHECK (created_via IN ('web', 'api', 'mcp', 'automation', 'sync', 'cli')),
  content TEXT NOT NULL,
  UNIQUE (org_id, id),
  UNIQUE (page_id, number),
  FOREIGN KEY (org_id, page_id) REFERENCES pages (org_id, id) ON DELETE CASCADE,
  FOREIGN KEY (org_id, key_id) REFERENCES api_keys (org_id, id)
);

CREATE TABLE page_shares (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  page_id TEXT NOT NULL,
  person_id TEXT NOT NULL,
  role TEXT NOT NULL CHECK (role IN ('viewer', 'commenter', 'editor')),
  note TEXT,
  revision INTEGER NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  created_by TEXT NOT NULL REFERENCES users (id),
  created_via TEXT NOT NULL CHECK (created_via IN ('web', 'api', 'mcp', 'automation', 'sync', 'cli')),
  UNIQUE (org_id, id),
  UNIQUE (page_id, person_id),
  FOREIGN KEY (org_id, page_id) REFERENCES pages (org_id, id) ON DELETE CASCADE,
  FOREIGN KEY (org_id, person_id) REFERENCES users (org_id, id)
);
CREATE INDEX page_shares_by_person ON page_shares (person_id, page_id, role);

CREATE TABLE page_comments (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  page_id TEXT NOT NULL,
  body_markdown TEXT NOT NULL,
  reply_to_id TEXT,
  quote TEXT,
  quote_before TEXT,
  quote_after TEXT,
  quote_start BIGINT,
  mentions_json TEXT NOT NULL,
  resolved INTEGER NOT NULL CHECK (resolved IN (0, 1)),
  resolved_by TEXT,
  resolved_at BIGINT,
  revision INTEGER NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  created_by TEXT NOT NULL REFERENCES users (id),
  created_via TEXT NOT NULL CHECK (created_via IN ('web', 'api', 'mcp', 'automation', 'sync', 'cli')),
  UNIQUE (org_id, id),
  FOREIGN KEY (org_id, page_id) REFERENCES pages (org_id, id) ON DELETE CASCADE,
  FOREIGN KEY (org_id, reply_to_id) REFERENCES page_comments (org_id, id) ON DELETE CASCADE,
  FOREIGN KEY (org_id, resolved_by) REFERENCES users (org_id, id)
);
CREATE INDEX page_comments_by_page ON page_comments (page_id, id);
CREATE INDEX page_comments_by_reply ON page_comments (reply_to_id) WHERE reply_to_id IS NOT NULL;

CREATE TABLE page_labels (
  page_id TEXT NOT NULL,
  label_id TEXT NOT NULL,
  org_id TEXT NOT NULL,
  added_at BIGINT NOT NULL,
  PRIMARY KEY (page_id, label_id),
  FOREIGN KEY (org_id, page_id) REFERENCES pages (org_id, id) ON DELETE CASCADE,
  FOREIGN KEY (org_id, label_id) REFERENCES labels (org_id, id) ON DELETE CASCADE
);
CREATE INDEX page_labels_by_label ON page_labels (label_id, page_id);

CREATE TABLE page_links (
  page_id TEXT NOT NULL,
  org_id TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('page', 'title')),
  target_id TEXT NOT NULL,
  title_folded TEXT NOT NULL,
  added_at BIGINT NOT NULL,
  PRIMARY KEY (page_id, target_id, title_folded),
  FOREIGN KEY (org_id, page_id) REFERENCES pages (org_id, id) ON DELETE CASCADE
);
CREATE INDEX page_links_by_target ON page_links (org_id, target_id);
CREATE INDEX page_links_by_title ON page_links (org_id, title_folded);

CREATE TABLE page_files (
  page_id TEXT NOT NULL,
  file_id TEXT NOT NULL,
  org_id TEXT NOT NULL,
  added_at BIGINT NOT NULL,
  PRIMARY KEY (page_id, file_id),
  FOREIGN KEY (org_id, page_id) REFERENCES pages (org_id, id) ON DELETE CASCADE,
  FOREIGN KEY (org_id, file_id) REFERENCES files (org_id, id) ON DELETE CASCADE
);
CREATE INDEX page_files_by_file ON page_files (file_id);

CREATE TABLE page_publications (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  page_id TEXT NOT NULL,
  slug TEXT NOT NULL,
  include_children INTEGER NOT NULL CHECK (include_children IN (0, 1)),
  expires_at BIGINT,
  revision INTEGER NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  created_by TEXT NOT NULL REFERENCES users (id),
  created_via TEXT NOT NULL CHECK (created_via IN ('web', 'api', 'mcp', 'automation', 'sync', 'cli')),
  UNIQUE (org_id, id),
  UNIQUE (page_id),
  UNIQUE (slug),
  FOREIGN KEY (org_id, page_id) REFERENCES pages (org_id, id) ON DELETE CASCADE
);

CREATE TRIGGER pages_no_cycle BEFORE UPDATE OF parent_id ON pages
WHEN new.parent_id IS NOT NULL AND new.parent_id IS NOT old.parent_id
  AND EXISTS (
    WITH RECURSIVE above (id) AS (
      SELECT new.parent_id UNION SELECT p.parent_id FROM pages p JOIN above ON p.id = above.id WHERE p.parent_id IS NOT NULL
    )
    SELECT 1 FROM above WHERE above.id = new.id
  )
BEGIN
  SELECT raise(ABORT, 'a page cannot stand below itself');
END;
