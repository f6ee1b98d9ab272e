-- On-call schedules with their overrides, and the pages of incidents.

CREATE TABLE on_call_schedules (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  name TEXT NOT NULL,
  timezone TEXT NOT NULL,
  team_id TEXT,
  layers_json TEXT NOT NULL,
  escalation_minutes INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  created_by TEXT NOT NULL REFERENCES users (id),
  created_via TEXT NOT NULL CHECK (created_via IN ('web', 'api', 'mcp', 'automation', 'sync', 'cli')),
  deleted_at BIGINT,
  deleted_by TEXT,
  deleted_with TEXT,
  UNIQUE (org_id, id),
  CHECK (escalation_minutes BETWEEN 1 AND 1440),
  FOREIGN KEY (org_id, team_id) REFERENCES teams (org_id, id)
);
CREATE UNIQUE INDEX on_call_schedules_by_name ON on_call_schedules (org_id, lower(name)) WHERE deleted_at IS NULL;
CREATE INDEX on_call_schedules_by_team ON on_call_schedules (team_id) WHERE team_id IS NOT NULL;
CREATE INDEX on_call_schedules_trashed ON on_call_schedules (deleted_with) WHERE deleted_at IS NOT NULL;

CREATE TABLE on_call_overrides (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  schedule_id TEXT NOT NULL,
  level INTEGER NOT NULL,
  person_id TEXT NOT NULL,
  starts_at BIGINT NOT NULL,
  ends_at BIGINT NOT NULL,
  reason TEXT,
  revision INTEGER NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  created_by TEXT NOT NULL REFERENCES users (id),
  created_via TEXT NOT NULL CHECK (created_via IN ('web', 'api', 'mcp', 'automation', 'sync', 'cli')),
  UNIQUE (org_id, id),
  CHECK (ends_at > starts_at),
  FOREIGN KEY (org_id, schedule_id) REFERENCES on_call_schedules (org_id, id) ON DELETE CASCADE,
  FOREIGN KEY (org_id, person_id) REFERENCES users (org_id, id)
);
CREATE INDEX on_call_overrides_by_schedule ON on_call_overrides (schedule_id, ends_at);

CREATE TABLE on_call_duties (
  schedule_id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL,
  on_duty_json TEXT NOT NULL,
  seen_revision INTEGER NOT NULL,
  looked_at BIGINT NOT NULL,
  look_at BIGINT NOT NULL,
  FOREIGN KEY (org_id, schedule_id) REFERENCES on_call_schedules (org_id, id) ON DELETE CASCADE
);
CREATE INDEX on_call_duties_due ON on_call_duties (look_at);

CREATE TABLE escalations (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  incident_id TEXT NOT NULL,
  round INTEGER NOT NULL,
  level INTEGER NOT NULL,
  route TEXT NOT NULL CHECK (route IN ('services', 'schedule', 'person', 'team')),
  route_ids_json TEXT,
  status TEXT NOT NULL CHECK (status IN ('paging', 'acknowledged', 'exhausted', 'cancelled')),
  wait_minutes INTEGER NOT NULL,
  next_at BIGINT,
  channels_json TEXT NOT NULL,
  reason TEXT NOT NULL,
  revision INTEGER NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  created_by TEXT NOT NULL REFERENCES users (id),
  created_via TEXT NOT NULL CHECK (created_via IN ('web', 'api', 'mcp', 'automation', 'sync', 'cli')),
  UNIQUE (org_id, id),
  UNIQUE (incident_id, round, level),
  CHECK ((next_at IS NULL) = (status <> 'paging')),
  FOREIGN KEY (org_id, incident_id) REFERENCES incidents (org_id, id) ON DELETE CASCADE
);
CREATE INDEX escalations_due ON escalations (next_at) WHERE next_at IS NOT NULL;

CREATE TABLE escalation_targets (
  escalation_id TEXT NOT NULL,
  person_id TEXT NOT NULL,
  org_id TEXT NOT NULL,
  paged_at BIGINT NOT NULL,
  PRIMARY KEY (escalation_id, person_id),
  FOREIGN KEY (org_id, escalation_id) REFERENCES escalations (org_id, id) ON DELETE CASCADE,
  FOREIGN KEY (org_id, person_id) REFERENCES users (org_id, id)
);
CREATE INDEX escalation_targets_by_time ON escalation_targets (org_id, paged_at);
