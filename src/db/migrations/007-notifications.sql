-- What people are told of, their reminders, and the mails about both.

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
CREATE INDEX notifications_unread ON notifications (person_id, in_app, shown_at, id, kind) WHERE read_at IS NULL;
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
