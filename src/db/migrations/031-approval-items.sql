-- Approvals keep the revisions of what a waiting call names, and the reason of a denial; idempotency keys are those of one API key.

ALTER TABLE approvals ADD COLUMN reason TEXT;
ALTER TABLE approvals ADD COLUMN items_json TEXT;

CREATE TABLE replays_031 (
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
INSERT INTO replays_031 (actor_id, key_id, tool, idempotency_key, arguments_hash, answer_json, call_id, created_at)
SELECT actor_id, coalesce((SELECT key_id FROM calls WHERE calls.id = replays.call_id), ''), tool, idempotency_key, arguments_hash, answer_json, call_id, created_at FROM replays;
DROP TABLE replays;
ALTER TABLE replays_031 RENAME TO replays;
CREATE INDEX replays_by_age ON replays (created_at);
