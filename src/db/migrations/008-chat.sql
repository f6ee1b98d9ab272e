-- Chat: channels, conversations, messages and what hangs on them, read positions.

CREATE TABLE channels (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  kind TEXT NOT NULL CHECK (kind IN ('public', 'private', 'direct', 'group')),
  name TEXT,
  people_key TEXT,
  topic TEXT,
  purpose TEXT,
  project_id TEXT,
  archived_at BIGINT,
  last_seq INTEGER NOT NULL,
  last_message_at BIGINT,
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
  seq INTEGER NOT NULL,
  body_markdown TEXT NOT NULL,
  thread_root_id TEXT,
  in_channel INTEGER NOT NULL CHECK (in_channel IN (0, 1)),
  mentions_channel INTEGER NOT NULL CHECK (mentions_channel IN (0, 1)),
  via_assistant INTEGER NOT NULL CHECK (via_assistant IN (0, 1)),
  edited_at BIGINT,
  erased_at BIGINT,
  revision INTEGER NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  created_by TEXT NOT NULL REFERENCES users (id),
  created_via TEXT NOT NULL CHECK (created_via IN ('web', 'api', 'mcp', 'automation', 'sync', 'cli')),
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
CREATE INDEX messages_by_time ON messages (channel_id, created_at, seq);

CREATE TABLE message_mentions (
  message_id TEXT NOT NULL,
  person_id TEXT NOT NULL,
  org_id TEXT NOT NULL,
  channel_id TEXT NOT NULL,
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
  emoji TEXT NOT NULL,
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
  person_id TEXT NOT NULL,
  added_at BIGINT NOT NULL,
  FOREIGN KEY (org_id, message_id) REFERENCES messages (org_id, id) ON DELETE CASCADE,
  FOREIGN KEY (org_id, channel_id) REFERENCES channels (org_id, id) ON DELETE CASCADE,
  FOREIGN KEY (org_id, person_id) REFERENCES users (org_id, id)
);
CREATE INDEX message_pins_by_channel ON message_pins (channel_id, added_at);
