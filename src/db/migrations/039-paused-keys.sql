ALTER TABLE api_keys ADD COLUMN suspended_by TEXT;
