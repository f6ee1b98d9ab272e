-- The drive: folders, versions, shares and links over the files that were kept for attachments. Their content leaves the database for files of its own.

CREATE TABLE drives (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  owner_id TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('builtin', 'google', 'google_shared')),
  name TEXT NOT NULL,
  account_id TEXT,
  remote_id TEXT,
  root_folder_id TEXT NOT NULL,
  used_bytes BIGINT,
  quota_bytes BIGINT,
  sync_token TEXT,
  synced_at BIGINT,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  revision INTEGER NOT NULL,
  created_by TEXT NOT NULL REFERENCES users (id),
  created_via TEXT NOT NULL CHECK (created_via IN ('web', 'api', 'mcp', 'automation', 'sync', 'cli')),
  UNIQUE (org_id, id),
  CHECK ((kind = 'builtin') = (account_id IS NULL)),
  FOREIGN KEY (org_id, owner_id) REFERENCES users (org_id, id),
  FOREIGN KEY (org_id, account_id) REFERENCES accounts (org_id, id) ON DELETE CASCADE
);
CREATE INDEX drives_by_owner ON drives (owner_id, id);
CREATE INDEX drives_by_account ON drives (account_id) WHERE account_id IS NOT NULL;

CREATE TABLE files_new (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  place TEXT NOT NULL CHECK (place IN ('drive', 'project', 'attached')),
  drive_id TEXT,
  project_id TEXT,
  owner_id TEXT NOT NULL,
  parent_id TEXT,
  is_root INTEGER NOT NULL CHECK (is_root IN (0, 1)),
  type TEXT NOT NULL CHECK (type IN ('folder', 'document', 'spreadsheet', 'presentation', 'pdf', 'image', 'video', 'other')),
  name TEXT NOT NULL,
  name_folded TEXT NOT NULL,
  description TEXT,
  mime_type TEXT NOT NULL,
  size_bytes BIGINT NOT NULL,
  sha256 TEXT NOT NULL,
  content_base64 TEXT NOT NULL,
  version INTEGER NOT NULL,
  modified_at BIGINT NOT NULL,
  modified_by TEXT NOT NULL,
  trust TEXT NOT NULL CHECK (trust IN ('internal', 'external')),
  text_status TEXT NOT NULL CHECK (text_status IN ('indexed', 'pending', 'none')),
  remote_id TEXT,
  remote_json TEXT,
  synced_revision INTEGER,
  revision INTEGER NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  created_by TEXT NOT NULL REFERENCES users (id),
  created_via TEXT NOT NULL CHECK (created_via IN ('web', 'api', 'mcp', 'automation', 'sync', 'cli')),
  deleted_at BIGINT,
  deleted_by TEXT,
  deleted_with TEXT,
  UNIQUE (org_id, id),
  CHECK ((place = 'drive') = (drive_id IS NOT NULL)),
  CHECK ((place = 'project') = (project_id IS NOT NULL)),
  FOREIGN KEY (org_id, owner_id) REFERENCES users (org_id, id),
  FOREIGN KEY (org_id, modified_by) REFERENCES users (org_id, id),
  FOREIGN KEY (org_id, drive_id) REFERENCES drives (org_id, id) ON DELETE CASCADE,
  FOREIGN KEY (org_id, project_id) REFERENCES projects (org_id, id) ON DELETE CASCADE,
  FOREIGN KEY (org_id, parent_id) REFERENCES files (org_id, id)
);
INSERT INTO files_new SELECT id, org_id, 'attached', NULL, NULL, created_by, NULL, 0, 'other', name, lower(name), NULL, mime_type, size_bytes, sha256, content_base64, 0, created_at, created_by, 'internal', 'none', NULL, NULL, NULL,
  revision, created_at, updated_at, created_by, created_via, deleted_at, deleted_by, deleted_with FROM files;
DROP TABLE files;
ALTER TABLE files_new RENAME TO files;
CREATE INDEX files_in_trash ON files (deleted_with) WHERE deleted_with IS NOT NULL;
CREATE INDEX files_by_parent ON files (parent_id, name_folded) WHERE parent_id IS NOT NULL;
CREATE INDEX files_by_owner ON files (owner_id, place);
CREATE INDEX files_by_drive ON files (drive_id) WHERE drive_id IS NOT NULL;
CREATE UNIQUE INDEX files_by_remote ON files (drive_id, remote_id) WHERE remote_id IS NOT NULL;
CREATE INDEX files_to_push ON files (drive_id) WHERE remote_id IS NOT NULL AND synced_revision <> revision;
CREATE INDEX files_by_project ON files (project_id) WHERE project_id IS NOT NULL;
CREATE INDEX files_by_org ON files (org_id, modified_at, id);
CREATE INDEX files_by_content ON files (sha256);
CREATE INDEX files_pending ON files (id) WHERE text_status = 'pending';
CREATE INDEX files_inside ON files (id) WHERE content_base64 <> '';

CREATE TABLE file_versions (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  file_id TEXT NOT NULL,
  number INTEGER NOT NULL,
  mime_type TEXT NOT NULL,
  size_bytes BIGINT NOT NULL,
  sha256 TEXT NOT NULL,
  trust TEXT NOT NULL CHECK (trust IN ('internal', 'external')),
  comment TEXT,
  remote_id TEXT,
  created_at BIGINT NOT NULL,
  created_by TEXT NOT NULL REFERENCES users (id),
  created_via TEXT NOT NULL CHECK (created_via IN ('web', 'api', 'mcp', 'automation', 'sync', 'cli')),
  UNIQUE (org_id, id),
  UNIQUE (file_id, number),
  FOREIGN KEY (org_id, file_id) REFERENCES files (org_id, id) ON DELETE CASCADE
);
CREATE INDEX file_versions_by_content ON file_versions (sha256);

CREATE TABLE file_texts (
  file_id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  version INTEGER NOT NULL,
  format TEXT NOT NULL CHECK (format IN ('text', 'markdown')),
  body TEXT NOT NULL,
  problem TEXT,
  FOREIGN KEY (org_id, file_id) REFERENCES files (org_id, id) ON DELETE CASCADE
);

CREATE TABLE file_shares (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  file_id TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('person', 'link')),
  person_id TEXT,
  role TEXT NOT NULL CHECK (role IN ('viewer', 'commenter', 'editor')),
  note TEXT,
  token_hash TEXT,
  password_hash TEXT,
  expires_at BIGINT,
  revision INTEGER NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  created_by TEXT NOT NULL REFERENCES users (id),
  created_via TEXT NOT NULL CHECK (created_via IN ('web', 'api', 'mcp', 'automation', 'sync', 'cli')),
  UNIQUE (org_id, id),
  UNIQUE (file_id, person_id),
  UNIQUE (token_hash),
  CHECK ((kind = 'person') = (person_id IS NOT NULL)),
  CHECK ((kind = 'link') = (token_hash IS NOT NULL)),
  FOREIGN KEY (org_id, person_id) REFERENCES users (org_id, id),
  FOREIGN KEY (org_id, file_id) REFERENCES files (org_id, id) ON DELETE CASCADE
);
CREATE INDEX file_shares_by_person ON file_shares (person_id, file_id) WHERE person_id IS NOT NULL;

CREATE TABLE file_stars (
  file_id TEXT NOT NULL,
  person_id TEXT NOT NULL,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  added_at BIGINT NOT NULL,
  PRIMARY KEY (file_id, person_id),
  FOREIGN KEY (org_id, person_id) REFERENCES users (org_id, id),
  FOREIGN KEY (org_id, file_id) REFERENCES files (org_id, id) ON DELETE CASCADE
);
CREATE INDEX file_stars_by_person ON file_stars (person_id, file_id);

CREATE TABLE file_labels (
  file_id TEXT NOT NULL,
  label_id TEXT NOT NULL,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  added_at BIGINT NOT NULL,
  PRIMARY KEY (file_id, label_id),
  FOREIGN KEY (org_id, label_id) REFERENCES labels (org_id, id) ON DELETE CASCADE,
  FOREIGN KEY (org_id, file_id) REFERENCES files (org_id, id) ON DELETE CASCADE
);
CREATE INDEX file_labels_by_label ON file_labels (label_id, file_id);

CREATE TABLE upload_sessions (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  owner_id TEXT NOT NULL,
  key_id TEXT,
  folder_id TEXT NOT NULL,
  name TEXT NOT NULL,
  mime_type TEXT NOT NULL,
  size_bytes BIGINT NOT NULL,
  sha256 TEXT,
  token_hash TEXT NOT NULL,
  file_id TEXT,
  completed_at BIGINT,
  expires_at BIGINT NOT NULL,
  revision INTEGER NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  created_by TEXT NOT NULL REFERENCES users (id),
  created_via TEXT NOT NULL CHECK (created_via IN ('web', 'api', 'mcp', 'automation', 'sync', 'cli')),
  UNIQUE (org_id, id),
  UNIQUE (token_hash),
  FOREIGN KEY (org_id, owner_id) REFERENCES users (org_id, id)
);
CREATE INDEX upload_sessions_by_owner ON upload_sessions (owner_id, expires_at);
CREATE INDEX upload_sessions_by_end ON upload_sessions (expires_at);

INSERT INTO drives SELECT 'drv_' || substr(id, 5), org_id, id, 'builtin', 'Drive', NULL, NULL, 'fil_' || substr(id, 5), NULL, NULL, NULL, NULL, created_at, created_at, 1, id, 'cli' FROM users;
INSERT INTO files SELECT 'fil_' || substr(id, 5), org_id, 'drive', 'drv_' || substr(id, 5), NULL, id, NULL, 1, 'folder', 'Drive', 'drive', NULL, 'inode/directory', 0, '', '', 0, created_at, id, 'internal', 'none', NULL, NULL, NULL,
  1, created_at, created_at, id, 'cli', NULL, NULL, NULL FROM users;
INSERT INTO files SELECT 'fil_' || substr(id, 5), org_id, 'project', NULL, id, created_by, NULL, 1, 'folder', name, lower(name), NULL, 'inode/directory', 0, '', '', 0, created_at, created_by, 'internal', 'none', NULL, NULL, NULL,
  1, created_at, created_at, created_by, 'cli', NULL, NULL, NULL FROM projects;
