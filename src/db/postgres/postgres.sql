-- The triggers of sqlite.sql for PostgreSQL, run after schema.sql. Those of search_docs differ: the search index is a SQLite file beside each server, which follows search_changes.

-- Which version of the schema this is; the id tells a search index beside a server whether it was made from this database.
CREATE TABLE schema_version (version BIGINT NOT NULL, database_id TEXT NOT NULL DEFAULT gen_random_uuid()::text);

-- Each writer changes this row first, so that there is one writer at a time, and others see that something was committed.
CREATE TABLE writer_lock (commits BIGINT NOT NULL) WITH (fillfactor = 10);
INSERT INTO writer_lock (commits) VALUES (0);

-- Texts in the order in which they last changed, for the search indexes that are kept from them. Those that are gone keep their row.
CREATE SEQUENCE search_changes_version;
CREATE TABLE search_changes (doc BIGINT PRIMARY KEY, version BIGINT NOT NULL UNIQUE);
CREATE FUNCTION search_docs_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO search_changes (doc, version)
  VALUES (CASE WHEN TG_OP = 'DELETE' THEN old.rowid_ ELSE new.rowid_ END, nextval('search_changes_version'))
  ON CONFLICT (doc) DO UPDATE SET version = excluded.version;
  RETURN NULL;
END $$;
CREATE TRIGGER search_docs_changed AFTER INSERT OR UPDATE OR DELETE ON search_docs FOR EACH ROW EXECUTE FUNCTION search_docs_changed();

-- JSON is in columns of TEXT; on SQLite these work on text.
CREATE FUNCTION json_member(text, text) RETURNS json LANGUAGE sql IMMUTABLE PARALLEL SAFE AS 'SELECT $1::json -> $2';
CREATE OPERATOR -> (LEFTARG = text, RIGHTARG = text, FUNCTION = json_member);
CREATE FUNCTION json_member_text(text, text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS 'SELECT $1::json ->> $2';
CREATE OPERATOR ->> (LEFTARG = text, RIGHTARG = text, FUNCTION = json_member_text);
CREATE FUNCTION json_each(text) RETURNS TABLE (key text, value text) LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT e.key, e.value FROM json_each_text(CASE WHEN json_typeof($1::json) = 'object' THEN $1::json END) AS e
  UNION ALL SELECT (e.place - 1)::text, e.value FROM json_array_elements_text(CASE WHEN json_typeof($1::json) = 'array' THEN $1::json END) WITH ORDINALITY AS e (value, place)
$$;

CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '%', TG_ARGV[0];
END $$;

CREATE FUNCTION calls_keep() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT 1 FROM call_seals s WHERE s.org_id = old.org_id AND s.through_seq >= old.seq) THEN
    RAISE EXCEPTION 'the call log is append-only';
  END IF;
  RETURN old;
END $$;
CREATE TRIGGER calls_keep BEFORE DELETE ON calls FOR EACH ROW EXECUTE FUNCTION calls_keep();

CREATE TRIGGER calls_fixed BEFORE UPDATE OF id, org_id, seq, at, request_id, actor_id, key_id, transport, tool, kind, status,
  error_code, result_count, changed, duration_us, idempotency_key, items_json, details_hash, prev_hash, hash ON calls
  FOR EACH ROW EXECUTE FUNCTION refuse('the call log is append-only');

CREATE TRIGGER calls_details_only_erased BEFORE UPDATE OF details_json, salt ON calls
  FOR EACH ROW WHEN (new.details_json IS NOT NULL OR new.salt IS NOT NULL)
  EXECUTE FUNCTION refuse('details of a call can only be erased');

CREATE FUNCTION call_seals_name_an_entry() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT 1 FROM calls c WHERE c.org_id = new.org_id AND c.seq = new.through_seq AND c.hash = new.last_hash)
    OR NOT EXISTS (SELECT 1 FROM calls c WHERE c.org_id = new.org_id AND c.seq > new.through_seq) THEN
    RAISE EXCEPTION 'a seal names an entry of the call log that others follow';
  END IF;
  RETURN new;
END $$;
CREATE TRIGGER call_seals_name_an_entry BEFORE INSERT ON call_seals FOR EACH ROW EXECUTE FUNCTION call_seals_name_an_entry();

CREATE TRIGGER call_seals_keep BEFORE DELETE ON call_seals FOR EACH ROW EXECUTE FUNCTION refuse('a seal of the call log stays');

CREATE TRIGGER call_seals_fixed BEFORE UPDATE ON call_seals FOR EACH ROW EXECUTE FUNCTION refuse('a seal of the call log stays');

CREATE TRIGGER api_keys_stay BEFORE DELETE ON api_keys FOR EACH ROW EXECUTE FUNCTION refuse('a key is revoked, never deleted');

CREATE TRIGGER api_keys_stay_revoked BEFORE UPDATE OF revoked_at ON api_keys
  FOR EACH ROW WHEN (old.revoked_at IS NOT NULL AND new.revoked_at IS DISTINCT FROM old.revoked_at)
  EXECUTE FUNCTION refuse('a revoked key stays revoked');

CREATE FUNCTION pages_no_cycle() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (
    WITH RECURSIVE above (id) AS (
      SELECT new.parent_id UNION SELECT p.parent_id FROM pages p JOIN above ON p.id = above.id WHERE p.parent_id IS NOT NULL
    )
    SELECT 1 FROM above WHERE above.id = new.id
  ) THEN
    RAISE EXCEPTION 'a page cannot stand below itself';
  END IF;
  RETURN new;
END $$;
CREATE TRIGGER pages_no_cycle BEFORE UPDATE OF parent_id ON pages
  FOR EACH ROW WHEN (new.parent_id IS NOT NULL AND new.parent_id IS DISTINCT FROM old.parent_id)
  EXECUTE FUNCTION pages_no_cycle();

CREATE FUNCTION contacts_listed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    DELETE FROM contact_emails WHERE contact_id = new.id;
    DELETE FROM contact_phones WHERE contact_id = new.id;
  END IF;
  IF new.deleted_at IS NULL THEN
    INSERT INTO contact_emails (org_id, email, contact_id) SELECT new.org_id, e.value, new.id FROM json_each(new.emails_json) AS e;
    INSERT INTO contact_phones (org_id, phone, contact_id) SELECT new.org_id, p.value, new.id FROM json_each(new.phones_json) AS p;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER contacts_listed AFTER INSERT ON contacts FOR EACH ROW EXECUTE FUNCTION contacts_listed();

CREATE TRIGGER contacts_relisted AFTER UPDATE OF emails_json, phones_json, deleted_at ON contacts
  FOR EACH ROW EXECUTE FUNCTION contacts_listed();

CREATE FUNCTION tasks_recounted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' AND old.deleted_at IS NULL THEN
    UPDATE task_counts SET tasks = tasks - 1 WHERE project_id = old.project_id AND status_category = old.status_category;
  END IF;
  IF TG_OP <> 'DELETE' AND new.deleted_at IS NULL THEN
    INSERT INTO task_counts (project_id, status_category, org_id, tasks) VALUES (new.project_id, new.status_category, new.org_id, 1)
    ON CONFLICT (project_id, status_category) DO UPDATE SET tasks = task_counts.tasks + 1;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER tasks_counted AFTER INSERT ON tasks FOR EACH ROW EXECUTE FUNCTION tasks_recounted();

CREATE TRIGGER tasks_uncounted AFTER DELETE ON tasks FOR EACH ROW EXECUTE FUNCTION tasks_recounted();

CREATE TRIGGER tasks_recounted AFTER UPDATE OF project_id, status_category, deleted_at ON tasks
  FOR EACH ROW WHEN ((new.project_id, new.status_category, new.deleted_at IS NULL) <> (old.project_id, old.status_category, old.deleted_at IS NULL))
  EXECUTE FUNCTION tasks_recounted();

CREATE FUNCTION tasks_opened_or_closed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM open_assignments WHERE task_id = new.id;
  INSERT INTO open_assignments (task_id, person_id, org_id, project_id, due_at, due_on)
  SELECT new.id, person_id, org_id, new.project_id, new.due_at, new.due_on FROM task_people
  WHERE task_id = new.id AND role = 'assignee' AND new.deleted_at IS NULL AND new.status_category NOT IN ('done', 'cancelled');
  RETURN NULL;
END $$;
CREATE TRIGGER tasks_opened_or_closed AFTER UPDATE OF project_id, status_category, deleted_at, due_at, due_on ON tasks
  FOR EACH ROW WHEN ((new.project_id, new.status_category IN ('done', 'cancelled'), new.deleted_at IS NULL) <> (old.project_id, old.status_category IN ('done', 'cancelled'), old.deleted_at IS NULL)
    OR new.due_at IS DISTINCT FROM old.due_at OR new.due_on IS DISTINCT FROM old.due_on)
  EXECUTE FUNCTION tasks_opened_or_closed();

CREATE FUNCTION task_people_assigned() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO open_assignments (task_id, person_id, org_id, project_id, due_at, due_on)
  SELECT id, new.person_id, org_id, project_id, due_at, due_on FROM tasks
  WHERE id = new.task_id AND deleted_at IS NULL AND status_category NOT IN ('done', 'cancelled');
  RETURN NULL;
END $$;
CREATE TRIGGER task_people_assigned AFTER INSERT ON task_people
  FOR EACH ROW WHEN (new.role = 'assignee') EXECUTE FUNCTION task_people_assigned();

CREATE FUNCTION task_people_unassigned() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM open_assignments WHERE task_id = old.task_id AND person_id = old.person_id;
  RETURN NULL;
END $$;
CREATE TRIGGER task_people_unassigned AFTER DELETE ON task_people
  FOR EACH ROW WHEN (old.role = 'assignee') EXECUTE FUNCTION task_people_unassigned();

CREATE FUNCTION open_assignments_counted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO open_counts (project_id, person_id, org_id, tasks) VALUES (new.project_id, new.person_id, new.org_id, 1)
  ON CONFLICT (project_id, person_id) DO UPDATE SET tasks = open_counts.tasks + 1;
  RETURN NULL;
END $$;
CREATE TRIGGER open_assignments_counted AFTER INSERT ON open_assignments FOR EACH ROW EXECUTE FUNCTION open_assignments_counted();

CREATE FUNCTION open_assignments_uncounted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE open_counts SET tasks = tasks - 1 WHERE project_id = old.project_id AND person_id = old.person_id;
  RETURN NULL;
END $$;
CREATE TRIGGER open_assignments_uncounted AFTER DELETE ON open_assignments FOR EACH ROW EXECUTE FUNCTION open_assignments_uncounted();
