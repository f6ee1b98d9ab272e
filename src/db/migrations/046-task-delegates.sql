ALTER TABLE tasks ADD COLUMN delegate_key_id TEXT; -- the key that works on it beside the assignees; stays when the key ends, and is then shown as ended
CREATE INDEX tasks_by_delegate ON tasks (delegate_key_id, updated_at, id) WHERE delegate_key_id IS NOT NULL;
