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
  hides_presence INTEGER NOT NULL DEFAULT 0 CHECK (hides_presence IN (0, 1)), -- 1: others do not see what the person looks at
  shortcuts_json TEXT, -- {"task.done": ["h"], …}: keys of commands that the person changed in the web app
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
  lookup TEXT NOT NULL,                  -- the twelve characters after svc_: finds the row, opens nothing. Of a connection: its host, a slash and twelve characters
  secret_hash TEXT NOT NULL,             -- argon2id PHC string of the secret; the secret itself is nowhere. Of a connection: empty
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
  suspended_by TEXT,                     -- who paused it in the web app; NULL: a rule against abuse suspended it
  kind TEXT NOT NULL DEFAULT 'key' CHECK (kind IN ('key', 'connection')),  -- connection: made by OAuth, opened by oauth_tokens
  UNIQUE (org_id, id),
  UNIQUE (lookup),
  FOREIGN KEY (org_id, owner_id) REFERENCES users (org_id, id)
);
CREATE INDEX api_keys_by_owner ON api_keys (owner_id, created_at);

-- Programs that people may connect by OAuth: of the whole instance. What they say of themselves is from outside.
CREATE TABLE oauth_clients (
  client_id TEXT PRIMARY KEY,            -- the address of its document, or cl_…
  source TEXT NOT NULL CHECK (source IN ('document', 'registered', 'entered')),
  name TEXT NOT NULL,                    -- as it calls itself, on one line
  uri TEXT,
  redirects_json TEXT NOT NULL,
  methods_json TEXT NOT NULL,            -- how it may authenticate
  jwks_uri TEXT,
  jwks_json TEXT,
  secret_hash TEXT,                      -- SHA-256 of its secret, hexadecimal
  fetched_at BIGINT,                     -- when its document was last read; NULL: never, it is a copy of ours
  fresh_until BIGINT,
  problem TEXT,                          -- why its document could not be read the last time
  policy TEXT NOT NULL CHECK (policy IN ('default', 'allow', 'refuse')),
  created_at BIGINT NOT NULL,
  created_ip TEXT,
  used_at BIGINT                         -- last time that somebody connected it or it refreshed a token
);

-- Hosts to which answers to programs may go, or may not, whatever the settings say: of the whole instance.
CREATE TABLE oauth_callback_hosts (
  host TEXT PRIMARY KEY,                 -- in the spelling of addresses: lower case, Punycode
  policy TEXT NOT NULL CHECK (policy IN ('allow', 'refuse')),
  created_at BIGINT NOT NULL
);

-- What a program asked for and nobody has decided yet; ten minutes.
CREATE TABLE oauth_requests (
  token_hash TEXT PRIMARY KEY,           -- SHA-256 of what is in the address of the consent page
  client_id TEXT NOT NULL REFERENCES oauth_clients (client_id),
  redirect_uri TEXT NOT NULL,
  state TEXT,
  challenge TEXT NOT NULL,               -- PKCE, S256
  resource TEXT NOT NULL,                -- the address at which it will call
  scope TEXT NOT NULL,
  issuer TEXT NOT NULL,                  -- the origin at which it asked
  ip TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  decided_at BIGINT
);
CREATE INDEX oauth_requests_by_end ON oauth_requests (expires_at);
CREATE INDEX oauth_requests_by_client ON oauth_requests (client_id);

-- What a row of api_keys of kind connection has besides.
CREATE TABLE oauth_connections (
  key_id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL,
  client_id TEXT NOT NULL REFERENCES oauth_clients (client_id),
  redirect_uri TEXT NOT NULL,
  issuer TEXT NOT NULL,
  resource TEXT NOT NULL,
  asked TEXT NOT NULL,                   -- the scopes that the program asked for
  scope TEXT NOT NULL,                   -- those that the person gave
  generation INTEGER NOT NULL,           -- of the newest refresh token
  refreshed_at BIGINT NOT NULL,
  FOREIGN KEY (org_id, key_id) REFERENCES api_keys (org_id, id)
);
CREATE INDEX oauth_connections_by_client ON oauth_connections (client_id);

-- Authorization codes: 60 seconds, once; the row stays for a day to notice a second use.
CREATE TABLE oauth_codes (
  code_hash TEXT PRIMARY KEY,
  key_id TEXT NOT NULL REFERENCES oauth_connections (key_id),
  challenge TEXT NOT NULL,
  expires_at BIGINT NOT NULL,
  used_at BIGINT
);
CREATE INDEX oauth_codes_by_key ON oauth_codes (key_id);

-- Access and refresh tokens, by their hashes.
CREATE TABLE oauth_tokens (
  token_hash TEXT PRIMARY KEY,           -- SHA-256, hexadecimal
  key_id TEXT NOT NULL REFERENCES oauth_connections (key_id),
  kind TEXT NOT NULL CHECK (kind IN ('access', 'refresh')),
  generation INTEGER NOT NULL,
  salt TEXT,                             -- of a refresh token: what it was derived from its predecessor with
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  replaced_at BIGINT
);
CREATE INDEX oauth_tokens_by_key ON oauth_tokens (key_id, kind, generation);
CREATE INDEX oauth_tokens_by_end ON oauth_tokens (expires_at);

-- Signed assertions that clients have used: each counts once.
CREATE TABLE oauth_assertions (
  jti_hash TEXT PRIMARY KEY,
  expires_at BIGINT NOT NULL
);

-- single sign-on ------------------------------------------------------------------------------------------------------

-- Identity providers (OpenID Connect) by which the people of an organization sign in. The client secret is sealed in
-- `secrets`, as column client_secret.
CREATE TABLE sso_providers (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  name TEXT NOT NULL,                    -- on the button of the sign-in page
  issuer TEXT NOT NULL,                  -- as its discovery document says it
  client_id TEXT NOT NULL,
  scopes TEXT NOT NULL,                  -- separated by spaces; openid is among them
  groups_claim TEXT,                     -- dotted path of the claim that lists groups; NULL: groups are not used
  rules_json TEXT NOT NULL,              -- [{"group": …, "role": …} or {"group": …, "team_id": …}]
  domains_json TEXT NOT NULL,            -- domains of email addresses that belong to the organization
  accounts TEXT NOT NULL CHECK (accounts IN ('invited', 'domain', 'group', 'anyone')),
  linking TEXT NOT NULL CHECK (linking IN ('ask', 'trusted', 'no')),
  client_auth TEXT NOT NULL DEFAULT 'auto' CHECK (client_auth IN ('auto', 'basic', 'post')), -- how the secret is sent; auto: as the metadata say
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  UNIQUE (org_id, id),
  UNIQUE (org_id, issuer, client_id)
);

-- Accounts at providers by which people are known. An email address alone is never one.
CREATE TABLE sso_identities (
  provider_id TEXT NOT NULL,
  subject TEXT NOT NULL,                 -- claim sub
  org_id TEXT NOT NULL,
  person_id TEXT NOT NULL,
  email TEXT,                            -- as the provider said it last; for lists alone
  created_at BIGINT NOT NULL,
  used_at BIGINT NOT NULL,
  PRIMARY KEY (provider_id, subject),
  FOREIGN KEY (org_id, provider_id) REFERENCES sso_providers (org_id, id),
  FOREIGN KEY (org_id, person_id) REFERENCES users (org_id, id)
);
CREATE INDEX sso_identities_by_person ON sso_identities (person_id);

-- Sign-ins that were sent to a provider and have not come back; ten minutes, once.
CREATE TABLE sso_requests (
  state_hash TEXT PRIMARY KEY,           -- SHA-256, hexadecimal
  org_id TEXT NOT NULL,
  provider_id TEXT NOT NULL,
  purpose TEXT NOT NULL CHECK (purpose IN ('sign_in', 'link', 'verify')),
  holder_hash TEXT NOT NULL,             -- the browser that it was begun in
  session_id TEXT,                       -- of link and verify: the session that it is for
  return_to TEXT NOT NULL,               -- a path of the web app
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  FOREIGN KEY (org_id, provider_id) REFERENCES sso_providers (org_id, id)
);
CREATE INDEX sso_requests_by_end ON sso_requests (expires_at);

-- Organizations whose people sign in by a provider only.
CREATE TABLE sso_only_orgs (
  org_id TEXT PRIMARY KEY REFERENCES orgs (id),
  created_at BIGINT NOT NULL
);

-- People who may sign in with a password or a passkey all the same, for when the provider is down.
CREATE TABLE sso_emergency_accounts (
  org_id TEXT NOT NULL,
  person_id TEXT PRIMARY KEY,
  created_at BIGINT NOT NULL,
  FOREIGN KEY (org_id, person_id) REFERENCES users (org_id, id)
);

-- Bearer tokens with which a provider creates, changes and deactivates people and groups (SCIM). They open nothing else.
CREATE TABLE scim_tokens (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL,
  provider_id TEXT NOT NULL,
  name TEXT NOT NULL,
  token_hash TEXT NOT NULL UNIQUE,       -- SHA-256, hexadecimal
  hint TEXT NOT NULL,                    -- its first characters, for lists
  created_at BIGINT NOT NULL,
  created_by TEXT,                       -- the administrator; NULL: at the command line
  expires_at BIGINT,
  revoked_at BIGINT,
  used_at BIGINT,
  FOREIGN KEY (org_id, provider_id) REFERENCES sso_providers (org_id, id)
);
CREATE INDEX scim_tokens_by_provider ON scim_tokens (provider_id, created_at);

-- People that a provider manages by SCIM; a person is managed by one provider at most.
CREATE TABLE scim_people (
  person_id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL,
  provider_id TEXT NOT NULL,
  user_name TEXT NOT NULL,               -- as the provider calls them, in lower case
  external_id TEXT,                      -- the provider's own id
  given_name TEXT,
  family_name TEXT,
  is_created INTEGER NOT NULL CHECK (is_created IN (0, 1)),  -- 1: the provider made the account; 0: it was there before
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  deactivated_at BIGINT,                 -- set while the provider, and not an administrator here, has deactivated the person
  deleted_at BIGINT,                     -- the provider has deleted them; the account stays, deactivated
  UNIQUE (provider_id, user_name),
  UNIQUE (provider_id, external_id),
  FOREIGN KEY (org_id, provider_id) REFERENCES sso_providers (org_id, id),
  FOREIGN KEY (org_id, person_id) REFERENCES users (org_id, id)
);

-- Groups that a provider has sent; the provider's rules say what they give.
CREATE TABLE scim_groups (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL,
  provider_id TEXT NOT NULL,
  display_name TEXT NOT NULL,
  external_id TEXT,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  UNIQUE (provider_id, display_name),
  UNIQUE (provider_id, external_id),
  FOREIGN KEY (org_id, provider_id) REFERENCES sso_providers (org_id, id)
);

CREATE TABLE scim_group_members (
  group_id TEXT NOT NULL REFERENCES scim_groups (id),
  person_id TEXT NOT NULL REFERENCES users (id),
  PRIMARY KEY (group_id, person_id)
);
CREATE INDEX scim_group_members_by_person ON scim_group_members (person_id);

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
CREATE INDEX calls_by_org ON calls (org_id, at);

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
  images_json TEXT,                      -- [{table, op, key, before, after}] for undo; NULL once too old
  run_id TEXT                            -- the run of an automation that made it, or the answer of strangers to a form
);
CREATE INDEX changes_by_item ON changes (item_id, seq);
CREATE INDEX changes_by_org ON changes (org_id, seq);
CREATE INDEX changes_by_time ON changes (org_id, at);
CREATE INDEX changes_by_actor ON changes (actor_id, seq);
CREATE INDEX changes_by_project ON changes (project_id, seq) WHERE project_id IS NOT NULL;
CREATE INDEX changes_by_call ON changes (call_id);
CREATE INDEX changes_by_person ON changes (for_person_id, seq) WHERE for_person_id IS NOT NULL;
CREATE INDEX changes_by_run ON changes (run_id, seq) WHERE run_id IS NOT NULL;

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
  key_id TEXT NOT NULL,                  -- API key of the call; empty: signed in, or at the command line
  tool TEXT NOT NULL,
  idempotency_key TEXT NOT NULL,
  arguments_hash TEXT NOT NULL,
  answer_json TEXT NOT NULL,
  call_id TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (actor_id, key_id, tool, idempotency_key)
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
  provider_id TEXT,                      -- the identity provider by which it began, if any
  provider_subject TEXT,                 -- who signed in there
  provider_sid TEXT,                     -- the session there, where the provider names it
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

-- Passkeys (WebAuthn): a second way in, and the second way to show who one is.
CREATE TABLE passkeys (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  person_id TEXT NOT NULL,
  name TEXT NOT NULL,                    -- by which its owner knows it again
  credential_id TEXT NOT NULL,           -- how browsers name it, base64url
  public_key TEXT NOT NULL,              -- COSE, base64url
  sign_count BIGINT NOT NULL,            -- how often it signed, as it says itself; 0 for ever where it does not count
  transports_json TEXT NOT NULL,         -- how browsers reach it: ["internal", "hybrid"]
  device_type TEXT NOT NULL CHECK (device_type IN ('single_device', 'multi_device')),
  backed_up INTEGER NOT NULL CHECK (backed_up IN (0, 1)),
  created_at BIGINT NOT NULL,
  last_used_at BIGINT,
  UNIQUE (org_id, id),
  UNIQUE (credential_id),
  FOREIGN KEY (org_id, person_id) REFERENCES users (org_id, id)
);
CREATE INDEX passkeys_by_person ON passkeys (person_id, id);

-- What passkeys are asked to sign. A row that is gone was answered, or is over.
CREATE TABLE passkey_challenges (
  challenge_hash TEXT PRIMARY KEY,       -- SHA-256, hexadecimal
  purpose TEXT NOT NULL CHECK (purpose IN ('add', 'sign_in', 'verify')),
  holder_hash TEXT NOT NULL,             -- SHA-256 of the session or the browser that it was given to
  expires_at BIGINT NOT NULL
);
CREATE INDEX passkey_challenges_by_end ON passkey_challenges (expires_at);

-- Invitations by link. What a link holds is kept only as a hash: there is one that was shown, and one in each mail.
CREATE TABLE invitations (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  email TEXT,                            -- lower case; NULL: whoever has the link names their own
  role TEXT NOT NULL CHECK (role IN ('admin', 'member', 'guest')),
  note TEXT,                             -- words to whom is invited
  mail TEXT NOT NULL CHECK (mail IN ('none', 'waiting', 'sent', 'failed')),
  mails INTEGER NOT NULL,                -- how many were asked for
  mailed_at BIGINT,                      -- when the last one went
  mail_problem TEXT,                     -- why it did not, or not yet
  created_at BIGINT NOT NULL,
  created_by TEXT NOT NULL REFERENCES users (id),
  expires_at BIGINT NOT NULL,
  used_at BIGINT,
  used_by TEXT,                          -- the person that it made
  revoked_at BIGINT,
  revoked_by TEXT,
  UNIQUE (org_id, id),
  CHECK ((used_at IS NULL) = (used_by IS NULL)),
  CHECK ((revoked_at IS NULL) = (revoked_by IS NULL)),
  FOREIGN KEY (org_id, used_by) REFERENCES users (org_id, id),
  FOREIGN KEY (org_id, revoked_by) REFERENCES users (org_id, id)
);
CREATE INDEX invitations_by_maker ON invitations (created_by, expires_at);

CREATE TABLE invitation_links (
  token_hash TEXT PRIMARY KEY,           -- SHA-256 of the token, hexadecimal
  org_id TEXT NOT NULL REFERENCES orgs (id),
  invitation_id TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  FOREIGN KEY (org_id, invitation_id) REFERENCES invitations (org_id, id) ON DELETE CASCADE
);
CREATE INDEX invitation_links_by_invitation ON invitation_links (invitation_id);

-- Links by which somebody gives themselves a new password, once; an administrator makes them.
CREATE TABLE password_resets (
  token_hash TEXT PRIMARY KEY,           -- SHA-256 of the token, hexadecimal
  org_id TEXT NOT NULL REFERENCES orgs (id),
  person_id TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  created_by TEXT NOT NULL REFERENCES users (id),
  expires_at BIGINT NOT NULL,
  FOREIGN KEY (org_id, person_id) REFERENCES users (org_id, id)
);
CREATE INDEX password_resets_by_person ON password_resets (person_id);
CREATE INDEX password_resets_by_maker ON password_resets (created_by);

-- Calls of keys with hold_outbound that send something outside: made once the owner of the key releases them.
CREATE TABLE approvals (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  key_id TEXT,                           -- NULL: an automation asks that strangers set off
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
  reason TEXT,                           -- why it was denied, in the words of whoever did
  items_json TEXT,                       -- [{type, id, title, revision}]: what it named when it was asked for, with what goes along; NULL: from before this was kept
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
  deleted_at BIGINT,
  deleted_by TEXT,
  deleted_with TEXT,
  UNIQUE (org_id, id),
  FOREIGN KEY (org_id, project_id) REFERENCES projects (org_id, id) ON DELETE CASCADE
);
CREATE INDEX milestones_by_project ON milestones (project_id, due_on, id);
CREATE INDEX milestones_open_by_date ON milestones (due_on) WHERE status = 'open';
CREATE INDEX milestones_trashed ON milestones (deleted_with) WHERE deleted_at IS NOT NULL;

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
  due_on TEXT,                           -- the day, where the due date was given as a day; due_at is then its last second where it was set
  start_at BIGINT,
  start_on TEXT,                         -- likewise; start_at is then its first moment
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
  delegate_key_id TEXT,                  -- the key that works on it beside the assignees; stays when the key ends, and is then shown as ended
  trust TEXT CHECK (trust = 'external'),  -- 'external': people outside wrote its text; else NULL
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
CREATE INDEX tasks_by_project_due ON tasks (project_id, due_at, id, status_category, due_on) WHERE due_at IS NOT NULL;
CREATE INDEX tasks_by_project_position ON tasks (project_id, position, id);
CREATE INDEX tasks_by_project_priority ON tasks (project_id, priority_rank, id);
CREATE INDEX tasks_by_org ON tasks (org_id, updated_at, id);
CREATE INDEX tasks_by_org_status ON tasks (org_id, status_category, updated_at, id);
CREATE INDEX tasks_by_due ON tasks (org_id, due_at, id, status_category, due_on) WHERE due_at IS NOT NULL;
CREATE INDEX tasks_by_parent ON tasks (parent_id) WHERE parent_id IS NOT NULL;
CREATE INDEX tasks_by_sprint ON tasks (sprint_id) WHERE sprint_id IS NOT NULL;
CREATE INDEX tasks_by_milestone ON tasks (milestone_id) WHERE milestone_id IS NOT NULL;
CREATE INDEX tasks_by_status ON tasks (status_id);
CREATE INDEX tasks_by_delegate ON tasks (delegate_key_id, updated_at, id) WHERE delegate_key_id IS NOT NULL;
CREATE INDEX tasks_by_source ON tasks (source_id) WHERE source_id IS NOT NULL;
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

-- Imports of tasks that are too large for one call, while a job works on them.
CREATE TABLE task_imports (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  owner_id TEXT NOT NULL,
  key_id TEXT,                           -- the key that began it, in whose bounds the job works
  project_id TEXT NOT NULL,
  options_json TEXT NOT NULL,            -- format, statuses, people, assignees: as the call had them
  records INTEGER NOT NULL,
  done INTEGER NOT NULL,                 -- pieces that are written
  result_json TEXT NOT NULL,             -- counts, skipped records and calls so far
  created_at BIGINT NOT NULL,
  finished_at BIGINT,
  UNIQUE (org_id, id),
  FOREIGN KEY (org_id, owner_id) REFERENCES users (org_id, id),
  FOREIGN KEY (org_id, project_id) REFERENCES projects (org_id, id) ON DELETE CASCADE
);
CREATE INDEX task_imports_old ON task_imports (created_at);

-- What such an import has still to write, some records a row.
CREATE TABLE task_import_pieces (
  import_id TEXT NOT NULL,
  n INTEGER NOT NULL,
  org_id TEXT NOT NULL,
  records_json TEXT NOT NULL,
  PRIMARY KEY (import_id, n),
  FOREIGN KEY (org_id, import_id) REFERENCES task_imports (org_id, id) ON DELETE CASCADE
);

-- What imported tasks are called in the program that they come from, so that a second import knows them again.
CREATE TABLE task_import_refs (
  project_id TEXT NOT NULL,
  format TEXT NOT NULL,
  ref TEXT NOT NULL,
  org_id TEXT NOT NULL,
  task_id TEXT NOT NULL,
  PRIMARY KEY (project_id, format, ref),
  FOREIGN KEY (org_id, task_id) REFERENCES tasks (org_id, id) ON DELETE CASCADE
);
CREATE INDEX task_import_refs_by_task ON task_import_refs (task_id);

-- How many tasks of a project are not in the trash. This table and the two after it are kept by triggers (sqlite.sql), so that nobody
-- has to count.
CREATE TABLE task_counts (
  project_id TEXT NOT NULL,
  status_category TEXT NOT NULL,
  org_id TEXT NOT NULL,
  tasks INTEGER NOT NULL,
  PRIMARY KEY (project_id, status_category),
  FOREIGN KEY (org_id, project_id) REFERENCES projects (org_id, id) ON DELETE CASCADE
);

-- Assignees of tasks that are neither done, cancelled nor in the trash.
CREATE TABLE open_assignments (
  task_id TEXT NOT NULL,
  person_id TEXT NOT NULL,
  org_id TEXT NOT NULL,
  project_id TEXT NOT NULL,              -- of the task, like due_at and due_on
  due_at BIGINT,
  due_on TEXT,
  PRIMARY KEY (task_id, person_id),
  FOREIGN KEY (org_id, task_id) REFERENCES tasks (org_id, id) ON DELETE CASCADE,
  FOREIGN KEY (org_id, person_id) REFERENCES users (org_id, id)
);
CREATE INDEX open_assignments_by_person ON open_assignments (person_id, due_at, task_id, due_on);
CREATE INDEX open_assignments_by_project ON open_assignments (project_id, task_id);

-- How many of them each person has in a project.
CREATE TABLE open_counts (
  project_id TEXT NOT NULL,
  person_id TEXT NOT NULL,
  org_id TEXT NOT NULL,
  tasks INTEGER NOT NULL,
  PRIMARY KEY (project_id, person_id),
  FOREIGN KEY (org_id, project_id) REFERENCES projects (org_id, id) ON DELETE CASCADE,
  FOREIGN KEY (org_id, person_id) REFERENCES users (org_id, id)
);

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

-- Connected accounts: the mail, calendars and files that somebody has elsewhere. Nobody but their owner sees one. Passwords and refresh
-- tokens are sealed in `secrets`; access tokens are kept in memory alone.
CREATE TABLE accounts (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  owner_id TEXT NOT NULL,
  provider TEXT NOT NULL CHECK (provider IN ('google', 'imap', 'caldav')),
  address TEXT NOT NULL,                 -- lower case
  display_name TEXT NOT NULL,            -- the name that mail goes out under
  login TEXT NOT NULL,                   -- the user name at the servers
  has_mail INTEGER NOT NULL CHECK (has_mail IN (0, 1)),  -- what of it is used
  has_calendar INTEGER NOT NULL CHECK (has_calendar IN (0, 1)),
  has_drive INTEGER NOT NULL CHECK (has_drive IN (0, 1)),
  status TEXT NOT NULL CHECK (status IN ('syncing', 'active', 'degraded', 'reauth_required', 'disabled')),
  problem TEXT,                          -- what is wrong, in words that its owner can act on
  problem_since BIGINT,
  services_json TEXT NOT NULL,           -- {mail?, calendar?, drive?: {synced_at?, problem?, since?}}: the syncs one by one
  last_sync_at BIGINT,                   -- the last one of any of them that went well
  synced_back_to TEXT,                   -- the day of the oldest mail that is here
  servers_json TEXT NOT NULL,            -- {imap?, smtp?: {host, port, tls: tls | start}, caldav?: {url}}; {} for google, whose servers are known
  scopes_json TEXT,                      -- google: what its owner agreed to
  signed_in_at BIGINT NOT NULL,          -- when its owner last gave a password or consent
  signature_markdown TEXT,
  is_default INTEGER NOT NULL CHECK (is_default IN (0, 1)),  -- mail goes out from it where none is named
  removed_at BIGINT,                     -- its local copies are being erased, and then this row
  revision INTEGER NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  created_by TEXT NOT NULL REFERENCES users (id),
  created_via TEXT NOT NULL CHECK (created_via IN ('web', 'api', 'mcp', 'automation', 'sync', 'cli')),
  UNIQUE (org_id, id),
  FOREIGN KEY (org_id, owner_id) REFERENCES users (org_id, id)
);
CREATE INDEX accounts_by_owner ON accounts (owner_id, id);
CREATE UNIQUE INDEX accounts_by_address ON accounts (owner_id, provider, address) WHERE removed_at IS NULL;
CREATE UNIQUE INDEX accounts_default ON accounts (owner_id) WHERE is_default = 1 AND removed_at IS NULL;
CREATE INDEX accounts_removed ON accounts (removed_at) WHERE removed_at IS NOT NULL;

-- A person's built-in drive has the letters of their id, its top folder too, and so has the folder of a project.
CREATE TABLE drives (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  owner_id TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('builtin', 'google', 'google_shared')),
  name TEXT NOT NULL,
  account_id TEXT,                       -- the connected account of a Google drive
  remote_id TEXT,                        -- what Google calls it
  root_folder_id TEXT NOT NULL,
  used_bytes BIGINT,                     -- as Google says it; of the built-in drive it is counted
  quota_bytes BIGINT,
  sync_token TEXT,                       -- where Google's changes go on
  synced_at BIGINT,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  revision INTEGER NOT NULL,
  created_by TEXT NOT NULL REFERENCES users (id),
  created_via TEXT NOT NULL CHECK (created_via IN ('web', 'api', 'mcp', 'automation', 'sync', 'cli')),
  UNIQUE (org_id, id),
  CHECK ((kind = 'builtin') = (account_id IS NULL)),
  FOREIGN KEY (org_id, owner_id) REFERENCES users (org_id, id),
  FOREIGN KEY (org_id, account_id) REFERENCES accounts (org_id, id) ON DELETE CASCADE
);
CREATE INDEX drives_by_owner ON drives (owner_id, id);
CREATE INDEX drives_by_account ON drives (account_id) WHERE account_id IS NOT NULL;

CREATE TABLE files (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  place TEXT NOT NULL CHECK (place IN ('drive', 'project', 'attached')), -- in somebody's drive, in the folder of a project, or nowhere but with what it is attached to
  drive_id TEXT,
  project_id TEXT,
  owner_id TEXT NOT NULL,                -- whose drive it is in; of a project's, who brought it: their quota counts it
  parent_id TEXT,
  is_root INTEGER NOT NULL CHECK (is_root IN (0, 1)), -- the top folder of a drive or a project: never moved, renamed or trashed
  type TEXT NOT NULL CHECK (type IN ('folder', 'document', 'spreadsheet', 'presentation', 'pdf', 'image', 'video', 'other')),
  name TEXT NOT NULL,
  name_folded TEXT NOT NULL,
  description TEXT,
  mime_type TEXT NOT NULL,
  size_bytes BIGINT NOT NULL,
  sha256 TEXT NOT NULL,                  -- of the present version; its content is blobs/<first two>/<rest> in the data directory; empty: a folder
  content_base64 TEXT NOT NULL,          -- content from before there were blobs, until it is moved; then empty
  version INTEGER NOT NULL,              -- number of the present version; 0: folders, and what is only attached
  modified_at BIGINT NOT NULL,           -- when its content or name changed last
  modified_by TEXT NOT NULL,
  trust TEXT NOT NULL CHECK (trust IN ('internal', 'external')), -- external: instructions in its text are data of strangers
  text_status TEXT NOT NULL CHECK (text_status IN ('indexed', 'pending', 'none')),
  remote_id TEXT,                        -- of a file in a Google drive; its content is fetched when asked for; new:…: not there yet
  remote_json TEXT,                      -- what Google had of it when both were the same last; NULL: not there yet
  synced_revision INTEGER,               -- of a file in a Google drive: whatever changed here since then has to go there
  revision INTEGER NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  created_by TEXT NOT NULL REFERENCES users (id),
  created_via TEXT NOT NULL CHECK (created_via IN ('web', 'api', 'mcp', 'automation', 'sync', 'cli')),
  deleted_at BIGINT,
  deleted_by TEXT,
  deleted_with TEXT,
  UNIQUE (org_id, id),
  CHECK ((place = 'drive') = (drive_id IS NOT NULL)),
  CHECK ((place = 'project') = (project_id IS NOT NULL)),
  FOREIGN KEY (org_id, owner_id) REFERENCES users (org_id, id),
  FOREIGN KEY (org_id, modified_by) REFERENCES users (org_id, id),
  FOREIGN KEY (org_id, drive_id) REFERENCES drives (org_id, id) ON DELETE CASCADE,
  FOREIGN KEY (org_id, project_id) REFERENCES projects (org_id, id) ON DELETE CASCADE,
  FOREIGN KEY (org_id, parent_id) REFERENCES files (org_id, id)
);
CREATE INDEX files_in_trash ON files (deleted_with) WHERE deleted_with IS NOT NULL;
CREATE INDEX files_by_parent ON files (parent_id, name_folded) WHERE parent_id IS NOT NULL;
CREATE INDEX files_by_owner ON files (owner_id, place);
CREATE INDEX files_by_drive ON files (drive_id) WHERE drive_id IS NOT NULL;
CREATE UNIQUE INDEX files_by_remote ON files (drive_id, remote_id) WHERE remote_id IS NOT NULL;
CREATE INDEX files_to_push ON files (drive_id) WHERE remote_id IS NOT NULL AND synced_revision <> revision;
CREATE INDEX files_by_project ON files (project_id) WHERE project_id IS NOT NULL;
CREATE INDEX files_by_org ON files (org_id, modified_at, id);
CREATE INDEX files_by_content ON files (sha256);
CREATE INDEX files_pending ON files (id) WHERE text_status = 'pending';
CREATE INDEX files_inside ON files (id) WHERE content_base64 <> '';

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
  deleted_at BIGINT,
  deleted_by TEXT,
  deleted_with TEXT,
  UNIQUE (org_id, id),
  FOREIGN KEY (org_id, project_id) REFERENCES projects (org_id, id) ON DELETE CASCADE
);
CREATE INDEX task_templates_by_org ON task_templates (org_id, name, id);
CREATE INDEX task_templates_trashed ON task_templates (deleted_with) WHERE deleted_at IS NOT NULL;

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
  item_type TEXT NOT NULL CHECK (item_type IN ('task', 'email', 'contact', 'deal', 'incident', 'page', 'search')),
  filter_json TEXT NOT NULL,             -- arguments of the list operation of that type, or of search_workspace
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
  layout TEXT CHECK (layout IN ('list', 'board', 'table', 'timeline', 'calendar')),
  display_json TEXT,                     -- {word: text}: how the web app shows it beside that, as its address says it
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

-- chat --------------------------------------------------------------------------------------------------------------

-- Channels, and the conversations of a fixed set of people (direct: one or two, group: more).
CREATE TABLE channels (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  kind TEXT NOT NULL CHECK (kind IN ('public', 'private', 'direct', 'group')),
  name TEXT,                             -- lower case, without the #; NULL: a conversation, which is called by its people
  people_key TEXT,                       -- ids of the people of a conversation, sorted: there is one for each set
  topic TEXT,
  purpose TEXT,
  project_id TEXT,                       -- shown to those who see the project
  archived_at BIGINT,                    -- closed since then: it can be read
  last_seq INTEGER NOT NULL,             -- number of its last message; each is given once
  last_message_at BIGINT,
  imported_ref TEXT,                     -- slack:C0123: the channel that it was imported from
  revision INTEGER NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  created_by TEXT NOT NULL REFERENCES users (id),
  created_via TEXT NOT NULL CHECK (created_via IN ('web', 'api', 'mcp', 'automation', 'sync', 'cli')),
  UNIQUE (org_id, id),
  CHECK ((kind IN ('public', 'private') AND name IS NOT NULL AND people_key IS NULL) OR (kind IN ('direct', 'group') AND name IS NULL AND people_key IS NOT NULL)),
  FOREIGN KEY (org_id, project_id) REFERENCES projects (org_id, id)
);
CREATE UNIQUE INDEX channels_by_name ON channels (org_id, name) WHERE name IS NOT NULL;
CREATE UNIQUE INDEX channels_by_people ON channels (org_id, people_key) WHERE people_key IS NOT NULL;
CREATE INDEX channels_by_project ON channels (project_id) WHERE project_id IS NOT NULL;

CREATE TABLE channel_members (
  channel_id TEXT NOT NULL,
  person_id TEXT NOT NULL,
  org_id TEXT NOT NULL,
  added_at BIGINT NOT NULL,
  PRIMARY KEY (channel_id, person_id),
  FOREIGN KEY (org_id, channel_id) REFERENCES channels (org_id, id) ON DELETE CASCADE,
  FOREIGN KEY (org_id, person_id) REFERENCES users (org_id, id)
);
CREATE INDEX channel_members_by_person ON channel_members (person_id, channel_id);

-- How far somebody has read. It stays when they leave; who comes back begins anew.
CREATE TABLE channel_reads (
  channel_id TEXT NOT NULL,
  person_id TEXT NOT NULL,
  org_id TEXT NOT NULL,
  last_read_seq INTEGER NOT NULL,
  added_at BIGINT NOT NULL,
  PRIMARY KEY (channel_id, person_id),
  FOREIGN KEY (org_id, channel_id) REFERENCES channels (org_id, id) ON DELETE CASCADE,
  FOREIGN KEY (org_id, person_id) REFERENCES users (org_id, id)
);
CREATE INDEX channel_reads_by_person ON channel_reads (person_id, channel_id);

CREATE TABLE messages (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  channel_id TEXT NOT NULL,
  seq INTEGER NOT NULL,                  -- its place in the channel, without a gap
  body_markdown TEXT NOT NULL,           -- empty once erased
  thread_root_id TEXT,                   -- the message that it replies to; replies to replies go there too
  in_channel INTEGER NOT NULL CHECK (in_channel IN (0, 1)),  -- 0: a reply, shown in its thread alone
  mentions_channel INTEGER NOT NULL CHECK (mentions_channel IN (0, 1)),  -- 1: @channel or @here
  via_assistant INTEGER NOT NULL CHECK (via_assistant IN (0, 1)),
  sent_at BIGINT NOT NULL DEFAULT 0,     -- when it was said: created_at, and earlier of imported ones
  imported_from TEXT,                    -- the program that it comes from: slack
  imported_author TEXT,                  -- who wrote it there; created_by is who imported it
  edited_at BIGINT,
  erased_at BIGINT,                      -- deleted: the row stays as a gap without its text
  revision INTEGER NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  created_by TEXT NOT NULL REFERENCES users (id),
  created_via TEXT NOT NULL CHECK (created_via IN ('web', 'api', 'mcp', 'automation', 'sync', 'cli')),
  trust TEXT CHECK (trust = 'external'),  -- as of tasks; imported messages are from outside, too
  UNIQUE (org_id, id),
  UNIQUE (channel_id, seq),
  FOREIGN KEY (org_id, channel_id) REFERENCES channels (org_id, id),
  FOREIGN KEY (org_id, thread_root_id) REFERENCES messages (org_id, id)
);
CREATE INDEX messages_in_channel ON messages (channel_id, seq, created_by) WHERE in_channel = 1 AND erased_at IS NULL;
CREATE INDEX messages_in_threads ON messages (channel_id, seq, created_by, thread_root_id) WHERE in_channel = 0 AND erased_at IS NULL;
CREATE INDEX messages_to_everybody ON messages (channel_id, seq, created_by) WHERE mentions_channel = 1 AND erased_at IS NULL;
CREATE INDEX messages_by_thread ON messages (thread_root_id, seq) WHERE thread_root_id IS NOT NULL;
CREATE INDEX messages_by_replier ON messages (thread_root_id, created_by) WHERE thread_root_id IS NOT NULL;
CREATE INDEX messages_by_time ON messages (channel_id, sent_at, seq);

-- Imports of channels, while a job works on them.
CREATE TABLE chat_imports (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  owner_id TEXT NOT NULL,
  key_id TEXT,                           -- the key that began it, in whose bounds the job works
  file_id TEXT NOT NULL,
  options_json TEXT NOT NULL,            -- channels and people, as the call had them
  state_json TEXT NOT NULL,              -- by the channel's id in the file: the channel here, and how many messages are written
  result_json TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  finished_at BIGINT,
  FOREIGN KEY (org_id, owner_id) REFERENCES users (org_id, id)
);
CREATE INDEX chat_imports_old ON chat_imports (created_at);

CREATE TABLE message_mentions (
  message_id TEXT NOT NULL,
  person_id TEXT NOT NULL,
  org_id TEXT NOT NULL,
  channel_id TEXT NOT NULL,              -- as the message has it, and its number: for counting what is unread
  seq INTEGER NOT NULL,
  added_at BIGINT NOT NULL,
  PRIMARY KEY (message_id, person_id),
  FOREIGN KEY (org_id, message_id) REFERENCES messages (org_id, id) ON DELETE CASCADE,
  FOREIGN KEY (org_id, person_id) REFERENCES users (org_id, id)
);
CREATE INDEX message_mentions_by_person ON message_mentions (person_id, channel_id, seq);

CREATE TABLE message_reactions (
  message_id TEXT NOT NULL,
  person_id TEXT NOT NULL,
  emoji TEXT NOT NULL,                   -- the character, fully qualified
  org_id TEXT NOT NULL,
  added_at BIGINT NOT NULL,
  PRIMARY KEY (message_id, emoji, person_id),
  FOREIGN KEY (org_id, message_id) REFERENCES messages (org_id, id) ON DELETE CASCADE,
  FOREIGN KEY (org_id, person_id) REFERENCES users (org_id, id)
);

CREATE TABLE message_files (
  message_id TEXT NOT NULL,
  file_id TEXT NOT NULL,
  org_id TEXT NOT NULL,
  position INTEGER NOT NULL,
  added_at BIGINT NOT NULL,
  PRIMARY KEY (message_id, file_id),
  FOREIGN KEY (org_id, message_id) REFERENCES messages (org_id, id) ON DELETE CASCADE,
  FOREIGN KEY (org_id, file_id) REFERENCES files (org_id, id) ON DELETE CASCADE
);
CREATE INDEX message_files_by_file ON message_files (file_id, message_id);

CREATE TABLE message_pins (
  message_id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL,
  channel_id TEXT NOT NULL,
  person_id TEXT NOT NULL,               -- who pinned it
  added_at BIGINT NOT NULL,
  FOREIGN KEY (org_id, message_id) REFERENCES messages (org_id, id) ON DELETE CASCADE,
  FOREIGN KEY (org_id, channel_id) REFERENCES channels (org_id, id) ON DELETE CASCADE,
  FOREIGN KEY (org_id, person_id) REFERENCES users (org_id, id)
);
CREATE INDEX message_pins_by_channel ON message_pins (channel_id, added_at);

-- meetings ----------------------------------------------------------------------------------------------------------

CREATE TABLE meetings (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  title TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('meeting', 'one_on_one', 'standup', 'pulse', 'customer')),
  status TEXT NOT NULL CHECK (status IN ('planned', 'live', 'ended')),
  event_id TEXT,                         -- the calendar's event that it belongs to
  pulse_id TEXT,                         -- the pulse whose round it is
  project_id TEXT,
  organizer_id TEXT NOT NULL,            -- is among meeting_people too
  visibility TEXT NOT NULL CHECK (visibility IN ('participants', 'project', 'organization')),  -- who reads it besides the participants
  starts_at BIGINT,
  ends_at BIGINT,
  takes_place_at BIGINT NOT NULL,        -- starts_at, else when it was made: the order of lists
  ended_at BIGINT,                       -- set while the status is ended
  revision INTEGER NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  created_by TEXT NOT NULL REFERENCES users (id),
  created_via TEXT NOT NULL CHECK (created_via IN ('web', 'api', 'mcp', 'automation', 'sync', 'cli')),
  deleted_at BIGINT,
  deleted_by TEXT,
  deleted_with TEXT,
  agenda_json TEXT NOT NULL,             -- [{text, done}]
  notes_markdown TEXT,
  event_uid TEXT,                        -- UID of that event: colleagues have it in calendars of their own
  cancelled_at BIGINT,                   -- since when its event is cancelled or gone
  UNIQUE (org_id, id),
  CHECK ((status = 'ended') = (ended_at IS NOT NULL)),
  FOREIGN KEY (org_id, project_id) REFERENCES projects (org_id, id),
  FOREIGN KEY (org_id, organizer_id) REFERENCES users (org_id, id)
);
CREATE INDEX meetings_by_org ON meetings (org_id, takes_place_at, id);
CREATE INDEX meetings_by_update ON meetings (org_id, updated_at, id);
CREATE INDEX meetings_by_project ON meetings (project_id, takes_place_at, id) WHERE project_id IS NOT NULL;
CREATE INDEX meetings_by_event ON meetings (event_id) WHERE event_id IS NOT NULL;
CREATE INDEX meetings_by_event_uid ON meetings (org_id, event_uid) WHERE event_uid IS NOT NULL;
CREATE INDEX meetings_in_trash ON meetings (org_id, deleted_at, id) WHERE deleted_at IS NOT NULL;
CREATE INDEX meetings_trashed ON meetings (deleted_with) WHERE deleted_at IS NOT NULL;

-- Who takes part: people of the organization, and addresses outside of it.
CREATE TABLE meeting_people (
  meeting_id TEXT NOT NULL,
  address TEXT NOT NULL,                 -- the id of a person, else the email address in lower case
  org_id TEXT NOT NULL,
  position INTEGER NOT NULL,
  person_id TEXT,
  email TEXT,                            -- of somebody outside
  name TEXT,
  added_at BIGINT NOT NULL,
  PRIMARY KEY (meeting_id, address),
  CHECK ((person_id IS NULL) <> (email IS NULL)),
  FOREIGN KEY (org_id, meeting_id) REFERENCES meetings (org_id, id) ON DELETE CASCADE,
  FOREIGN KEY (org_id, person_id) REFERENCES users (org_id, id)
);
CREATE INDEX meeting_people_by_address ON meeting_people (org_id, address, meeting_id);

CREATE TABLE meeting_notes (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  meeting_id TEXT NOT NULL,
  body_markdown TEXT NOT NULL,
  at_second INTEGER,                     -- of the recording
  revision INTEGER NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  created_by TEXT NOT NULL REFERENCES users (id),
  created_via TEXT NOT NULL CHECK (created_via IN ('web', 'api', 'mcp', 'automation', 'sync', 'cli')),
  UNIQUE (org_id, id),
  FOREIGN KEY (org_id, meeting_id) REFERENCES meetings (org_id, id) ON DELETE CASCADE
);
CREATE INDEX meeting_notes_by_meeting ON meeting_notes (meeting_id, id);

-- The transcript of a meeting. What was said stands in the two tables below alone, so that erasing erases it.
CREATE TABLE transcripts (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  meeting_id TEXT NOT NULL,
  language TEXT NOT NULL,                -- BCP 47; und: not known
  format TEXT NOT NULL CHECK (format IN ('text', 'vtt', 'srt', 'json')),
  timed INTEGER NOT NULL CHECK (timed IN (0, 1)),  -- 0: its lines have no times
  line_count INTEGER NOT NULL,
  seconds INTEGER NOT NULL,              -- up to the end of the last line; 0 without times
  revision INTEGER NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  created_by TEXT NOT NULL REFERENCES users (id),
  created_via TEXT NOT NULL CHECK (created_via IN ('web', 'api', 'mcp', 'automation', 'sync', 'cli')),
  UNIQUE (org_id, id),
  UNIQUE (meeting_id),
  FOREIGN KEY (org_id, meeting_id) REFERENCES meetings (org_id, id) ON DELETE CASCADE
);

CREATE TABLE transcript_speakers (
  transcript_id TEXT NOT NULL,
  n INTEGER NOT NULL,                    -- counted from 0
  org_id TEXT NOT NULL,
  label TEXT NOT NULL,
  person_id TEXT,
  PRIMARY KEY (transcript_id, n),
  FOREIGN KEY (org_id, transcript_id) REFERENCES transcripts (org_id, id) ON DELETE CASCADE,
  FOREIGN KEY (org_id, person_id) REFERENCES users (org_id, id)
);

CREATE TABLE transcript_lines (
  transcript_id TEXT NOT NULL,
  n INTEGER NOT NULL,                    -- counted from 0
  org_id TEXT NOT NULL,
  at_second INTEGER,
  speaker_n INTEGER NOT NULL,
  text TEXT NOT NULL,
  PRIMARY KEY (transcript_id, n),
  FOREIGN KEY (org_id, transcript_id) REFERENCES transcripts (org_id, id) ON DELETE CASCADE
);

CREATE TABLE decisions (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  scope TEXT NOT NULL CHECK (scope IN ('project', 'meeting', 'organization')),  -- whose readers read it: of its project, else of its meeting, else everybody
  project_id TEXT,
  meeting_id TEXT,
  superseded_by_id TEXT,
  decided_at BIGINT NOT NULL,
  title TEXT NOT NULL,
  decided_by_json TEXT NOT NULL,         -- ids of people
  revision INTEGER NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  created_by TEXT NOT NULL REFERENCES users (id),
  created_via TEXT NOT NULL CHECK (created_via IN ('web', 'api', 'mcp', 'automation', 'sync', 'cli')),
  alternatives_json TEXT NOT NULL,       -- texts
  decision_markdown TEXT NOT NULL,
  UNIQUE (org_id, id),
  FOREIGN KEY (org_id, project_id) REFERENCES projects (org_id, id) ON DELETE CASCADE,
  FOREIGN KEY (org_id, meeting_id) REFERENCES meetings (org_id, id),
  FOREIGN KEY (org_id, superseded_by_id) REFERENCES decisions (org_id, id)
);
CREATE INDEX decisions_by_org ON decisions (org_id, decided_at, id);
CREATE INDEX decisions_by_update ON decisions (org_id, updated_at, id);
CREATE INDEX decisions_by_project ON decisions (project_id, decided_at, id) WHERE project_id IS NOT NULL;
CREATE INDEX decisions_by_meeting ON decisions (meeting_id, decided_at, id) WHERE meeting_id IS NOT NULL;
CREATE UNIQUE INDEX decisions_by_successor ON decisions (superseded_by_id) WHERE superseded_by_id IS NOT NULL;

-- What somebody is to do after a meeting. Its state is that of the task that was made from it (tasks.source_id), open without one.
CREATE TABLE action_items (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  meeting_id TEXT NOT NULL,
  owner_id TEXT,                         -- a person of the organization, else email and name of whoever it is
  owner_email TEXT,
  owner_name TEXT,
  due_on TEXT,
  at_second INTEGER,                     -- of the recording
  text TEXT NOT NULL,
  quote TEXT,                            -- what was said
  revision INTEGER NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  created_by TEXT NOT NULL REFERENCES users (id),
  created_via TEXT NOT NULL CHECK (created_via IN ('web', 'api', 'mcp', 'automation', 'sync', 'cli')),
  UNIQUE (org_id, id),
  FOREIGN KEY (org_id, meeting_id) REFERENCES meetings (org_id, id) ON DELETE CASCADE,
  FOREIGN KEY (org_id, owner_id) REFERENCES users (org_id, id)
);
CREATE INDEX action_items_by_meeting ON action_items (meeting_id, id);
CREATE INDEX action_items_by_owner ON action_items (owner_id, due_on, id) WHERE owner_id IS NOT NULL;
CREATE INDEX action_items_by_org ON action_items (org_id, due_on, id);

-- pulses ------------------------------------------------------------------------------------------------------------

CREATE TABLE pulses (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  team_id TEXT NOT NULL,                 -- whose members see it, and nobody else
  channel_id TEXT,                       -- told of each round
  mode TEXT NOT NULL CHECK (mode IN ('async', 'meeting')),
  anonymous INTEGER NOT NULL CHECK (anonymous IN (0, 1)),
  active INTEGER NOT NULL CHECK (active IN (0, 1)),  -- 0: paused, or its rule has come to its end
  next_at BIGINT,                        -- when the next round opens; NULL: never
  next_on TEXT,                          -- its day in the calendar of the rule
  look_at BIGINT,                        -- when the house has to open or close something; NULL: never
  revision INTEGER NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  created_by TEXT NOT NULL REFERENCES users (id),
  created_via TEXT NOT NULL CHECK (created_via IN ('web', 'api', 'mcp', 'automation', 'sync', 'cli')),
  deleted_at BIGINT,
  deleted_by TEXT,
  deleted_with TEXT,
  name TEXT NOT NULL,
  rrule TEXT NOT NULL,                   -- FREQ=WEEKLY;BYDAY=MO, without RRULE:
  timezone TEXT NOT NULL,                -- of its days and hours
  rule_start TEXT NOT NULL,              -- DTSTART as wall-clock time of the zone
  questions_json TEXT NOT NULL,          -- [{id, text, type, …}], as they are asked
  UNIQUE (org_id, id),
  FOREIGN KEY (org_id, team_id) REFERENCES teams (org_id, id) ON DELETE CASCADE,
  FOREIGN KEY (org_id, channel_id) REFERENCES channels (org_id, id)
);
CREATE INDEX pulses_by_team ON pulses (team_id, id);
CREATE INDEX pulses_to_look_at ON pulses (look_at) WHERE look_at IS NOT NULL;
CREATE INDEX pulses_trashed ON pulses (deleted_with) WHERE deleted_at IS NOT NULL;

-- Rounds, written by the house alone. While one is open its answers are elsewhere: in pulse_responses, or, of an anonymous
-- pulse, sealed in secrets; closing brings them here and takes them away there.
CREATE TABLE pulse_rounds (
  pulse_id TEXT NOT NULL,
  occurrence_on TEXT NOT NULL,           -- the day in the calendar of the rule
  org_id TEXT NOT NULL,
  opened_at BIGINT NOT NULL,
  closed_at BIGINT,
  answered INTEGER NOT NULL,             -- of an anonymous pulse, and of a closed round
  expected INTEGER,                      -- as many were to answer; set by closing
  missing_json TEXT,                     -- ids of those who had not; set by closing, never of an anonymous pulse
  scores_json TEXT,                      -- set by closing: {question: figures}; NULL where the answers are withheld
  meeting_id TEXT,                       -- where it is answered in
  problem TEXT,                          -- why the channel was not told, or no meeting made
  answers_json TEXT,                     -- set by closing: [{id, person_id, at, answers}]; anonymous: {question: [values, shuffled]} from four answers on, else NULL
  PRIMARY KEY (pulse_id, occurrence_on),
  FOREIGN KEY (org_id, pulse_id) REFERENCES pulses (org_id, id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX pulse_rounds_open ON pulse_rounds (pulse_id) WHERE closed_at IS NULL;

-- What people answered in open rounds of pulses that are not anonymous.
CREATE TABLE pulse_responses (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  pulse_id TEXT NOT NULL,
  occurrence_on TEXT NOT NULL,
  revision INTEGER NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  created_by TEXT NOT NULL REFERENCES users (id),
  created_via TEXT NOT NULL CHECK (created_via IN ('web', 'api', 'mcp', 'automation', 'sync', 'cli')),
  answers_json TEXT NOT NULL,            -- {question: value}
  UNIQUE (org_id, id),
  UNIQUE (pulse_id, occurrence_on, created_by),
  FOREIGN KEY (org_id, pulse_id) REFERENCES pulses (org_id, id) ON DELETE CASCADE
);

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

-- notifications -----------------------------------------------------------------------------------------------------

-- What each person has settled about what they are told; made with the first that they are told.
CREATE TABLE inboxes (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  person_id TEXT NOT NULL,
  events_json TEXT NOT NULL,             -- {"comment": {"app": true, "email": false}}: only what differs from what is usual
  quiet_from TEXT,                       -- 22:00; NULL: no quiet hours
  quiet_to TEXT,
  quiet_timezone TEXT,                   -- NULL: the person's
  quiet_except_incidents INTEGER NOT NULL CHECK (quiet_except_incidents IN (0, 1)),
  digest TEXT NOT NULL CHECK (digest IN ('off', 'daily', 'weekly')),
  read_before BIGINT NOT NULL,           -- entries shown until then are read, whatever their read_at
  revision INTEGER NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  muted_json TEXT,                       -- ["tsk_…"]: items of which they are told only what needs them; NULL: none
  UNIQUE (org_id, id),
  UNIQUE (person_id),
  CHECK ((quiet_from IS NULL) = (quiet_to IS NULL)),
  FOREIGN KEY (org_id, person_id) REFERENCES users (org_id, id)
);
CREATE INDEX inboxes_digest ON inboxes (digest) WHERE digest <> 'off';

-- What people are told of, each in their own list. An entry whose item they see no more is not shown.
CREATE TABLE notifications (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  person_id TEXT NOT NULL,               -- who is told
  inbox_id TEXT NOT NULL,                -- theirs
  kind TEXT NOT NULL CHECK (kind IN ('mention', 'assignment', 'comment', 'due', 'invite', 'incident', 'automation', 'share', 'digest', 'reminder', 'security')),
  item_type TEXT NOT NULL,
  item_id TEXT NOT NULL,
  actor_id TEXT,                         -- who did it; NULL: the house
  text TEXT NOT NULL,
  shown_at BIGINT NOT NULL,              -- since when it stands in the list; to come: hidden (snoozed) until then
  read_at BIGINT,                        -- NULL: unread, unless inboxes.read_before is later than shown_at
  in_app INTEGER NOT NULL CHECK (in_app IN (0, 1)),  -- 0: its person wants such ones by mail only
  mail TEXT CHECK (mail IN ('new', 'waiting', 'gathering')),  -- on its way to a mail: to be looked at, until mail_at, with others until then; NULL: no more
  mail_at BIGINT,
  mail_id TEXT,                          -- the mail that it went into
  revision INTEGER NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  UNIQUE (org_id, id),
  CHECK (mail IS NULL OR mail = 'new' OR mail_at IS NOT NULL),
  FOREIGN KEY (org_id, person_id) REFERENCES users (org_id, id),
  FOREIGN KEY (org_id, inbox_id) REFERENCES inboxes (org_id, id),
  FOREIGN KEY (org_id, actor_id) REFERENCES users (org_id, id)
);
CREATE INDEX notifications_by_person ON notifications (person_id, in_app, shown_at, id, kind);
CREATE INDEX notifications_unread ON notifications (person_id, in_app, shown_at, id, kind, item_type, item_id) WHERE read_at IS NULL;
CREATE INDEX notifications_to_mail ON notifications (mail, person_id, mail_at) WHERE mail IS NOT NULL;
CREATE INDEX notifications_mailed ON notifications (mail_id) WHERE mail_id IS NOT NULL;
CREATE INDEX notifications_by_age ON notifications (shown_at);

-- When those who want a digest get the next one.
CREATE TABLE digest_rounds (
  person_id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL,
  digest TEXT NOT NULL CHECK (digest IN ('daily', 'weekly')),
  since_at BIGINT NOT NULL,              -- what it sums up begins here
  due_at BIGINT NOT NULL,
  FOREIGN KEY (org_id, person_id) REFERENCES users (org_id, id)
);
CREATE INDEX digest_rounds_due ON digest_rounds (due_at);

-- What people want to be reminded of, each for themselves.
CREATE TABLE reminders (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  text TEXT,
  item_type TEXT,
  item_id TEXT,
  remind_at BIGINT NOT NULL,             -- the next time; of what is over, the last
  rrule TEXT,
  timezone TEXT NOT NULL,                -- of the rule, and of the wall clock time below
  starts TEXT NOT NULL,                  -- DTSTART of the rule: wall clock time of the zone, 2026-11-20T17:00:00
  status TEXT NOT NULL CHECK (status IN ('pending', 'fired', 'cancelled')),
  fired_at BIGINT,                       -- the last time that it did
  revision INTEGER NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  created_by TEXT NOT NULL REFERENCES users (id),  -- whose it is
  created_via TEXT NOT NULL CHECK (created_via IN ('web', 'api', 'mcp', 'automation', 'sync', 'cli')),
  UNIQUE (org_id, id),
  CHECK ((item_type IS NULL) = (item_id IS NULL)),
  CHECK (text IS NOT NULL OR item_id IS NOT NULL)
);
CREATE INDEX reminders_by_owner ON reminders (created_by, status, remind_at, id);
CREATE INDEX reminders_due ON reminders (status, remind_at);
CREATE INDEX reminders_by_fired ON reminders (fired_at) WHERE fired_at IS NOT NULL;

-- Mails to people about their notifications: written in the transaction that decides on them, then sent.
CREATE TABLE notice_mails (
  id TEXT PRIMARY KEY,                   -- its Message-ID, too, at every try
  org_id TEXT NOT NULL REFERENCES orgs (id),
  person_id TEXT NOT NULL,
  form TEXT NOT NULL CHECK (form IN ('one', 'several', 'digest')),
  state TEXT NOT NULL CHECK (state IN ('pending', 'sent', 'dropped', 'failed')),  -- dropped: nothing was left in it that the person sees
  digest_json TEXT,                      -- of a digest: {"since", "until", "counts"}
  send_at BIGINT NOT NULL,
  attempts INTEGER NOT NULL,
  last_error TEXT,
  created_at BIGINT NOT NULL,
  finished_at BIGINT,
  UNIQUE (org_id, id),
  CHECK ((state = 'pending') = (finished_at IS NULL)),
  FOREIGN KEY (org_id, person_id) REFERENCES users (org_id, id)
);
CREATE INDEX notice_mails_pending ON notice_mails (state, send_at);
CREATE INDEX notice_mails_by_person ON notice_mails (person_id, created_at);

-- Due dates of which the assignees were told that they come near.
CREATE TABLE task_due_notices (
  task_id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL,
  due_at BIGINT NOT NULL,
  FOREIGN KEY (org_id, task_id) REFERENCES tasks (org_id, id) ON DELETE CASCADE
);

-- The programs by which a key was used, so that its owner hears of a new one.
CREATE TABLE key_clients (
  key_id TEXT NOT NULL,
  client TEXT NOT NULL,                  -- its name, without the version
  org_id TEXT NOT NULL,
  first_at BIGINT NOT NULL,
  PRIMARY KEY (key_id, client),
  FOREIGN KEY (org_id, key_id) REFERENCES api_keys (org_id, id)
);

-- pages -------------------------------------------------------------------------------------------------------------

-- Pages without their text, so that lists and trees stay light. Who sees one: pages/access.ts.
CREATE TABLE pages (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  title TEXT NOT NULL,
  title_folded TEXT NOT NULL,            -- lower case, white space folded: what [[links]] by title are held against
  icon TEXT,
  kind TEXT NOT NULL CHECK (kind IN ('page', 'template', 'postmortem', 'runbook', 'meeting_notes')),
  parent_id TEXT,
  parent_owner_id TEXT,                  -- owner of the parent where that is somebody else; owners never change
  position TEXT NOT NULL,                -- fractional index among the pages of the same parent: strings that sort
  visibility TEXT NOT NULL CHECK (visibility IN ('private', 'organization')),
  project_id TEXT,
  owner_id TEXT NOT NULL,
  version INTEGER NOT NULL,              -- number of the version that is shown; 0 while the page is being made
  revision INTEGER NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  created_by TEXT NOT NULL REFERENCES users (id),
  created_via TEXT NOT NULL CHECK (created_via IN ('web', 'api', 'mcp', 'automation', 'sync', 'cli')),
  deleted_at BIGINT,
  deleted_by TEXT,
  deleted_with TEXT,
  live_from INTEGER,                     -- the revision at which the text was that of the version; page_steps behind it change it. NULL: none did
  live_since BIGINT,                     -- when the first and the last of them were made
  live_at BIGINT,
  UNIQUE (org_id, id),
  FOREIGN KEY (org_id, parent_id) REFERENCES pages (org_id, id) ON DELETE CASCADE,
  FOREIGN KEY (org_id, parent_owner_id) REFERENCES users (org_id, id),
  FOREIGN KEY (org_id, project_id) REFERENCES projects (org_id, id),
  FOREIGN KEY (org_id, owner_id) REFERENCES users (org_id, id)
);
CREATE INDEX pages_by_parent ON pages (org_id, parent_id, position, id);
CREATE INDEX pages_below ON pages (parent_id) WHERE parent_id IS NOT NULL;
CREATE INDEX pages_by_owner ON pages (owner_id, updated_at, id);
CREATE INDEX pages_by_org ON pages (org_id, updated_at, id);
CREATE INDEX pages_by_title ON pages (org_id, title_folded, id);
CREATE INDEX pages_of_organization ON pages (org_id, updated_at, id) WHERE visibility = 'organization';
CREATE INDEX pages_by_project ON pages (project_id) WHERE project_id IS NOT NULL;
CREATE INDEX pages_under_others ON pages (parent_owner_id) WHERE parent_owner_id IS NOT NULL;
CREATE INDEX pages_deleted_with ON pages (deleted_with) WHERE deleted_with IS NOT NULL;
CREATE INDEX pages_live ON pages (live_since) WHERE live_since IS NOT NULL;

-- Every state that title and text of a page had. Rows never change; pages.version says which one is shown.
CREATE TABLE page_versions (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  page_id TEXT NOT NULL,
  number INTEGER NOT NULL,
  title TEXT NOT NULL,
  chars BIGINT NOT NULL,                 -- length of the text, in UTF-16 code units
  chars_changed BIGINT NOT NULL,         -- characters added and removed against the version before
  key_id TEXT,                           -- the API key that wrote it
  page_revision INTEGER,                 -- the page's with it; NULL: written before this was kept
  base_number INTEGER,                   -- the text is that of this earlier version but for one stretch; NULL: whole
  base_start BIGINT,                     -- the stretch of the base that is replaced
  base_end BIGINT,
  depth INTEGER NOT NULL,                -- versions to read before this one; 0 when whole
  encoding TEXT NOT NULL CHECK (encoding IN ('plain', 'deflate')),
  created_at BIGINT NOT NULL,
  created_by TEXT NOT NULL REFERENCES users (id),
  created_via TEXT NOT NULL CHECK (created_via IN ('web', 'api', 'mcp', 'automation', 'sync', 'cli')),
  content TEXT NOT NULL,                 -- the text, or what takes the place of the stretch; base64 of it when deflated
  UNIQUE (org_id, id),
  UNIQUE (page_id, number),
  FOREIGN KEY (org_id, page_id) REFERENCES pages (org_id, id) ON DELETE CASCADE,
  FOREIGN KEY (org_id, key_id) REFERENCES api_keys (org_id, id)
);

-- What was done to the texts of pages, in order: those who write in a page at the same time follow it. Kept for some days.
CREATE TABLE page_steps (
  page_id TEXT NOT NULL,
  org_id TEXT NOT NULL,
  revision INTEGER NOT NULL,             -- the page's with it
  edit TEXT,                             -- what the editor that it comes from calls it; NULL: an operation did it
  key_id TEXT,
  created_at BIGINT NOT NULL,
  created_by TEXT NOT NULL REFERENCES users (id),
  encoding TEXT NOT NULL CHECK (encoding IN ('plain', 'deflate')),
  content TEXT NOT NULL,                 -- JSON: lengths that stay, and lengths with the lines that take their place; base64 of it when deflated
  PRIMARY KEY (page_id, revision),
  UNIQUE (page_id, edit),
  FOREIGN KEY (org_id, page_id) REFERENCES pages (org_id, id) ON DELETE CASCADE,
  FOREIGN KEY (org_id, key_id) REFERENCES api_keys (org_id, id)
);
CREATE INDEX page_steps_by_time ON page_steps (created_at);

-- Who wrote a version that several people wrote live, and how many characters each added and removed.
CREATE TABLE page_version_authors (
  version_id TEXT NOT NULL,
  org_id TEXT NOT NULL,
  person_id TEXT NOT NULL,
  chars BIGINT NOT NULL,
  PRIMARY KEY (version_id, person_id),
  FOREIGN KEY (org_id, version_id) REFERENCES page_versions (org_id, id) ON DELETE CASCADE,
  FOREIGN KEY (org_id, person_id) REFERENCES users (org_id, id)
);

-- Whom a page, with all below it, is shared with.
CREATE TABLE page_shares (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  page_id TEXT NOT NULL,
  person_id TEXT NOT NULL,
  role TEXT NOT NULL CHECK (role IN ('viewer', 'commenter', 'editor')),
  note TEXT,
  revision INTEGER NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  created_by TEXT NOT NULL REFERENCES users (id),
  created_via TEXT NOT NULL CHECK (created_via IN ('web', 'api', 'mcp', 'automation', 'sync', 'cli')),
  UNIQUE (org_id, id),
  UNIQUE (page_id, person_id),
  FOREIGN KEY (org_id, page_id) REFERENCES pages (org_id, id) ON DELETE CASCADE,
  FOREIGN KEY (org_id, person_id) REFERENCES users (org_id, id)
);
CREATE INDEX page_shares_by_person ON page_shares (person_id, page_id, role);

CREATE TABLE page_comments (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  page_id TEXT NOT NULL,
  body_markdown TEXT NOT NULL,
  reply_to_id TEXT,                      -- the first comment of the thread
  quote TEXT,                            -- the passage that it refers to, as it was
  quote_before TEXT,                     -- what stood around it, to find it again
  quote_after TEXT,
  quote_start BIGINT,                    -- and where
  mentions_json TEXT NOT NULL,           -- ids of the people mentioned who could see the page
  resolved INTEGER NOT NULL CHECK (resolved IN (0, 1)),
  resolved_by TEXT,
  resolved_at BIGINT,
  revision INTEGER NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  created_by TEXT NOT NULL REFERENCES users (id),
  created_via TEXT NOT NULL CHECK (created_via IN ('web', 'api', 'mcp', 'automation', 'sync', 'cli')),
  UNIQUE (org_id, id),
  FOREIGN KEY (org_id, page_id) REFERENCES pages (org_id, id) ON DELETE CASCADE,
  FOREIGN KEY (org_id, reply_to_id) REFERENCES page_comments (org_id, id) ON DELETE CASCADE,
  FOREIGN KEY (org_id, resolved_by) REFERENCES users (org_id, id)
);
CREATE INDEX page_comments_by_page ON page_comments (page_id, id);
CREATE INDEX page_comments_by_reply ON page_comments (reply_to_id) WHERE reply_to_id IS NOT NULL;

CREATE TABLE page_labels (
  page_id TEXT NOT NULL,
  label_id TEXT NOT NULL,
  org_id TEXT NOT NULL,
  added_at BIGINT NOT NULL,
  PRIMARY KEY (page_id, label_id),
  FOREIGN KEY (org_id, page_id) REFERENCES pages (org_id, id) ON DELETE CASCADE,
  FOREIGN KEY (org_id, label_id) REFERENCES labels (org_id, id) ON DELETE CASCADE
);
CREATE INDEX page_labels_by_label ON page_labels (label_id, page_id);

-- What the text of a page links to: pages by id, or by title ([[Title]]), which is looked up when it is read.
CREATE TABLE page_links (
  page_id TEXT NOT NULL,
  org_id TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('page', 'title')),
  target_id TEXT NOT NULL,               -- as it was written: there need not be such a page; '' for kind title
  title_folded TEXT NOT NULL,            -- '' for kind page
  added_at BIGINT NOT NULL,
  PRIMARY KEY (page_id, target_id, title_folded),
  FOREIGN KEY (org_id, page_id) REFERENCES pages (org_id, id) ON DELETE CASCADE
);
CREATE INDEX page_links_by_target ON page_links (org_id, target_id);
CREATE INDEX page_links_by_title ON page_links (org_id, title_folded);

-- Files that a page shows; whoever sees the page may load them.
CREATE TABLE page_files (
  page_id TEXT NOT NULL,
  file_id TEXT NOT NULL,
  org_id TEXT NOT NULL,
  added_at BIGINT NOT NULL,
  PRIMARY KEY (page_id, file_id),
  FOREIGN KEY (org_id, page_id) REFERENCES pages (org_id, id) ON DELETE CASCADE,
  FOREIGN KEY (org_id, file_id) REFERENCES files (org_id, id) ON DELETE CASCADE
);
CREATE INDEX page_files_by_file ON page_files (file_id);

-- Pages that anybody may read on the web.
CREATE TABLE page_publications (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  page_id TEXT NOT NULL,
  slug TEXT NOT NULL,                    -- of the public address, unique over all organizations
  include_children INTEGER NOT NULL CHECK (include_children IN (0, 1)),
  expires_at BIGINT,
  revision INTEGER NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  created_by TEXT NOT NULL REFERENCES users (id),
  created_via TEXT NOT NULL CHECK (created_via IN ('web', 'api', 'mcp', 'automation', 'sync', 'cli')),
  UNIQUE (org_id, id),
  UNIQUE (page_id),
  UNIQUE (slug),
  FOREIGN KEY (org_id, page_id) REFERENCES pages (org_id, id) ON DELETE CASCADE
);

-- goals -------------------------------------------------------------------------------------------------------------

CREATE TABLE goals (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  title TEXT NOT NULL,
  period TEXT NOT NULL,                  -- 2026, 2026-H2, 2026-Q4 or 2026-11
  level TEXT NOT NULL CHECK (level IN ('organization', 'team', 'personal')),
  owner_id TEXT NOT NULL,
  team_id TEXT,
  parent_id TEXT,
  status TEXT NOT NULL CHECK (status IN ('draft', 'active', 'achieved', 'missed', 'cancelled')),
  risk_told INTEGER NOT NULL CHECK (risk_told IN (0, 1)),  -- 1: that it is at risk was told, and it still is; the house's own note
  risk_check_at BIGINT NOT NULL,         -- when the house looks again
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
  start_value DOUBLE PRECISION NOT NULL,  -- the target may be below it
  current_value DOUBLE PRECISION NOT NULL,
  target_value DOUBLE PRECISION NOT NULL,
  unit TEXT,
  owner_id TEXT NOT NULL,
  retired INTEGER NOT NULL CHECK (retired IN (0, 1)),
  source_kind TEXT CHECK (source_kind IN ('tasks', 'deals', 'form')),  -- what feeds it; NULL: entered by hand
  source_params_json TEXT,               -- what is counted of deals and forms
  source_measure TEXT CHECK (source_measure IN ('tasks', 'points', 'percent')),  -- what is counted of the tasks that source_* name
  source_project_id TEXT,                -- these three may name what is gone: then the value is stale
  source_label_id TEXT,
  source_milestone_id TEXT,
  source_by TEXT,                        -- who set the source: counted is what they see
  stale_since_at BIGINT,                 -- the value is that of this moment, because source_by no longer sees the source
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
CREATE INDEX key_results_fed ON key_results (org_id) WHERE source_kind IS NOT NULL;

-- Never changed.
CREATE TABLE goal_checkins (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  goal_id TEXT NOT NULL,
  values_json TEXT NOT NULL,             -- {key result id: value}
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

-- Projects that work towards a goal; told to their members only.
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

-- Up to which change an organization's key results that are fed from tasks have been counted.
CREATE TABLE goal_feeds (
  org_id TEXT PRIMARY KEY REFERENCES orgs (id),
  seq BIGINT NOT NULL
);

-- time --------------------------------------------------------------------------------------------------------------

CREATE TABLE time_entries (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  person_id TEXT NOT NULL,
  task_id TEXT,
  project_id TEXT,                       -- with a task: its project when the time was logged; the present one is the task's
  spent_on TEXT NOT NULL,                -- the person's local day; of timers the one of their start
  duration_minutes INTEGER NOT NULL,
  note TEXT,
  billable INTEGER NOT NULL CHECK (billable IN (0, 1)),
  running_since_at BIGINT,               -- set while the timer runs; duration_minutes is 0 then
  started_at BIGINT,                     -- of timers
  stopped_at BIGINT,
  long_told_at BIGINT,                   -- the person was told that it runs long
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

-- incidents ---------------------------------------------------------------------------------------------------------

-- What the organization runs and answers for.
CREATE TABLE services (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  name TEXT NOT NULL,
  description TEXT,
  team_id TEXT,                          -- who owns it
  schedule_id TEXT,                      -- who is paged: an on-call schedule
  is_public INTEGER NOT NULL CHECK (is_public IN (0, 1)),  -- on the status page that anybody may read
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

-- service_id does not work without depends_on_id.
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

-- The last number that an incident of an organization got; each is given once, also where the incident is purged.
CREATE TABLE incident_numbers (
  org_id TEXT PRIMARY KEY REFERENCES orgs (id),
  last_number INTEGER NOT NULL
);

CREATE TABLE incidents (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  key TEXT NOT NULL,                     -- INC-7
  title TEXT NOT NULL,
  severity TEXT NOT NULL CHECK (severity IN ('sev1', 'sev2', 'sev3', 'sev4')),
  status TEXT NOT NULL CHECK (status IN ('open', 'acknowledged', 'mitigated', 'resolved', 'closed')),
  restricted INTEGER NOT NULL CHECK (restricted IN (0, 1)),  -- 1: for those who have a role in it, and administrators
  detected_at BIGINT NOT NULL,           -- when it began to be noticed
  opened_at BIGINT NOT NULL,             -- when it was declared; stays when it is reopened
  acknowledged_at BIGINT,                -- this time and the next three are of the present run: reopening clears them
  mitigated_at BIGINT,
  resolved_at BIGINT,
  closed_at BIGINT,
  first_acknowledged_at BIGINT,          -- of the first run, for the time to acknowledge
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
  trust TEXT CHECK (trust = 'external'),  -- as of tasks
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

-- Where an incident is talked about.
CREATE TABLE incident_channels (
  incident_id TEXT PRIMARY KEY,
  channel_id TEXT NOT NULL UNIQUE,
  org_id TEXT NOT NULL,
  added_at BIGINT NOT NULL,
  FOREIGN KEY (org_id, incident_id) REFERENCES incidents (org_id, id) ON DELETE CASCADE,
  FOREIGN KEY (org_id, channel_id) REFERENCES channels (org_id, id) ON DELETE CASCADE
);

-- What happened in an incident. Never changed.
CREATE TABLE timeline_entries (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  incident_id TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('note', 'status', 'severity', 'role', 'escalation', 'message', 'update', 'link')),
  occurred_at BIGINT NOT NULL,           -- of a note: when it happened; created_at is when it was written down
  from_value TEXT,
  to_value TEXT,
  message_id TEXT,                       -- the chat message that is quoted
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

-- on-call -----------------------------------------------------------------------------------------------------------

-- Who is called when something goes wrong, by turns. Layers: [{level, people: [ids], rotation, starts_on, handover: {time, weekday?}, hours?}],
-- all of it by the clocks of the zone (modules/incidents/on-call/shifts.ts); of several layers of a level the first that has somebody on counts.
CREATE TABLE on_call_schedules (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  name TEXT NOT NULL,
  timezone TEXT NOT NULL,
  team_id TEXT,
  layers_json TEXT NOT NULL,
  escalation_minutes INTEGER NOT NULL,   -- how long a level has to acknowledge before the next one is paged
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

-- Somebody covers a level for a time; where two overlap, the newer one counts.
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

-- Who was last told that they are on duty, so that each handover is told once; written by the house alone.
CREATE TABLE on_call_duties (
  schedule_id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL,
  on_duty_json TEXT NOT NULL,            -- {level: person}
  seen_revision INTEGER NOT NULL,        -- of the schedule, when this was written
  looked_at BIGINT NOT NULL,
  look_at BIGINT NOT NULL,               -- when somebody comes or goes next
  FOREIGN KEY (org_id, schedule_id) REFERENCES on_call_schedules (org_id, id) ON DELETE CASCADE
);
CREATE INDEX on_call_duties_due ON on_call_duties (look_at);

-- Pages: who was called for an incident, level by level. A round is one way through the levels: the first page, each one after a
-- reopening or a raise to sev1, and each page that somebody asked for beside them. One row a level and round, so that none is paged twice.
CREATE TABLE escalations (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  incident_id TEXT NOT NULL,
  round INTEGER NOT NULL,
  level INTEGER NOT NULL,
  route TEXT NOT NULL CHECK (route IN ('services', 'schedule', 'person', 'team')),
  route_ids_json TEXT,                   -- the services, schedule, person or team; NULL: the services that the incident has at each level
  status TEXT NOT NULL CHECK (status IN ('paging', 'acknowledged', 'exhausted', 'cancelled')),
  wait_minutes INTEGER NOT NULL,         -- how long its people have to acknowledge
  next_at BIGINT,                        -- when its time is up; set while it is paging
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

-- Whom a page went to; never changed.
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

-- status page, postmortems, runbooks ---------------------------------------------------------------------------------

-- What is told on the public status page. Updates of one thing make a thread: those of an incident, or of the same title.
CREATE TABLE status_updates (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  title TEXT NOT NULL,
  thread_id TEXT,                        -- the update that the thread began with; NULL: this one
  latest INTEGER NOT NULL CHECK (latest IN (0, 1)),  -- 1: the newest of its thread
  state TEXT NOT NULL CHECK (state IN ('investigating', 'identified', 'monitoring', 'resolved', 'maintenance')),
  incident_id TEXT,                      -- never shown outside; may name what is gone
  starts_at BIGINT,                      -- of a maintenance, as is ends_at
  ends_at BIGINT,
  phase TEXT CHECK (phase IN ('planned', 'running', 'over')),  -- of a maintenance: how far its service states have been set and taken back
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

-- The states that an update gives to services. One holds from since_at until it is released; of those that hold, the newest shows.
CREATE TABLE status_update_services (
  update_id TEXT NOT NULL,
  service_id TEXT NOT NULL,
  org_id TEXT NOT NULL,
  added_at BIGINT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('operational', 'degraded', 'partial_outage', 'major_outage', 'maintenance')),
  since_at BIGINT,                       -- NULL: of a maintenance that has not begun
  released_at BIGINT,
  released_by TEXT,                      -- the update that released it; NULL: it ended by its time
  PRIMARY KEY (update_id, service_id),
  FOREIGN KEY (org_id, update_id) REFERENCES status_updates (org_id, id) ON DELETE CASCADE,
  FOREIGN KEY (org_id, service_id) REFERENCES services (org_id, id) ON DELETE CASCADE
);
CREATE INDEX status_update_services_holding ON status_update_services (service_id, since_at) WHERE released_at IS NULL;

-- When a service was in another state than operational; the one without an end is its state now.
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
  author_id TEXT NOT NULL,               -- who is to write it
  due_on TEXT,
  published_at BIGINT,
  note TEXT,                             -- what was said at publication
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
  page_id TEXT,                          -- where more is written; may name what is gone
  severities_json TEXT NOT NULL,         -- those that it is for; none: any
  revision INTEGER NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  created_by TEXT NOT NULL REFERENCES users (id),
  created_via TEXT NOT NULL CHECK (created_via IN ('web', 'api', 'mcp', 'automation', 'sync', 'cli')),
  deleted_at BIGINT,
  deleted_by TEXT,
  deleted_with TEXT,
  steps_json TEXT NOT NULL,              -- [{title, body_markdown, minutes?}] in their order
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

-- Steps of a runbook that became tasks of an incident.
CREATE TABLE runbook_steps (
  incident_id TEXT NOT NULL,
  runbook_id TEXT NOT NULL,
  step INTEGER NOT NULL,                 -- from 1
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

-- Projects that the tasks of runbooks go to: one for the organization, and one for each restricted incident.
CREATE TABLE response_projects (
  project_id TEXT PRIMARY KEY,
  incident_id TEXT,                      -- NULL: of all incidents that are not restricted
  org_id TEXT NOT NULL,
  added_at BIGINT NOT NULL,
  FOREIGN KEY (org_id, project_id) REFERENCES projects (org_id, id) ON DELETE CASCADE,
  FOREIGN KEY (org_id, incident_id) REFERENCES incidents (org_id, id) ON DELETE CASCADE
);
CREATE INDEX response_projects_by_org ON response_projects (org_id);

-- contacts -----------------------------------------------------------------------------------------------------------

CREATE TABLE companies (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  name TEXT NOT NULL,
  name_key TEXT NOT NULL,                -- lower case without accents: what lists are sorted by
  domain TEXT,                           -- lower case, without www.
  industry TEXT,
  size TEXT,                             -- as people say it: 11-50
  owner_id TEXT,
  note TEXT,
  custom_fields_json TEXT NOT NULL,      -- {name: text, number, true, false or list of texts}
  last_contacted_at BIGINT,              -- moved forward only
  revision INTEGER NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  created_by TEXT NOT NULL REFERENCES users (id),
  created_via TEXT NOT NULL CHECK (created_via IN ('web', 'api', 'mcp', 'automation', 'sync', 'cli')),
  deleted_at BIGINT,
  deleted_by TEXT,
  deleted_with TEXT,
  UNIQUE (org_id, id),
  FOREIGN KEY (org_id, owner_id) REFERENCES users (org_id, id)
);
CREATE UNIQUE INDEX companies_by_domain ON companies (org_id, domain) WHERE domain IS NOT NULL AND deleted_at IS NULL;
CREATE INDEX companies_by_name ON companies (org_id, name_key, id);
CREATE INDEX companies_by_owner ON companies (owner_id, name_key, id) WHERE owner_id IS NOT NULL;
CREATE INDEX companies_trashed ON companies (deleted_with) WHERE deleted_at IS NOT NULL;

CREATE TABLE contacts (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  name TEXT NOT NULL,
  name_key TEXT NOT NULL,                -- lower case without accents: what lists are sorted by
  emails_json TEXT NOT NULL,             -- lower case, the main one first
  phones_json TEXT NOT NULL,             -- E.164 where the number could be read, else as given
  title TEXT,
  company_id TEXT,
  owner_id TEXT,
  note TEXT,
  custom_fields_json TEXT NOT NULL,      -- {name: text, number, true, false or list of texts}
  last_contacted_at BIGINT,              -- moved forward only; without what was said
  revision INTEGER NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  created_by TEXT NOT NULL REFERENCES users (id),
  created_via TEXT NOT NULL CHECK (created_via IN ('web', 'api', 'mcp', 'automation', 'sync', 'cli')),
  deleted_at BIGINT,
  deleted_by TEXT,
  deleted_with TEXT,
  trust TEXT CHECK (trust = 'external'),  -- as of tasks
  UNIQUE (org_id, id),
  FOREIGN KEY (org_id, company_id) REFERENCES companies (org_id, id),
  FOREIGN KEY (org_id, owner_id) REFERENCES users (org_id, id)
);
CREATE INDEX contacts_by_name ON contacts (org_id, name_key, id);
CREATE INDEX contacts_by_making ON contacts (org_id, created_at, id);
CREATE INDEX contacts_by_contact ON contacts (org_id, last_contacted_at, id);
CREATE INDEX contacts_by_company ON contacts (org_id, company_id, name_key, id) WHERE company_id IS NOT NULL;
CREATE INDEX contacts_by_owner ON contacts (owner_id, name_key, id) WHERE owner_id IS NOT NULL;
CREATE INDEX contacts_trashed ON contacts (deleted_with) WHERE deleted_at IS NOT NULL;

-- Of contacts that are not in the trash, kept by triggers (src/db/sqlite.sql): an address is one contact's.
CREATE TABLE contact_emails (
  org_id TEXT NOT NULL REFERENCES orgs (id),
  email TEXT NOT NULL,
  contact_id TEXT NOT NULL,
  PRIMARY KEY (org_id, email),
  FOREIGN KEY (org_id, contact_id) REFERENCES contacts (org_id, id) ON DELETE CASCADE
);
CREATE INDEX contact_emails_by_contact ON contact_emails (contact_id);

-- The same of their numbers, which several may share.
CREATE TABLE contact_phones (
  org_id TEXT NOT NULL REFERENCES orgs (id),
  phone TEXT NOT NULL,
  contact_id TEXT NOT NULL,
  PRIMARY KEY (org_id, phone, contact_id),
  FOREIGN KEY (org_id, contact_id) REFERENCES contacts (org_id, id) ON DELETE CASCADE
);
CREATE INDEX contact_phones_by_contact ON contact_phones (contact_id);

CREATE TABLE contact_labels (
  contact_id TEXT NOT NULL,
  label_id TEXT NOT NULL,
  org_id TEXT NOT NULL,
  added_at BIGINT NOT NULL,
  PRIMARY KEY (contact_id, label_id),
  FOREIGN KEY (org_id, contact_id) REFERENCES contacts (org_id, id) ON DELETE CASCADE,
  FOREIGN KEY (org_id, label_id) REFERENCES labels (org_id, id) ON DELETE CASCADE
);
CREATE INDEX contact_labels_by_label ON contact_labels (label_id, contact_id);

CREATE TABLE contact_redirects (
  old_id TEXT PRIMARY KEY,               -- id of a contact that was merged into the other; its row may be gone
  org_id TEXT NOT NULL,
  contact_id TEXT NOT NULL,
  added_at BIGINT NOT NULL,
  FOREIGN KEY (org_id, contact_id) REFERENCES contacts (org_id, id) ON DELETE CASCADE
);
CREATE INDEX contact_redirects_by_contact ON contact_redirects (contact_id);

-- Contacts that were erased for good on request: nothing else is left of them.
CREATE TABLE contact_tombstones (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  erased_at BIGINT NOT NULL
);

-- Imports that are too large for one call, while a job works on them.
CREATE TABLE contact_imports (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  owner_id TEXT NOT NULL,
  format TEXT NOT NULL CHECK (format IN ('csv', 'vcard')),
  mapping_json TEXT NOT NULL,            -- {column: field}
  on_match TEXT NOT NULL CHECK (on_match IN ('update', 'skip')),
  content TEXT,                          -- NULL once it is done
  done INTEGER NOT NULL,                 -- records that are through
  result_json TEXT NOT NULL,             -- counts, refused lines and calls so far
  created_at BIGINT NOT NULL,
  finished_at BIGINT,
  FOREIGN KEY (org_id, owner_id) REFERENCES users (org_id, id)
);
CREATE INDEX contact_imports_old ON contact_imports (created_at);

CREATE TABLE deals (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  name TEXT NOT NULL,
  company_id TEXT,
  stage TEXT NOT NULL,                   -- one of orgs.deal_stages_json when it was set
  status TEXT NOT NULL CHECK (status IN ('open', 'won', 'lost')),
  lost_reason TEXT,
  amount DOUBLE PRECISION,               -- rounded to the coins of the currency; sums are rounded again
  currency TEXT NOT NULL,                -- ISO 4217
  expected_close_on TEXT,
  owner_id TEXT NOT NULL,
  note TEXT,
  stage_since_at BIGINT NOT NULL,        -- when it came to its stage
  closed_at BIGINT,                      -- won or lost
  revision INTEGER NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  created_by TEXT NOT NULL REFERENCES users (id),
  created_via TEXT NOT NULL CHECK (created_via IN ('web', 'api', 'mcp', 'automation', 'sync', 'cli')),
  deleted_at BIGINT,
  deleted_by TEXT,
  deleted_with TEXT,
  trust TEXT CHECK (trust = 'external'),  -- as of tasks
  UNIQUE (org_id, id),
  CHECK ((status = 'open') = (closed_at IS NULL)),
  FOREIGN KEY (org_id, company_id) REFERENCES companies (org_id, id),
  FOREIGN KEY (org_id, owner_id) REFERENCES users (org_id, id)
);
CREATE INDEX deals_by_org ON deals (org_id, id);
CREATE INDEX deals_open ON deals (org_id, expected_close_on, id) WHERE status = 'open';
CREATE INDEX deals_by_company ON deals (org_id, company_id, id) WHERE company_id IS NOT NULL;
CREATE INDEX deals_by_owner ON deals (org_id, owner_id, id);
CREATE INDEX deals_by_close ON deals (org_id, closed_at) WHERE closed_at IS NOT NULL;
CREATE INDEX deals_trashed ON deals (deleted_with) WHERE deleted_at IS NOT NULL;

CREATE TABLE deal_contacts (
  deal_id TEXT NOT NULL,
  contact_id TEXT NOT NULL,
  org_id TEXT NOT NULL,
  added_at BIGINT NOT NULL,
  PRIMARY KEY (deal_id, contact_id),
  FOREIGN KEY (org_id, deal_id) REFERENCES deals (org_id, id) ON DELETE CASCADE,
  FOREIGN KEY (org_id, contact_id) REFERENCES contacts (org_id, id) ON DELETE CASCADE
);
CREATE INDEX deal_contacts_by_contact ON deal_contacts (contact_id, deal_id);

-- The stages that a deal was in.
CREATE TABLE deal_moves (
  deal_id TEXT NOT NULL,
  position INTEGER NOT NULL,             -- 0 is where it began
  org_id TEXT NOT NULL,
  stage TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('open', 'won', 'lost')),
  at BIGINT NOT NULL,
  added_at BIGINT NOT NULL,
  PRIMARY KEY (deal_id, position),
  FOREIGN KEY (org_id, deal_id) REFERENCES deals (org_id, id) ON DELETE CASCADE
);

CREATE TABLE interactions (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  kind TEXT NOT NULL CHECK (kind IN ('meeting', 'call', 'note', 'other')),
  occurred_at BIGINT NOT NULL,
  summary_markdown TEXT NOT NULL,
  company_id TEXT,
  deal_id TEXT,
  next_step TEXT,
  next_step_due_on TEXT,
  revision INTEGER NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  created_by TEXT NOT NULL REFERENCES users (id),
  created_via TEXT NOT NULL CHECK (created_via IN ('web', 'api', 'mcp', 'automation', 'sync', 'cli')),
  deleted_at BIGINT,
  deleted_by TEXT,
  deleted_with TEXT,
  UNIQUE (org_id, id),
  FOREIGN KEY (org_id, company_id) REFERENCES companies (org_id, id),
  FOREIGN KEY (org_id, deal_id) REFERENCES deals (org_id, id)
);
CREATE INDEX interactions_by_org ON interactions (org_id, occurred_at, id);
CREATE INDEX interactions_by_company ON interactions (org_id, company_id, occurred_at, id) WHERE company_id IS NOT NULL;
CREATE INDEX interactions_by_deal ON interactions (deal_id, occurred_at, id) WHERE deal_id IS NOT NULL;
CREATE INDEX interactions_trashed ON interactions (deleted_with) WHERE deleted_at IS NOT NULL;

CREATE TABLE interaction_contacts (
  interaction_id TEXT NOT NULL,
  contact_id TEXT NOT NULL,
  org_id TEXT NOT NULL,
  occurred_at BIGINT NOT NULL,           -- that of the interaction, for the order of lists
  added_at BIGINT NOT NULL,
  PRIMARY KEY (interaction_id, contact_id),
  FOREIGN KEY (org_id, interaction_id) REFERENCES interactions (org_id, id) ON DELETE CASCADE,
  FOREIGN KEY (org_id, contact_id) REFERENCES contacts (org_id, id) ON DELETE CASCADE
);
CREATE INDEX interaction_contacts_by_contact ON interaction_contacts (contact_id, occurred_at, interaction_id);

-- How far the meetings of an organization have been looked through for contacts that were met.
CREATE TABLE contact_feeds (
  org_id TEXT PRIMARY KEY REFERENCES orgs (id),
  seq BIGINT NOT NULL                    -- of changes
);

-- automations -------------------------------------------------------------------------------------------------------

-- Rules that act by themselves, with the rights that their owner has at that moment.
CREATE TABLE automations (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  owner_id TEXT NOT NULL,                -- in whose name it acts
  project_id TEXT,                       -- whose members see it where it is shared; NULL: everybody
  name TEXT NOT NULL,
  trigger_type TEXT NOT NULL CHECK (trigger_type IN ('event', 'schedule', 'webhook', 'manual')),
  trigger_json TEXT NOT NULL,            -- its params
  conditions_json TEXT NOT NULL,
  actions_json TEXT NOT NULL,
  plan_id TEXT NOT NULL,                 -- of trigger, conditions and actions as they are: runs of earlier ones end
  hook_hash TEXT,                        -- SHA-256 of the secret in the address of a webhook trigger
  outbound INTEGER NOT NULL CHECK (outbound IN (0, 1)),  -- 1: an action of it sends something outside
  shared INTEGER NOT NULL CHECK (shared IN (0, 1)),
  status TEXT NOT NULL CHECK (status IN ('disabled', 'enabled', 'suspended')),
  reason TEXT,                           -- why it is not enabled, where there is more to say
  key_id TEXT,                           -- the key that enabled it, in whose bounds it acts; NULL: its owner did without one
  since_seq BIGINT NOT NULL,             -- it hears of changes after this one
  failures INTEGER NOT NULL,             -- runs in a row that failed
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

-- Up to which change an organization's automations have their runs.
CREATE TABLE automation_feeds (
  org_id TEXT PRIMARY KEY REFERENCES orgs (id),
  seq BIGINT NOT NULL
);

-- What came of a trigger. Kept when the automation is gone.
CREATE TABLE automation_runs (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  automation_id TEXT NOT NULL,           -- may be gone
  automation_name TEXT NOT NULL,
  owner_id TEXT NOT NULL,
  key_id TEXT,                           -- in whose bounds it acts
  plan_id TEXT NOT NULL,
  trigger_type TEXT NOT NULL CHECK (trigger_type IN ('event', 'schedule', 'webhook', 'manual')),
  source TEXT,                           -- what set it off, which sets it off once
  event TEXT,
  change_seq BIGINT,
  item_type TEXT,
  item_id TEXT,
  payload_json TEXT,                     -- what came with it; NULL once it has ended
  root_id TEXT NOT NULL,                 -- the run with which the chain of causes began; its own where nothing of automations caused it
  cause_run_id TEXT,                     -- the run whose change set it off
  depth INTEGER NOT NULL,                -- runs before it in the chain
  held INTEGER NOT NULL CHECK (held IN (0, 1)),  -- 1: strangers set it off, and what it sends outside waits for its owner
  status TEXT NOT NULL CHECK (status IN ('queued', 'running', 'succeeded', 'failed', 'skipped')),
  reason TEXT,                           -- why it failed or was skipped
  conditions_json TEXT,                  -- which of them held: [{text, held, error?}]
  resume_at BIGINT,                      -- when it goes on; NULL once it has ended
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

-- The actions of a run that were begun, one row each, and one for each time round a for_each.
CREATE TABLE automation_steps (
  run_id TEXT NOT NULL,
  path TEXT NOT NULL,                    -- place in the actions: 2, 2.then.0, 3.7.0 (eighth time round)
  org_id TEXT NOT NULL,
  automation_id TEXT NOT NULL,
  position INTEGER NOT NULL,             -- in the order in which they were begun
  action TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('running', 'waiting', 'succeeded', 'failed')),
  attempts INTEGER NOT NULL,             -- begun so far
  params_json TEXT,                      -- what it is called with, the same at every attempt; NULL once it has ended
  value_json TEXT,                       -- its answer for the steps behind it; NULL once the run has ended
  input_json TEXT NOT NULL,              -- as history shows it: redacted
  output_json TEXT,
  items_json TEXT NOT NULL,              -- ids of items that input and output tell of
  error_json TEXT,                       -- {code, message}
  approval_id TEXT,                      -- what it waits for
  acted_at BIGINT,                       -- when the operation was last called; NULL: it calls none
  added_at BIGINT NOT NULL,
  ended_at BIGINT,
  PRIMARY KEY (run_id, path),
  FOREIGN KEY (org_id, run_id) REFERENCES automation_runs (org_id, id) ON DELETE CASCADE
);
CREATE INDEX automation_steps_by_automation ON automation_steps (automation_id, acted_at) WHERE acted_at IS NOT NULL;
CREATE INDEX automation_steps_by_org ON automation_steps (org_id, acted_at, automation_id) WHERE acted_at IS NOT NULL;
CREATE INDEX automation_steps_waiting ON automation_steps (approval_id) WHERE approval_id IS NOT NULL;

-- forms -------------------------------------------------------------------------------------------------------------

CREATE TABLE forms (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  title TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('draft', 'published', 'closed')),
  fields_json TEXT NOT NULL,             -- in their order: [{id, label, type, required, …}]
  retired_json TEXT NOT NULL,            -- fields that were taken out: their ids are not used for anything else
  audience TEXT NOT NULL CHECK (audience IN ('organization', 'public')),
  closes_at BIGINT,
  response_limit INTEGER,
  responses_visible_to TEXT NOT NULL CHECK (responses_visible_to IN ('owner_only', 'organization')),
  captcha INTEGER NOT NULL CHECK (captcha IN (0, 1)),
  thank_you TEXT,
  destination_json TEXT,                 -- {kind, mapping}; NULL: answers only stay here
  slug TEXT,                             -- the end of its address, from its first publication on
  published_at BIGINT,                   -- for the first time
  closed_why TEXT CHECK (closed_why IN ('person', 'time', 'limit')),
  closed_message TEXT,
  last_response_at BIGINT,               -- these two: to tell its creator once in a while, not of each answer
  told_at BIGINT,
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
  UNIQUE (slug),
  CHECK ((status = 'closed') = (closed_why IS NOT NULL)),
  CHECK (status <> 'published' OR slug IS NOT NULL)
);
CREATE INDEX forms_by_update ON forms (org_id, updated_at, id);
CREATE INDEX forms_closing ON forms (closes_at) WHERE status = 'published' AND closes_at IS NOT NULL;
CREATE INDEX forms_untold ON forms (last_response_at) WHERE last_response_at IS NOT NULL;
CREATE INDEX forms_trashed ON forms (deleted_with) WHERE deleted_at IS NOT NULL;

-- How often a form was looked at and begun, by day of the organization's zone.
CREATE TABLE form_days (
  form_id TEXT NOT NULL,
  day_on TEXT NOT NULL,
  org_id TEXT NOT NULL,
  views INTEGER NOT NULL,
  started INTEGER NOT NULL,
  PRIMARY KEY (form_id, day_on),
  FOREIGN KEY (org_id, form_id) REFERENCES forms (org_id, id) ON DELETE CASCADE
);

-- The fields of a form as they were when someone answered them: a row with the first answer to such fields, which no change of the form touches.
CREATE TABLE form_versions (
  form_id TEXT NOT NULL,
  version INTEGER NOT NULL,              -- 1, 2, …
  org_id TEXT NOT NULL,
  fields_json TEXT NOT NULL,             -- as in forms
  PRIMARY KEY (form_id, version),
  FOREIGN KEY (org_id, form_id) REFERENCES forms (org_id, id) ON DELETE CASCADE
);

CREATE TABLE form_responses (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  form_id TEXT NOT NULL,
  answers_json TEXT NOT NULL,            -- {field id: value}
  trust TEXT NOT NULL CHECK (trust IN ('internal', 'external')),  -- external: from the public page
  respondent_id TEXT,                    -- the person of the organization who answered
  respondent_email TEXT,                 -- lower case: theirs, or what was answered to the first field for an address
  score DOUBLE PRECISION,
  submitted_on TEXT NOT NULL,            -- the day in the organization's zone at that moment
  seconds INTEGER,                       -- between the page and its answer; NULL: not by the page
  ticket TEXT,                           -- hash of what the page carried, so that sending it twice is one answer
  destination_state TEXT NOT NULL CHECK (destination_state IN ('none', 'waiting', 'queued', 'done', 'failed')),
  destination_error TEXT,
  created_item_type TEXT,                -- what was made of it elsewhere
  created_item_id TEXT,
  revision INTEGER NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  form_version INTEGER NOT NULL DEFAULT 1,  -- the fields that were answered
  UNIQUE (org_id, id),
  UNIQUE (form_id, ticket),
  FOREIGN KEY (org_id, form_id) REFERENCES forms (org_id, id) ON DELETE CASCADE,
  FOREIGN KEY (org_id, respondent_id) REFERENCES users (org_id, id)
);
CREATE INDEX form_responses_by_form ON form_responses (form_id, created_at, id);
CREATE INDEX form_responses_by_email ON form_responses (org_id, respondent_email) WHERE respondent_email IS NOT NULL;
CREATE INDEX form_responses_waiting ON form_responses (updated_at) WHERE destination_state = 'waiting';
CREATE INDEX form_responses_queued ON form_responses (updated_at) WHERE destination_state = 'queued';

-- The same answers one by one, for filters and statistics: a row for each value, several where several options were chosen.
CREATE TABLE form_answers (
  response_id TEXT NOT NULL,
  field_id TEXT NOT NULL,
  n INTEGER NOT NULL,
  org_id TEXT NOT NULL,
  form_id TEXT NOT NULL,
  text TEXT,                             -- its beginning
  number DOUBLE PRECISION,
  PRIMARY KEY (response_id, field_id, n),
  FOREIGN KEY (org_id, response_id) REFERENCES form_responses (org_id, id) ON DELETE CASCADE
);
CREATE INDEX form_answers_by_text ON form_answers (form_id, field_id, text, response_id);
CREATE INDEX form_answers_by_number ON form_answers (form_id, field_id, number, response_id);

CREATE TABLE form_files (
  response_id TEXT NOT NULL,             -- outlives its row, so that the files of one that was purged with its form are found
  file_id TEXT NOT NULL,
  org_id TEXT NOT NULL,
  own INTEGER NOT NULL CHECK (own IN (0, 1)),  -- 1: it came with the answer, and is erased with it
  PRIMARY KEY (response_id, file_id),
  FOREIGN KEY (org_id, file_id) REFERENCES files (org_id, id) ON DELETE CASCADE
);
CREATE INDEX form_files_by_file ON form_files (file_id);

-- Mail. One row for each message of an account, in the folder where it lies; the owner of the account reads it, and nobody else.

CREATE TABLE mail_folders (
  id TEXT PRIMARY KEY,                   -- mfo_
  org_id TEXT NOT NULL,
  account_id TEXT NOT NULL,
  path TEXT NOT NULL,                    -- as the server names it, decoded
  name TEXT NOT NULL,                    -- its last part
  kind TEXT NOT NULL CHECK (kind IN ('folder', 'label')),  -- label: of Gmail, whose messages lie in All Mail
  role TEXT CHECK (role IN ('inbox', 'sent', 'drafts', 'trash', 'spam', 'archive', 'all', 'starred', 'important')),
  role_source TEXT CHECK (role_source IN ('server', 'name', 'person')),
  is_selectable INTEGER NOT NULL CHECK (is_selectable IN (0, 1)),
  is_synced INTEGER NOT NULL CHECK (is_synced IN (0, 1)),  -- whether its messages are taken in
  uid_validity TEXT,                     -- null: never opened
  uid_next BIGINT,
  highest_modseq TEXT,                   -- null: a server without CONDSTORE
  highest_uid BIGINT,                    -- of those taken in
  lowest_uid BIGINT,                     -- of those taken in: the first sync goes down from the newest
  is_complete INTEGER NOT NULL CHECK (is_complete IN (0, 1)),  -- the first sync has reached the oldest
  server_total INTEGER,
  server_unread INTEGER,
  checked_at BIGINT,
  problem TEXT,                          -- why it is not synced, in words
  UNIQUE (account_id, path),
  UNIQUE (org_id, id),
  FOREIGN KEY (org_id, account_id) REFERENCES accounts (org_id, id) ON DELETE CASCADE
);

CREATE TABLE mail_threads (
  id TEXT PRIMARY KEY,                   -- thr_
  org_id TEXT NOT NULL REFERENCES orgs (id),
  owner_id TEXT NOT NULL,
  account_id TEXT NOT NULL,
  subject TEXT NOT NULL,                 -- of its first message, without Re: and Fwd:
  subject_key TEXT NOT NULL,             -- folded, for threads without references
  participants_json TEXT NOT NULL,       -- [{name?, email}], whoever wrote first
  message_count INTEGER NOT NULL,        -- without drafts, trash and spam, where there are others
  unread_count INTEGER NOT NULL,
  first_message_at BIGINT NOT NULL,
  last_message_at BIGINT NOT NULL,
  in_inbox INTEGER NOT NULL CHECK (in_inbox IN (0, 1)),  -- whether a message of it lies in the inbox
  awaiting TEXT NOT NULL CHECK (awaiting IN ('me', 'them', 'none')),
  waiting_since BIGINT,
  waiting_told_at BIGINT,                -- when its owner was told that it waits for them
  snoozed_until BIGINT,                  -- hidden from the inbox until then
  snoozed_until_reply INTEGER NOT NULL CHECK (snoozed_until_reply IN (0, 1)),
  revision INTEGER NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  created_by TEXT NOT NULL REFERENCES users (id),
  created_via TEXT NOT NULL CHECK (created_via IN ('web', 'api', 'mcp', 'automation', 'sync', 'cli')),
  UNIQUE (org_id, id),
  CHECK ((awaiting = 'none') = (waiting_since IS NULL)),
  FOREIGN KEY (org_id, owner_id) REFERENCES users (org_id, id),
  FOREIGN KEY (org_id, account_id) REFERENCES accounts (org_id, id) ON DELETE CASCADE
);
CREATE INDEX mail_threads_by_owner ON mail_threads (owner_id, last_message_at, id);
CREATE INDEX mail_threads_by_account ON mail_threads (account_id, last_message_at, id);
CREATE INDEX mail_threads_by_subject ON mail_threads (account_id, subject_key, last_message_at);
CREATE INDEX mail_threads_waiting ON mail_threads (owner_id, awaiting, waiting_since) WHERE awaiting <> 'none';
CREATE INDEX mail_threads_untold ON mail_threads (waiting_since) WHERE awaiting = 'me' AND waiting_told_at IS NULL;
CREATE INDEX mail_threads_snoozed ON mail_threads (snoozed_until) WHERE snoozed_until IS NOT NULL;

-- Every Message-ID that a thread has or refers to, so that a message finds its thread whatever came first.
CREATE TABLE mail_thread_links (
  account_id TEXT NOT NULL,
  message_id TEXT NOT NULL,              -- with its brackets
  org_id TEXT NOT NULL,
  thread_id TEXT NOT NULL,
  PRIMARY KEY (account_id, message_id),
  FOREIGN KEY (org_id, thread_id) REFERENCES mail_threads (org_id, id) ON DELETE CASCADE
);
CREATE INDEX mail_thread_links_by_thread ON mail_thread_links (thread_id);

CREATE TABLE emails (
  id TEXT PRIMARY KEY,                   -- eml_
  org_id TEXT NOT NULL REFERENCES orgs (id),
  owner_id TEXT NOT NULL,
  account_id TEXT NOT NULL,
  thread_id TEXT NOT NULL,
  folder_id TEXT,                        -- null: nowhere on the server yet (it is being sent)
  uid BIGINT,                            -- in that folder; null: not known yet
  place TEXT NOT NULL CHECK (place IN ('inbox', 'archive', 'sent', 'drafts', 'trash', 'spam', 'folder')),  -- the folder's role; of Gmail by labels
  message_id TEXT NOT NULL,              -- with its brackets; made up where it has none
  in_reply_to TEXT,
  references_json TEXT NOT NULL,         -- [message id], the oldest first
  from_name TEXT,
  from_email TEXT NOT NULL,              -- lower case; empty where there is none
  addresses_json TEXT NOT NULL,          -- {to, cc, bcc, reply_to: [{name?, email}]}
  is_own INTEGER NOT NULL CHECK (is_own IN (0, 1)),  -- its owner wrote it
  is_bulk INTEGER NOT NULL CHECK (is_bulk IN (0, 1)),  -- lists, machines, answers by themselves: nobody waits for an answer
  subject TEXT NOT NULL,
  snippet TEXT NOT NULL,                 -- empty while its body is not here
  sent_at BIGINT NOT NULL,               -- its Date, or when it came where that is missing or beyond belief
  received_at BIGINT NOT NULL,           -- when it came to the server: the order of lists
  size_bytes BIGINT NOT NULL,
  unread INTEGER NOT NULL CHECK (unread IN (0, 1)),
  starred INTEGER NOT NULL CHECK (starred IN (0, 1)),
  answered INTEGER NOT NULL CHECK (answered IN (0, 1)),
  has_attachment INTEGER NOT NULL CHECK (has_attachment IN (0, 1)),
  unsubscribe_json TEXT,                 -- {url?, mailto?, one_click}
  authentication_json TEXT,              -- {spf, dkim, dmarc}, as the server that received it found
  delivery TEXT NOT NULL CHECK (delivery IN ('received', 'sending', 'sent', 'failed')),
  delivery_problem TEXT,                 -- in words
  body_state TEXT NOT NULL CHECK (body_state IN ('pending', 'ready', 'failed', 'large')),  -- large: fetched when somebody asks
  body_tried_at BIGINT,
  server_message TEXT,                   -- X-GM-MSGID
  server_thread TEXT,                    -- X-GM-THRID
  modseq TEXT,
  revision INTEGER NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  created_by TEXT NOT NULL REFERENCES users (id),
  created_via TEXT NOT NULL CHECK (created_via IN ('web', 'api', 'mcp', 'automation', 'sync', 'cli')),
  UNIQUE (org_id, id),
  FOREIGN KEY (org_id, owner_id) REFERENCES users (org_id, id),
  FOREIGN KEY (org_id, account_id) REFERENCES accounts (org_id, id) ON DELETE CASCADE,
  FOREIGN KEY (org_id, thread_id) REFERENCES mail_threads (org_id, id) ON DELETE CASCADE,
  FOREIGN KEY (org_id, folder_id) REFERENCES mail_folders (org_id, id)
);
CREATE UNIQUE INDEX emails_by_uid ON emails (folder_id, uid) WHERE uid IS NOT NULL;
CREATE INDEX emails_by_owner ON emails (owner_id, received_at, id);
CREATE INDEX emails_by_place ON emails (owner_id, place, received_at, id);
CREATE INDEX emails_by_account ON emails (account_id, received_at, id);
CREATE INDEX emails_by_folder ON emails (folder_id, received_at, id);
CREATE INDEX emails_by_thread ON emails (thread_id, sent_at, id);
CREATE INDEX emails_by_message_id ON emails (account_id, message_id);
CREATE INDEX emails_unread ON emails (owner_id, received_at, id) WHERE unread = 1;
CREATE INDEX emails_unread_in ON emails (owner_id, account_id, place) WHERE unread = 1;
CREATE INDEX emails_starred ON emails (owner_id, received_at, id) WHERE starred = 1;
CREATE INDEX emails_without_body ON emails (account_id, received_at) WHERE body_state = 'pending';

-- Who wrote it and to whom, for filters.
CREATE TABLE email_addresses (
  email_id TEXT NOT NULL,
  field TEXT NOT NULL CHECK (field IN ('from', 'to', 'cc', 'bcc', 'reply_to')),
  address TEXT NOT NULL,                 -- lower case
  org_id TEXT NOT NULL,
  owner_id TEXT NOT NULL,
  name TEXT,
  received_at BIGINT NOT NULL,           -- of the message
  PRIMARY KEY (email_id, field, address),
  FOREIGN KEY (org_id, email_id) REFERENCES emails (org_id, id) ON DELETE CASCADE
);
CREATE INDEX email_addresses_by_address ON email_addresses (owner_id, address, received_at, email_id);

-- Labels of messages: of Gmail, and keywords of other servers. Starred and unread are columns; spam and trash are places.
CREATE TABLE email_labels (
  email_id TEXT NOT NULL,
  name TEXT NOT NULL,
  org_id TEXT NOT NULL,
  account_id TEXT NOT NULL,
  added_at BIGINT NOT NULL,
  PRIMARY KEY (email_id, name),
  FOREIGN KEY (org_id, email_id) REFERENCES emails (org_id, id) ON DELETE CASCADE
);
CREATE INDEX email_labels_by_name ON email_labels (account_id, name, email_id);

CREATE TABLE email_bodies (
  email_id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL,
  own_markdown TEXT NOT NULL,            -- what its author wrote
  quoted_markdown TEXT NOT NULL,         -- what they quoted below it
  signature TEXT NOT NULL,
  html TEXT,                             -- sanitized: no scripts, styles, ids or pictures from elsewhere
  headers_json TEXT NOT NULL,            -- the ones worth reading: [{name, value}]
  calendar_text TEXT,                    -- its text/calendar part
  warnings_json TEXT NOT NULL,           -- what could not be read, in words
  FOREIGN KEY (org_id, email_id) REFERENCES emails (org_id, id) ON DELETE CASCADE
);

CREATE TABLE email_attachments (
  id TEXT PRIMARY KEY,                   -- eat_
  org_id TEXT NOT NULL REFERENCES orgs (id),
  email_id TEXT NOT NULL,
  part TEXT NOT NULL,                    -- its number in the message, as IMAP counts
  position INTEGER NOT NULL,             -- among those of the message, as the parser counts
  name TEXT NOT NULL,
  mime_type TEXT NOT NULL,
  size_bytes BIGINT NOT NULL,
  content_id TEXT,
  is_inline INTEGER NOT NULL CHECK (is_inline IN (0, 1)),
  file_id TEXT,                          -- of the drive, where it was sent from here
  text_state TEXT NOT NULL CHECK (text_state IN ('pending', 'ready', 'none', 'failed')),
  text TEXT,
  revision INTEGER NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  created_by TEXT NOT NULL REFERENCES users (id),
  created_via TEXT NOT NULL CHECK (created_via IN ('web', 'api', 'mcp', 'automation', 'sync', 'cli')),
  text_cut INTEGER NOT NULL DEFAULT 0 CHECK (text_cut IN (0, 1)), -- the text is longer than what is kept
  UNIQUE (org_id, id),
  FOREIGN KEY (org_id, email_id) REFERENCES emails (org_id, id) ON DELETE CASCADE
);
CREATE INDEX email_attachments_by_email ON email_attachments (email_id, position);

-- What was done here and has to be done on the server: one row for each message and kind, the newest will.
CREATE TABLE mail_pushes (
  id TEXT PRIMARY KEY,                   -- mps_
  org_id TEXT NOT NULL,
  account_id TEXT NOT NULL,
  email_id TEXT,
  draft_id TEXT,
  kind TEXT NOT NULL CHECK (kind IN ('flags', 'labels', 'move', 'draft', 'file')),  -- draft: the server's copy of a draft; file: the copy of what was sent
  wanted_json TEXT NOT NULL,             -- flags: {unread?, starred?, answered?, spam?}; labels: {add, remove, inbox?}; move: {folder_id, from: {folder_id, uid} | null}; draft: {remove?, uid?, folder_id?}
  version INTEGER NOT NULL,              -- counts up with each new will, so that one that changed under way is carried again
  attempts INTEGER NOT NULL,
  not_before BIGINT NOT NULL,
  problem TEXT,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  FOREIGN KEY (org_id, account_id) REFERENCES accounts (org_id, id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX mail_pushes_by_email ON mail_pushes (email_id, kind) WHERE email_id IS NOT NULL;
CREATE UNIQUE INDEX mail_pushes_by_draft ON mail_pushes (draft_id, kind) WHERE draft_id IS NOT NULL;
CREATE INDEX mail_pushes_by_account ON mail_pushes (account_id, not_before);

CREATE TABLE email_drafts (
  id TEXT PRIMARY KEY,                   -- drf_
  org_id TEXT NOT NULL REFERENCES orgs (id),
  owner_id TEXT NOT NULL,
  account_id TEXT NOT NULL,
  thread_id TEXT,
  answers_id TEXT,                       -- the email that it answers or forwards
  answers_as TEXT CHECK (answers_as IN ('reply', 'reply_all', 'forward')),
  quote TEXT NOT NULL CHECK (quote IN ('none', 'last', 'thread')),
  to_json TEXT NOT NULL,                 -- [{name?, email}]
  cc_json TEXT NOT NULL,
  bcc_json TEXT NOT NULL,
  subject TEXT NOT NULL,
  body_markdown TEXT NOT NULL,
  unfilled_json TEXT NOT NULL,           -- variables of its template without a value
  message_id TEXT NOT NULL,              -- of the server's copy, with its brackets; what is sent gets one of its own
  state TEXT NOT NULL CHECK (state IN ('draft', 'scheduled', 'sent')),
  email_id TEXT,                         -- as which it was sent, or as which the server has it
  folder_id TEXT,                        -- of the server's copy
  uid BIGINT,
  pushed_revision INTEGER,               -- the revision that the server has
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
  FOREIGN KEY (org_id, account_id) REFERENCES accounts (org_id, id) ON DELETE CASCADE
);
CREATE INDEX email_drafts_by_owner ON email_drafts (owner_id, updated_at, id);
CREATE INDEX email_drafts_by_thread ON email_drafts (thread_id) WHERE thread_id IS NOT NULL;
CREATE INDEX email_drafts_in_trash ON email_drafts (org_id, deleted_at, id) WHERE deleted_at IS NOT NULL;

-- What goes along with a draft: files of the drive, or attachments of the message that it forwards.
CREATE TABLE email_draft_files (
  draft_id TEXT NOT NULL,
  source_id TEXT NOT NULL,               -- the file's id, or the attachment's
  org_id TEXT NOT NULL,
  position INTEGER NOT NULL,
  file_id TEXT,
  attachment_id TEXT,
  added_at BIGINT NOT NULL,
  PRIMARY KEY (draft_id, source_id),
  CHECK ((file_id IS NULL) <> (attachment_id IS NULL)),
  FOREIGN KEY (org_id, draft_id) REFERENCES email_drafts (org_id, id) ON DELETE CASCADE
);
CREATE INDEX email_draft_files_by_source ON email_draft_files (source_id);

CREATE TABLE scheduled_emails (
  id TEXT PRIMARY KEY,                   -- sch_
  org_id TEXT NOT NULL REFERENCES orgs (id),
  owner_id TEXT NOT NULL,
  account_id TEXT NOT NULL,
  draft_id TEXT NOT NULL,
  send_at BIGINT NOT NULL,
  cancel_if_replied INTEGER NOT NULL CHECK (cancel_if_replied IN (0, 1)),
  status TEXT NOT NULL CHECK (status IN ('queued', 'sending', 'sent', 'failed', 'cancelled')),
  problem TEXT,
  key_id TEXT,                           -- in whose bounds it is sent
  revision INTEGER NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  created_by TEXT NOT NULL REFERENCES users (id),
  created_via TEXT NOT NULL CHECK (created_via IN ('web', 'api', 'mcp', 'automation', 'sync', 'cli')),
  UNIQUE (org_id, id),
  FOREIGN KEY (org_id, owner_id) REFERENCES users (org_id, id),
  FOREIGN KEY (org_id, account_id) REFERENCES accounts (org_id, id) ON DELETE CASCADE,
  FOREIGN KEY (org_id, draft_id) REFERENCES email_drafts (org_id, id) ON DELETE CASCADE
);
CREATE INDEX scheduled_emails_by_owner ON scheduled_emails (owner_id, send_at, id);
CREATE INDEX scheduled_emails_due ON scheduled_emails (send_at) WHERE status = 'queued';

-- Mail on its way out. It is written down as handing before the server is told of it, so that no crash sends it twice.
CREATE TABLE email_outbox (
  email_id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL,
  account_id TEXT NOT NULL,
  draft_id TEXT,
  state TEXT NOT NULL CHECK (state IN ('queued', 'handing', 'handed', 'filed', 'failed')),
  letter_json TEXT NOT NULL,             -- all that its bytes are made from
  attempts INTEGER NOT NULL,
  not_before BIGINT NOT NULL,
  handing_at BIGINT,
  handed_at BIGINT,
  problem TEXT,
  FOREIGN KEY (org_id, email_id) REFERENCES emails (org_id, id) ON DELETE CASCADE,
  FOREIGN KEY (org_id, account_id) REFERENCES accounts (org_id, id) ON DELETE CASCADE
);
CREATE INDEX email_outbox_unfinished ON email_outbox (not_before) WHERE state IN ('queued', 'handing', 'handed');

CREATE TABLE email_rules (
  id TEXT PRIMARY KEY,                   -- rul_
  org_id TEXT NOT NULL REFERENCES orgs (id),
  owner_id TEXT NOT NULL,
  account_id TEXT,                       -- null: all accounts of the owner
  name TEXT NOT NULL,
  position INTEGER NOT NULL,             -- 1 is asked first
  enabled INTEGER NOT NULL CHECK (enabled IN (0, 1)),
  conditions_json TEXT NOT NULL,         -- {all|any: [{field, op, value}]}
  actions_json TEXT NOT NULL,            -- [{type, params}]
  hits INTEGER NOT NULL,
  last_hit_at BIGINT,
  problem TEXT,                          -- why an action of it failed lately
  sweep_at BIGINT,                       -- how far it went through the mail that was there before, newest first
  sweep_id TEXT,
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
  FOREIGN KEY (org_id, account_id) REFERENCES accounts (org_id, id) ON DELETE CASCADE
);
CREATE INDEX email_rules_by_owner ON email_rules (owner_id, position, id);
CREATE INDEX email_rules_sweeping ON email_rules (id) WHERE sweep_at IS NOT NULL;
CREATE INDEX email_rules_in_trash ON email_rules (org_id, deleted_at, id) WHERE deleted_at IS NOT NULL;

-- Messages that rules have yet to look at: written with the message, so that none is missed.
CREATE TABLE email_rule_queue (
  email_id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL,
  owner_id TEXT NOT NULL,
  rule_id TEXT,                          -- one rule alone (apply_to_existing); null: all of them
  added_at BIGINT NOT NULL,
  FOREIGN KEY (org_id, email_id) REFERENCES emails (org_id, id) ON DELETE CASCADE
);

CREATE TABLE email_templates (
  id TEXT PRIMARY KEY,                   -- etp_
  org_id TEXT NOT NULL REFERENCES orgs (id),
  owner_id TEXT NOT NULL,
  name TEXT NOT NULL,
  subject TEXT NOT NULL,
  body_markdown TEXT NOT NULL,
  shared INTEGER NOT NULL CHECK (shared IN (0, 1)),
  retired INTEGER NOT NULL CHECK (retired IN (0, 1)),
  revision INTEGER NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  created_by TEXT NOT NULL REFERENCES users (id),
  created_via TEXT NOT NULL CHECK (created_via IN ('web', 'api', 'mcp', 'automation', 'sync', 'cli')),
  deleted_at BIGINT,
  deleted_by TEXT,
  deleted_with TEXT,
  UNIQUE (org_id, id),
  FOREIGN KEY (org_id, owner_id) REFERENCES users (org_id, id)
);
CREATE INDEX email_templates_by_org ON email_templates (org_id, name, id);
CREATE INDEX email_templates_trashed ON email_templates (deleted_with) WHERE deleted_at IS NOT NULL;

-- Calendars: everybody's built-in one, and those of connected accounts. Nobody but their owner sees them.
CREATE TABLE calendars (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  owner_id TEXT NOT NULL,
  account_id TEXT,                       -- NULL: the built-in one
  name TEXT NOT NULL,
  timezone TEXT NOT NULL,                -- of the IANA list; what times without a zone are read in
  access TEXT NOT NULL CHECK (access IN ('owner', 'writer', 'reader', 'free_busy')),
  is_primary INTEGER NOT NULL CHECK (is_primary IN (0, 1)),  -- of its account, or the built-in one
  color TEXT,
  remote_url TEXT,                       -- where the server has it
  ctag TEXT,
  sync_token TEXT,
  synced_at BIGINT,
  revision INTEGER NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  created_by TEXT NOT NULL REFERENCES users (id),
  created_via TEXT NOT NULL CHECK (created_via IN ('web', 'api', 'mcp', 'automation', 'sync', 'cli')),
  UNIQUE (org_id, id),
  CHECK ((account_id IS NULL) = (remote_url IS NULL)),
  FOREIGN KEY (org_id, owner_id) REFERENCES users (org_id, id),
  FOREIGN KEY (org_id, account_id) REFERENCES accounts (org_id, id) ON DELETE CASCADE
);
CREATE INDEX calendars_by_owner ON calendars (owner_id, id);
CREATE UNIQUE INDEX calendars_built_in ON calendars (owner_id) WHERE account_id IS NULL;
CREATE UNIQUE INDEX calendars_by_address ON calendars (account_id, remote_url) WHERE account_id IS NOT NULL;

-- One row for each object of a calendar: an event, or a series with its exceptions. `raw_ics` is what counts; the other columns are what it
-- says of the event, or of the first of its series.
CREATE TABLE events (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  owner_id TEXT NOT NULL,
  calendar_id TEXT NOT NULL,
  uid TEXT NOT NULL,                     -- UID of the iCalendar object
  title TEXT NOT NULL,
  starts_at BIGINT NOT NULL,             -- of all-day ones, midnight in the calendar's zone
  ends_at BIGINT NOT NULL,
  ends_by BIGINT,                        -- when the last of a series ends at the latest; NULL: it has no end
  timezone TEXT NOT NULL,                -- of the IANA list: the zone that its hours are fixed in
  all_day INTEGER NOT NULL CHECK (all_day IN (0, 1)),
  location TEXT,
  video_url TEXT,
  description TEXT,
  trust TEXT NOT NULL CHECK (trust IN ('internal', 'external')),  -- external: it came from a server or a file
  organizer_json TEXT,                   -- {address, name?}; NULL: it is the owner's alone
  attendees_json TEXT NOT NULL,          -- [{address, name?, response, optional}]
  rrule TEXT,
  is_series INTEGER NOT NULL CHECK (is_series IN (0, 1)),  -- by a rule, by dates, or by exceptions alone
  kind TEXT NOT NULL CHECK (kind IN ('default', 'focus', 'out_of_office')),
  status TEXT NOT NULL CHECK (status IN ('confirmed', 'tentative', 'cancelled')),
  busy INTEGER NOT NULL CHECK (busy IN (0, 1)),  -- 0: transparent, cancelled, or declined
  my_response TEXT CHECK (my_response IN ('needs_action', 'accepted', 'tentative', 'declined')),
  invites_pending INTEGER NOT NULL CHECK (invites_pending IN (0, 1)),
  reminders_json TEXT NOT NULL,          -- minutes before its start
  remind_at BIGINT,                      -- when event.starting_soon is told next
  sequence INTEGER NOT NULL,             -- SEQUENCE of iTIP
  raw_ics TEXT NOT NULL,                 -- the whole iCalendar object
  unreadable TEXT,                       -- why nothing could be read of it
  remote_href TEXT,                      -- where the server has it or will have it; NULL: it is of a built-in calendar
  etag TEXT,
  synced_ics TEXT,                       -- what the server had when it was last heard of; NULL: nothing yet
  synced_revision INTEGER,               -- the revision that the server knows of; another than the present one, and raw_ics has yet to go there
  push_problem TEXT,                     -- why the server did not take it, in words
  expanded_revision INTEGER,             -- the revision whose occurrences are in event_occurrences
  expanded_from BIGINT,                  -- and of which time
  expanded_until BIGINT,
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
  FOREIGN KEY (org_id, calendar_id) REFERENCES calendars (org_id, id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX events_by_uid ON events (calendar_id, uid) WHERE deleted_at IS NULL;
CREATE UNIQUE INDEX events_by_href ON events (calendar_id, remote_href) WHERE remote_href IS NOT NULL;
CREATE INDEX events_by_owner ON events (owner_id, id);
CREATE INDEX events_series ON events (owner_id, ends_by) WHERE is_series = 1 AND deleted_at IS NULL;
CREATE INDEX events_remind ON events (remind_at) WHERE remind_at IS NOT NULL AND deleted_at IS NULL;
CREATE INDEX events_expanded ON events (expanded_until) WHERE is_series = 1 AND deleted_at IS NULL;
CREATE INDEX events_unsynced ON events (calendar_id, id) WHERE synced_revision <> revision;
CREATE INDEX events_trashed ON events (deleted_with) WHERE deleted_at IS NOT NULL;

-- Calendar files that are too large for one call, while a job takes them in.
CREATE TABLE calendar_imports (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  owner_id TEXT NOT NULL,
  calendar_id TEXT NOT NULL,
  content TEXT,                          -- NULL once it is done
  done INTEGER NOT NULL,                 -- events of the file that are through
  result_json TEXT NOT NULL,             -- counts and problems so far
  created_at BIGINT NOT NULL,
  finished_at BIGINT,
  FOREIGN KEY (org_id, owner_id) REFERENCES users (org_id, id),
  FOREIGN KEY (org_id, calendar_id) REFERENCES calendars (org_id, id) ON DELETE CASCADE
);
CREATE INDEX calendar_imports_by_calendar ON calendar_imports (calendar_id);

-- When events take place, for reading a time quickly: made from events.raw_ics, and made again whenever that changes.
CREATE TABLE event_occurrences (
  event_id TEXT NOT NULL,
  place TEXT NOT NULL,                   -- what its id ends in: '' of a single event, else 20261120T090000Z or 20261120
  org_id TEXT NOT NULL,
  owner_id TEXT NOT NULL,
  calendar_id TEXT NOT NULL,
  starts_at BIGINT NOT NULL,
  ends_at BIGINT NOT NULL,
  busy INTEGER NOT NULL CHECK (busy IN (0, 1)),
  is_exception INTEGER NOT NULL CHECK (is_exception IN (0, 1)),
  PRIMARY KEY (event_id, place),
  FOREIGN KEY (org_id, event_id) REFERENCES events (org_id, id) ON DELETE CASCADE
);
CREATE INDEX event_occurrences_by_owner ON event_occurrences (owner_id, starts_at, event_id, place);
CREATE INDEX event_occurrences_by_calendar ON event_occurrences (calendar_id, starts_at, event_id, place);

-- Objects that were deleted or moved away here and have yet to go from their server.
CREATE TABLE calendar_deletions (
  calendar_id TEXT NOT NULL,
  href TEXT NOT NULL,
  org_id TEXT NOT NULL,
  owner_id TEXT NOT NULL,
  uid TEXT NOT NULL,
  etag TEXT,                             -- what the server had, as far as is known: one that has changed since is not deleted
  base_ics TEXT,
  problem TEXT,
  added_at BIGINT NOT NULL,
  PRIMARY KEY (calendar_id, href),
  FOREIGN KEY (org_id, calendar_id) REFERENCES calendars (org_id, id) ON DELETE CASCADE
);

-- Invitations, cancellations and answers on their way out by mail (iMIP).
CREATE TABLE event_letters (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL,
  owner_id TEXT NOT NULL,
  event_id TEXT NOT NULL,                -- may be gone since
  account_id TEXT,                       -- whose mail server sends it; NULL: that of the instance
  recipient TEXT NOT NULL,
  method TEXT NOT NULL CHECK (method IN ('REQUEST', 'CANCEL', 'REPLY')),
  letter_json TEXT NOT NULL,             -- what it says; {} once it is finished
  state TEXT NOT NULL CHECK (state IN ('queued', 'sent', 'failed')),
  attempts INTEGER NOT NULL,
  problem TEXT,
  created_at BIGINT NOT NULL,
  finished_at BIGINT,
  FOREIGN KEY (org_id, owner_id) REFERENCES users (org_id, id),
  FOREIGN KEY (org_id, account_id) REFERENCES accounts (org_id, id) ON DELETE CASCADE
);
CREATE INDEX event_letters_queued ON event_letters (owner_id, id) WHERE state = 'queued';
CREATE INDEX event_letters_finished ON event_letters (finished_at) WHERE finished_at IS NOT NULL;

-- Mail with a calendar part that was looked at, and what came of it.
CREATE TABLE event_mails (
  email_id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL,
  outcome TEXT NOT NULL,
  read_at BIGINT NOT NULL,
  FOREIGN KEY (org_id, email_id) REFERENCES emails (org_id, id) ON DELETE CASCADE
);
CREATE INDEX email_bodies_with_calendar ON email_bodies (email_id) WHERE calendar_text IS NOT NULL;

-- Versions, texts, shares and labels of files, and uploads that are under way.
CREATE TABLE file_versions (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  file_id TEXT NOT NULL,
  number INTEGER NOT NULL,
  mime_type TEXT NOT NULL,
  size_bytes BIGINT NOT NULL,
  sha256 TEXT NOT NULL,
  trust TEXT NOT NULL CHECK (trust IN ('internal', 'external')),
  comment TEXT,
  remote_id TEXT,                        -- of a file in a Google drive: the revision that it is there; the content is fetched when asked for
  created_at BIGINT NOT NULL,
  created_by TEXT NOT NULL REFERENCES users (id),
  created_via TEXT NOT NULL CHECK (created_via IN ('web', 'api', 'mcp', 'automation', 'sync', 'cli')),
  UNIQUE (org_id, id),
  UNIQUE (file_id, number),
  FOREIGN KEY (org_id, file_id) REFERENCES files (org_id, id) ON DELETE CASCADE
);
CREATE INDEX file_versions_by_content ON file_versions (sha256);

CREATE TABLE file_texts (
  file_id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  version INTEGER NOT NULL,
  format TEXT NOT NULL CHECK (format IN ('text', 'markdown')),
  body TEXT NOT NULL,
  problem TEXT,
  FOREIGN KEY (org_id, file_id) REFERENCES files (org_id, id) ON DELETE CASCADE
);

CREATE TABLE file_shares (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  file_id TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('person', 'link')),
  person_id TEXT,
  role TEXT NOT NULL CHECK (role IN ('viewer', 'commenter', 'editor')),
  note TEXT,
  token_hash TEXT,
  password_hash TEXT,
  expires_at BIGINT,
  revision INTEGER NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  created_by TEXT NOT NULL REFERENCES users (id),
  created_via TEXT NOT NULL CHECK (created_via IN ('web', 'api', 'mcp', 'automation', 'sync', 'cli')),
  UNIQUE (org_id, id),
  UNIQUE (file_id, person_id),
  UNIQUE (token_hash),
  CHECK ((kind = 'person') = (person_id IS NOT NULL)),
  CHECK ((kind = 'link') = (token_hash IS NOT NULL)),
  FOREIGN KEY (org_id, person_id) REFERENCES users (org_id, id),
  FOREIGN KEY (org_id, file_id) REFERENCES files (org_id, id) ON DELETE CASCADE
);
CREATE INDEX file_shares_by_person ON file_shares (person_id, file_id) WHERE person_id IS NOT NULL;

CREATE TABLE file_stars (
  file_id TEXT NOT NULL,
  person_id TEXT NOT NULL,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  added_at BIGINT NOT NULL,
  PRIMARY KEY (file_id, person_id),
  FOREIGN KEY (org_id, person_id) REFERENCES users (org_id, id),
  FOREIGN KEY (org_id, file_id) REFERENCES files (org_id, id) ON DELETE CASCADE
);
CREATE INDEX file_stars_by_person ON file_stars (person_id, file_id);

CREATE TABLE file_labels (
  file_id TEXT NOT NULL,
  label_id TEXT NOT NULL,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  added_at BIGINT NOT NULL,
  PRIMARY KEY (file_id, label_id),
  FOREIGN KEY (org_id, label_id) REFERENCES labels (org_id, id) ON DELETE CASCADE,
  FOREIGN KEY (org_id, file_id) REFERENCES files (org_id, id) ON DELETE CASCADE
);
CREATE INDEX file_labels_by_label ON file_labels (label_id, file_id);

CREATE TABLE upload_sessions (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  owner_id TEXT NOT NULL,
  key_id TEXT,
  folder_id TEXT NOT NULL,
  name TEXT NOT NULL,
  mime_type TEXT NOT NULL,
  size_bytes BIGINT NOT NULL,
  sha256 TEXT,
  token_hash TEXT NOT NULL,
  file_id TEXT,
  completed_at BIGINT,
  expires_at BIGINT NOT NULL,
  revision INTEGER NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  created_by TEXT NOT NULL REFERENCES users (id),
  created_via TEXT NOT NULL CHECK (created_via IN ('web', 'api', 'mcp', 'automation', 'sync', 'cli')),
  UNIQUE (org_id, id),
  UNIQUE (token_hash),
  FOREIGN KEY (org_id, owner_id) REFERENCES users (org_id, id)
);
CREATE INDEX upload_sessions_by_owner ON upload_sessions (owner_id, expires_at);
CREATE INDEX upload_sessions_by_end ON upload_sessions (expires_at);

-- search ------------------------------------------------------------------------------------------------------------

-- Spaces of meanings: what made the vectors of texts (search_vectors). One of each provider answers; another is made beside it.
CREATE TABLE search_spaces (
  id TEXT PRIMARY KEY,                   -- spc_
  provider TEXT NOT NULL CHECK (provider IN ('embedded', 'openai')),
  model TEXT NOT NULL,
  dimensions INTEGER NOT NULL,
  fingerprint TEXT NOT NULL,             -- of a vector that the provider made of a fixed text
  passages INTEGER NOT NULL,             -- that its words got their vectors from
  state TEXT NOT NULL CHECK (state IN ('building', 'active', 'retired')),
  made_at BIGINT NOT NULL,
  active_at BIGINT
);

-- Who makes vectors besides this program; a row as long as one is configured.
CREATE TABLE search_providers (
  provider TEXT PRIMARY KEY CHECK (provider IN ('openai')),
  model TEXT NOT NULL,
  problem TEXT,                          -- why it makes none, in words; NULL: it does
  problem_at BIGINT,
  retry_at BIGINT,
  asked_at BIGINT                        -- when it last answered as it should
);

-- Texts whose vectors have to be made, or dropped; triggers write it with the text, a row for each that makes vectors (sqlite.sql).
CREATE TABLE search_todo (
  doc BIGINT NOT NULL,                   -- search_docs.rowid_
  provider TEXT NOT NULL,
  version BIGINT NOT NULL,               -- the order; grows with each change of the text
  PRIMARY KEY (doc, provider)
);
CREATE INDEX search_todo_by_version ON search_todo (provider, version);

-- knowledge ---------------------------------------------------------------------------------------------------------

-- What the organization knows of: people, companies, products, systems, topics.
CREATE TABLE entities (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  name TEXT NOT NULL,
  name_key TEXT NOT NULL,                -- lower case without accents: what names are compared by
  type TEXT NOT NULL,                    -- person, company, product …: lower case, words joined by _
  description TEXT,
  item_type TEXT,                        -- the item that it stands for
  item_id TEXT,
  follows_item INTEGER NOT NULL CHECK (follows_item IN (0, 1)),  -- 1: it came by itself, and has the name of its item
  revision INTEGER NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  created_by TEXT NOT NULL REFERENCES users (id),
  created_via TEXT NOT NULL CHECK (created_via IN ('web', 'api', 'mcp', 'automation', 'sync', 'cli')),
  deleted_at BIGINT,
  deleted_by TEXT,
  deleted_with TEXT,
  trust TEXT CHECK (trust = 'external'),  -- as of tasks
  UNIQUE (org_id, id),
  CHECK ((item_type IS NULL) = (item_id IS NULL))
);
CREATE INDEX entities_by_name ON entities (org_id, name_key, id);
CREATE INDEX entities_by_type ON entities (org_id, type, id);
CREATE INDEX entities_by_change ON entities (org_id, updated_at, id);
CREATE INDEX entities_by_item ON entities (item_id) WHERE item_id IS NOT NULL;
CREATE INDEX entities_trashed ON entities (deleted_with) WHERE deleted_at IS NOT NULL;

-- Other names of entities; those that were merged into one left theirs.
CREATE TABLE entity_names (
  entity_id TEXT NOT NULL,
  name_key TEXT NOT NULL,
  org_id TEXT NOT NULL,
  name TEXT NOT NULL,
  added_at BIGINT NOT NULL,
  PRIMARY KEY (entity_id, name_key),
  FOREIGN KEY (org_id, entity_id) REFERENCES entities (org_id, id) ON DELETE CASCADE
);
CREATE INDEX entity_names_by_name ON entity_names (org_id, name_key, entity_id);

CREATE TABLE entity_redirects (
  old_id TEXT PRIMARY KEY,               -- id of an entity that was merged into the other; its row may be gone
  org_id TEXT NOT NULL,
  entity_id TEXT NOT NULL,
  added_at BIGINT NOT NULL,
  FOREIGN KEY (org_id, entity_id) REFERENCES entities (org_id, id) ON DELETE CASCADE
);
CREATE INDEX entity_redirects_by_entity ON entity_redirects (entity_id);

-- Typed links between entities. A source is named by its id alone, and shown to those only who see it.
CREATE TABLE relations (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  from_id TEXT NOT NULL,
  type TEXT NOT NULL,                    -- works_at, depends_on …: lower case, words joined by _
  to_id TEXT NOT NULL,
  valid_from BIGINT,                     -- when it began to be true; NULL: not known
  valid_to BIGINT,
  is_wrong INTEGER NOT NULL CHECK (is_wrong IN (0, 1)),  -- 1: it never was true
  confidence DOUBLE PRECISION NOT NULL,
  source_type TEXT,
  source_id TEXT,
  note TEXT,
  revision INTEGER NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  created_by TEXT NOT NULL REFERENCES users (id),
  created_via TEXT NOT NULL CHECK (created_via IN ('web', 'api', 'mcp', 'automation', 'sync', 'cli')),
  UNIQUE (org_id, id),
  CHECK (from_id <> to_id),
  FOREIGN KEY (org_id, from_id) REFERENCES entities (org_id, id) ON DELETE CASCADE,
  FOREIGN KEY (org_id, to_id) REFERENCES entities (org_id, id) ON DELETE CASCADE
);
CREATE INDEX relations_from ON relations (from_id, id);
CREATE INDEX relations_to ON relations (to_id, id);
CREATE INDEX relations_by_ends ON relations (from_id, to_id, type);
CREATE INDEX relations_by_type ON relations (org_id, type, is_wrong, valid_to);
CREATE INDEX relations_by_source ON relations (source_id) WHERE source_id IS NOT NULL;
CREATE INDEX relations_sourced_from ON relations (from_id, id) WHERE source_id IS NOT NULL;
CREATE INDEX relations_sourced_to ON relations (to_id, id) WHERE source_id IS NOT NULL;

-- Dated statements. Two clocks: valid_from and valid_to say when it was true, created_at and superseded_at when that was learned.
CREATE TABLE facts (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  entity_id TEXT NOT NULL,
  predicate TEXT NOT NULL,               -- lower case, words joined by _
  value TEXT NOT NULL,
  value_key TEXT NOT NULL,               -- what values are compared by
  value_entity_id TEXT,                  -- the entity that the value names
  valid_from BIGINT NOT NULL,
  said_to BIGINT,                        -- when it ended by those who say so; valid_from: it never was true
  valid_to BIGINT,                       -- exclusive: said_to, or when another value took its place
  status TEXT NOT NULL CHECK (status IN ('valid', 'superseded', 'invalidated')),
  superseded_by TEXT,                    -- id of the fact that took its place
  superseded_at BIGINT,                  -- when its end was learned
  reason TEXT,                           -- of invalidating it
  confidence DOUBLE PRECISION NOT NULL,
  source_type TEXT,
  source_id TEXT,
  revision INTEGER NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  created_by TEXT NOT NULL REFERENCES users (id),
  created_via TEXT NOT NULL CHECK (created_via IN ('web', 'api', 'mcp', 'automation', 'sync', 'cli')),
  UNIQUE (org_id, id),
  FOREIGN KEY (org_id, entity_id) REFERENCES entities (org_id, id) ON DELETE CASCADE,
  FOREIGN KEY (org_id, value_entity_id) REFERENCES entities (org_id, id)
);
CREATE INDEX facts_by_entity ON facts (entity_id, predicate, valid_from);
CREATE INDEX facts_by_making ON facts (entity_id, id);
CREATE INDEX facts_by_time ON facts (org_id, valid_from, valid_to);
CREATE INDEX facts_by_predicate ON facts (org_id, predicate, id);
CREATE INDEX facts_by_value ON facts (value_entity_id, id) WHERE value_entity_id IS NOT NULL;
CREATE INDEX facts_by_source ON facts (source_id) WHERE source_id IS NOT NULL;

CREATE TABLE observations (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  entity_id TEXT NOT NULL,
  body TEXT NOT NULL,
  observed_at BIGINT NOT NULL,
  source_type TEXT,
  source_id TEXT,
  revision INTEGER NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  created_by TEXT NOT NULL REFERENCES users (id),
  created_via TEXT NOT NULL CHECK (created_via IN ('web', 'api', 'mcp', 'automation', 'sync', 'cli')),
  UNIQUE (org_id, id),
  FOREIGN KEY (org_id, entity_id) REFERENCES entities (org_id, id) ON DELETE CASCADE
);
CREATE INDEX observations_by_entity ON observations (entity_id, observed_at, id);
CREATE INDEX observations_by_source ON observations (source_id) WHERE source_id IS NOT NULL;

-- Links between items of any kind, seen by those only who see both ends.
CREATE TABLE item_links (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  from_type TEXT NOT NULL,
  from_id TEXT NOT NULL,
  to_type TEXT NOT NULL,
  to_id TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('relates_to', 'documents', 'caused_by', 'results_in', 'duplicates')),
  note TEXT,
  revision INTEGER NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  created_by TEXT NOT NULL REFERENCES users (id),
  created_via TEXT NOT NULL CHECK (created_via IN ('web', 'api', 'mcp', 'automation', 'sync', 'cli')),
  UNIQUE (org_id, id),
  UNIQUE (from_id, to_id, kind),
  CHECK (from_id <> to_id)
);
CREATE INDEX item_links_to ON item_links (to_id);

-- How far entities are behind the items that they stand for, by kind of item.
CREATE TABLE entity_feeds (
  item_type TEXT PRIMARY KEY,
  after_id TEXT NOT NULL,                -- items up to this one have been looked at
  seq BIGINT NOT NULL                    -- and changes of them up to this one
);
