-- Pulses: check-ins of teams that repeat.

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
