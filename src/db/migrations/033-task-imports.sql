-- Tasks from the export files of other programs.

-- Imports of tasks that are too large for one call, while a job works on them.
CREATE TABLE task_imports (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  owner_id TEXT NOT NULL,
  key_id TEXT,                           -- the key that began it, in whose bounds the job works
  project_id TEXT NOT NULL,
  options_json TEXT NOT NULL,            -- format, statuses, people, assignees: as the call had them
  records INTEGER NOT NULL,
  done INTEGER NOT NULL,                 -- pieces that are written
  result_json TEXT NOT NULL,             -- counts, skipped records and calls so far
  created_at BIGINT NOT NULL,
  finished_at BIGINT,
  UNIQUE (org_id, id),
  FOREIGN KEY (org_id, owner_id) REFERENCES users (org_id, id),
  FOREIGN KEY (org_id, project_id) REFERENCES projects (org_id, id) ON DELETE CASCADE
);
CREATE INDEX task_imports_old ON task_imports (created_at);

-- What such an import has still to write, some records a row.
CREATE TABLE task_import_pieces (
  import_id TEXT NOT NULL,
  n INTEGER NOT NULL,
  org_id TEXT NOT NULL,
  records_json TEXT NOT NULL,
  PRIMARY KEY (import_id, n),
  FOREIGN KEY (org_id, import_id) REFERENCES task_imports (org_id, id) ON DELETE CASCADE
);

-- What imported tasks are called in the program that they come from, so that a second import knows them again.
CREATE TABLE task_import_refs (
  project_id TEXT NOT NULL,
  format TEXT NOT NULL,
  ref TEXT NOT NULL,
  org_id TEXT NOT NULL,
  task_id TEXT NOT NULL,
  PRIMARY KEY (project_id, format, ref),
  FOREIGN KEY (org_id, task_id) REFERENCES tasks (org_id, id) ON DELETE CASCADE
);
CREATE INDEX task_import_refs_by_task ON task_import_refs (task_id);
