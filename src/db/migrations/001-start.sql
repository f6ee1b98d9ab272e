-- Workspace: the whole schema as a fresh install gets it, and the one place where a column is explained.
--
-- Written in the subset that SQLite and PostgreSQL both load byte for byte. SQLite gets it STRICT (src/db/schema.ts
-- rewrites three words). Conventions: ids are TEXT `<prefix>_<26 sortable characters>`; instants `*_at` are BIGINT
-- milliseconds since 1970 UTC; dates `*_on` are TEXT `YYYY-MM-DD`; flags are INTEGER 0/1; `*_json` is JSON as TEXT.
-- Every table of an organization has org_id; parents are unique on (org_id, id), and children refer to both columns,
-- so that a row of one organization can never point into another. `deleted_at` marks the trash; `deleted_with` is the id
-- of the item whose deletion took this row along (its own id for that item itself).
-- What only SQLite has (full-text tables, triggers) is in src/db/sqlite.sql.

-- organizations and people ------------------------------------------------------------------------------------------

CREATE TABLE orgs (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  default_timezone TEXT NOT NULL,
  work_week_json TEXT NOT NULL,          -- ISO weekdays that are worked, 1 = Monday
  holidays_json TEXT NOT NULL,           -- [{date, name}]
  severity_scale_json TEXT NOT NULL,     -- [{severity, name, description}], used by incidents
  deal_stages_json TEXT NOT NULL,        -- names in order, used by deals
  trash_days INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL
);

CREATE TABLE users (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  email TEXT NOT NULL,                   -- lower case; unique over all organizations, it is the sign-in name
  display_name TEXT NOT NULL,
  title TEXT,
  role TEXT NOT NULL CHECK (role IN ('admin', 'member', 'guest')),
  status TEXT NOT NULL CHECK (status IN ('active', 'invited', 'deactivated')),
  timezone TEXT NOT NULL,
  manager_id TEXT,
  working_hours_json TEXT NOT NULL,      -- {mon: [{from: "09:00", to: "17:00"}], …}
  presence_text TEXT,
  presence_emoji TEXT,
  availability TEXT NOT NULL CHECK (availability IN ('available', 'busy', 'away', 'do_not_disturb')),
  presence_until_at BIGINT,              -- afterwards the presence reads as available again
  avatar_file_id TEXT,
  password_hash TEXT,                    -- argon2id PHC string; NULL: cannot sign in with a password
  revision INTEGER NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  UNIQUE (org_id, id),
  UNIQUE (email),
  FOREIGN KEY (org_id, manager_id) REFERENCES users (org_id, id)
);
CREATE INDEX users_by_name ON users (org_id, display_name, id);

CREATE TABLE teams (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  name TEXT NOT NULL,
  description TEXT,
  revision INTEGER NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  created_by TEXT NOT NULL REFERENCES users (id),
  created_via TEXT NOT NULL CHECK (created_via IN ('web', 'api', 'mcp', 'automation', 'sync', 'cli')),
  deleted_at BIGINT,
  deleted_by TEXT,
  deleted_with TEXT,
  UNIQUE (org_id, id)
);
CREATE UNIQUE INDEX teams_by_name ON teams (org_id, lower(name)) WHERE deleted_at IS NULL;

CREATE TABLE team_members (
  team_id TEXT NOT NULL,
  person_id TEXT NOT NULL,
  org_id TEXT NOT NULL,
  role TEXT NOT NULL CHECK (role IN ('lead', 'member')),
  added_at BIGINT NOT NULL,
  PRIMARY KEY (team_id, person_id),
  FOREIGN KEY (org_id, team_id) REFERENCES teams (org_id, id) ON DELETE CASCADE,
  FOREIGN KEY (org_id, person_id) REFERENCES users (org_id, id)
);
CREATE INDEX team_members_by_person ON team_members (person_id, team_id);

CREATE TABLE time_off (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  person_id TEXT NOT NULL,
  starts_on TEXT NOT NULL,
  ends_on TEXT NOT NULL,                 -- the last day away
  kind TEXT NOT NULL CHECK (kind IN ('vacation', 'sick', 'public_holiday', 'other')),
  note TEXT,                             -- for the person alone
  revision INTEGER NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  created_by TEXT NOT NULL REFERENCES users (id),
  created_via TEXT NOT NULL CHECK (created_via IN ('web', 'api', 'mcp', 'automation', 'sync', 'cli')),
  deleted_at BIGINT,
  deleted_by TEXT,
  deleted_with TEXT,
  UNIQUE (org_id, id),
  CHECK (ends_on >= starts_on),
  FOREIGN KEY (org_id, person_id) REFERENCES users (org_id, id)
);
CREATE INDEX time_off_by_date ON time_off (org_id, starts_on, id);
CREATE INDEX time_off_by_person ON time_off (person_id, starts_on);

-- keys, calls, changes ----------------------------------------------------------------------------------------------

CREATE TABLE api_keys (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  owner_id TEXT NOT NULL,
  name TEXT NOT NULL,
  lookup TEXT NOT NULL,                  -- the twelve characters after svc_: finds the row, opens nothing
  secret_hash TEXT NOT NULL,             -- argon2id PHC string of the secret; the secret itself is nowhere
  read_only INTEGER NOT NULL CHECK (read_only IN (0, 1)),
  admin_grant INTEGER NOT NULL CHECK (admin_grant IN (0, 1)),  -- 1: may use its owner's administrator rights
  toolsets_json TEXT,                    -- modules it may use; NULL: all
  created_at BIGINT NOT NULL,
  created_via TEXT NOT NULL CHECK (created_via IN ('web', 'cli')),
  expires_at BIGINT,
  revoked_at BIGINT,                     -- for ever: the row stays as a tombstone
  revoked_by TEXT,
  last_used_at BIGINT,                   -- written at most once a minute, outside the request
  last_ip TEXT,
  last_client TEXT,
  UNIQUE (org_id, id),
  UNIQUE (lookup),
  FOREIGN KEY (org_id, owner_id) REFERENCES users (org_id, id)
);
CREATE INDEX api_keys_by_owner ON api_keys (owner_id, created_at);

-- Links that work once: the first start of an instance.
CREATE TABLE setup_links (
  token_hash TEXT PRIMARY KEY,           -- SHA-256 of the token, hexadecimal
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  used_at BIGINT
);

-- One row a call, refused and failed ones too; hash-chained per organization; never changed (triggers), except that
-- details and salt may be erased: the chain holds only their hash.
CREATE TABLE calls (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  seq BIGINT NOT NULL,                   -- 1, 2, 3 … in each organization
  at BIGINT NOT NULL,
  request_id TEXT NOT NULL,
  actor_id TEXT NOT NULL REFERENCES users (id),
  key_id TEXT REFERENCES api_keys (id),  -- NULL: signed-in person or CLI
  transport TEXT NOT NULL CHECK (transport IN ('mcp', 'rest', 'cli', 'web', 'automation')),
  tool TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('read', 'write', 'destructive')),
  status TEXT NOT NULL CHECK (status IN ('ok', 'error', 'denied')),
  error_code TEXT,
  result_count INTEGER,
  changed INTEGER NOT NULL CHECK (changed IN (0, 1)),  -- 1: rows in changes carry this call's id
  duration_us BIGINT NOT NULL,           -- until the entry was written
  idempotency_key TEXT,
  items_json TEXT NOT NULL,              -- [{type, id}] of the items it named or touched
  details_json TEXT,                     -- {route, arguments (redacted), ip, client}; erasable
  salt TEXT,
  details_hash TEXT NOT NULL,            -- SHA-256 of salt and details_json
  prev_hash TEXT NOT NULL,
  hash TEXT NOT NULL,                    -- SHA-256 of prev_hash and the entry's other columns
  UNIQUE (org_id, seq)
);
CREATE INDEX calls_by_key ON calls (key_id, at);
CREATE INDEX calls_by_actor ON calls (actor_id, at);

-- One row for each item that a call changed: the source of activity, list_changes, undo, and later of webhooks and automations.
CREATE TABLE changes (
  seq BIGINT PRIMARY KEY,                -- order of commit over the whole instance
  org_id TEXT NOT NULL REFERENCES orgs (id),
  call_id TEXT NOT NULL,
  at BIGINT NOT NULL,
  actor_id TEXT NOT NULL REFERENCES users (id),
  key_id TEXT,
  via TEXT NOT NULL CHECK (via IN ('web', 'api', 'mcp', 'automation', 'sync', 'cli')),
  op TEXT NOT NULL CHECK (op IN ('created', 'updated', 'deleted', 'restored', 'access_gained', 'access_lost')),
  events_json TEXT NOT NULL,             -- names of events for webhooks and automations: ["task.updated", "task.completed"]
  item_type TEXT NOT NULL,
  item_id TEXT NOT NULL,
  project_id TEXT,                       -- where the item belonged at that moment
  for_person_id TEXT,                    -- access_gained, access_lost: whose
  fields_json TEXT NOT NULL,             -- [{field, from, to}]
  images_json TEXT                       -- [{table, op, key, before, after}] for undo; NULL once too old
);
CREATE INDEX changes_by_item ON changes (item_id, seq);
CREATE INDEX changes_by_org ON changes (org_id, seq);
CREATE INDEX changes_by_time ON changes (org_id, at);
CREATE INDEX changes_by_actor ON changes (actor_id, seq);
CREATE INDEX changes_by_project ON changes (project_id, seq) WHERE project_id IS NOT NULL;
CREATE INDEX changes_by_call ON changes (call_id);
CREATE INDEX changes_by_person ON changes (for_person_id, seq) WHERE for_person_id IS NOT NULL;

-- Calls that were undone, and by which call.
CREATE TABLE undone_calls (
  call_id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  undone_by_call_id TEXT NOT NULL,
  undone_at BIGINT NOT NULL
);

-- First answers of writes with an idempotency key, kept for 24 hours.
CREATE TABLE replays (
  actor_id TEXT NOT NULL REFERENCES users (id),
  tool TEXT NOT NULL,
  idempotency_key TEXT NOT NULL,
  arguments_hash TEXT NOT NULL,
  answer_json TEXT NOT NULL,
  call_id TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (actor_id, tool, idempotency_key)
);
CREATE INDEX replays_by_age ON replays (created_at);

-- projects ----------------------------------------------------------------------------------------------------------

CREATE TABLE projects (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  key TEXT NOT NULL,                     -- ENG: the first half of its tasks' keys
  name TEXT NOT NULL,
  description_markdown TEXT,
  status TEXT NOT NULL CHECK (status IN ('planned', 'active', 'paused', 'completed', 'archived')),
  status_before_archive TEXT CHECK (status_before_archive IN ('planned', 'active', 'paused', 'completed')),
  health TEXT CHECK (health IN ('on_track', 'at_risk', 'off_track')),  -- of the newest update
  team_id TEXT,
  starts_on TEXT,
  ends_on TEXT,
  next_task_number INTEGER NOT NULL,     -- numbers are never given twice
  revision INTEGER NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  created_by TEXT NOT NULL REFERENCES users (id),
  created_via TEXT NOT NULL CHECK (created_via IN ('web', 'api', 'mcp', 'automation', 'sync', 'cli')),
  deleted_at BIGINT,
  deleted_by TEXT,
  deleted_with TEXT,
  UNIQUE (org_id, id),
  UNIQUE (org_id, key),                  -- a trashed project keeps its key, so that restoring never renames tasks
  FOREIGN KEY (org_id, team_id) REFERENCES teams (org_id, id)
);
CREATE INDEX projects_by_org ON projects (org_id, updated_at, id);

CREATE TABLE project_members (
  project_id TEXT NOT NULL,
  person_id TEXT NOT NULL,
  org_id TEXT NOT NULL,
  role TEXT NOT NULL CHECK (role IN ('lead', 'member')),
  added_at BIGINT NOT NULL,
  PRIMARY KEY (project_id, person_id),
  FOREIGN KEY (org_id, project_id) REFERENCES projects (org_id, id) ON DELETE CASCADE,
  FOREIGN KEY (org_id, person_id) REFERENCES users (org_id, id)
);
CREATE INDEX project_members_by_person ON project_members (person_id, project_id, role);
CREATE UNIQUE INDEX project_members_one_lead ON project_members (project_id) WHERE role = 'lead';

CREATE TABLE statuses (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL,
  project_id TEXT NOT NULL,
  name TEXT NOT NULL,
  category TEXT NOT NULL CHECK (category IN ('triage', 'backlog', 'todo', 'in_progress', 'done', 'cancelled')),
  color TEXT NOT NULL,
  position INTEGER NOT NULL,
  wip_limit INTEGER,
  UNIQUE (org_id, id),
  FOREIGN KEY (org_id, project_id) REFERENCES projects (org_id, id) ON DELETE CASCADE
);
CREATE INDEX statuses_by_position ON statuses (project_id, position);
CREATE UNIQUE INDEX statuses_by_name ON statuses (project_id, lower(name));

CREATE TABLE custom_fields (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  project_id TEXT NOT NULL,
  name TEXT NOT NULL,
  type TEXT NOT NULL CHECK (type IN ('text', 'number', 'date', 'boolean', 'select', 'multi_select', 'person', 'url')),
  options_json TEXT NOT NULL,            -- [{id, name, color}]; tasks hold option ids
  required INTEGER NOT NULL CHECK (required IN (0, 1)),
  retired INTEGER NOT NULL CHECK (retired IN (0, 1)),
  revision INTEGER NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  created_by TEXT NOT NULL REFERENCES users (id),
  created_via TEXT NOT NULL CHECK (created_via IN ('web', 'api', 'mcp', 'automation', 'sync', 'cli')),
  UNIQUE (org_id, id),
  FOREIGN KEY (org_id, project_id) REFERENCES projects (org_id, id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX custom_fields_by_name ON custom_fields (project_id, lower(name));

CREATE TABLE sprints (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  project_id TEXT NOT NULL,
  name TEXT NOT NULL,
  goal TEXT,
  starts_on TEXT NOT NULL,
  ends_on TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('planned', 'active', 'completed', 'cancelled')),
  started_at BIGINT,
  completed_at BIGINT,
  carried_to_id TEXT,                    -- the sprint that took the unfinished tasks
  report_json TEXT,                      -- what complete_sprint found; later changes of tasks do not alter it
  revision INTEGER NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  created_by TEXT NOT NULL REFERENCES users (id),
  created_via TEXT NOT NULL CHECK (created_via IN ('web', 'api', 'mcp', 'automation', 'sync', 'cli')),
  UNIQUE (org_id, id),
  CHECK (ends_on >= starts_on),
  FOREIGN KEY (org_id, project_id) REFERENCES projects (org_id, id) ON DELETE CASCADE,
  FOREIGN KEY (org_id, carried_to_id) REFERENCES sprints (org_id, id)
);
CREATE INDEX sprints_by_project ON sprints (project_id, starts_on, id);
CREATE UNIQUE INDEX sprints_one_active ON sprints (project_id) WHERE status = 'active';

-- When tasks came into a running sprint and left it: the burndown and the scope changes are read from here.
CREATE TABLE sprint_moves (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL,
  sprint_id TEXT NOT NULL,
  task_id TEXT NOT NULL,
  op TEXT NOT NULL CHECK (op IN ('added', 'removed', 'completed', 'reopened')),
  points DOUBLE PRECISION,               -- the task's points at that moment
  at BIGINT NOT NULL,
  FOREIGN KEY (org_id, sprint_id) REFERENCES sprints (org_id, id) ON DELETE CASCADE
);
CREATE INDEX sprint_moves_by_sprint ON sprint_moves (sprint_id, at);

CREATE TABLE milestones (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  project_id TEXT NOT NULL,
  name TEXT NOT NULL,
  description_markdown TEXT,
  due_on TEXT,
  first_due_on TEXT,                     -- the date it was first planned for; slip_days counts from here
  status TEXT NOT NULL CHECK (status IN ('open', 'reached', 'missed', 'cancelled')),
  reached_at BIGINT,
  revision INTEGER NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  created_by TEXT NOT NULL REFERENCES users (id),
  created_via TEXT NOT NULL CHECK (created_via IN ('web', 'api', 'mcp', 'automation', 'sync', 'cli')),
  UNIQUE (org_id, id),
  FOREIGN KEY (org_id, project_id) REFERENCES projects (org_id, id) ON DELETE CASCADE
);
CREATE INDEX milestones_by_project ON milestones (project_id, due_on, id);
CREATE INDEX milestones_open_by_date ON milestones (due_on) WHERE status = 'open';

CREATE TABLE project_updates (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  project_id TEXT NOT NULL,
  health TEXT NOT NULL CHECK (health IN ('on_track', 'at_risk', 'off_track')),
  body_markdown TEXT NOT NULL,
  revision INTEGER NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  created_by TEXT NOT NULL REFERENCES users (id),
  created_via TEXT NOT NULL CHECK (created_via IN ('web', 'api', 'mcp', 'automation', 'sync', 'cli')),
  UNIQUE (org_id, id),
  FOREIGN KEY (org_id, project_id) REFERENCES projects (org_id, id) ON DELETE CASCADE
);
CREATE INDEX project_updates_by_project ON project_updates (project_id, created_at);

-- tasks -------------------------------------------------------------------------------------------------------------

CREATE TABLE tasks (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  project_id TEXT NOT NULL,
  key TEXT NOT NULL,                     -- ENG-42; changes when the task moves to another project
  title TEXT NOT NULL,
  status_id TEXT NOT NULL,
  status_category TEXT NOT NULL CHECK (status_category IN ('triage', 'backlog', 'todo', 'in_progress', 'done', 'cancelled')),  -- of the status, for filters
  priority TEXT NOT NULL CHECK (priority IN ('urgent', 'high', 'medium', 'low', 'none')),
  priority_rank INTEGER NOT NULL,        -- 0 urgent … 4 none, for sorting
  due_at BIGINT,
  start_at BIGINT,
  completed_at BIGINT,                   -- set while the category is done or cancelled
  estimate_minutes INTEGER,
  points DOUBLE PRECISION,
  parent_id TEXT,
  sprint_id TEXT,
  milestone_id TEXT,
  custom_fields_json TEXT NOT NULL,      -- {field id: value}
  position TEXT NOT NULL,                -- fractional index inside the project: strings that sort
  recurrence_rrule TEXT,
  recurrence_timezone TEXT,
  recurrence_create_next TEXT CHECK (recurrence_create_next IN ('on_schedule', 'on_completion')),
  recurrence_ends_on TEXT,
  recurrence_start TEXT,                 -- DTSTART of the rule, wall-clock time of its zone; stays the same through all its tasks
  recurrence_next_at BIGINT,             -- when the next one is due
  recurrence_create_at BIGINT,           -- on_schedule: when the next one is made, the beginning of the day it starts on or is due
  recurrence_of_id TEXT,                 -- the task this one repeats
  source_type TEXT,
  source_id TEXT,
  overdue_told_at BIGINT,                -- task.overdue was recorded for this due date
  revision INTEGER NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  created_by TEXT NOT NULL REFERENCES users (id),
  created_via TEXT NOT NULL CHECK (created_via IN ('web', 'api', 'mcp', 'automation', 'sync', 'cli')),
  deleted_at BIGINT,
  deleted_by TEXT,
  deleted_with TEXT,
  description_markdown TEXT,             -- the last column: lists need not read past a long text
  UNIQUE (org_id, id),
  UNIQUE (org_id, key),
  FOREIGN KEY (org_id, project_id) REFERENCES projects (org_id, id) ON DELETE CASCADE,
  FOREIGN KEY (org_id, status_id) REFERENCES statuses (org_id, id),
  FOREIGN KEY (org_id, parent_id) REFERENCES tasks (org_id, id) ON DELETE CASCADE,
  FOREIGN KEY (org_id, sprint_id) REFERENCES sprints (org_id, id),
  FOREIGN KEY (org_id, milestone_id) REFERENCES milestones (org_id, id)
);
CREATE INDEX tasks_by_project ON tasks (project_id, updated_at, id);
CREATE INDEX tasks_by_project_created ON tasks (project_id, id);
CREATE INDEX tasks_by_project_status ON tasks (project_id, status_category, updated_at, id);
CREATE INDEX tasks_by_project_due ON tasks (project_id, due_at, id, status_category) WHERE due_at IS NOT NULL;
CREATE INDEX tasks_by_project_position ON tasks (project_id, position, id);
CREATE INDEX tasks_by_project_priority ON tasks (project_id, priority_rank, id);
CREATE INDEX tasks_by_org ON tasks (org_id, updated_at, id);
CREATE INDEX tasks_by_org_status ON tasks (org_id, status_category, updated_at, id);
CREATE INDEX tasks_by_due ON tasks (org_id, due_at, id, status_category) WHERE due_at IS NOT NULL;
CREATE INDEX tasks_by_parent ON tasks (parent_id) WHERE parent_id IS NOT NULL;
CREATE INDEX tasks_by_sprint ON tasks (sprint_id) WHERE sprint_id IS NOT NULL;
CREATE INDEX tasks_by_milestone ON tasks (milestone_id) WHERE milestone_id IS NOT NULL;
CREATE INDEX tasks_by_status ON tasks (status_id);
CREATE INDEX tasks_recurring ON tasks (recurrence_create_at) WHERE recurrence_create_at IS NOT NULL;
CREATE INDEX tasks_overdue ON tasks (due_at, overdue_told_at) WHERE due_at IS NOT NULL AND completed_at IS NULL;
CREATE INDEX tasks_trashed ON tasks (deleted_with) WHERE deleted_at IS NOT NULL;
CREATE INDEX tasks_in_trash ON tasks (org_id, deleted_at, id) WHERE deleted_at IS NOT NULL;

CREATE TABLE task_people (
  task_id TEXT NOT NULL,
  person_id TEXT NOT NULL,
  role TEXT NOT NULL CHECK (role IN ('assignee', 'watcher')),
  org_id TEXT NOT NULL,
  added_at BIGINT NOT NULL,
  PRIMARY KEY (task_id, role, person_id),
  FOREIGN KEY (org_id, task_id) REFERENCES tasks (org_id, id) ON DELETE CASCADE,
  FOREIGN KEY (org_id, person_id) REFERENCES users (org_id, id)
);
CREATE INDEX task_people_by_person ON task_people (person_id, role, task_id);

-- task_id waits for, relates to or duplicates other_id; "blocks" is the same row read from the other end.
CREATE TABLE task_dependencies (
  task_id TEXT NOT NULL,
  other_id TEXT NOT NULL,
  type TEXT NOT NULL CHECK (type IN ('blocked_by', 'relates_to', 'duplicates')),
  org_id TEXT NOT NULL,
  added_at BIGINT NOT NULL,
  PRIMARY KEY (task_id, other_id, type),
  CHECK (task_id <> other_id),
  FOREIGN KEY (org_id, task_id) REFERENCES tasks (org_id, id) ON DELETE CASCADE,
  FOREIGN KEY (org_id, other_id) REFERENCES tasks (org_id, id) ON DELETE CASCADE
);
CREATE INDEX task_dependencies_by_other ON task_dependencies (other_id, type, task_id);

CREATE TABLE task_comments (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  task_id TEXT NOT NULL,
  body_markdown TEXT NOT NULL,
  reply_to_id TEXT,
  mentions_json TEXT NOT NULL,           -- ids of the people mentioned who could see the task
  edited_at BIGINT,
  revision INTEGER NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  created_by TEXT NOT NULL REFERENCES users (id),
  created_via TEXT NOT NULL CHECK (created_via IN ('web', 'api', 'mcp', 'automation', 'sync', 'cli')),
  UNIQUE (org_id, id),
  FOREIGN KEY (org_id, task_id) REFERENCES tasks (org_id, id) ON DELETE CASCADE,
  FOREIGN KEY (org_id, reply_to_id) REFERENCES task_comments (org_id, id)
);
CREATE INDEX task_comments_by_task ON task_comments (task_id, id);
CREATE INDEX task_comments_by_reply ON task_comments (reply_to_id) WHERE reply_to_id IS NOT NULL;

-- Small content that came with an attachment; the drive takes these files over.
CREATE TABLE files (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  name TEXT NOT NULL,
  mime_type TEXT NOT NULL,
  size_bytes INTEGER NOT NULL,
  sha256 TEXT NOT NULL,
  content_base64 TEXT NOT NULL,
  revision INTEGER NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  created_by TEXT NOT NULL REFERENCES users (id),
  created_via TEXT NOT NULL CHECK (created_via IN ('web', 'api', 'mcp', 'automation', 'sync', 'cli')),
  deleted_at BIGINT,
  deleted_by TEXT,
  deleted_with TEXT,
  UNIQUE (org_id, id)
);

CREATE TABLE task_attachments (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  task_id TEXT NOT NULL,
  name TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('file', 'link')),
  file_id TEXT,
  web_url TEXT,
  revision INTEGER NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  created_by TEXT NOT NULL REFERENCES users (id),
  created_via TEXT NOT NULL CHECK (created_via IN ('web', 'api', 'mcp', 'automation', 'sync', 'cli')),
  UNIQUE (org_id, id),
  CHECK ((kind = 'file' AND file_id IS NOT NULL) OR (kind = 'link' AND web_url IS NOT NULL)),
  FOREIGN KEY (org_id, task_id) REFERENCES tasks (org_id, id) ON DELETE CASCADE,
  FOREIGN KEY (org_id, file_id) REFERENCES files (org_id, id)
);
CREATE INDEX task_attachments_by_task ON task_attachments (task_id, id);
CREATE INDEX task_attachments_by_file ON task_attachments (file_id) WHERE file_id IS NOT NULL;

CREATE TABLE task_templates (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  project_id TEXT,                       -- NULL: for the whole organization
  name TEXT NOT NULL,
  outline_json TEXT NOT NULL,
  variables_json TEXT NOT NULL,
  use_count INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  created_by TEXT NOT NULL REFERENCES users (id),
  created_via TEXT NOT NULL CHECK (created_via IN ('web', 'api', 'mcp', 'automation', 'sync', 'cli')),
  UNIQUE (org_id, id),
  FOREIGN KEY (org_id, project_id) REFERENCES projects (org_id, id) ON DELETE CASCADE
);
CREATE INDEX task_templates_by_org ON task_templates (org_id, name, id);

-- labels and views --------------------------------------------------------------------------------------------------

CREATE TABLE labels (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  name TEXT NOT NULL,
  color TEXT NOT NULL,
  description TEXT,
  revision INTEGER NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  created_by TEXT NOT NULL REFERENCES users (id),
  created_via TEXT NOT NULL CHECK (created_via IN ('web', 'api', 'mcp', 'automation', 'sync', 'cli')),
  deleted_at BIGINT,
  deleted_by TEXT,
  deleted_with TEXT,
  UNIQUE (org_id, id)
);
CREATE UNIQUE INDEX labels_by_name ON labels (org_id, lower(name)) WHERE deleted_at IS NULL;

CREATE TABLE task_labels (
  task_id TEXT NOT NULL,
  label_id TEXT NOT NULL,
  org_id TEXT NOT NULL,
  added_at BIGINT NOT NULL,
  PRIMARY KEY (task_id, label_id),
  FOREIGN KEY (org_id, task_id) REFERENCES tasks (org_id, id) ON DELETE CASCADE,
  FOREIGN KEY (org_id, label_id) REFERENCES labels (org_id, id) ON DELETE CASCADE
);
CREATE INDEX task_labels_by_label ON task_labels (label_id, task_id);

CREATE TABLE saved_views (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  owner_id TEXT NOT NULL,
  name TEXT NOT NULL,
  item_type TEXT NOT NULL CHECK (item_type IN ('task', 'email', 'contact', 'deal', 'incident', 'page')),
  filter_json TEXT NOT NULL,             -- arguments of the list operation of that type
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
  UNIQUE (org_id, id),
  FOREIGN KEY (org_id, owner_id) REFERENCES users (org_id, id),
  FOREIGN KEY (org_id, project_id) REFERENCES projects (org_id, id) ON DELETE CASCADE
);
CREATE INDEX saved_views_by_owner ON saved_views (owner_id, name, id);
CREATE INDEX saved_views_shared ON saved_views (org_id, name, id) WHERE shared = 1;

-- search ------------------------------------------------------------------------------------------------------------

-- One row for each searchable text: an item, or a part of one (a comment) that names its item.
CREATE TABLE search_docs (
  rowid_ BIGINT PRIMARY KEY,             -- rowid of the full-text row
  ref TEXT NOT NULL,                     -- id of the row the text is from
  item_type TEXT NOT NULL,
  item_id TEXT NOT NULL,                 -- the item a hit leads to
  part TEXT NOT NULL,                    -- item, comment, attachment
  org_id TEXT NOT NULL REFERENCES orgs (id),
  container TEXT NOT NULL,               -- acl token: the project, mailbox, channel … whose readers may find it
  title TEXT NOT NULL,
  body TEXT NOT NULL,
  at BIGINT NOT NULL,
  UNIQUE (ref)
);
CREATE INDEX search_docs_by_item ON search_docs (item_id);

-- What only SQLite has, run after schema.sql: full-text tables and the triggers that keep the call log unchangeable.

CREATE VIRTUAL TABLE search_fts USING fts5 (
  title, body, acl,
  content = '', contentless_delete = 1, tokenize = 'porter unicode61 remove_diacritics 2'
);

CREATE TRIGGER calls_keep BEFORE DELETE ON calls
BEGIN
  SELECT raise(ABORT, 'the call log is append-only');
END;

CREATE TRIGGER calls_fixed BEFORE UPDATE OF id, org_id, seq, at, request_id, actor_id, key_id, transport, tool, kind, status,
  error_code, result_count, changed, duration_us, idempotency_key, items_json, details_hash, prev_hash, hash ON calls
BEGIN
  SELECT raise(ABORT, 'the call log is append-only');
END;

CREATE TRIGGER calls_details_only_erased BEFORE UPDATE OF details_json, salt ON calls
WHEN new.details_json IS NOT NULL OR new.salt IS NOT NULL
BEGIN
  SELECT raise(ABORT, 'details of a call can only be erased');
END;

CREATE TRIGGER api_keys_stay BEFORE DELETE ON api_keys
BEGIN
  SELECT raise(ABORT, 'a key is revoked, never deleted');
END;

CREATE TRIGGER api_keys_stay_revoked BEFORE UPDATE OF revoked_at ON api_keys
WHEN old.revoked_at IS NOT NULL AND new.revoked_at IS NOT old.revoked_at
BEGIN
  SELECT raise(ABORT, 'a revoked key stays revoked');
END;
