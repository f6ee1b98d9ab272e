-- A saved view may be a search.

CREATE TABLE saved_views_051 (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  owner_id TEXT NOT NULL,
  name TEXT NOT NULL,
  item_type TEXT NOT NULL CHECK (item_type IN ('task', 'email', 'contact', 'deal', 'incident', 'page', 'search')),
  filter_json TEXT NOT NULL,             -- arguments of the list operation of that type, or of search_workspace
  sort TEXT,
  group_by TEXT,
  columns_json TEXT NOT NULL,
  project_id TEXT,
  shared INTEGER NOT NULL CHECK (shared IN (0, 1)),
  revision INTEGER NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  created_by TEXT NOT NULL REFERENCES users (id),
  created_via TEXT NOT NULL CHECK (created_via IN ('web', 'api', 'mcp', 'automation', 'sync', 'cli')),
  deleted_at BIGINT,
  deleted_by TEXT,
  deleted_with TEXT,
  layout TEXT CHECK (layout IN ('list', 'board', 'table', 'timeline', 'calendar')),
  display_json TEXT,                     -- {word: text}: how the web app shows it beside that, as its address says it
  UNIQUE (org_id, id),
  FOREIGN KEY (org_id, owner_id) REFERENCES users (org_id, id),
  FOREIGN KEY (org_id, project_id) REFERENCES projects (org_id, id) ON DELETE CASCADE
);
INSERT INTO saved_views_051 (id, org_id, owner_id, name, item_type, filter_json, sort, group_by, columns_json, project_id, shared, revision, created_at, updated_at, created_by, created_via, deleted_at, deleted_by, deleted_with, layout, display_json)
SELECT id, org_id, owner_id, name, item_type, filter_json, sort, group_by, columns_json, project_id, shared, revision, created_at, updated_at, created_by, created_via, deleted_at, deleted_by, deleted_with, layout, display_json FROM saved_views;
DROP TABLE saved_views;
ALTER TABLE saved_views_051 RENAME TO saved_views;
CREATE INDEX saved_views_by_owner ON saved_views (owner_id, name, id);
CREATE INDEX saved_views_shared ON saved_views (org_id, name, id) WHERE shared = 1;
