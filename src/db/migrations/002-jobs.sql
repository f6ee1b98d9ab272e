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
