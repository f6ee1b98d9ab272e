-- What only SQLite has, run after schema.sql: full-text tables and the triggers that keep the call log unchangeable.

CREATE VIRTUAL TABLE search_fts USING fts5 (
  title, body, acl,
  content = '', contentless_delete = 1, tokenize = 'porter unicode61 remove_diacritics 2'
);

CREATE TRIGGER calls_keep BEFORE DELETE ON calls
WHEN NOT EXISTS (SELECT 1 FROM call_seals s WHERE s.org_id = old.org_id AND s.through_seq >= old.seq)
BEGIN
  SELECT raise(ABORT, 'the call log is append-only');
END;

CREATE TRIGGER calls_fixed BEFORE UPDATE OF id, org_id, seq, at, request_id, actor_id, key_id, transport, tool, kind, status,
  error_code, result_count, changed, duration_us, idempotency_key, items_json, details_hash, prev_hash, hash ON calls
BEGIN
  SELECT raise(ABORT, 'the call log is append-only');
END;

CREATE TRIGGER calls_details_only_erased BEFORE UPDATE OF details_json, salt ON calls
WHEN new.details_json IS NOT NULL OR new.salt IS NOT NULL
BEGIN
  SELECT raise(ABORT, 'details of a call can only be erased');
END;

CREATE TRIGGER call_seals_name_an_entry BEFORE INSERT ON call_seals
WHEN NOT EXISTS (SELECT 1 FROM calls c WHERE c.org_id = new.org_id AND c.seq = new.through_seq AND c.hash = new.last_hash)
  OR NOT EXISTS (SELECT 1 FROM calls c WHERE c.org_id = new.org_id AND c.seq > new.through_seq)
BEGIN
  SELECT raise(ABORT, 'a seal names an entry of the call log that others follow');
END;

CREATE TRIGGER call_seals_keep BEFORE DELETE ON call_seals
BEGIN
  SELECT raise(ABORT, 'a seal of the call log stays');
END;

CREATE TRIGGER call_seals_fixed BEFORE UPDATE ON call_seals
BEGIN
  SELECT raise(ABORT, 'a seal of the call log stays');
END;

CREATE TRIGGER api_keys_stay BEFORE DELETE ON api_keys
BEGIN
  SELECT raise(ABORT, 'a key is revoked, never deleted');
END;

CREATE TRIGGER api_keys_stay_revoked BEFORE UPDATE OF revoked_at ON api_keys
WHEN old.revoked_at IS NOT NULL AND new.revoked_at IS NOT old.revoked_at
BEGIN
  SELECT raise(ABORT, 'a revoked key stays revoked');
END;

CREATE TRIGGER pages_no_cycle BEFORE UPDATE OF parent_id ON pages
WHEN new.parent_id IS NOT NULL AND new.parent_id IS NOT old.parent_id
  AND EXISTS (
    WITH RECURSIVE above (id) AS (
      SELECT new.parent_id UNION SELECT p.parent_id FROM pages p JOIN above ON p.id = above.id WHERE p.parent_id IS NOT NULL
    )
    SELECT 1 FROM above WHERE above.id = new.id
  )
BEGIN
  SELECT raise(ABORT, 'a page cannot stand below itself');
END;

-- Addresses and numbers of contacts that are not in the trash, for finding them. That an address is taken shows here, whichever way a
-- contact came or came back.
CREATE TRIGGER contacts_listed AFTER INSERT ON contacts WHEN new.deleted_at IS NULL
BEGIN
  INSERT INTO contact_emails (org_id, email, contact_id) SELECT new.org_id, value, new.id FROM json_each(new.emails_json);
  INSERT INTO contact_phones (org_id, phone, contact_id) SELECT new.org_id, value, new.id FROM json_each(new.phones_json);
END;

CREATE TRIGGER contacts_relisted AFTER UPDATE OF emails_json, phones_json, deleted_at ON contacts
BEGIN
  DELETE FROM contact_emails WHERE contact_id = new.id;
  DELETE FROM contact_phones WHERE contact_id = new.id;
  INSERT INTO contact_emails (org_id, email, contact_id) SELECT new.org_id, value, new.id FROM json_each(new.emails_json) WHERE new.deleted_at IS NULL;
  INSERT INTO contact_phones (org_id, phone, contact_id) SELECT new.org_id, value, new.id FROM json_each(new.phones_json) WHERE new.deleted_at IS NULL;
END;

-- Counts of tasks, and who has open ones.
CREATE TRIGGER tasks_counted AFTER INSERT ON tasks WHEN new.deleted_at IS NULL
BEGIN
  INSERT INTO task_counts (project_id, status_category, org_id, tasks) VALUES (new.project_id, new.status_category, new.org_id, 1)
  ON CONFLICT (project_id, status_category) DO UPDATE SET tasks = tasks + 1;
END;

CREATE TRIGGER tasks_uncounted AFTER DELETE ON tasks WHEN old.deleted_at IS NULL
BEGIN
  UPDATE task_counts SET tasks = tasks - 1 WHERE project_id = old.project_id AND status_category = old.status_category;
END;

CREATE TRIGGER tasks_recounted AFTER UPDATE OF project_id, status_category, deleted_at ON tasks
WHEN (new.project_id, new.status_category, new.deleted_at IS NULL) <> (old.project_id, old.status_category, old.deleted_at IS NULL)
BEGIN
  UPDATE task_counts SET tasks = tasks - 1 WHERE project_id = old.project_id AND status_category = old.status_category AND old.deleted_at IS NULL;
  INSERT INTO task_counts (project_id, status_category, org_id, tasks) SELECT new.project_id, new.status_category, new.org_id, 1 WHERE new.deleted_at IS NULL
  ON CONFLICT (project_id, status_category) DO UPDATE SET tasks = tasks + 1;
END;

CREATE TRIGGER tasks_opened_or_closed AFTER UPDATE OF project_id, status_category, deleted_at, due_at, due_on ON tasks
WHEN (new.project_id, new.status_category IN ('done', 'cancelled'), new.deleted_at IS NULL, coalesce(new.due_at, 'none'), coalesce(new.due_on, 'none')) <> (old.project_id, old.status_category IN ('done', 'cancelled'), old.deleted_at IS NULL, coalesce(old.due_at, 'none'), coalesce(old.due_on, 'none'))
BEGIN
  DELETE FROM open_assignments WHERE task_id = new.id;
  INSERT INTO open_assignments (task_id, person_id, org_id, project_id, due_at, due_on)
  SELECT new.id, person_id, org_id, new.project_id, new.due_at, new.due_on FROM task_people
  WHERE task_id = new.id AND role = 'assignee' AND new.deleted_at IS NULL AND new.status_category NOT IN ('done', 'cancelled');
END;

CREATE TRIGGER task_people_assigned AFTER INSERT ON task_people WHEN new.role = 'assignee'
BEGIN
  INSERT INTO open_assignments (task_id, person_id, org_id, project_id, due_at, due_on)
  SELECT id, new.person_id, org_id, project_id, due_at, due_on FROM tasks WHERE id = new.task_id AND deleted_at IS NULL AND status_category NOT IN ('done', 'cancelled');
END;

CREATE TRIGGER task_people_unassigned AFTER DELETE ON task_people WHEN old.role = 'assignee'
BEGIN
  DELETE FROM open_assignments WHERE task_id = old.task_id AND person_id = old.person_id;
END;

CREATE TRIGGER open_assignments_counted AFTER INSERT ON open_assignments
BEGIN
  INSERT INTO open_counts (project_id, person_id, org_id, tasks) VALUES (new.project_id, new.person_id, new.org_id, 1)
  ON CONFLICT (project_id, person_id) DO UPDATE SET tasks = tasks + 1;
END;

CREATE TRIGGER open_assignments_uncounted AFTER DELETE ON open_assignments
BEGIN
  UPDATE open_counts SET tasks = tasks - 1 WHERE project_id = old.project_id AND person_id = old.person_id;
END;

-- Vectors of the passages of texts, one byte a dimension, to be multiplied with their scale. Their text is where search_docs has it.
CREATE TABLE search_vectors (
  doc INTEGER NOT NULL,
  space TEXT NOT NULL,
  n INTEGER NOT NULL,
  start INTEGER NOT NULL,
  length INTEGER NOT NULL,
  vector BLOB NOT NULL,
  scale REAL NOT NULL,
  PRIMARY KEY (doc, space, n)
) WITHOUT ROWID;
CREATE INDEX search_vectors_by_space ON search_vectors (space);

-- How many passages have a word, and the vector that it got from them; none: that of the table.
CREATE TABLE search_terms (
  space TEXT NOT NULL,
  stem TEXT NOT NULL,
  passages INTEGER NOT NULL,
  vector BLOB,
  scale REAL NOT NULL,
  PRIMARY KEY (space, stem)
) WITHOUT ROWID;

CREATE TRIGGER search_docs_come AFTER INSERT ON search_docs
BEGIN
  INSERT INTO search_todo (doc, provider, version)
  SELECT new.rowid_, of.provider, (SELECT coalesce(max(t.version), 0) + 1 FROM search_todo AS t WHERE t.provider = of.provider)
  FROM (SELECT 'embedded' AS provider UNION ALL SELECT provider FROM search_providers) AS of WHERE true
  ON CONFLICT (doc, provider) DO UPDATE SET version = excluded.version;
END;

CREATE TRIGGER search_docs_change AFTER UPDATE OF title, body, container, item_type ON search_docs
BEGIN
  INSERT INTO search_todo (doc, provider, version)
  SELECT new.rowid_, of.provider, (SELECT coalesce(max(t.version), 0) + 1 FROM search_todo AS t WHERE t.provider = of.provider)
  FROM (SELECT 'embedded' AS provider UNION ALL SELECT provider FROM search_providers) AS of WHERE true
  ON CONFLICT (doc, provider) DO UPDATE SET version = excluded.version;
END;

CREATE TRIGGER search_docs_rewrite AFTER UPDATE OF title, body ON search_docs
BEGIN
  DELETE FROM search_vectors WHERE doc = new.rowid_;
END;

CREATE TRIGGER search_docs_go AFTER DELETE ON search_docs
BEGIN
  DELETE FROM search_vectors WHERE doc = old.rowid_;
  INSERT INTO search_todo (doc, provider, version)
  SELECT old.rowid_, of.provider, (SELECT coalesce(max(t.version), 0) + 1 FROM search_todo AS t WHERE t.provider = of.provider)
  FROM (SELECT 'embedded' AS provider UNION ALL SELECT provider FROM search_providers) AS of WHERE true
  ON CONFLICT (doc, provider) DO UPDATE SET version = excluded.version;
END;
