-- Approvals keep the revisions of what a waiting call names, and the reason of a denial.

ALTER TABLE approvals ADD COLUMN reason TEXT;
ALTER TABLE approvals ADD COLUMN items_json TEXT;
