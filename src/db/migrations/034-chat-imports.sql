-- Channels from exports of other programs: messages have a time at which they were said, and say where they come from.

ALTER TABLE channels ADD COLUMN imported_ref TEXT; -- slack:C0123: the channel that it was imported from
ALTER TABLE messages ADD COLUMN sent_at BIGINT NOT NULL DEFAULT 0; -- when it was said: created_at, and earlier of imported ones
ALTER TABLE messages ADD COLUMN imported_from TEXT;   -- the program that it comes from: slack
ALTER TABLE messages ADD COLUMN imported_author TEXT; -- who wrote it there; created_by is who imported it
UPDATE messages SET sent_at = created_at;
DROP INDEX messages_by_time;
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
