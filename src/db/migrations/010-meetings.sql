-- Meetings, their transcripts, decisions and action items.

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
  UNIQUE (org_id, id),
  CHECK ((status = 'ended') = (ended_at IS NOT NULL)),
  FOREIGN KEY (org_id, project_id) REFERENCES projects (org_id, id),
  FOREIGN KEY (org_id, organizer_id) REFERENCES users (org_id, id)
);
CREATE INDEX meetings_by_org ON meetings (org_id, takes_place_at, id);
CREATE INDEX meetings_by_update ON meetings (org_id, updated_at, id);
CREATE INDEX meetings_by_project ON meetings (project_id, takes_place_at, id) WHERE project_id IS NOT NULL;
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

-- The task that was made from an item.
CREATE INDEX tasks_by_source ON tasks (source_id) WHERE source_id IS NOT NULL;
