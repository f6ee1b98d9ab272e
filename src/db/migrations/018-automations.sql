-- Automations, what their runs leave in the log of changes, and calls that wait without a key.

ALTER TABLE changes ADD COLUMN run_id TEXT;
CREATE INDEX changes_by_run ON changes (run_id, seq) WHERE run_id IS NOT NULL;

CREATE TABLE approvals_new (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  key_id TEXT,
  owner_id TEXT NOT NULL,
  tool TEXT NOT NULL,
  arguments_json TEXT NOT NULL,
  arguments_hash TEXT NOT NULL,
  idempotency_key TEXT,
  asked_via TEXT NOT NULL CHECK (asked_via IN ('web', 'api', 'mcp', 'automation', 'sync', 'cli')),
  request_id TEXT NOT NULL,
  ip TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('pending', 'released', 'denied')),
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  decided_at BIGINT,
  decided_by TEXT,
  call_id TEXT,
  result_json TEXT,
  UNIQUE (org_id, id),
  CHECK ((state = 'pending') = (decided_at IS NULL)),
  CHECK ((state = 'released') = (call_id IS NOT NULL)),
  FOREIGN KEY (org_id, key_id) REFERENCES api_keys (org_id, id),
  FOREIGN KEY (org_id, owner_id) REFERENCES users (org_id, id)
);
INSERT INTO approvals_new SELECT * FROM approvals;
DROP TABLE approvals;
ALTER TABLE approvals_new RENAME TO approvals;
CREATE INDEX approvals_by_owner ON approvals (owner_id, id);
CREATE INDEX approvals_by_key ON approvals (key_id, arguments_hash);
CREATE INDEX approvals_by_end ON approvals (expires_at);

CREATE TABLE automations (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  owner_id TEXT NOT NULL,
  project_id TEXT,
  name TEXT NOT NULL,
  trigger_type TEXT NOT NULL CHECK (trigger_type IN ('event', 'schedule', 'webhook', 'manual')),
  trigger_json TEXT NOT NULL,
  conditions_json TEXT NOT NULL,
  actions_json TEXT NOT NULL,
  plan_id TEXT NOT NULL,
  hook_hash TEXT,
  outbound INTEGER NOT NULL CHECK (outbound IN (0, 1)),
  shared INTEGER NOT NULL CHECK (shared IN (0, 1)),
  status TEXT NOT NULL CHECK (status IN ('disabled', 'enabled', 'suspended')),
  reason TEXT,
  key_id TEXT,
  since_seq BIGINT NOT NULL,
  failures INTEGER NOT NULL,
  runs_succeeded INTEGER NOT NULL,
  runs_failed INTEGER NOT NULL,
  runs_skipped INTEGER NOT NULL,
  last_run_id TEXT,
  revision INTEGER NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  created_by TEXT NOT NULL REFERENCES users (id),
  created_via TEXT NOT NULL CHECK (created_via IN ('web', 'api', 'mcp', 'automation', 'sync', 'cli')),
  deleted_at BIGINT,
  deleted_by TEXT,
  deleted_with TEXT,
  UNIQUE (org_id, id),
  CHECK ((trigger_type = 'webhook') = (hook_hash IS NOT NULL)),
  FOREIGN KEY (org_id, owner_id) REFERENCES users (org_id, id),
  FOREIGN KEY (org_id, project_id) REFERENCES projects (org_id, id),
  FOREIGN KEY (org_id, key_id) REFERENCES api_keys (org_id, id)
);
CREATE INDEX automations_by_owner ON automations (owner_id, id);
CREATE INDEX automations_shared ON automations (org_id, id) WHERE shared = 1;
CREATE INDEX automations_by_project ON automations (project_id, id) WHERE project_id IS NOT NULL;
CREATE UNIQUE INDEX automations_by_hook ON automations (hook_hash) WHERE hook_hash IS NOT NULL;
CREATE INDEX automations_enabled ON automations (org_id, trigger_type) WHERE status = 'enabled' AND deleted_at IS NULL;
CREATE INDEX automations_trashed ON automations (deleted_with) WHERE deleted_at IS NOT NULL;

CREATE TABLE automation_feeds (
  org_id TEXT PRIMARY KEY REFERENCES orgs (id),
  seq BIGINT NOT NULL
);

CREATE TABLE automation_runs (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  automation_id TEXT NOT NULL,
  automation_name TEXT NOT NULL,
  owner_id TEXT NOT NULL,
  key_id TEXT,
  plan_id TEXT NOT NULL,
  trigger_type TEXT NOT NULL CHECK (trigger_type IN ('event', 'schedule', 'webhook', 'manual')),
  source TEXT,
  event TEXT,
  change_seq BIGINT,
  item_type TEXT,
  item_id TEXT,
  payload_json TEXT,
  root_id TEXT NOT NULL,
  cause_run_id TEXT,
  depth INTEGER NOT NULL,
  held INTEGER NOT NULL CHECK (held IN (0, 1)),
  status TEXT NOT NULL CHECK (status IN ('queued', 'running', 'succeeded', 'failed', 'skipped')),
  reason TEXT,
  conditions_json TEXT,
  resume_at BIGINT,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  started_at BIGINT,
  ended_at BIGINT,
  UNIQUE (org_id, id),
  CHECK ((ended_at IS NULL) = (status IN ('queued', 'running'))),
  CHECK ((ended_at IS NULL) = (resume_at IS NOT NULL)),
  FOREIGN KEY (org_id, owner_id) REFERENCES users (org_id, id)
);
CREATE INDEX automation_runs_by_automation ON automation_runs (automation_id, id);
CREATE INDEX automation_runs_by_owner ON automation_runs (owner_id, id);
CREATE UNIQUE INDEX automation_runs_by_source ON automation_runs (automation_id, source) WHERE source IS NOT NULL;
CREATE INDEX automation_runs_by_chain ON automation_runs (root_id, automation_id);
CREATE INDEX automation_runs_unfinished ON automation_runs (resume_at) WHERE ended_at IS NULL;
CREATE INDEX automation_runs_ended ON automation_runs (ended_at) WHERE ended_at IS NOT NULL;

CREATE TABLE automation_steps (
  run_id TEXT NOT NULL,
  path TEXT NOT NULL,
  org_id TEXT NOT NULL,
  automation_id TEXT NOT NULL,
  position INTEGER NOT NULL,
  action TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('running', 'waiting', 'succeeded', 'failed')),
  attempts INTEGER NOT NULL,
  params_json TEXT,
  value_json TEXT,
  input_json TEXT NOT NULL,
  output_json TEXT,
  items_json TEXT NOT NULL,
  error_json TEXT,
  approval_id TEXT,
  acted_at BIGINT,
  added_at BIGINT NOT NULL,
  ended_at BIGINT,
  PRIMARY KEY (run_id, path),
  FOREIGN KEY (org_id, run_id) REFERENCES automation_runs (org_id, id) ON DELETE CASCADE
);
CREATE INDEX automation_steps_by_automation ON automation_steps (automation_id, acted_at) WHERE acted_at IS NOT NULL;
CREATE INDEX automation_steps_by_org ON automation_steps (org_id, acted_at, automation_id) WHERE acted_at IS NOT NULL;
CREATE INDEX automation_steps_waiting ON automation_steps (approval_id) WHERE approval_id IS NOT NULL;
