-- sessions, and calls that wait for a person --------------------------------------------------------------------------

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

ALTER TABLE api_keys ADD COLUMN hold_outbound INTEGER NOT NULL DEFAULT 0 CHECK (hold_outbound IN (0, 1));

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
