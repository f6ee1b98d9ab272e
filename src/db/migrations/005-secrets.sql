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
