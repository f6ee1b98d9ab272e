-- A due or start date that was given as a day keeps its name: its moment alone is another day in other zones.

ALTER TABLE tasks ADD COLUMN due_on TEXT;   -- the day, where the due date was given as a day; due_at is then its last second where it was set
ALTER TABLE tasks ADD COLUMN start_on TEXT; -- likewise; start_at is then its first moment

-- Only in UTC does the moment alone tell that it was a day.
UPDATE tasks SET due_on = date(due_at / 1000, 'unixepoch') WHERE due_at % 86400000 = 86399000 AND created_by IN (SELECT id FROM users WHERE timezone = 'UTC');
UPDATE tasks SET start_on = date(start_at / 1000, 'unixepoch') WHERE start_at % 86400000 = 0 AND created_by IN (SELECT id FROM users WHERE timezone = 'UTC');

DROP INDEX tasks_by_project_due;
DROP INDEX tasks_by_due;
CREATE INDEX tasks_by_project_due ON tasks (project_id, due_at, id, status_category, due_on) WHERE due_at IS NOT NULL;
CREATE INDEX tasks_by_due ON tasks (org_id, due_at, id, status_category, due_on) WHERE due_at IS NOT NULL;

ALTER TABLE open_assignments ADD COLUMN due_on TEXT;
UPDATE open_assignments SET due_on = (SELECT due_on FROM tasks WHERE id = task_id);
DROP INDEX open_assignments_by_person;
CREATE INDEX open_assignments_by_person ON open_assignments (person_id, due_at, task_id, due_on);

DROP TRIGGER tasks_opened_or_closed;
DROP TRIGGER task_people_assigned;
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
