
CREATE TABLE mail_folders (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL,
  account_id TEXT NOT NULL,
  path TEXT NOT NULL,
  name TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('folder', 'label')),
  role TEXT CHECK (role IN ('inbox', 'sent', 'drafts', 'trash', 'spam', 'archive', 'all', 'starred', 'important')),
  role_source TEXT CHECK (role_source IN ('server', 'name', 'person')),
  is_selectable INTEGER NOT NULL CHECK (is_selectable IN (0, 1)),
  is_synced INTEGER NOT NULL CHECK (is_synced IN (0, 1)),
  uid_validity TEXT,
  uid_next BIGINT,
  highest_modseq TEXT,
  highest_uid BIGINT,
  lowest_uid BIGINT,
  is_complete INTEGER NOT NULL CHECK (is_complete IN (0, 1)),
  server_total INTEGER,
  server_unread INTEGER,
  checked_at BIGINT,
  problem TEXT,
  UNIQUE (account_id, path),
  UNIQUE (org_id, id),
  FOREIGN KEY (org_id, account_id) REFERENCES accounts (org_id, id) ON DELETE CASCADE
);

CREATE TABLE mail_threads (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  owner_id TEXT NOT NULL,
  account_id TEXT NOT NULL,
  subject TEXT NOT NULL,
  subject_key TEXT NOT NULL,
  participants_json TEXT NOT NULL,
  message_count INTEGER NOT NULL,
  unread_count INTEGER NOT NULL,
  first_message_at BIGINT NOT NULL,
  last_message_at BIGINT NOT NULL,
  in_inbox INTEGER NOT NULL CHECK (in_inbox IN (0, 1)),
  awaiting TEXT NOT NULL CHECK (awaiting IN ('me', 'them', 'none')),
  waiting_since BIGINT,
  waiting_told_at BIGINT,
  snoozed_until BIGINT,
  snoozed_until_reply INTEGER NOT NULL CHECK (snoozed_until_reply IN (0, 1)),
  revision INTEGER NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  created_by TEXT NOT NULL REFERENCES users (id),
  created_via TEXT NOT NULL CHECK (created_via IN ('web', 'api', 'mcp', 'automation', 'sync', 'cli')),
  UNIQUE (org_id, id),
  CHECK ((awaiting = 'none') = (waiting_since IS NULL)),
  FOREIGN KEY (org_id, owner_id) REFERENCES users (org_id, id),
  FOREIGN KEY (org_id, account_id) REFERENCES accounts (org_id, id) ON DELETE CASCADE
);
CREATE INDEX mail_threads_by_owner ON mail_threads (owner_id, last_message_at, id);
CREATE INDEX mail_threads_by_account ON mail_threads (account_id, last_message_at, id);
CREATE INDEX mail_threads_by_subject ON mail_threads (account_id, subject_key, last_message_at);
CREATE INDEX mail_threads_waiting ON mail_threads (owner_id, awaiting, waiting_since) WHERE awaiting <> 'none';
CREATE INDEX mail_threads_untold ON mail_threads (waiting_since) WHERE awaiting = 'me' AND waiting_told_at IS NULL;
CREATE INDEX mail_threads_snoozed ON mail_threads (snoozed_until) WHERE snoozed_until IS NOT NULL;

CREATE TABLE mail_thread_links (
  account_id TEXT NOT NULL,
  message_id TEXT NOT NULL,
  org_id TEXT NOT NULL,
  thread_id TEXT NOT NULL,
  PRIMARY KEY (account_id, message_id),
  FOREIGN KEY (org_id, thread_id) REFERENCES mail_threads (org_id, id) ON DELETE CASCADE
);
CREATE INDEX mail_thread_links_by_thread ON mail_thread_links (thread_id);

CREATE TABLE emails (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  owner_id TEXT NOT NULL,
  account_id TEXT NOT NULL,
  thread_id TEXT NOT NULL,
  folder_id TEXT,
  uid BIGINT,
  place TEXT NOT NULL CHECK (place IN ('inbox', 'archive', 'sent', 'drafts', 'trash', 'spam', 'folder')),
  message_id TEXT NOT NULL,
  in_reply_to TEXT,
  references_json TEXT NOT NULL,
  from_name TEXT,
  from_email TEXT NOT NULL,
  addresses_json TEXT NOT NULL,
  is_own INTEGER NOT NULL CHECK (is_own IN (0, 1)),
  is_bulk INTEGER NOT NULL CHECK (is_bulk IN (0, 1)),
  subject TEXT NOT NULL,
  snippet TEXT NOT NULL,
  sent_at BIGINT NOT NULL,
  received_at BIGINT NOT NULL,
  size_bytes BIGINT NOT NULL,
  unread INTEGER NOT NULL CHECK (unread IN (0, 1)),
  starred INTEGER NOT NULL CHECK (starred IN (0, 1)),
  answered INTEGER NOT NULL CHECK (answered IN (0, 1)),
  has_attachment INTEGER NOT NULL CHECK (has_attachment IN (0, 1)),
  unsubscribe_json TEXT,
  authentication_json TEXT,
  delivery TEXT NOT NULL CHECK (delivery IN ('received', 'sending', 'sent', 'failed')),
  delivery_problem TEXT,
  body_state TEXT NOT NULL CHECK (body_state IN ('pending', 'ready', 'failed', 'large')),
  body_tried_at BIGINT,
  server_message TEXT,
  server_thread TEXT,
  modseq TEXT,
  revision INTEGER NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  created_by TEXT NOT NULL REFERENCES users (id),
  created_via TEXT NOT NULL CHECK (created_via IN ('web', 'api', 'mcp', 'automation', 'sync', 'cli')),
  UNIQUE (org_id, id),
  FOREIGN KEY (org_id, owner_id) REFERENCES users (org_id, id),
  FOREIGN KEY (org_id, account_id) REFERENCES accounts (org_id, id) ON DELETE CASCADE,
  FOREIGN KEY (org_id, thread_id) REFERENCES mail_threads (org_id, id) ON DELETE CASCADE,
  FOREIGN KEY (org_id, folder_id) REFERENCES mail_folders (org_id, id)
);
CREATE UNIQUE INDEX emails_by_uid ON emails (folder_id, uid) WHERE uid IS NOT NULL;
CREATE INDEX emails_by_owner ON emails (owner_id, received_at, id);
CREATE INDEX emails_by_place ON emails (owner_id, place, received_at, id);
CREATE INDEX emails_by_account ON emails (account_id, received_at, id);
CREATE INDEX emails_by_folder ON emails (folder_id, received_at, id);
CREATE INDEX emails_by_thread ON emails (thread_id, sent_at, id);
CREATE INDEX emails_by_message_id ON emails (account_id, message_id);
CREATE INDEX emails_unread ON emails (owner_id, received_at, id) WHERE unread = 1;
CREATE INDEX emails_starred ON emails (owner_id, received_at, id) WHERE starred = 1;
CREATE INDEX emails_without_body ON emails (account_id, received_at) WHERE body_state = 'pending';

CREATE TABLE email_addresses (
  email_id TEXT NOT NULL,
  field TEXT NOT NULL CHECK (field IN ('from', 'to', 'cc', 'bcc', 'reply_to')),
  address TEXT NOT NULL,
  org_id TEXT NOT NULL,
  owner_id TEXT NOT NULL,
  name TEXT,
  received_at BIGINT NOT NULL,
  PRIMARY KEY (email_id, field, address),
  FOREIGN KEY (org_id, email_id) REFERENCES emails (org_id, id) ON DELETE CASCADE
);
CREATE INDEX email_addresses_by_address ON email_addresses (owner_id, address, received_at, email_id);

CREATE TABLE email_labels (
  email_id TEXT NOT NULL,
  name TEXT NOT NULL,
  org_id TEXT NOT NULL,
  account_id TEXT NOT NULL,
  added_at BIGINT NOT NULL,
  PRIMARY KEY (email_id, name),
  FOREIGN KEY (org_id, email_id) REFERENCES emails (org_id, id) ON DELETE CASCADE
);
CREATE INDEX email_labels_by_name ON email_labels (account_id, name, email_id);

CREATE TABLE email_bodies (
  email_id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL,
  own_markdown TEXT NOT NULL,
  quoted_markdown TEXT NOT NULL,
  signature TEXT NOT NULL,
  html TEXT,
  headers_json TEXT NOT NULL,
  calendar_text TEXT,
  warnings_json TEXT NOT NULL,
  FOREIGN KEY (org_id, email_id) REFERENCES emails (org_id, id) ON DELETE CASCADE
);

CREATE TABLE email_attachments (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  email_id TEXT NOT NULL,
  part TEXT NOT NULL,
  position INTEGER NOT NULL,
  name TEXT NOT NULL,
  mime_type TEXT NOT NULL,
  size_bytes BIGINT NOT NULL,
  content_id TEXT,
  is_inline INTEGER NOT NULL CHECK (is_inline IN (0, 1)),
  file_id TEXT,
  text_state TEXT NOT NULL CHECK (text_state IN ('pending', 'ready', 'none', 'failed')),
  text TEXT,
  revision INTEGER NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  created_by TEXT NOT NULL REFERENCES users (id),
  created_via TEXT NOT NULL CHECK (created_via IN ('web', 'api', 'mcp', 'automation', 'sync', 'cli')),
  UNIQUE (org_id, id),
  FOREIGN KEY (org_id, email_id) REFERENCES emails (org_id, id) ON DELETE CASCADE
);
CREATE INDEX email_attachments_by_email ON email_attachments (email_id, position);

CREATE TABLE mail_pushes (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL,
  account_id TEXT NOT NULL,
  email_id TEXT,
  draft_id TEXT,
  kind TEXT NOT NULL CHECK (kind IN ('flags', 'labels', 'move', 'draft', 'file')),
  wanted_json TEXT NOT NULL,
  version INTEGER NOT NULL,
  attempts INTEGER NOT NULL,
  not_before BIGINT NOT NULL,
  problem TEXT,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  FOREIGN KEY (org_id, account_id) REFERENCES accounts (org_id, id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX mail_pushes_by_email ON mail_pushes (email_id, kind) WHERE email_id IS NOT NULL;
CREATE UNIQUE INDEX mail_pushes_by_draft ON mail_pushes (draft_id, kind) WHERE draft_id IS NOT NULL;
CREATE INDEX mail_pushes_by_account ON mail_pushes (account_id, not_before);

CREATE TABLE email_drafts (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  owner_id TEXT NOT NULL,
  account_id TEXT NOT NULL,
  thread_id TEXT,
  answers_id TEXT,
  answers_as TEXT CHECK (answers_as IN ('reply', 'reply_all', 'forward')),
  quote TEXT NOT NULL CHECK (quote IN ('none', 'last', 'thread')),
  to_json TEXT NOT NULL,
  cc_json TEXT NOT NULL,
  bcc_json TEXT NOT NULL,
  subject TEXT NOT NULL,
  body_markdown TEXT NOT NULL,
  unfilled_json TEXT NOT NULL,
  message_id TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('draft', 'scheduled', 'sent')),
  email_id TEXT,
  folder_id TEXT,
  uid BIGINT,
  pushed_revision INTEGER,
  revision INTEGER NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  created_by TEXT NOT NULL REFERENCES users (id),
  created_via TEXT NOT NULL CHECK (created_via IN ('web', 'api', 'mcp', 'automation', 'sync', 'cli')),
  deleted_at BIGINT,
  deleted_by TEXT,
  deleted_with TEXT,
  UNIQUE (org_id, id),
  FOREIGN KEY (org_id, owner_id) REFERENCES users (org_id, id),
  FOREIGN KEY (org_id, account_id) REFERENCES accounts (org_id, id) ON DELETE CASCADE
);
CREATE INDEX email_drafts_by_owner ON email_drafts (owner_id, updated_at, id);
CREATE INDEX email_drafts_by_thread ON email_drafts (thread_id) WHERE thread_id IS NOT NULL;
CREATE INDEX email_drafts_in_trash ON email_drafts (org_id, deleted_at, id) WHERE deleted_at IS NOT NULL;

CREATE TABLE email_draft_files (
  draft_id TEXT NOT NULL,
  source_id TEXT NOT NULL,
  org_id TEXT NOT NULL,
  position INTEGER NOT NULL,
  file_id TEXT,
  attachment_id TEXT,
  added_at BIGINT NOT NULL,
  PRIMARY KEY (draft_id, source_id),
  CHECK ((file_id IS NULL) <> (attachment_id IS NULL)),
  FOREIGN KEY (org_id, draft_id) REFERENCES email_drafts (org_id, id) ON DELETE CASCADE
);
CREATE INDEX email_draft_files_by_source ON email_draft_files (source_id);

CREATE TABLE scheduled_emails (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  owner_id TEXT NOT NULL,
  account_id TEXT NOT NULL,
  draft_id TEXT NOT NULL,
  send_at BIGINT NOT NULL,
  cancel_if_replied INTEGER NOT NULL CHECK (cancel_if_replied IN (0, 1)),
  status TEXT NOT NULL CHECK (status IN ('queued', 'sending', 'sent', 'failed', 'cancelled')),
  problem TEXT,
  key_id TEXT,
  revision INTEGER NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  created_by TEXT NOT NULL REFERENCES users (id),
  created_via TEXT NOT NULL CHECK (created_via IN ('web', 'api', 'mcp', 'automation', 'sync', 'cli')),
  UNIQUE (org_id, id),
  FOREIGN KEY (org_id, owner_id) REFERENCES users (org_id, id),
  FOREIGN KEY (org_id, account_id) REFERENCES accounts (org_id, id) ON DELETE CASCADE,
  FOREIGN KEY (org_id, draft_id) REFERENCES email_drafts (org_id, id) ON DELETE CASCADE
);
CREATE INDEX scheduled_emails_by_owner ON scheduled_emails (owner_id, send_at, id);
CREATE INDEX scheduled_emails_due ON scheduled_emails (send_at) WHERE status = 'queued';

CREATE TABLE email_outbox (
  email_id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL,
  account_id TEXT NOT NULL,
  draft_id TEXT,
  state TEXT NOT NULL CHECK (state IN ('queued', 'handing', 'handed', 'filed', 'failed')),
  letter_json TEXT NOT NULL,
  attempts INTEGER NOT NULL,
  not_before BIGINT NOT NULL,
  handing_at BIGINT,
  handed_at BIGINT,
  problem TEXT,
  FOREIGN KEY (org_id, email_id) REFERENCES emails (org_id, id) ON DELETE CASCADE,
  FOREIGN KEY (org_id, account_id) REFERENCES accounts (org_id, id) ON DELETE CASCADE
);
CREATE INDEX email_outbox_unfinished ON email_outbox (not_before) WHERE state IN ('queued', 'handing', 'handed');

CREATE TABLE email_rules (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  owner_id TEXT NOT NULL,
  account_id TEXT,
  name TEXT NOT NULL,
  position INTEGER NOT NULL,
  enabled INTEGER NOT NULL CHECK (enabled IN (0, 1)),
  conditions_json TEXT NOT NULL,
  actions_json TEXT NOT NULL,
  hits INTEGER NOT NULL,
  last_hit_at BIGINT,
  problem TEXT,
  sweep_at BIGINT,
  sweep_id TEXT,
  revision INTEGER NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  created_by TEXT NOT NULL REFERENCES users (id),
  created_via TEXT NOT NULL CHECK (created_via IN ('web', 'api', 'mcp', 'automation', 'sync', 'cli')),
  deleted_at BIGINT,
  deleted_by TEXT,
  deleted_with TEXT,
  UNIQUE (org_id, id),
  FOREIGN KEY (org_id, owner_id) REFERENCES users (org_id, id),
  FOREIGN KEY (org_id, account_id) REFERENCES accounts (org_id, id) ON DELETE CASCADE
);
CREATE INDEX email_rules_by_owner ON email_rules (owner_id, position, id);
CREATE INDEX email_rules_sweeping ON email_rules (id) WHERE sweep_at IS NOT NULL;
CREATE INDEX email_rules_in_trash ON email_rules (org_id, deleted_at, id) WHERE deleted_at IS NOT NULL;

CREATE TABLE email_rule_queue (
  email_id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL,
  owner_id TEXT NOT NULL,
  rule_id TEXT,
  added_at BIGINT NOT NULL,
  FOREIGN KEY (org_id, email_id) REFERENCES emails (org_id, id) ON DELETE CASCADE
);

CREATE TABLE email_templates (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  owner_id TEXT NOT NULL,
  name TEXT NOT NULL,
  subject TEXT NOT NULL,
  body_markdown TEXT NOT NULL,
  shared INTEGER NOT NULL CHECK (shared IN (0, 1)),
  retired INTEGER NOT NULL CHECK (retired IN (0, 1)),
  revision INTEGER NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  created_by TEXT NOT NULL REFERENCES users (id),
  created_via TEXT NOT NULL CHECK (created_via IN ('web', 'api', 'mcp', 'automation', 'sync', 'cli')),
  UNIQUE (org_id, id),
  FOREIGN KEY (org_id, owner_id) REFERENCES users (org_id, id)
);
CREATE INDEX email_templates_by_org ON email_templates (org_id, name, id);
