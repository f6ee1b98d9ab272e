-- What get_me, list_projects and their like had to count each time: tasks, kept by triggers; what is unread, by indexes that hold all of it.

DROP INDEX notifications_unread;
CREATE INDEX notifications_unread ON notifications (person_id, in_app, shown_at, id, kind, item_type, item_id) WHERE read_at IS NULL;
CREATE INDEX emails_unread_in ON emails (owner_id, account_id, place) WHERE unread = 1;

-- How many tasks of a project are not in the trash. This table and the two after it are kept by triggers (sqlite.sql), so that nobody
-- has to count.
CREATE TABLE task_counts (
  project_id TEXT NOT NULL,
  status_category TEXT NOT NULL,
  org_id TEXT NOT NULL,
  tasks INTEGER NOT NULL,
  PRIMARY KEY (project_id, status_category),
  FOREIGN KEY (org_id, project_id) REFERENCES projects (org_id, id) ON DELETE CASCADE
);

-- Assignees of tasks that are neither done, cancelled nor in the trash.
CREATE TABLE open_assignments (
  task_id TEXT NOT NULL,
  person_id TEXT NOT NULL,
  org_id TEXT NOT NULL,
  project_id TEXT NOT NULL,              -- of the task, like due_at
  due_at BIGINT,
  PRIMARY KEY (task_id, person_id),
  FOREIGN KEY (org_id, task_id) REFERENCES tasks (org_id, id) ON DELETE CASCADE,
  FOREIGN KEY (org_id, person_id) REFERENCES users (org_id, id)
);
CREATE INDEX open_assignments_by_person ON open_assignments (person_id, due_at, task_id);
CREATE INDEX open_assignments_by_project ON open_assignments (project_id, task_id);

-- How many of them each person has in a project.
CREATE TABLE open_counts (
  project_id TEXT NOT NULL,
  person_id TEXT NOT NULL,
  org_id TEXT NOT NULL,
  tasks INTEGER NOT NULL,
  PRIMARY KEY (project_id, person_id),
  FOREIGN KEY (org_id, project_id) REFERENCES projects (org_id, id) ON DELETE CASCADE,
  FOREIGN KEY (org_id, person_id) REFERENCES users (org_id, id)
);

INSERT INTO task_counts (project_id, status_category, org_id, tasks)
SELECT project_id, status_category, org_id, count(*) FROM tasks WHERE deleted_at IS NULL GROUP BY project_id, status_category, org_id;

INSERT INTO open_assignments (task_id, person_id, org_id, project_id, due_at)
SELECT t.id, p.person_id, t.org_id, t.project_id, t.due_at FROM task_people AS p JOIN tasks AS t ON t.id = p.task_id
WHERE p.role = 'assignee' AND t.deleted_at IS NULL AND t.status_category NOT IN ('done', 'cancelled');

INSERT INTO open_counts (project_id, person_id, org_id, tasks)
SELECT project_id, person_id, org_id, count(*) FROM open_assignments GROUP BY project_id, person_id, org_id;

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

CREATE TRIGGER tasks_opened_or_closed AFTER UPDATE OF project_id, status_category, deleted_at, due_at ON tasks
WHEN (new.project_id, new.status_category IN ('done', 'cancelled'), new.deleted_at IS NULL, coalesce(new.due_at, 'none')) <> (old.project_id, old.status_category IN ('done', 'cancelled'), old.deleted_at IS NULL, coalesce(old.due_at, 'none'))
BEGIN
  DELETE FROM open_assignments WHERE task_id = new.id;
  INSERT INTO open_assignments (task_id, person_id, org_id, project_id, due_at)
  SELECT new.id, person_id, org_id, new.project_id, new.due_at FROM task_people
  WHERE task_id = new.id AND role = 'assignee' AND new.deleted_at IS NULL AND new.status_category NOT IN ('done', 'cancelled');
END;

CREATE TRIGGER task_people_assigned AFTER INSERT ON task_people WHEN new.role = 'assignee'
BEGIN
  INSERT INTO open_assignments (task_id, person_id, org_id, project_id, due_at)
  SELECT id, new.person_id, org_id, project_id, due_at FROM tasks WHERE id = new.task_id AND deleted_at IS NULL AND status_category NOT IN ('done', 'cancelled');
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
