-- Milestones and templates go to the trash before they are erased.

ALTER TABLE milestones ADD COLUMN deleted_at BIGINT;
ALTER TABLE milestones ADD COLUMN deleted_by TEXT;
ALTER TABLE milestones ADD COLUMN deleted_with TEXT;
CREATE INDEX milestones_trashed ON milestones (deleted_with) WHERE deleted_at IS NOT NULL;

ALTER TABLE task_templates ADD COLUMN deleted_at BIGINT;
ALTER TABLE task_templates ADD COLUMN deleted_by TEXT;
ALTER TABLE task_templates ADD COLUMN deleted_with TEXT;
CREATE INDEX task_templates_trashed ON task_templates (deleted_with) WHERE deleted_at IS NOT NULL;

ALTER TABLE email_templates ADD COLUMN deleted_at BIGINT;
ALTER TABLE email_templates ADD COLUMN deleted_by TEXT;
ALTER TABLE email_templates ADD COLUMN deleted_with TEXT;
CREATE INDEX email_templates_trashed ON email_templates (deleted_with) WHERE deleted_at IS NOT NULL;
