-- Goals with their key results and check-ins, and the time that people spend.

CREATE TABLE goals (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  title TEXT NOT NULL,
  period TEXT NOT NULL,
  level TEXT NOT NULL CHECK (level IN ('organization', 'team', 'personal')),
  owner_id TEXT NOT NULL,
  team_id TEXT,
  parent_id TEXT,
  status TEXT NOT NULL CHECK (status IN ('draft', 'active', 'achieved', 'missed', 'cancelled')),
  risk_told INTEGER NOT NULL CHECK (risk_told IN (0, 1)),
  risk_check_at BIGINT NOT NULL,
  revision INTEGER NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  created_by TEXT NOT NULL REFERENCES users (id),
  created_via TEXT NOT NULL CHECK (created_via IN ('web', 'api', 'mcp', 'automation', 'sync', 'cli')),
  deleted_at BIGINT,
  deleted_by TEXT,
  deleted_with TEXT,
  description_markdown TEXT,
  UNIQUE (org_id, id),
  FOREIGN KEY (org_id, owner_id) REFERENCES users (org_id, id),
  FOREIGN KEY (org_id, team_id) REFERENCES teams (org_id, id),
  FOREIGN KEY (org_id, parent_id) REFERENCES goals (org_id, id)
);
CREATE INDEX goals_by_period ON goals (org_id, period, id);
CREATE INDEX goals_by_owner ON goals (owner_id, id);
CREATE INDEX goals_by_team ON goals (team_id) WHERE team_id IS NOT NULL;
CREATE INDEX goals_by_parent ON goals (parent_id) WHERE parent_id IS NOT NULL;
CREATE INDEX goals_risk ON goals (risk_check_at) WHERE status = 'active' AND deleted_at IS NULL;
CREATE INDEX goals_trashed ON goals (deleted_with) WHERE deleted_at IS NOT NULL;

CREATE TABLE key_results (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  goal_id TEXT NOT NULL,
  title TEXT NOT NULL,
  metric TEXT NOT NULL CHECK (metric IN ('number', 'percent', 'currency', 'boolean')),
  start_value DOUBLE PRECISION NOT NULL,
  current_value DOUBLE PRECISION NOT NULL,
  target_value DOUBLE PRECISION NOT NULL,
  unit TEXT,
  owner_id TEXT NOT NULL,
  retired INTEGER NOT NULL CHECK (retired IN (0, 1)),
  source_measure TEXT CHECK (source_measure IN ('tasks', 'points', 'percent')),
  source_project_id TEXT,
  source_label_id TEXT,
  source_milestone_id TEXT,
  source_by TEXT,
  stale_since_at BIGINT,
  revision INTEGER NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  created_by TEXT NOT NULL REFERENCES users (id),
  created_via TEXT NOT NULL CHECK (created_via IN ('web', 'api', 'mcp', 'automation', 'sync', 'cli')),
  UNIQUE (org_id, id),
  CHECK (start_value <> target_value),
  FOREIGN KEY (org_id, goal_id) REFERENCES goals (org_id, id) ON DELETE CASCADE,
  FOREIGN KEY (org_id, owner_id) REFERENCES users (org_id, id),
  FOREIGN KEY (org_id, source_by) REFERENCES users (org_id, id)
);
CREATE INDEX key_results_by_goal ON key_results (goal_id, id);
CREATE INDEX key_results_by_source ON key_results (source_project_id) WHERE source_project_id IS NOT NULL;
CREATE INDEX key_results_by_label ON key_results (source_label_id) WHERE source_label_id IS NOT NULL;
CREATE INDEX key_results_fed ON key_results (org_id) WHERE source_measure IS NOT NULL;

CREATE TABLE goal_checkins (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  goal_id TEXT NOT NULL,
  values_json TEXT NOT NULL,
  confidence TEXT NOT NULL CHECK (confidence IN ('high', 'medium', 'low')),
  note_markdown TEXT,
  revision INTEGER NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  created_by TEXT NOT NULL REFERENCES users (id),
  created_via TEXT NOT NULL CHECK (created_via IN ('web', 'api', 'mcp', 'automation', 'sync', 'cli')),
  UNIQUE (org_id, id),
  FOREIGN KEY (org_id, goal_id) REFERENCES goals (org_id, id) ON DELETE CASCADE
);
CREATE INDEX goal_checkins_by_goal ON goal_checkins (goal_id, id);

CREATE TABLE goal_projects (
  goal_id TEXT NOT NULL,
  project_id TEXT NOT NULL,
  org_id TEXT NOT NULL,
  added_at BIGINT NOT NULL,
  PRIMARY KEY (goal_id, project_id),
  FOREIGN KEY (org_id, goal_id) REFERENCES goals (org_id, id) ON DELETE CASCADE,
  FOREIGN KEY (org_id, project_id) REFERENCES projects (org_id, id) ON DELETE CASCADE
);
CREATE INDEX goal_projects_by_project ON goal_projects (project_id, goal_id);

CREATE TABLE goal_feeds (
  org_id TEXT PRIMARY KEY REFERENCES orgs (id),
  seq BIGINT NOT NULL
);

CREATE TABLE time_entries (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  person_id TEXT NOT NULL,
  task_id TEXT,
  project_id TEXT,
  spent_on TEXT NOT NULL,
  duration_minutes INTEGER NOT NULL,
  note TEXT,
  billable INTEGER NOT NULL CHECK (billable IN (0, 1)),
  running_since_at BIGINT,
  started_at BIGINT,
  stopped_at BIGINT,
  long_told_at BIGINT,
  revision INTEGER NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  created_by TEXT NOT NULL REFERENCES users (id),
  created_via TEXT NOT NULL CHECK (created_via IN ('web', 'api', 'mcp', 'automation', 'sync', 'cli')),
  deleted_at BIGINT,
  deleted_by TEXT,
  deleted_with TEXT,
  UNIQUE (org_id, id),
  CHECK (duration_minutes BETWEEN 0 AND 1440),
  CHECK ((running_since_at IS NULL) = (duration_minutes > 0)),
  FOREIGN KEY (org_id, person_id) REFERENCES users (org_id, id),
  FOREIGN KEY (org_id, task_id) REFERENCES tasks (org_id, id),
  FOREIGN KEY (org_id, project_id) REFERENCES projects (org_id, id)
);
CREATE UNIQUE INDEX time_entries_running ON time_entries (person_id) WHERE running_since_at IS NOT NULL AND deleted_at IS NULL;
CREATE INDEX time_entries_long ON time_entries (running_since_at) WHERE running_since_at IS NOT NULL AND deleted_at IS NULL;
CREATE INDEX time_entries_by_person ON time_entries (person_id, spent_on, id);
CREATE INDEX time_entries_by_task ON time_entries (task_id, deleted_at, duration_minutes);
CREATE INDEX time_entries_by_project ON time_entries (project_id, spent_on, id);
CREATE INDEX time_entries_by_stop ON time_entries (person_id, stopped_at) WHERE stopped_at IS NOT NULL;
CREATE INDEX time_entries_trashed ON time_entries (deleted_with) WHERE deleted_at IS NOT NULL;
