-- Incidents with their services, roles, channel and timeline.

CREATE TABLE services (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  name TEXT NOT NULL,
  description TEXT,
  team_id TEXT,
  schedule_id TEXT,
  is_public INTEGER NOT NULL CHECK (is_public IN (0, 1)),
  revision INTEGER NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  created_by TEXT NOT NULL REFERENCES users (id),
  created_via TEXT NOT NULL CHECK (created_via IN ('web', 'api', 'mcp', 'automation', 'sync', 'cli')),
  deleted_at BIGINT,
  deleted_by TEXT,
  deleted_with TEXT,
  UNIQUE (org_id, id),
  FOREIGN KEY (org_id, team_id) REFERENCES teams (org_id, id)
);
CREATE UNIQUE INDEX services_by_name ON services (org_id, lower(name)) WHERE deleted_at IS NULL;
CREATE INDEX services_by_team ON services (team_id) WHERE team_id IS NOT NULL;
CREATE INDEX services_by_schedule ON services (schedule_id) WHERE schedule_id IS NOT NULL;
CREATE INDEX services_trashed ON services (deleted_with) WHERE deleted_at IS NOT NULL;

CREATE TABLE service_dependencies (
  service_id TEXT NOT NULL,
  depends_on_id TEXT NOT NULL,
  org_id TEXT NOT NULL,
  added_at BIGINT NOT NULL,
  PRIMARY KEY (service_id, depends_on_id),
  CHECK (service_id <> depends_on_id),
  FOREIGN KEY (org_id, service_id) REFERENCES services (org_id, id) ON DELETE CASCADE,
  FOREIGN KEY (org_id, depends_on_id) REFERENCES services (org_id, id) ON DELETE CASCADE
);
CREATE INDEX service_dependencies_by_other ON service_dependencies (depends_on_id, service_id);

CREATE TABLE incident_numbers (
  org_id TEXT PRIMARY KEY REFERENCES orgs (id),
  last_number INTEGER NOT NULL
);

CREATE TABLE incidents (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  key TEXT NOT NULL,
  title TEXT NOT NULL,
  severity TEXT NOT NULL CHECK (severity IN ('sev1', 'sev2', 'sev3', 'sev4')),
  status TEXT NOT NULL CHECK (status IN ('open', 'acknowledged', 'mitigated', 'resolved', 'closed')),
  restricted INTEGER NOT NULL CHECK (restricted IN (0, 1)),
  detected_at BIGINT NOT NULL,
  opened_at BIGINT NOT NULL,
  acknowledged_at BIGINT,
  mitigated_at BIGINT,
  resolved_at BIGINT,
  closed_at BIGINT,
  first_acknowledged_at BIGINT,
  cause TEXT,
  customer_impact TEXT,
  resolution TEXT,
  revision INTEGER NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  created_by TEXT NOT NULL REFERENCES users (id),
  created_via TEXT NOT NULL CHECK (created_via IN ('web', 'api', 'mcp', 'automation', 'sync', 'cli')),
  deleted_at BIGINT,
  deleted_by TEXT,
  deleted_with TEXT,
  summary_markdown TEXT,
  UNIQUE (org_id, id),
  UNIQUE (org_id, key)
);
CREATE INDEX incidents_by_opening ON incidents (org_id, opened_at, id);
CREATE INDEX incidents_by_status ON incidents (org_id, status, opened_at, id);
CREATE INDEX incidents_by_update ON incidents (org_id, updated_at, id);
CREATE INDEX incidents_trashed ON incidents (deleted_with) WHERE deleted_at IS NOT NULL;

CREATE TABLE incident_services (
  incident_id TEXT NOT NULL,
  service_id TEXT NOT NULL,
  org_id TEXT NOT NULL,
  added_at BIGINT NOT NULL,
  PRIMARY KEY (incident_id, service_id),
  FOREIGN KEY (org_id, incident_id) REFERENCES incidents (org_id, id) ON DELETE CASCADE,
  FOREIGN KEY (org_id, service_id) REFERENCES services (org_id, id) ON DELETE CASCADE
);
CREATE INDEX incident_services_by_service ON incident_services (service_id, incident_id);

CREATE TABLE incident_roles (
  incident_id TEXT NOT NULL,
  role TEXT NOT NULL CHECK (role IN ('lead', 'communications', 'scribe')),
  person_id TEXT NOT NULL,
  org_id TEXT NOT NULL,
  added_at BIGINT NOT NULL,
  PRIMARY KEY (incident_id, role),
  FOREIGN KEY (org_id, incident_id) REFERENCES incidents (org_id, id) ON DELETE CASCADE,
  FOREIGN KEY (org_id, person_id) REFERENCES users (org_id, id)
);
CREATE INDEX incident_roles_by_person ON incident_roles (person_id, incident_id);

CREATE TABLE incident_channels (
  incident_id TEXT PRIMARY KEY,
  channel_id TEXT NOT NULL UNIQUE,
  org_id TEXT NOT NULL,
  added_at BIGINT NOT NULL,
  FOREIGN KEY (org_id, incident_id) REFERENCES incidents (org_id, id) ON DELETE CASCADE,
  FOREIGN KEY (org_id, channel_id) REFERENCES channels (org_id, id) ON DELETE CASCADE
);

CREATE TABLE timeline_entries (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  incident_id TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('note', 'status', 'severity', 'role', 'escalation', 'message', 'update', 'link')),
  occurred_at BIGINT NOT NULL,
  from_value TEXT,
  to_value TEXT,
  message_id TEXT,
  revision INTEGER NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  created_by TEXT NOT NULL REFERENCES users (id),
  created_via TEXT NOT NULL CHECK (created_via IN ('web', 'api', 'mcp', 'automation', 'sync', 'cli')),
  body_markdown TEXT NOT NULL,
  UNIQUE (org_id, id),
  FOREIGN KEY (org_id, incident_id) REFERENCES incidents (org_id, id) ON DELETE CASCADE
);
CREATE INDEX timeline_entries_by_incident ON timeline_entries (incident_id, occurred_at, id);
