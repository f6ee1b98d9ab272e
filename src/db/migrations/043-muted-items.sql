ALTER TABLE inboxes ADD COLUMN muted_json TEXT;
