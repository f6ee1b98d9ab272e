-- The fields of forms as they were when someone answered them. What was answered before belongs to the fields as they are now, and to those that were taken out.

CREATE TABLE form_versions (
  form_id TEXT NOT NULL,
  version INTEGER NOT NULL,
  org_id TEXT NOT NULL,
  fields_json TEXT NOT NULL,
  PRIMARY KEY (form_id, version),
  FOREIGN KEY (org_id, form_id) REFERENCES forms (org_id, id) ON DELETE CASCADE
);
ALTER TABLE form_responses ADD COLUMN form_version INTEGER NOT NULL DEFAULT 1;
INSERT INTO form_versions (form_id, version, org_id, fields_json)
SELECT id, 1, org_id,
  CASE
    WHEN retired_json = '[]' THEN fields_json
    WHEN fields_json = '[]' THEN retired_json
    ELSE substr(fields_json, 1, length(fields_json) - 1) || ',' || substr(retired_json, 2)
  END
FROM forms
WHERE EXISTS (SELECT 1 FROM form_responses WHERE form_responses.form_id = forms.id);
