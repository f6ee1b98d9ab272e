-- The public status page, postmortems and runbooks.

CREATE TABLE status_updates (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  title TEXT NOT NULL,
  thread_id TEXT,
  latest INTEGER NOT NULL CHECK (latest IN (0, 1)),
  state TEXT NOT NULL CHECK (state IN ('investigating', 'identified', 'monitoring', 'resolved', 'maintenance')),
  incident_id TEXT,
  starts_at BIGINT,
  ends_at BIGINT,
  phase TEXT CHECK (phase IN ('planned', 'running', 'over')),
  published_at BIGINT NOT NULL,
  revision INTEGER NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  created_by TEXT NOT NULL REFERENCES users (id),
  created_via TEXT NOT NULL CHECK (created_via IN ('web', 'api', 'mcp', 'automation', 'sync', 'cli')),
  body_markdown TEXT NOT NULL,
  UNIQUE (org_id, id),
  CHECK ((state = 'maintenance') = (phase IS NOT NULL)),
  CHECK ((phase IS NULL) = (starts_at IS NULL) AND (phase IS NULL) = (ends_at IS NULL)),
  FOREIGN KEY (org_id, thread_id) REFERENCES status_updates (org_id, id)
);
CREATE INDEX status_updates_by_publication ON status_updates (org_id, published_at, id);
CREATE INDEX status_updates_open ON status_updates (org_id, published_at) WHERE latest = 1 AND state <> 'resolved';
CREATE INDEX status_updates_by_thread ON status_updates (thread_id) WHERE thread_id IS NOT NULL;
CREATE INDEX status_updates_by_incident ON status_updates (incident_id, published_at) WHERE incident_id IS NOT NULL;
CREATE INDEX status_updates_to_begin ON status_updates (starts_at) WHERE phase = 'planned';
CREATE INDEX status_updates_to_end ON status_updates (ends_at) WHERE phase = 'running';

CREATE TABLE status_update_services (
  update_id TEXT NOT NULL,
  service_id TEXT NOT NULL,
  org_id TEXT NOT NULL,
  added_at BIGINT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('operational', 'degraded', 'partial_outage', 'major_outage', 'maintenance')),
  since_at BIGINT,
  released_at BIGINT,
  released_by TEXT,
  PRIMARY KEY (update_id, service_id),
  FOREIGN KEY (org_id, update_id) REFERENCES status_updates (org_id, id) ON DELETE CASCADE,
  FOREIGN KEY (org_id, service_id) REFERENCES services (org_id, id) ON DELETE CASCADE
);
CREATE INDEX status_update_services_holding ON status_update_services (service_id, since_at) WHERE released_at IS NULL;

CREATE TABLE service_intervals (
  service_id TEXT NOT NULL,
  starts_at BIGINT NOT NULL,
  org_id TEXT NOT NULL,
  added_at BIGINT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('degraded', 'partial_outage', 'major_outage', 'maintenance')),
  ends_at BIGINT,
  PRIMARY KEY (service_id, starts_at),
  FOREIGN KEY (org_id, service_id) REFERENCES services (org_id, id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX service_intervals_open ON service_intervals (service_id) WHERE ends_at IS NULL;

CREATE TABLE postmortems (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  incident_id TEXT NOT NULL UNIQUE,
  page_id TEXT NOT NULL,
  author_id TEXT NOT NULL,
  due_on TEXT,
  published_at BIGINT,
  note TEXT,
  revision INTEGER NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  created_by TEXT NOT NULL REFERENCES users (id),
  created_via TEXT NOT NULL CHECK (created_via IN ('web', 'api', 'mcp', 'automation', 'sync', 'cli')),
  UNIQUE (org_id, id),
  FOREIGN KEY (org_id, incident_id) REFERENCES incidents (org_id, id) ON DELETE CASCADE,
  FOREIGN KEY (org_id, page_id) REFERENCES pages (org_id, id) ON DELETE CASCADE,
  FOREIGN KEY (org_id, author_id) REFERENCES users (org_id, id)
);
CREATE INDEX postmortems_by_page ON postmortems (page_id);

CREATE TABLE runbooks (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  name TEXT NOT NULL,
  page_id TEXT,
  severities_json TEXT NOT NULL,
  revision INTEGER NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  created_by TEXT NOT NULL REFERENCES users (id),
  created_via TEXT NOT NULL CHECK (created_via IN ('web', 'api', 'mcp', 'automation', 'sync', 'cli')),
  deleted_at BIGINT,
  deleted_by TEXT,
  deleted_with TEXT,
  steps_json TEXT NOT NULL,
  UNIQUE (org_id, id)
);
CREATE INDEX runbooks_by_name ON runbooks (org_id, lower(name), id);
CREATE INDEX runbooks_trashed ON runbooks (deleted_with) WHERE deleted_at IS NOT NULL;

CREATE TABLE runbook_services (
  runbook_id TEXT NOT NULL,
  service_id TEXT NOT NULL,
  org_id TEXT NOT NULL,
  added_at BIGINT NOT NULL,
  PRIMARY KEY (runbook_id, service_id),
  FOREIGN KEY (org_id, runbook_id) REFERENCES runbooks (org_id, id) ON DELETE CASCADE,
  FOREIGN KEY (org_id, service_id) REFERENCES services (org_id, id) ON DELETE CASCADE
);
CREATE INDEX runbook_services_by_service ON runbook_services (service_id, runbook_id);

CREATE TABLE runbook_steps (
  incident_id TEXT NOT NULL,
  runbook_id TEXT NOT NULL,
  step INTEGER NOT NULL,
  task_id TEXT NOT NULL,
  org_id TEXT NOT NULL,
  added_at BIGINT NOT NULL,
  PRIMARY KEY (incident_id, runbook_id, step),
  FOREIGN KEY (org_id, incident_id) REFERENCES incidents (org_id, id) ON DELETE CASCADE,
  FOREIGN KEY (org_id, runbook_id) REFERENCES runbooks (org_id, id) ON DELETE CASCADE,
  FOREIGN KEY (org_id, task_id) REFERENCES tasks (org_id, id) ON DELETE CASCADE
);
CREATE INDEX runbook_steps_by_runbook ON runbook_steps (runbook_id, added_at);
CREATE INDEX runbook_steps_by_task ON runbook_steps (task_id);

CREATE TABLE response_projects (
  project_id TEXT PRIMARY KEY,
  incident_id TEXT,
  org_id TEXT NOT NULL,
  added_at BIGINT NOT NULL,
  FOREIGN KEY (org_id, project_id) REFERENCES projects (org_id, id) ON DELETE CASCADE,
  FOREIGN KEY (org_id, incident_id) REFERENCES incidents (org_id, id) ON DELETE CASCADE
);
CREATE INDEX response_projects_by_org ON response_projects (org_id);
