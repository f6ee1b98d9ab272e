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
  toolsets_json TEXT,                    -- modules it may use, tasks:ro to read only; NULL: all
  created_at BIGINT NOT NULL,
  created_via TEXT NOT NULL CHECK (created_via IN ('web', 'cli')),
  expires_at BIGINT,
  revoked_at BIGINT,                     -- for ever: the row stays as a tombstone
  revoked_by TEXT,
  suspended_at BIGINT,                   -- refused until its owner decides; see abuse_findings
  hold_outbound INTEGER NOT NULL CHECK (hold_outbound IN (0, 1)),  -- 1: what it sends outside waits for its owner; see approvals
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

-- Old entries of the call log go in segments: only what is sealed can be deleted (triggers), and the chain goes on from the seal.
CREATE TABLE call_seals (
  org_id TEXT NOT NULL REFERENCES orgs (id),
  through_seq BIGINT NOT NULL,           -- the last entry of the segment; all up to it may be gone
  last_hash TEXT NOT NULL,               -- its hash, which the entry after it goes on from
  last_at BIGINT NOT NULL,
  entries BIGINT NOT NULL,
  sealed_at BIGINT NOT NULL,
  PRIMARY KEY (org_id, through_seq)
);

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

-- sessions, and calls that wait for a person ------------------------------------------------------------------------

-- People who are signed in with a browser. The cookie is kept only as a hash; a row that is gone is a session that has ended.
CREATE TABLE web_sessions (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  person_id TEXT NOT NULL,
  token_hash TEXT NOT NULL,              -- SHA-256 of the cookie's value, hexadecimal
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,            -- whatever happens until then
  last_used_at BIGINT NOT NULL,          -- written at most once a minute
  verified_at BIGINT NOT NULL,           -- when the password was last entered
  ip TEXT NOT NULL,                      -- where it began
  client TEXT,
  UNIQUE (org_id, id),
  UNIQUE (token_hash),
  FOREIGN KEY (org_id, person_id) REFERENCES users (org_id, id)
);
CREATE INDEX web_sessions_by_person ON web_sessions (person_id, created_at);
CREATE INDEX web_sessions_by_end ON web_sessions (expires_at);

-- Browsers in which a person has signed in before: others who guess at their password do not keep them out.
CREATE TABLE known_devices (
  token_hash TEXT NOT NULL,              -- SHA-256 of the cookie's value, hexadecimal
  person_id TEXT NOT NULL,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  created_at BIGINT NOT NULL,
  last_used_at BIGINT NOT NULL,          -- the last sign-in
  PRIMARY KEY (token_hash, person_id),
  FOREIGN KEY (org_id, person_id) REFERENCES users (org_id, id)
);
CREATE INDEX known_devices_by_person ON known_devices (person_id, last_used_at);
CREATE INDEX known_devices_by_use ON known_devices (last_used_at);

-- Tries of passwords that did not end well, whether there is such an account or not.
CREATE TABLE sign_in_failures (
  subject TEXT PRIMARY KEY,              -- SHA-256 of what was tried: an address, an address in a known browser, a session
  failures BIGINT NOT NULL,              -- in a row
  last_at BIGINT NOT NULL,
  next_at BIGINT NOT NULL                -- nothing is tried before
);
CREATE INDEX sign_in_failures_by_time ON sign_in_failures (last_at);

-- Calls of keys with hold_outbound that send something outside: made once the owner of the key releases them.
CREATE TABLE approvals (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  key_id TEXT NOT NULL,
  owner_id TEXT NOT NULL,                -- who decides, and in whose name it is made
  tool TEXT NOT NULL,
  arguments_json TEXT NOT NULL,
  arguments_hash TEXT NOT NULL,
  idempotency_key TEXT,
  asked_via TEXT NOT NULL CHECK (asked_via IN ('web', 'api', 'mcp', 'automation', 'sync', 'cli')),
  request_id TEXT NOT NULL,
  ip TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('pending', 'released', 'denied')),
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,            -- released no more from then on
  decided_at BIGINT,
  decided_by TEXT,
  call_id TEXT,                          -- the call that was made
  result_json TEXT,                      -- its answer, without what is shown once
  UNIQUE (org_id, id),
  CHECK ((state = 'pending') = (decided_at IS NULL)),
  CHECK ((state = 'released') = (call_id IS NOT NULL)),
  FOREIGN KEY (org_id, key_id) REFERENCES api_keys (org_id, id),
  FOREIGN KEY (org_id, owner_id) REFERENCES users (org_id, id)
);
CREATE INDEX approvals_by_owner ON approvals (owner_id, id);
CREATE INDEX approvals_by_key ON approvals (key_id, arguments_hash);
CREATE INDEX approvals_by_end ON approvals (expires_at);

-- limits ------------------------------------------------------------------------------------------------------------

-- The plan that an organization was given; without a row, the one of the settings.
CREATE TABLE org_plans (
  org_id TEXT PRIMARY KEY REFERENCES orgs (id),
  plan TEXT NOT NULL,                    -- a name of the settings
  set_at BIGINT NOT NULL
);

-- Calls that were served, by day in the time zone of the organization; counted in the transaction of their entry in the call log.
CREATE TABLE usage_days (
  org_id TEXT NOT NULL REFERENCES orgs (id),
  day_on TEXT NOT NULL,
  person_id TEXT NOT NULL,
  key_id TEXT NOT NULL,                  -- '': without a key
  calls BIGINT NOT NULL,
  PRIMARY KEY (org_id, day_on, person_id, key_id),
  FOREIGN KEY (org_id, person_id) REFERENCES users (org_id, id)
);

-- What the rules against abuse found: what is told to the owner of a key and to administrators, and what holds a key.
CREATE TABLE abuse_findings (
  id TEXT PRIMARY KEY,
  org_id TEXT REFERENCES orgs (id),      -- NULL: an address, of no organization that is known
  rule TEXT NOT NULL,
  key_id TEXT,
  owner_id TEXT,                         -- whose key it is
  subject TEXT,                          -- what it is about where that is no key: an address, a period
  detail_json TEXT NOT NULL,             -- counts and names of operations; nothing that a caller wrote
  occurrences BIGINT NOT NULL,           -- how often it came up
  first_at BIGINT NOT NULL,
  last_at BIGINT NOT NULL,
  hold TEXT NOT NULL CHECK (hold IN ('none', 'all', 'writes', 'outbound', 'key')),  -- what is refused to the key meanwhile
  until_at BIGINT,                       -- the hold ends by itself; NULL: when a person releases it
  released_at BIGINT,
  released_by TEXT,
  FOREIGN KEY (org_id, key_id) REFERENCES api_keys (org_id, id),
  FOREIGN KEY (org_id, owner_id) REFERENCES users (org_id, id)
);
CREATE INDEX abuse_findings_by_key ON abuse_findings (key_id, first_at) WHERE key_id IS NOT NULL;
CREATE INDEX abuse_findings_by_org ON abuse_findings (org_id, first_at);

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

-- jobs --------------------------------------------------------------------------------------------------------------

-- Work that outlives the request that asked for it, and work of the house itself. Done at least once: whoever runs a job holds
-- it by a lease, and counts beats up while it does; a lease whose beats stand still has lost its holder.
CREATE TABLE jobs (
  id TEXT PRIMARY KEY,
  org_id TEXT REFERENCES orgs (id),      -- NULL: the house's own
  owner_id TEXT,                         -- in whose name it runs, with the rights they have then; NULL: in nobody's
  key_id TEXT,                           -- the API key that asked for it, whose bounds hold for the job too
  kind TEXT NOT NULL,                    -- name of a kind that a module defines
  arguments_json TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('waiting', 'running', 'done', 'dead', 'cancelled')),
  priority INTEGER NOT NULL CHECK (priority IN (0, 1, 2)),  -- 0 goes first
  run_at BIGINT NOT NULL,                -- not before
  queued_at BIGINT NOT NULL,             -- when run_at was decided: later than now says that the clock was set back
  attempts INTEGER NOT NULL,             -- begun so far
  most_attempts INTEGER NOT NULL,
  lease TEXT,                            -- who runs it
  beats BIGINT NOT NULL,
  cancel_asked INTEGER NOT NULL CHECK (cancel_asked IN (0, 1)),
  asked_again INTEGER NOT NULL CHECK (asked_again IN (0, 1)),  -- while it ran: it runs once more
  unique_key TEXT,                       -- one unfinished job of a kind and organization has it
  progress_json TEXT,                    -- {done, total?, message?}
  result_json TEXT,
  last_error TEXT,
  created_at BIGINT NOT NULL,
  started_at BIGINT,                     -- the last attempt
  finished_at BIGINT,
  UNIQUE (org_id, id),
  CHECK ((state = 'running') = (lease IS NOT NULL)),
  CHECK ((state IN ('waiting', 'running')) = (finished_at IS NULL)),
  CHECK (owner_id IS NULL OR org_id IS NOT NULL),
  FOREIGN KEY (org_id, owner_id) REFERENCES users (org_id, id)
);
CREATE INDEX jobs_by_state ON jobs (state, kind, priority, run_at, id);
CREATE INDEX jobs_by_time ON jobs (state, run_at);
CREATE INDEX jobs_by_owner ON jobs (owner_id, id);
CREATE INDEX jobs_finished ON jobs (finished_at) WHERE finished_at IS NOT NULL;
CREATE UNIQUE INDEX jobs_unique ON jobs (kind, unique_key, coalesce(org_id, '')) WHERE unique_key IS NOT NULL AND finished_at IS NULL;

-- When jobs come up by themselves. Those that modules define are written here at each start.
CREATE TABLE job_schedules (
  id TEXT PRIMARY KEY,
  org_id TEXT REFERENCES orgs (id),
  owner_id TEXT,
  name TEXT NOT NULL,
  defined INTEGER NOT NULL CHECK (defined IN (0, 1)),  -- 1: by a module, not by a row of somebody's
  kind TEXT NOT NULL,
  arguments_json TEXT NOT NULL,
  cron TEXT NOT NULL,                    -- five fields
  timezone TEXT NOT NULL,
  next_at BIGINT,                        -- NULL: never again
  last_at BIGINT,
  created_at BIGINT NOT NULL,
  CHECK (owner_id IS NULL OR org_id IS NOT NULL),
  FOREIGN KEY (org_id, owner_id) REFERENCES users (org_id, id)
);
CREATE UNIQUE INDEX job_schedules_by_name ON job_schedules (name, coalesce(org_id, ''));
CREATE INDEX job_schedules_by_time ON job_schedules (next_at) WHERE next_at IS NOT NULL;

-- secrets and webhooks ------------------------------------------------------------------------------------------------

-- What only the master key opens: AES-256-GCM, bound to the place that the first four columns name.
CREATE TABLE secrets (
  org_id TEXT NOT NULL REFERENCES orgs (id),
  table_name TEXT NOT NULL,
  row_id TEXT NOT NULL,                  -- whose secret it is; goes with that row
  column_name TEXT NOT NULL,             -- which of its secrets
  kid TEXT NOT NULL,                     -- names the master key that opens it
  value_sealed TEXT NOT NULL,
  sealed_at BIGINT NOT NULL,
  PRIMARY KEY (org_id, table_name, row_id, column_name)
);
CREATE INDEX secrets_by_kid ON secrets (kid);

CREATE TABLE webhooks (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  owner_id TEXT NOT NULL,                -- who is told: only what they may see at that moment
  name TEXT NOT NULL,
  address TEXT NOT NULL,                 -- never changed
  events_json TEXT NOT NULL,             -- names of events; task.* means all of tasks
  filter_json TEXT,                      -- {project_ids?, fields?, via?, by_others?}
  active INTEGER NOT NULL CHECK (active IN (0, 1)),
  pause TEXT CHECK (pause IN ('owner', 'failing', 'gone', 'overflow', 'restored')),  -- why it is not active
  since_seq BIGINT NOT NULL,             -- told are changes after this one
  failures INTEGER NOT NULL,             -- attempts in a row that brought no success
  failing_since_at BIGINT,               -- the first of them
  last_delivery_at BIGINT,
  rotated_at BIGINT,                     -- the secret before the present one signs, too, for a day from then on
  revision INTEGER NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  created_by TEXT NOT NULL REFERENCES users (id),
  created_via TEXT NOT NULL CHECK (created_via IN ('web', 'api', 'mcp', 'automation', 'sync', 'cli')),
  deleted_at BIGINT,
  deleted_by TEXT,
  deleted_with TEXT,
  UNIQUE (org_id, id),
  CHECK ((active = 1) = (pause IS NULL)),
  FOREIGN KEY (org_id, owner_id) REFERENCES users (org_id, id)
);
CREATE INDEX webhooks_by_owner ON webhooks (owner_id, id);
CREATE INDEX webhooks_active ON webhooks (org_id) WHERE active = 1 AND deleted_at IS NULL;

-- Up to which change an organization's webhooks have their deliveries.
CREATE TABLE webhook_feeds (
  org_id TEXT PRIMARY KEY REFERENCES orgs (id),
  seq BIGINT NOT NULL
);

-- One event for one webhook. They go out in the order of the changes.
CREATE TABLE webhook_deliveries (
  id TEXT PRIMARY KEY,                   -- the webhook-id header of each attempt
  org_id TEXT NOT NULL REFERENCES orgs (id),
  webhook_id TEXT NOT NULL,
  change_seq BIGINT NOT NULL,
  event TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('pending', 'delivered', 'failed')),
  attempts INTEGER NOT NULL,             -- begun so far
  aside INTEGER NOT NULL CHECK (aside IN (0, 1)),  -- 1: those behind it do not wait for its next attempt
  next_attempt_at BIGINT,
  response_code INTEGER,                 -- of the last attempt; NULL: no answer
  payload_json TEXT,                     -- as it was sent last
  created_at BIGINT NOT NULL,
  finished_at BIGINT,
  UNIQUE (org_id, id),
  UNIQUE (webhook_id, change_seq, event),
  CHECK ((status = 'pending') = (finished_at IS NULL)),
  CHECK ((status = 'pending') = (next_attempt_at IS NOT NULL)),
  FOREIGN KEY (org_id, webhook_id) REFERENCES webhooks (org_id, id) ON DELETE CASCADE
);
CREATE INDEX webhook_deliveries_pending ON webhook_deliveries (webhook_id, change_seq, id) WHERE status = 'pending';
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (next_attempt_at) WHERE status = 'pending';
CREATE INDEX webhook_deliveries_finished ON webhook_deliveries (finished_at) WHERE finished_at IS NOT NULL;

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
