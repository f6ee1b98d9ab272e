ALTER TABLE page_versions ADD COLUMN page_revision INTEGER;
UPDATE page_versions SET page_revision = (SELECT revision FROM pages WHERE pages.id = page_versions.page_id AND pages.version = page_versions.number);
