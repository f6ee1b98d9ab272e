-- Forms and what people answer to them.

CREATE TABLE forms (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  title TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('draft', 'published', 'closed')),
  fields_json TEXT NOT NULL,
  retired_json TEXT NOT NULL,
  audience TEXT NOT NULL CHECK (audience IN ('organization', 'public')),
  closes_at BIGINT,
  response_limit INTEGER,
  responses_visible_to TEXT NOT NULL CHECK (responses_visible_to IN ('owner_only', 'organization')),
  captcha INTEGER NOT NULL CHECK (captcha IN (0, 1)),
  thank_you TEXT,
  destination_json TEXT,
  slug TEXT,
  published_at BIGINT,
  closed_why TEXT CHECK (closed_why IN ('person', 'time', 'limit')),
  closed_message TEXT,
  last_response_at BIGINT,
  told_at BIGINT,
  revision INTEGER NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  created_by TEXT NOT NULL REFERENCES users (id),
  created_via TEXT NOT NULL CHECK (created_via IN ('web', 'api', 'mcp', 'automation', 'sync', 'cli')),
  deleted_at BIGINT,
  deleted_by TEXT,
  deleted_with TEXT,
  description_markdown TEXT,
  UNIQUE (org_id, id),
  UNIQUE (slug),
  CHECK ((status = 'closed') = (closed_why IS NOT NULL)),
  CHECK (status <> 'published' OR slug IS NOT NULL)
);
CREATE INDEX forms_by_update ON forms (org_id, updated_at, id);
CREATE INDEX forms_closing ON forms (closes_at) WHERE status = 'published' AND closes_at IS NOT NULL;
CREATE INDEX forms_untold ON forms (last_response_at) WHERE last_response_at IS NOT NULL;
CREATE INDEX forms_trashed ON forms (deleted_with) WHERE deleted_at IS NOT NULL;

-- How often a form was looked at and begun, by day of the organization's zone.
CREATE TABLE form_days (
  form_id TEXT NOT NULL,
  day_on TEXT NOT NULL,
  org_id TEXT NOT NULL,
  views INTEGER NOT NULL,
  started INTEGER NOT NULL,
  PRIMARY KEY (form_id, day_on),
  FOREIGN KEY (org_id, form_id) REFERENCES forms (org_id, id) ON DELETE CASCADE
);

CREATE TABLE form_responses (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  form_id TEXT NOT NULL,
  answers_json TEXT NOT NULL,
  trust TEXT NOT NULL CHECK (trust IN ('internal', 'external')),
  respondent_id TEXT,
  respondent_email TEXT,
  score DOUBLE PRECISION,
  submitted_on TEXT NOT NULL,
  seconds INTEGER,
  ticket TEXT,
  destination_state TEXT NOT NULL CHECK (destination_state IN ('none', 'waiting', 'queued', 'done', 'failed')),
  destination_error TEXT,
  created_item_type TEXT,
  created_item_id TEXT,
  revision INTEGER NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  UNIQUE (org_id, id),
  UNIQUE (form_id, ticket),
  FOREIGN KEY (org_id, form_id) REFERENCES forms (org_id, id) ON DELETE CASCADE,
  FOREIGN KEY (org_id, respondent_id) REFERENCES users (org_id, id)
);
CREATE INDEX form_responses_by_form ON form_responses (form_id, created_at, id);
CREATE INDEX form_responses_by_email ON form_responses (org_id, respondent_email) WHERE respondent_email IS NOT NULL;
CREATE INDEX form_responses_waiting ON form_responses (updated_at) WHERE destination_state = 'waiting';
CREATE INDEX form_responses_queued ON form_responses (updated_at) WHERE destination_state = 'queued';

-- The same answers one by one, for filters and statistics: a row for each value, several where several options were chosen.
CREATE TABLE form_answers (
  response_id TEXT NOT NULL,
  field_id TEXT NOT NULL,
  n INTEGER NOT NULL,
  org_id TEXT NOT NULL,
  form_id TEXT NOT NULL,
  text TEXT,
  number DOUBLE PRECISION,
  PRIMARY KEY (response_id, field_id, n),
  FOREIGN KEY (org_id, response_id) REFERENCES form_responses (org_id, id) ON DELETE CASCADE
);
CREATE INDEX form_answers_by_text ON form_answers (form_id, field_id, text, response_id);
CREATE INDEX form_answers_by_number ON form_answers (form_id, field_id, number, response_id);

CREATE TABLE form_files (
  response_id TEXT NOT NULL,
  file_id TEXT NOT NULL,
  org_id TEXT NOT NULL,
  own INTEGER NOT NULL CHECK (own IN (0, 1)),
  PRIMARY KEY (response_id, file_id),
  FOREIGN KEY (org_id, file_id) REFERENCES files (org_id, id) ON DELETE CASCADE
);
CREATE INDEX form_files_by_file ON form_files (file_id);
