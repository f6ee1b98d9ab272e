-- Calendars, their events, and what of them has yet to reach a server.

CREATE TABLE calendars (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  owner_id TEXT NOT NULL,
  account_id TEXT,
  name TEXT NOT NULL,
  timezone TEXT NOT NULL,
  access TEXT NOT NULL CHECK (access IN ('owner', 'writer', 'reader', 'free_busy')),
  is_primary INTEGER NOT NULL CHECK (is_primary IN (0, 1)),
  color TEXT,
  remote_url TEXT,
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
CREATE TABLE events (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  owner_id TEXT NOT NULL,
  calendar_id TEXT NOT NULL,
  uid TEXT NOT NULL,
  title TEXT NOT NULL,
  starts_at BIGINT NOT NULL,
  ends_at BIGINT NOT NULL,
  ends_by BIGINT,
  timezone TEXT NOT NULL,
  all_day INTEGER NOT NULL CHECK (all_day IN (0, 1)),
  location TEXT,
  video_url TEXT,
  description TEXT,
  trust TEXT NOT NULL CHECK (trust IN ('internal', 'external')),
  organizer_json TEXT,
  attendees_json TEXT NOT NULL,
  rrule TEXT,
  is_series INTEGER NOT NULL CHECK (is_series IN (0, 1)),
  kind TEXT NOT NULL CHECK (kind IN ('default', 'focus', 'out_of_office')),
  status TEXT NOT NULL CHECK (status IN ('confirmed', 'tentative', 'cancelled')),
  busy INTEGER NOT NULL CHECK (busy IN (0, 1)),
  my_response TEXT CHECK (my_response IN ('needs_action', 'accepted', 'tentative', 'declined')),
  invites_pending INTEGER NOT NULL CHECK (invites_pending IN (0, 1)),
  reminders_json TEXT NOT NULL,
  remind_at BIGINT,
  sequence INTEGER NOT NULL,
  raw_ics TEXT NOT NULL,
  unreadable TEXT,
  remote_href TEXT,
  etag TEXT,
  synced_ics TEXT,
  synced_revision INTEGER,
  push_problem TEXT,
  expanded_revision INTEGER,
  expanded_from BIGINT,
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
CREATE TABLE event_occurrences (
  event_id TEXT NOT NULL,
  place TEXT NOT NULL,
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
CREATE TABLE calendar_deletions (
  calendar_id TEXT NOT NULL,
  href TEXT NOT NULL,
  org_id TEXT NOT NULL,
  owner_id TEXT NOT NULL,
  uid TEXT NOT NULL,
  etag TEXT,
  base_ics TEXT,
  problem TEXT,
  added_at BIGINT NOT NULL,
  PRIMARY KEY (calendar_id, href),
  FOREIGN KEY (org_id, calendar_id) REFERENCES calendars (org_id, id) ON DELETE CASCADE
);

CREATE TABLE event_letters (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL,
  owner_id TEXT NOT NULL,
  event_id TEXT NOT NULL,
  account_id TEXT,
  recipient TEXT NOT NULL,
  method TEXT NOT NULL CHECK (method IN ('REQUEST', 'CANCEL', 'REPLY')),
  letter_json TEXT NOT NULL,
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
CREATE TABLE event_mails (
  email_id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL,
  outcome TEXT NOT NULL,
  read_at BIGINT NOT NULL,
  FOREIGN KEY (org_id, email_id) REFERENCES emails (org_id, id) ON DELETE CASCADE
);
CREATE INDEX email_bodies_with_calendar ON email_bodies (email_id) WHERE calendar_text IS NOT NULL;

-- Everybody has a built-in calendar.
INSERT INTO calendars (id, org_id, owner_id, name, timezone, access, is_primary, revision, created_at, updated_at, created_by, created_via)
SELECT 'cal_' || substr(id, 5), org_id, id, 'Calendar', timezone, 'owner', 1, 1, created_at, created_at, id, 'web' FROM users;
