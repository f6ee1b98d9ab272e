// Generated from schema.sql by `npm run tables`; not edited by hand.
import type { Id } from '../kernel/ids.ts'

export interface AbuseFindingsTable {
  id: Id<'abuse_findings'>
  org_id: Id<'orgs'> | null
  rule: string
  key_id: Id<'api_keys'> | null
  owner_id: Id<'users'> | null
  subject: string | null
  detail_json: string
  occurrences: number
  first_at: number
  last_at: number
  hold: 'none' | 'all' | 'writes' | 'outbound' | 'key'
  until_at: number | null
  released_at: number | null
  released_by: string | null
}

export interface AccountsTable {
  id: Id<'accounts'>
  org_id: Id<'orgs'>
  owner_id: Id<'users'>
  provider: 'google' | 'imap' | 'caldav'
  address: string
  display_name: string
  login: string
  has_mail: 0 | 1
  has_calendar: 0 | 1
  has_drive: 0 | 1
  status: 'syncing' | 'active' | 'degraded' | 'reauth_required' | 'disabled'
  problem: string | null
  problem_since: number | null
  services_json: string
  last_sync_at: number | null
  synced_back_to: string | null
  servers_json: string
  scopes_json: string | null
  signed_in_at: number
  signature_markdown: string | null
  is_default: 0 | 1
  removed_at: number | null
  revision: number
  created_at: number
  updated_at: number
  created_by: Id<'users'>
  created_via: 'web' | 'api' | 'mcp' | 'automation' | 'sync' | 'cli'
}

export interface ActionItemsTable {
  id: Id<'action_items'>
  org_id: Id<'orgs'>
  meeting_id: Id<'meetings'>
  owner_id: Id<'users'> | null
  owner_email: string | null
  owner_name: string | null
  due_on: string | null
  at_second: number | null
  text: string
  quote: string | null
  revision: number
  created_at: number
  updated_at: number
  created_by: Id<'users'>
  created_via: 'web' | 'api' | 'mcp' | 'automation' | 'sync' | 'cli'
}

export interface ApiKeysTable {
  id: Id<'api_keys'>
  org_id: Id<'orgs'>
  owner_id: Id<'users'>
  name: string
  lookup: string
  secret_hash: string
  read_only: 0 | 1
  admin_grant: 0 | 1
  toolsets_json: string | null
  created_at: number
  created_via: 'web' | 'cli'
  expires_at: number | null
  revoked_at: number | null
  revoked_by: string | null
  suspended_at: number | null
  hold_outbound: 0 | 1
  last_used_at: number | null
  last_ip: string | null
  last_client: string | null
  suspended_by: string | null
  kind: 'key' | 'connection'
}

export interface ApprovalsTable {
  id: Id<'approvals'>
  org_id: Id<'orgs'>
  key_id: Id<'api_keys'> | null
  owner_id: Id<'users'>
  tool: string
  arguments_json: string
  arguments_hash: string
  idempotency_key: string | null
  asked_via: 'web' | 'api' | 'mcp' | 'automation' | 'sync' | 'cli'
  request_id: string
  ip: string
  state: 'pending' | 'released' | 'denied'
  created_at: number
  expires_at: number
  decided_at: number | null
  decided_by: string | null
  call_id: string | null
  result_json: string | null
  reason: string | null
  items_json: string | null
}

export interface AutomationFeedsTable {
  org_id: Id<'orgs'>
  seq: number
}

export interface AutomationRunsTable {
  id: Id<'automation_runs'>
  org_id: Id<'orgs'>
  automation_id: string
  automation_name: string
  owner_id: Id<'users'>
  key_id: string | null
  plan_id: string
  trigger_type: 'event' | 'schedule' | 'webhook' | 'manual'
  source: string | null
  event: string | null
  change_seq: number | null
  item_type: string | null
  item_id: string | null
  payload_json: string | null
  root_id: string
  cause_run_id: string | null
  depth: number
  held: 0 | 1
  status: 'queued' | 'running' | 'succeeded' | 'failed' | 'skipped'
  reason: string | null
  conditions_json: string | null
  resume_at: number | null
  created_at: number
  updated_at: number
  started_at: number | null
  ended_at: number | null
}

export interface AutomationStepsTable {
  run_id: Id<'automation_runs'>
  path: string
  org_id: Id<'orgs'>
  automation_id: string
  position: number
  action: string
  status: 'running' | 'waiting' | 'succeeded' | 'failed'
  attempts: number
  params_json: string | null
  value_json: string | null
  input_json: string
  output_json: string | null
  items_json: string
  error_json: string | null
  approval_id: string | null
  acted_at: number | null
  added_at: number
  ended_at: number | null
}

export interface AutomationsTable {
  id: Id<'automations'>
  org_id: Id<'orgs'>
  owner_id: Id<'users'>
  project_id: Id<'projects'> | null
  name: string
  trigger_type: 'event' | 'schedule' | 'webhook' | 'manual'
  trigger_json: string
  conditions_json: string
  actions_json: string
  plan_id: string
  hook_hash: string | null
  outbound: 0 | 1
  shared: 0 | 1
  status: 'disabled' | 'enabled' | 'suspended'
  reason: string | null
  key_id: Id<'api_keys'> | null
  since_seq: number
  failures: number
  runs_succeeded: number
  runs_failed: number
  runs_skipped: number
  last_run_id: string | null
  revision: number
  created_at: number
  updated_at: number
  created_by: Id<'users'>
  created_via: 'web' | 'api' | 'mcp' | 'automation' | 'sync' | 'cli'
  deleted_at: number | null
  deleted_by: string | null
  deleted_with: string | null
}

export interface CalendarDeletionsTable {
  calendar_id: Id<'calendars'>
  href: string
  org_id: Id<'orgs'>
  owner_id: string
  uid: string
  etag: string | null
  base_ics: string | null
  problem: string | null
  added_at: number
}

export interface CalendarImportsTable {
  id: Id<'calendar_imports'>
  org_id: Id<'orgs'>
  owner_id: Id<'users'>
  calendar_id: Id<'calendars'>
  content: string | null
  done: number
  result_json: string
  created_at: number
  finished_at: number | null
}

export interface CalendarsTable {
  id: Id<'calendars'>
  org_id: Id<'orgs'>
  owner_id: Id<'users'>
  account_id: Id<'accounts'> | null
  name: string
  timezone: string
  access: 'owner' | 'writer' | 'reader' | 'free_busy'
  is_primary: 0 | 1
  color: string | null
  remote_url: string | null
  ctag: string | null
  sync_token: string | null
  synced_at: number | null
  revision: number
  created_at: number
  updated_at: number
  created_by: Id<'users'>
  created_via: 'web' | 'api' | 'mcp' | 'automation' | 'sync' | 'cli'
}

export interface CallSealsTable {
  org_id: Id<'orgs'>
  through_seq: number
  last_hash: string
  last_at: number
  entries: number
  sealed_at: number
}

export interface CallsTable {
  id: Id<'calls'>
  org_id: Id<'orgs'>
  seq: number
  at: number
  request_id: string
  actor_id: Id<'users'>
  key_id: Id<'api_keys'> | null
  transport: 'mcp' | 'rest' | 'cli' | 'web' | 'automation'
  tool: string
  kind: 'read' | 'write' | 'destructive'
  status: 'ok' | 'error' | 'denied'
  error_code: string | null
  result_count: number | null
  changed: 0 | 1
  duration_us: number
  idempotency_key: string | null
  items_json: string
  details_json: string | null
  salt: string | null
  details_hash: string
  prev_hash: string
  hash: string
}

export interface ChangesTable {
  seq: number
  org_id: Id<'orgs'>
  call_id: string
  at: number
  actor_id: Id<'users'>
  key_id: string | null
  via: 'web' | 'api' | 'mcp' | 'automation' | 'sync' | 'cli'
  op: 'created' | 'updated' | 'deleted' | 'restored' | 'access_gained' | 'access_lost'
  events_json: string
  item_type: string
  item_id: string
  project_id: string | null
  for_person_id: string | null
  fields_json: string
  images_json: string | null
  run_id: string | null
}

export interface ChannelMembersTable {
  channel_id: Id<'channels'>
  person_id: Id<'users'>
  org_id: Id<'orgs'>
  added_at: number
}

export interface ChannelReadsTable {
  channel_id: Id<'channels'>
  person_id: Id<'users'>
  org_id: Id<'orgs'>
  last_read_seq: number
  added_at: number
}

export interface ChannelsTable {
  id: Id<'channels'>
  org_id: Id<'orgs'>
  kind: 'public' | 'private' | 'direct' | 'group'
  name: string | null
  people_key: string | null
  topic: string | null
  purpose: string | null
  project_id: Id<'projects'> | null
  archived_at: number | null
  last_seq: number
  last_message_at: number | null
  imported_ref: string | null
  revision: number
  created_at: number
  updated_at: number
  created_by: Id<'users'>
  created_via: 'web' | 'api' | 'mcp' | 'automation' | 'sync' | 'cli'
}

export interface ChatImportsTable {
  id: Id<'chat_imports'>
  org_id: Id<'orgs'>
  owner_id: Id<'users'>
  key_id: string | null
  file_id: string
  options_json: string
  state_json: string
  result_json: string
  created_at: number
  finished_at: number | null
}

export interface CompaniesTable {
  id: Id<'companies'>
  org_id: Id<'orgs'>
  name: string
  name_key: string
  domain: string | null
  industry: string | null
  size: string | null
  owner_id: Id<'users'> | null
  note: string | null
  custom_fields_json: string
  last_contacted_at: number | null
  revision: number
  created_at: number
  updated_at: number
  created_by: Id<'users'>
  created_via: 'web' | 'api' | 'mcp' | 'automation' | 'sync' | 'cli'
  deleted_at: number | null
  deleted_by: string | null
  deleted_with: string | null
}

export interface ContactEmailsTable {
  org_id: Id<'orgs'>
  email: string
  contact_id: Id<'contacts'>
}

export interface ContactFeedsTable {
  org_id: Id<'orgs'>
  seq: number
}

export interface ContactImportsTable {
  id: Id<'contact_imports'>
  org_id: Id<'orgs'>
  owner_id: Id<'users'>
  format: 'csv' | 'vcard'
  mapping_json: string
  on_match: 'update' | 'skip'
  content: string | null
  done: number
  result_json: string
  created_at: number
  finished_at: number | null
}

export interface ContactLabelsTable {
  contact_id: Id<'contacts'>
  label_id: Id<'labels'>
  org_id: Id<'orgs'>
  added_at: number
}

export interface ContactPhonesTable {
  org_id: Id<'orgs'>
  phone: string
  contact_id: Id<'contacts'>
}

export interface ContactRedirectsTable {
  old_id: string
  org_id: Id<'orgs'>
  contact_id: Id<'contacts'>
  added_at: number
}

export interface ContactTombstonesTable {
  id: Id<'contact_tombstones'>
  org_id: Id<'orgs'>
  erased_at: number
}

export interface ContactsTable {
  id: Id<'contacts'>
  org_id: Id<'orgs'>
  name: string
  name_key: string
  emails_json: string
  phones_json: string
  title: string | null
  company_id: Id<'companies'> | null
  owner_id: Id<'users'> | null
  note: string | null
  custom_fields_json: string
  last_contacted_at: number | null
  revision: number
  created_at: number
  updated_at: number
  created_by: Id<'users'>
  created_via: 'web' | 'api' | 'mcp' | 'automation' | 'sync' | 'cli'
  deleted_at: number | null
  deleted_by: string | null
  deleted_with: string | null
  trust: string | null
}

export interface CustomFieldsTable {
  id: Id<'custom_fields'>
  org_id: Id<'orgs'>
  project_id: Id<'projects'>
  name: string
  type: 'text' | 'number' | 'date' | 'boolean' | 'select' | 'multi_select' | 'person' | 'url'
  options_json: string
  required: 0 | 1
  retired: 0 | 1
  revision: number
  created_at: number
  updated_at: number
  created_by: Id<'users'>
  created_via: 'web' | 'api' | 'mcp' | 'automation' | 'sync' | 'cli'
}

export interface DealContactsTable {
  deal_id: Id<'deals'>
  contact_id: Id<'contacts'>
  org_id: Id<'orgs'>
  added_at: number
}

export interface DealMovesTable {
  deal_id: Id<'deals'>
  position: number
  org_id: Id<'orgs'>
  stage: string
  status: 'open' | 'won' | 'lost'
  at: number
  added_at: number
}

export interface DealsTable {
  id: Id<'deals'>
  org_id: Id<'orgs'>
  name: string
  company_id: Id<'companies'> | null
  stage: string
  status: 'open' | 'won' | 'lost'
  lost_reason: string | null
  amount: number | null
  currency: string
  expected_close_on: string | null
  owner_id: Id<'users'>
  note: string | null
  stage_since_at: number
  closed_at: number | null
  revision: number
  created_at: number
  updated_at: number
  created_by: Id<'users'>
  created_via: 'web' | 'api' | 'mcp' | 'automation' | 'sync' | 'cli'
  deleted_at: number | null
  deleted_by: string | null
  deleted_with: string | null
  trust: string | null
}

export interface DecisionsTable {
  id: Id<'decisions'>
  org_id: Id<'orgs'>
  scope: 'project' | 'meeting' | 'organization'
  project_id: Id<'projects'> | null
  meeting_id: Id<'meetings'> | null
  superseded_by_id: Id<'decisions'> | null
  decided_at: number
  title: string
  decided_by_json: string
  revision: number
  created_at: number
  updated_at: number
  created_by: Id<'users'>
  created_via: 'web' | 'api' | 'mcp' | 'automation' | 'sync' | 'cli'
  alternatives_json: string
  decision_markdown: string
}

export interface DigestRoundsTable {
  person_id: Id<'users'>
  org_id: Id<'orgs'>
  digest: 'daily' | 'weekly'
  since_at: number
  due_at: number
}

export interface DrivesTable {
  id: Id<'drives'>
  org_id: Id<'orgs'>
  owner_id: Id<'users'>
  kind: 'builtin' | 'google' | 'google_shared'
  name: string
  account_id: Id<'accounts'> | null
  remote_id: string | null
  root_folder_id: string
  used_bytes: number | null
  quota_bytes: number | null
  sync_token: string | null
  synced_at: number | null
  created_at: number
  updated_at: number
  revision: number
  created_by: Id<'users'>
  created_via: 'web' | 'api' | 'mcp' | 'automation' | 'sync' | 'cli'
}

export interface EmailAddressesTable {
  email_id: Id<'emails'>
  field: 'from' | 'to' | 'cc' | 'bcc' | 'reply_to'
  address: string
  org_id: Id<'orgs'>
  owner_id: string
  name: string | null
  received_at: number
}

export interface EmailAttachmentsTable {
  id: Id<'email_attachments'>
  org_id: Id<'orgs'>
  email_id: Id<'emails'>
  part: string
  position: number
  name: string
  mime_type: string
  size_bytes: number
  content_id: string | null
  is_inline: 0 | 1
  file_id: string | null
  text_state: 'pending' | 'ready' | 'none' | 'failed'
  text: string | null
  revision: number
  created_at: number
  updated_at: number
  created_by: Id<'users'>
  created_via: 'web' | 'api' | 'mcp' | 'automation' | 'sync' | 'cli'
  text_cut: 0 | 1
}

export interface EmailBodiesTable {
  email_id: Id<'emails'>
  org_id: Id<'orgs'>
  own_markdown: string
  quoted_markdown: string
  signature: string
  html: string | null
  headers_json: string
  calendar_text: string | null
  warnings_json: string
}

export interface EmailDraftFilesTable {
  draft_id: Id<'email_drafts'>
  source_id: string
  org_id: Id<'orgs'>
  position: number
  file_id: string | null
  attachment_id: string | null
  added_at: number
}

export interface EmailDraftsTable {
  id: Id<'email_drafts'>
  org_id: Id<'orgs'>
  owner_id: Id<'users'>
  account_id: Id<'accounts'>
  thread_id: string | null
  answers_id: string | null
  answers_as: 'reply' | 'reply_all' | 'forward' | null
  quote: 'none' | 'last' | 'thread'
  to_json: string
  cc_json: string
  bcc_json: string
  subject: string
  body_markdown: string
  unfilled_json: string
  message_id: string
  state: 'draft' | 'scheduled' | 'sent'
  email_id: string | null
  folder_id: string | null
  uid: number | null
  pushed_revision: number | null
  revision: number
  created_at: number
  updated_at: number
  created_by: Id<'users'>
  created_via: 'web' | 'api' | 'mcp' | 'automation' | 'sync' | 'cli'
  deleted_at: number | null
  deleted_by: string | null
  deleted_with: string | null
}

export interface EmailLabelsTable {
  email_id: Id<'emails'>
  name: string
  org_id: Id<'orgs'>
  account_id: string
  added_at: number
}

export interface EmailOutboxTable {
  email_id: Id<'emails'>
  org_id: Id<'orgs'>
  account_id: Id<'accounts'>
  draft_id: string | null
  state: 'queued' | 'handing' | 'handed' | 'filed' | 'failed'
  letter_json: string
  attempts: number
  not_before: number
  handing_at: number | null
  handed_at: number | null
  problem: string | null
}

export interface EmailRuleQueueTable {
  email_id: Id<'emails'>
  org_id: Id<'orgs'>
  owner_id: string
  rule_id: string | null
  added_at: number
}

export interface EmailRulesTable {
  id: Id<'email_rules'>
  org_id: Id<'orgs'>
  owner_id: Id<'users'>
  account_id: Id<'accounts'> | null
  name: string
  position: number
  enabled: 0 | 1
  conditions_json: string
  actions_json: string
  hits: number
  last_hit_at: number | null
  problem: string | null
  sweep_at: number | null
  sweep_id: string | null
  revision: number
  created_at: number
  updated_at: number
  created_by: Id<'users'>
  created_via: 'web' | 'api' | 'mcp' | 'automation' | 'sync' | 'cli'
  deleted_at: number | null
  deleted_by: string | null
  deleted_with: string | null
}

export interface EmailTemplatesTable {
  id: Id<'email_templates'>
  org_id: Id<'orgs'>
  owner_id: Id<'users'>
  name: string
  subject: string
  body_markdown: string
  shared: 0 | 1
  retired: 0 | 1
  revision: number
  created_at: number
  updated_at: number
  created_by: Id<'users'>
  created_via: 'web' | 'api' | 'mcp' | 'automation' | 'sync' | 'cli'
  deleted_at: number | null
  deleted_by: string | null
  deleted_with: string | null
}

export interface EmailsTable {
  id: Id<'emails'>
  org_id: Id<'orgs'>
  owner_id: Id<'users'>
  account_id: Id<'accounts'>
  thread_id: Id<'mail_threads'>
  folder_id: Id<'mail_folders'> | null
  uid: number | null
  place: 'inbox' | 'archive' | 'sent' | 'drafts' | 'trash' | 'spam' | 'folder'
  message_id: string
  in_reply_to: string | null
  references_json: string
  from_name: string | null
  from_email: string
  addresses_json: string
  is_own: 0 | 1
  is_bulk: 0 | 1
  subject: string
  snippet: string
  sent_at: number
  received_at: number
  size_bytes: number
  unread: 0 | 1
  starred: 0 | 1
  answered: 0 | 1
  has_attachment: 0 | 1
  unsubscribe_json: string | null
  authentication_json: string | null
  delivery: 'received' | 'sending' | 'sent' | 'failed'
  delivery_problem: string | null
  body_state: 'pending' | 'ready' | 'failed' | 'large'
  body_tried_at: number | null
  server_message: string | null
  server_thread: string | null
  modseq: string | null
  revision: number
  created_at: number
  updated_at: number
  created_by: Id<'users'>
  created_via: 'web' | 'api' | 'mcp' | 'automation' | 'sync' | 'cli'
}

export interface EntitiesTable {
  id: Id<'entities'>
  org_id: Id<'orgs'>
  name: string
  name_key: string
  type: string
  description: string | null
  item_type: string | null
  item_id: string | null
  follows_item: 0 | 1
  revision: number
  created_at: number
  updated_at: number
  created_by: Id<'users'>
  created_via: 'web' | 'api' | 'mcp' | 'automation' | 'sync' | 'cli'
  deleted_at: number | null
  deleted_by: string | null
  deleted_with: string | null
  trust: string | null
}

export interface EntityFeedsTable {
  item_type: string
  after_id: string
  seq: number
}

export interface EntityNamesTable {
  entity_id: Id<'entities'>
  name_key: string
  org_id: Id<'orgs'>
  name: string
  added_at: number
}

export interface EntityRedirectsTable {
  old_id: string
  org_id: Id<'orgs'>
  entity_id: Id<'entities'>
  added_at: number
}

export interface EscalationTargetsTable {
  escalation_id: Id<'escalations'>
  person_id: Id<'users'>
  org_id: Id<'orgs'>
  paged_at: number
}

export interface EscalationsTable {
  id: Id<'escalations'>
  org_id: Id<'orgs'>
  incident_id: Id<'incidents'>
  round: number
  level: number
  route: 'services' | 'schedule' | 'person' | 'team'
  route_ids_json: string | null
  status: 'paging' | 'acknowledged' | 'exhausted' | 'cancelled'
  wait_minutes: number
  next_at: number | null
  channels_json: string
  reason: string
  revision: number
  created_at: number
  updated_at: number
  created_by: Id<'users'>
  created_via: 'web' | 'api' | 'mcp' | 'automation' | 'sync' | 'cli'
}

export interface EventLettersTable {
  id: Id<'event_letters'>
  org_id: Id<'orgs'>
  owner_id: Id<'users'>
  event_id: string
  account_id: Id<'accounts'> | null
  recipient: string
  method: 'REQUEST' | 'CANCEL' | 'REPLY'
  letter_json: string
  state: 'queued' | 'sent' | 'failed'
  attempts: number
  problem: string | null
  created_at: number
  finished_at: number | null
}

export interface EventMailsTable {
  email_id: Id<'emails'>
  org_id: Id<'orgs'>
  outcome: string
  read_at: number
}

export interface EventOccurrencesTable {
  event_id: Id<'events'>
  place: string
  org_id: Id<'orgs'>
  owner_id: string
  calendar_id: string
  starts_at: number
  ends_at: number
  busy: 0 | 1
  is_exception: 0 | 1
}

export interface EventsTable {
  id: Id<'events'>
  org_id: Id<'orgs'>
  owner_id: Id<'users'>
  calendar_id: Id<'calendars'>
  uid: string
  title: string
  starts_at: number
  ends_at: number
  ends_by: number | null
  timezone: string
  all_day: 0 | 1
  location: string | null
  video_url: string | null
  description: string | null
  trust: 'internal' | 'external'
  organizer_json: string | null
  attendees_json: string
  rrule: string | null
  is_series: 0 | 1
  kind: 'default' | 'focus' | 'out_of_office'
  status: 'confirmed' | 'tentative' | 'cancelled'
  busy: 0 | 1
  my_response: 'needs_action' | 'accepted' | 'tentative' | 'declined' | null
  invites_pending: 0 | 1
  reminders_json: string
  remind_at: number | null
  sequence: number
  raw_ics: string
  unreadable: string | null
  remote_href: string | null
  etag: string | null
  synced_ics: string | null
  synced_revision: number | null
  push_problem: string | null
  expanded_revision: number | null
  expanded_from: number | null
  expanded_until: number | null
  revision: number
  created_at: number
  updated_at: number
  created_by: Id<'users'>
  created_via: 'web' | 'api' | 'mcp' | 'automation' | 'sync' | 'cli'
  deleted_at: number | null
  deleted_by: string | null
  deleted_with: string | null
}

export interface FactsTable {
  id: Id<'facts'>
  org_id: Id<'orgs'>
  entity_id: Id<'entities'>
  predicate: string
  value: string
  value_key: string
  value_entity_id: Id<'entities'> | null
  valid_from: number
  said_to: number | null
  valid_to: number | null
  status: 'valid' | 'superseded' | 'invalidated'
  superseded_by: string | null
  superseded_at: number | null
  reason: string | null
  confidence: number
  source_type: string | null
  source_id: string | null
  revision: number
  created_at: number
  updated_at: number
  created_by: Id<'users'>
  created_via: 'web' | 'api' | 'mcp' | 'automation' | 'sync' | 'cli'
}

export interface FileLabelsTable {
  file_id: Id<'files'>
  label_id: Id<'labels'>
  org_id: Id<'orgs'>
  added_at: number
}

export interface FileSharesTable {
  id: Id<'file_shares'>
  org_id: Id<'orgs'>
  file_id: Id<'files'>
  kind: 'person' | 'link'
  person_id: Id<'users'> | null
  role: 'viewer' | 'commenter' | 'editor'
  note: string | null
  token_hash: string | null
  password_hash: string | null
  expires_at: number | null
  revision: number
  created_at: number
  updated_at: number
  created_by: Id<'users'>
  created_via: 'web' | 'api' | 'mcp' | 'automation' | 'sync' | 'cli'
}

export interface FileStarsTable {
  file_id: Id<'files'>
  person_id: Id<'users'>
  org_id: Id<'orgs'>
  added_at: number
}

export interface FileTextsTable {
  file_id: Id<'files'>
  org_id: Id<'orgs'>
  version: number
  format: 'text' | 'markdown'
  body: string
  problem: string | null
}

export interface FileVersionsTable {
  id: Id<'file_versions'>
  org_id: Id<'orgs'>
  file_id: Id<'files'>
  number: number
  mime_type: string
  size_bytes: number
  sha256: string
  trust: 'internal' | 'external'
  comment: string | null
  remote_id: string | null
  created_at: number
  created_by: Id<'users'>
  created_via: 'web' | 'api' | 'mcp' | 'automation' | 'sync' | 'cli'
}

export interface FilesTable {
  id: Id<'files'>
  org_id: Id<'orgs'>
  place: 'drive' | 'project' | 'attached'
  drive_id: Id<'drives'> | null
  project_id: Id<'projects'> | null
  owner_id: Id<'users'>
  parent_id: Id<'files'> | null
  is_root: 0 | 1
  type: 'folder' | 'document' | 'spreadsheet' | 'presentation' | 'pdf' | 'image' | 'video' | 'other'
  name: string
  name_folded: string
  description: string | null
  mime_type: string
  size_bytes: number
  sha256: string
  content_base64: string
  version: number
  modified_at: number
  modified_by: Id<'users'>
  trust: 'internal' | 'external'
  text_status: 'indexed' | 'pending' | 'none'
  remote_id: string | null
  remote_json: string | null
  synced_revision: number | null
  revision: number
  created_at: number
  updated_at: number
  created_by: Id<'users'>
  created_via: 'web' | 'api' | 'mcp' | 'automation' | 'sync' | 'cli'
  deleted_at: number | null
  deleted_by: string | null
  deleted_with: string | null
}

export interface FormAnswersTable {
  response_id: Id<'form_responses'>
  field_id: string
  n: number
  org_id: Id<'orgs'>
  form_id: string
  text: string | null
  number: number | null
}

export interface FormDaysTable {
  form_id: Id<'forms'>
  day_on: string
  org_id: Id<'orgs'>
  views: number
  started: number
}

export interface FormFilesTable {
  response_id: string
  file_id: Id<'files'>
  org_id: Id<'orgs'>
  own: 0 | 1
}

export interface FormResponsesTable {
  id: Id<'form_responses'>
  org_id: Id<'orgs'>
  form_id: Id<'forms'>
  answers_json: string
  trust: 'internal' | 'external'
  respondent_id: Id<'users'> | null
  respondent_email: string | null
  score: number | null
  submitted_on: string
  seconds: number | null
  ticket: string | null
  destination_state: 'none' | 'waiting' | 'queued' | 'done' | 'failed'
  destination_error: string | null
  created_item_type: string | null
  created_item_id: string | null
  revision: number
  created_at: number
  updated_at: number
  form_version: number
}

export interface FormVersionsTable {
  form_id: Id<'forms'>
  version: number
  org_id: Id<'orgs'>
  fields_json: string
}

export interface FormsTable {
  id: Id<'forms'>
  org_id: Id<'orgs'>
  title: string
  status: 'draft' | 'published' | 'closed'
  fields_json: string
  retired_json: string
  audience: 'organization' | 'public'
  closes_at: number | null
  response_limit: number | null
  responses_visible_to: 'owner_only' | 'organization'
  captcha: 0 | 1
  thank_you: string | null
  destination_json: string | null
  slug: string | null
  published_at: number | null
  closed_why: 'person' | 'time' | 'limit' | null
  closed_message: string | null
  last_response_at: number | null
  told_at: number | null
  revision: number
  created_at: number
  updated_at: number
  created_by: Id<'users'>
  created_via: 'web' | 'api' | 'mcp' | 'automation' | 'sync' | 'cli'
  deleted_at: number | null
  deleted_by: string | null
  deleted_with: string | null
  description_markdown: string | null
}

export interface GoalCheckinsTable {
  id: Id<'goal_checkins'>
  org_id: Id<'orgs'>
  goal_id: Id<'goals'>
  values_json: string
  confidence: 'high' | 'medium' | 'low'
  note_markdown: string | null
  revision: number
  created_at: number
  updated_at: number
  created_by: Id<'users'>
  created_via: 'web' | 'api' | 'mcp' | 'automation' | 'sync' | 'cli'
}

export interface GoalFeedsTable {
  org_id: Id<'orgs'>
  seq: number
}

export interface GoalProjectsTable {
  goal_id: Id<'goals'>
  project_id: Id<'projects'>
  org_id: Id<'orgs'>
  added_at: number
}

export interface GoalsTable {
  id: Id<'goals'>
  org_id: Id<'orgs'>
  title: string
  period: string
  level: 'organization' | 'team' | 'personal'
  owner_id: Id<'users'>
  team_id: Id<'teams'> | null
  parent_id: Id<'goals'> | null
  status: 'draft' | 'active' | 'achieved' | 'missed' | 'cancelled'
  risk_told: 0 | 1
  risk_check_at: number
  revision: number
  created_at: number
  updated_at: number
  created_by: Id<'users'>
  created_via: 'web' | 'api' | 'mcp' | 'automation' | 'sync' | 'cli'
  deleted_at: number | null
  deleted_by: string | null
  deleted_with: string | null
  description_markdown: string | null
}

export interface InboxesTable {
  id: Id<'inboxes'>
  org_id: Id<'orgs'>
  person_id: Id<'users'>
  events_json: string
  quiet_from: string | null
  quiet_to: string | null
  quiet_timezone: string | null
  quiet_except_incidents: 0 | 1
  digest: 'off' | 'daily' | 'weekly'
  read_before: number
  revision: number
  created_at: number
  updated_at: number
  muted_json: string | null
}

export interface IncidentChannelsTable {
  incident_id: Id<'incidents'>
  channel_id: Id<'channels'>
  org_id: Id<'orgs'>
  added_at: number
}

export interface IncidentNumbersTable {
  org_id: Id<'orgs'>
  last_number: number
}

export interface IncidentRolesTable {
  incident_id: Id<'incidents'>
  role: 'lead' | 'communications' | 'scribe'
  person_id: Id<'users'>
  org_id: Id<'orgs'>
  added_at: number
}

export interface IncidentServicesTable {
  incident_id: Id<'incidents'>
  service_id: Id<'services'>
  org_id: Id<'orgs'>
  added_at: number
}

export interface IncidentsTable {
  id: Id<'incidents'>
  org_id: Id<'orgs'>
  key: string
  title: string
  severity: 'sev1' | 'sev2' | 'sev3' | 'sev4'
  status: 'open' | 'acknowledged' | 'mitigated' | 'resolved' | 'closed'
  restricted: 0 | 1
  detected_at: number
  opened_at: number
  acknowledged_at: number | null
  mitigated_at: number | null
  resolved_at: number | null
  closed_at: number | null
  first_acknowledged_at: number | null
  cause: string | null
  customer_impact: string | null
  resolution: string | null
  revision: number
  created_at: number
  updated_at: number
  created_by: Id<'users'>
  created_via: 'web' | 'api' | 'mcp' | 'automation' | 'sync' | 'cli'
  deleted_at: number | null
  deleted_by: string | null
  deleted_with: string | null
  trust: string | null
  summary_markdown: string | null
}

export interface InteractionContactsTable {
  interaction_id: Id<'interactions'>
  contact_id: Id<'contacts'>
  org_id: Id<'orgs'>
  occurred_at: number
  added_at: number
}

export interface InteractionsTable {
  id: Id<'interactions'>
  org_id: Id<'orgs'>
  kind: 'meeting' | 'call' | 'note' | 'other'
  occurred_at: number
  summary_markdown: string
  company_id: Id<'companies'> | null
  deal_id: Id<'deals'> | null
  next_step: string | null
  next_step_due_on: string | null
  revision: number
  created_at: number
  updated_at: number
  created_by: Id<'users'>
  created_via: 'web' | 'api' | 'mcp' | 'automation' | 'sync' | 'cli'
  deleted_at: number | null
  deleted_by: string | null
  deleted_with: string | null
}

export interface InvitationLinksTable {
  token_hash: string
  org_id: Id<'orgs'>
  invitation_id: Id<'invitations'>
  created_at: number
}

export interface InvitationsTable {
  id: Id<'invitations'>
  org_id: Id<'orgs'>
  email: string | null
  role: 'admin' | 'member' | 'guest'
  note: string | null
  mail: 'none' | 'waiting' | 'sent' | 'failed'
  mails: number
  mailed_at: number | null
  mail_problem: string | null
  created_at: number
  created_by: Id<'users'>
  expires_at: number
  used_at: number | null
  used_by: Id<'users'> | null
  revoked_at: number | null
  revoked_by: Id<'users'> | null
}

export interface ItemLinksTable {
  id: Id<'item_links'>
  org_id: Id<'orgs'>
  from_type: string
  from_id: string
  to_type: string
  to_id: string
  kind: 'relates_to' | 'documents' | 'caused_by' | 'results_in' | 'duplicates'
  note: string | null
  revision: number
  created_at: number
  updated_at: number
  created_by: Id<'users'>
  created_via: 'web' | 'api' | 'mcp' | 'automation' | 'sync' | 'cli'
}

export interface JobSchedulesTable {
  id: Id<'job_schedules'>
  org_id: Id<'orgs'> | null
  owner_id: Id<'users'> | null
  name: string
  defined: 0 | 1
  kind: string
  arguments_json: string
  cron: string
  timezone: string
  next_at: number | null
  last_at: number | null
  created_at: number
}

export interface JobsTable {
  id: Id<'jobs'>
  org_id: Id<'orgs'> | null
  owner_id: Id<'users'> | null
  key_id: string | null
  kind: string
  arguments_json: string
  state: 'waiting' | 'running' | 'done' | 'dead' | 'cancelled'
  priority: 0 | 1 | 2
  run_at: number
  queued_at: number
  attempts: number
  most_attempts: number
  lease: string | null
  beats: number
  cancel_asked: 0 | 1
  asked_again: 0 | 1
  unique_key: string | null
  progress_json: string | null
  result_json: string | null
  last_error: string | null
  created_at: number
  started_at: number | null
  finished_at: number | null
}

export interface KeyClientsTable {
  key_id: Id<'api_keys'>
  client: string
  org_id: Id<'orgs'>
  first_at: number
}

export interface KeyResultsTable {
  id: Id<'key_results'>
  org_id: Id<'orgs'>
  goal_id: Id<'goals'>
  title: string
  metric: 'number' | 'percent' | 'currency' | 'boolean'
  start_value: number
  current_value: number
  target_value: number
  unit: string | null
  owner_id: Id<'users'>
  retired: 0 | 1
  source_kind: 'tasks' | 'deals' | 'form' | null
  source_params_json: string | null
  source_measure: 'tasks' | 'points' | 'percent' | null
  source_project_id: string | null
  source_label_id: string | null
  source_milestone_id: string | null
  source_by: Id<'users'> | null
  stale_since_at: number | null
  revision: number
  created_at: number
  updated_at: number
  created_by: Id<'users'>
  created_via: 'web' | 'api' | 'mcp' | 'automation' | 'sync' | 'cli'
}

export interface KnownDevicesTable {
  token_hash: string
  person_id: Id<'users'>
  org_id: Id<'orgs'>
  created_at: number
  last_used_at: number
}

export interface LabelsTable {
  id: Id<'labels'>
  org_id: Id<'orgs'>
  name: string
  color: string
  description: string | null
  revision: number
  created_at: number
  updated_at: number
  created_by: Id<'users'>
  created_via: 'web' | 'api' | 'mcp' | 'automation' | 'sync' | 'cli'
  deleted_at: number | null
  deleted_by: string | null
  deleted_with: string | null
}

export interface MailFoldersTable {
  id: Id<'mail_folders'>
  org_id: Id<'orgs'>
  account_id: Id<'accounts'>
  path: string
  name: string
  kind: 'folder' | 'label'
  role: 'inbox' | 'sent' | 'drafts' | 'trash' | 'spam' | 'archive' | 'all' | 'starred' | 'important' | null
  role_source: 'server' | 'name' | 'person' | null
  is_selectable: 0 | 1
  is_synced: 0 | 1
  uid_validity: string | null
  uid_next: number | null
  highest_modseq: string | null
  highest_uid: number | null
  lowest_uid: number | null
  is_complete: 0 | 1
  server_total: number | null
  server_unread: number | null
  checked_at: number | null
  problem: string | null
}

export interface MailPushesTable {
  id: Id<'mail_pushes'>
  org_id: Id<'orgs'>
  account_id: Id<'accounts'>
  email_id: string | null
  draft_id: string | null
  kind: 'flags' | 'labels' | 'move' | 'draft' | 'file'
  wanted_json: string
  version: number
  attempts: number
  not_before: number
  problem: string | null
  created_at: number
  updated_at: number
}

export interface MailThreadLinksTable {
  account_id: string
  message_id: string
  org_id: Id<'orgs'>
  thread_id: Id<'mail_threads'>
}

export interface MailThreadsTable {
  id: Id<'mail_threads'>
  org_id: Id<'orgs'>
  owner_id: Id<'users'>
  account_id: Id<'accounts'>
  subject: string
  subject_key: string
  participants_json: string
  message_count: number
  unread_count: number
  first_message_at: number
  last_message_at: number
  in_inbox: 0 | 1
  awaiting: 'me' | 'them' | 'none'
  waiting_since: number | null
  waiting_told_at: number | null
  snoozed_until: number | null
  snoozed_until_reply: 0 | 1
  revision: number
  created_at: number
  updated_at: number
  created_by: Id<'users'>
  created_via: 'web' | 'api' | 'mcp' | 'automation' | 'sync' | 'cli'
}

export interface MeetingNotesTable {
  id: Id<'meeting_notes'>
  org_id: Id<'orgs'>
  meeting_id: Id<'meetings'>
  body_markdown: string
  at_second: number | null
  revision: number
  created_at: number
  updated_at: number
  created_by: Id<'users'>
  created_via: 'web' | 'api' | 'mcp' | 'automation' | 'sync' | 'cli'
}

export interface MeetingPeopleTable {
  meeting_id: Id<'meetings'>
  address: string
  org_id: Id<'orgs'>
  position: number
  person_id: Id<'users'> | null
  email: string | null
  name: string | null
  added_at: number
}

export interface MeetingsTable {
  id: Id<'meetings'>
  org_id: Id<'orgs'>
  title: string
  kind: 'meeting' | 'one_on_one' | 'standup' | 'pulse' | 'customer'
  status: 'planned' | 'live' | 'ended'
  event_id: string | null
  pulse_id: string | null
  project_id: Id<'projects'> | null
  organizer_id: Id<'users'>
  visibility: 'participants' | 'project' | 'organization'
  starts_at: number | null
  ends_at: number | null
  takes_place_at: number
  ended_at: number | null
  revision: number
  created_at: number
  updated_at: number
  created_by: Id<'users'>
  created_via: 'web' | 'api' | 'mcp' | 'automation' | 'sync' | 'cli'
  deleted_at: number | null
  deleted_by: string | null
  deleted_with: string | null
  agenda_json: string
  notes_markdown: string | null
  event_uid: string | null
  cancelled_at: number | null
}

export interface MessageFilesTable {
  message_id: Id<'messages'>
  file_id: Id<'files'>
  org_id: Id<'orgs'>
  position: number
  added_at: number
}

export interface MessageMentionsTable {
  message_id: Id<'messages'>
  person_id: Id<'users'>
  org_id: Id<'orgs'>
  channel_id: string
  seq: number
  added_at: number
}

export interface MessagePinsTable {
  message_id: Id<'messages'>
  org_id: Id<'orgs'>
  channel_id: Id<'channels'>
  person_id: Id<'users'>
  added_at: number
}

export interface MessageReactionsTable {
  message_id: Id<'messages'>
  person_id: Id<'users'>
  emoji: string
  org_id: Id<'orgs'>
  added_at: number
}

export interface MessagesTable {
  id: Id<'messages'>
  org_id: Id<'orgs'>
  channel_id: Id<'channels'>
  seq: number
  body_markdown: string
  thread_root_id: Id<'messages'> | null
  in_channel: 0 | 1
  mentions_channel: 0 | 1
  via_assistant: 0 | 1
  sent_at: number
  imported_from: string | null
  imported_author: string | null
  edited_at: number | null
  erased_at: number | null
  revision: number
  created_at: number
  updated_at: number
  created_by: Id<'users'>
  created_via: 'web' | 'api' | 'mcp' | 'automation' | 'sync' | 'cli'
  trust: string | null
}

export interface MilestonesTable {
  id: Id<'milestones'>
  org_id: Id<'orgs'>
  project_id: Id<'projects'>
  name: string
  description_markdown: string | null
  due_on: string | null
  first_due_on: string | null
  status: 'open' | 'reached' | 'missed' | 'cancelled'
  reached_at: number | null
  revision: number
  created_at: number
  updated_at: number
  created_by: Id<'users'>
  created_via: 'web' | 'api' | 'mcp' | 'automation' | 'sync' | 'cli'
  deleted_at: number | null
  deleted_by: string | null
  deleted_with: string | null
}

export interface NoticeMailsTable {
  id: Id<'notice_mails'>
  org_id: Id<'orgs'>
  person_id: Id<'users'>
  form: 'one' | 'several' | 'digest'
  state: 'pending' | 'sent' | 'dropped' | 'failed'
  digest_json: string | null
  send_at: number
  attempts: number
  last_error: string | null
  created_at: number
  finished_at: number | null
}

export interface NotificationsTable {
  id: Id<'notifications'>
  org_id: Id<'orgs'>
  person_id: Id<'users'>
  inbox_id: Id<'inboxes'>
  kind: 'mention' | 'assignment' | 'comment' | 'due' | 'invite' | 'incident' | 'automation' | 'share' | 'digest' | 'reminder' | 'security'
  item_type: string
  item_id: string
  actor_id: Id<'users'> | null
  text: string
  shown_at: number
  read_at: number | null
  in_app: 0 | 1
  mail: 'new' | 'waiting' | 'gathering' | null
  mail_at: number | null
  mail_id: string | null
  revision: number
  created_at: number
  updated_at: number
}

export interface OauthAssertionsTable {
  jti_hash: string
  expires_at: number
}

export interface OauthCallbackHostsTable {
  host: string
  policy: 'allow' | 'refuse'
  created_at: number
}

export interface OauthClientsTable {
  client_id: string
  source: 'document' | 'registered' | 'entered'
  name: string
  uri: string | null
  redirects_json: string
  methods_json: string
  jwks_uri: string | null
  jwks_json: string | null
  secret_hash: string | null
  fetched_at: number | null
  fresh_until: number | null
  problem: string | null
  policy: 'default' | 'allow' | 'refuse'
  created_at: number
  created_ip: string | null
  used_at: number | null
}

export interface OauthCodesTable {
  code_hash: string
  key_id: string
  challenge: string
  expires_at: number
  used_at: number | null
}

export interface OauthConnectionsTable {
  key_id: Id<'api_keys'>
  org_id: Id<'orgs'>
  client_id: string
  redirect_uri: string
  issuer: string
  resource: string
  asked: string
  scope: string
  generation: number
  refreshed_at: number
}

export interface OauthRequestsTable {
  token_hash: string
  client_id: string
  redirect_uri: string
  state: string | null
  challenge: string
  resource: string
  scope: string
  issuer: string
  ip: string
  created_at: number
  expires_at: number
  decided_at: number | null
}

export interface OauthTokensTable {
  token_hash: string
  key_id: string
  kind: 'access' | 'refresh'
  generation: number
  salt: string | null
  created_at: number
  expires_at: number
  replaced_at: number | null
}

export interface ObservationsTable {
  id: Id<'observations'>
  org_id: Id<'orgs'>
  entity_id: Id<'entities'>
  body: string
  observed_at: number
  source_type: string | null
  source_id: string | null
  revision: number
  created_at: number
  updated_at: number
  created_by: Id<'users'>
  created_via: 'web' | 'api' | 'mcp' | 'automation' | 'sync' | 'cli'
}

export interface OnCallDutiesTable {
  schedule_id: Id<'on_call_schedules'>
  org_id: Id<'orgs'>
  on_duty_json: string
  seen_revision: number
  looked_at: number
  look_at: number
}

export interface OnCallOverridesTable {
  id: Id<'on_call_overrides'>
  org_id: Id<'orgs'>
  schedule_id: Id<'on_call_schedules'>
  level: number
  person_id: Id<'users'>
  starts_at: number
  ends_at: number
  reason: string | null
  revision: number
  created_at: number
  updated_at: number
  created_by: Id<'users'>
  created_via: 'web' | 'api' | 'mcp' | 'automation' | 'sync' | 'cli'
}

export interface OnCallSchedulesTable {
  id: Id<'on_call_schedules'>
  org_id: Id<'orgs'>
  name: string
  timezone: string
  team_id: Id<'teams'> | null
  layers_json: string
  escalation_minutes: number
  revision: number
  created_at: number
  updated_at: number
  created_by: Id<'users'>
  created_via: 'web' | 'api' | 'mcp' | 'automation' | 'sync' | 'cli'
  deleted_at: number | null
  deleted_by: string | null
  deleted_with: string | null
}

export interface OpenAssignmentsTable {
  task_id: Id<'tasks'>
  person_id: Id<'users'>
  org_id: Id<'orgs'>
  project_id: string
  due_at: number | null
  due_on: string | null
}

export interface OpenCountsTable {
  project_id: Id<'projects'>
  person_id: Id<'users'>
  org_id: Id<'orgs'>
  tasks: number
}

export interface OrgPlansTable {
  org_id: Id<'orgs'>
  plan: string
  set_at: number
}

export interface OrgsTable {
  id: Id<'orgs'>
  name: string
  default_timezone: string
  work_week_json: string
  holidays_json: string
  severity_scale_json: string
  deal_stages_json: string
  trash_days: number
  revision: number
  created_at: number
  updated_at: number
}

export interface PageCommentsTable {
  id: Id<'page_comments'>
  org_id: Id<'orgs'>
  page_id: Id<'pages'>
  body_markdown: string
  reply_to_id: Id<'page_comments'> | null
  quote: string | null
  quote_before: string | null
  quote_after: string | null
  quote_start: number | null
  mentions_json: string
  resolved: 0 | 1
  resolved_by: Id<'users'> | null
  resolved_at: number | null
  revision: number
  created_at: number
  updated_at: number
  created_by: Id<'users'>
  created_via: 'web' | 'api' | 'mcp' | 'automation' | 'sync' | 'cli'
}

export interface PageFilesTable {
  page_id: Id<'pages'>
  file_id: Id<'files'>
  org_id: Id<'orgs'>
  added_at: number
}

export interface PageLabelsTable {
  page_id: Id<'pages'>
  label_id: Id<'labels'>
  org_id: Id<'orgs'>
  added_at: number
}

export interface PageLinksTable {
  page_id: Id<'pages'>
  org_id: Id<'orgs'>
  kind: 'page' | 'title'
  target_id: string
  title_folded: string
  added_at: number
}

export interface PagePublicationsTable {
  id: Id<'page_publications'>
  org_id: Id<'orgs'>
  page_id: Id<'pages'>
  slug: string
  include_children: 0 | 1
  expires_at: number | null
  revision: number
  created_at: number
  updated_at: number
  created_by: Id<'users'>
  created_via: 'web' | 'api' | 'mcp' | 'automation' | 'sync' | 'cli'
}

export interface PageSharesTable {
  id: Id<'page_shares'>
  org_id: Id<'orgs'>
  page_id: Id<'pages'>
  person_id: Id<'users'>
  role: 'viewer' | 'commenter' | 'editor'
  note: string | null
  revision: number
  created_at: number
  updated_at: number
  created_by: Id<'users'>
  created_via: 'web' | 'api' | 'mcp' | 'automation' | 'sync' | 'cli'
}

export interface PageStepsTable {
  page_id: Id<'pages'>
  org_id: Id<'orgs'>
  revision: number
  edit: string | null
  key_id: Id<'api_keys'> | null
  created_at: number
  created_by: Id<'users'>
  encoding: 'plain' | 'deflate'
  content: string
}

export interface PageVersionAuthorsTable {
  version_id: Id<'page_versions'>
  org_id: Id<'orgs'>
  person_id: Id<'users'>
  chars: number
}

export interface PageVersionsTable {
  id: Id<'page_versions'>
  org_id: Id<'orgs'>
  page_id: Id<'pages'>
  number: number
  title: string
  chars: number
  chars_changed: number
  key_id: Id<'api_keys'> | null
  page_revision: number | null
  base_number: number | null
  base_start: number | null
  base_end: number | null
  depth: number
  encoding: 'plain' | 'deflate'
  created_at: number
  created_by: Id<'users'>
  created_via: 'web' | 'api' | 'mcp' | 'automation' | 'sync' | 'cli'
  content: string
}

export interface PagesTable {
  id: Id<'pages'>
  org_id: Id<'orgs'>
  title: string
  title_folded: string
  icon: string | null
  kind: 'page' | 'template' | 'postmortem' | 'runbook' | 'meeting_notes'
  parent_id: Id<'pages'> | null
  parent_owner_id: Id<'users'> | null
  position: string
  visibility: 'private' | 'organization'
  project_id: Id<'projects'> | null
  owner_id: Id<'users'>
  version: number
  revision: number
  created_at: number
  updated_at: number
  created_by: Id<'users'>
  created_via: 'web' | 'api' | 'mcp' | 'automation' | 'sync' | 'cli'
  deleted_at: number | null
  deleted_by: string | null
  deleted_with: string | null
  live_from: number | null
  live_since: number | null
  live_at: number | null
}

export interface PasskeyChallengesTable {
  challenge_hash: string
  purpose: 'add' | 'sign_in' | 'verify'
  holder_hash: string
  expires_at: number
}

export interface PasskeysTable {
  id: Id<'passkeys'>
  org_id: Id<'orgs'>
  person_id: Id<'users'>
  name: string
  credential_id: string
  public_key: string
  sign_count: number
  transports_json: string
  device_type: 'single_device' | 'multi_device'
  backed_up: 0 | 1
  created_at: number
  last_used_at: number | null
}

export interface PasswordResetsTable {
  token_hash: string
  org_id: Id<'orgs'>
  person_id: Id<'users'>
  created_at: number
  created_by: Id<'users'>
  expires_at: number
}

export interface PostmortemsTable {
  id: Id<'postmortems'>
  org_id: Id<'orgs'>
  incident_id: Id<'incidents'>
  page_id: Id<'pages'>
  author_id: Id<'users'>
  due_on: string | null
  published_at: number | null
  note: string | null
  revision: number
  created_at: number
  updated_at: number
  created_by: Id<'users'>
  created_via: 'web' | 'api' | 'mcp' | 'automation' | 'sync' | 'cli'
}

export interface ProjectMembersTable {
  project_id: Id<'projects'>
  person_id: Id<'users'>
  org_id: Id<'orgs'>
  role: 'lead' | 'member'
  added_at: number
}

export interface ProjectUpdatesTable {
  id: Id<'project_updates'>
  org_id: Id<'orgs'>
  project_id: Id<'projects'>
  health: 'on_track' | 'at_risk' | 'off_track'
  body_markdown: string
  revision: number
  created_at: number
  updated_at: number
  created_by: Id<'users'>
  created_via: 'web' | 'api' | 'mcp' | 'automation' | 'sync' | 'cli'
}

export interface ProjectsTable {
  id: Id<'projects'>
  org_id: Id<'orgs'>
  key: string
  name: string
  description_markdown: string | null
  status: 'planned' | 'active' | 'paused' | 'completed' | 'archived'
  status_before_archive: 'planned' | 'active' | 'paused' | 'completed' | null
  health: 'on_track' | 'at_risk' | 'off_track' | null
  team_id: Id<'teams'> | null
  starts_on: string | null
  ends_on: string | null
  next_task_number: number
  revision: number
  created_at: number
  updated_at: number
  created_by: Id<'users'>
  created_via: 'web' | 'api' | 'mcp' | 'automation' | 'sync' | 'cli'
  deleted_at: number | null
  deleted_by: string | null
  deleted_with: string | null
}

export interface PulseResponsesTable {
  id: Id<'pulse_responses'>
  org_id: Id<'orgs'>
  pulse_id: Id<'pulses'>
  occurrence_on: string
  revision: number
  created_at: number
  updated_at: number
  created_by: Id<'users'>
  created_via: 'web' | 'api' | 'mcp' | 'automation' | 'sync' | 'cli'
  answers_json: string
}

export interface PulseRoundsTable {
  pulse_id: Id<'pulses'>
  occurrence_on: string
  org_id: Id<'orgs'>
  opened_at: number
  closed_at: number | null
  answered: number
  expected: number | null
  missing_json: string | null
  scores_json: string | null
  meeting_id: string | null
  problem: string | null
  answers_json: string | null
}

export interface PulsesTable {
  id: Id<'pulses'>
  org_id: Id<'orgs'>
  team_id: Id<'teams'>
  channel_id: Id<'channels'> | null
  mode: 'async' | 'meeting'
  anonymous: 0 | 1
  active: 0 | 1
  next_at: number | null
  next_on: string | null
  look_at: number | null
  revision: number
  created_at: number
  updated_at: number
  created_by: Id<'users'>
  created_via: 'web' | 'api' | 'mcp' | 'automation' | 'sync' | 'cli'
  deleted_at: number | null
  deleted_by: string | null
  deleted_with: string | null
  name: string
  rrule: string
  timezone: string
  rule_start: string
  questions_json: string
}

export interface RelationsTable {
  id: Id<'relations'>
  org_id: Id<'orgs'>
  from_id: Id<'entities'>
  type: string
  to_id: Id<'entities'>
  valid_from: number | null
  valid_to: number | null
  is_wrong: 0 | 1
  confidence: number
  source_type: string | null
  source_id: string | null
  note: string | null
  revision: number
  created_at: number
  updated_at: number
  created_by: Id<'users'>
  created_via: 'web' | 'api' | 'mcp' | 'automation' | 'sync' | 'cli'
}

export interface RemindersTable {
  id: Id<'reminders'>
  org_id: Id<'orgs'>
  text: string | null
  item_type: string | null
  item_id: string | null
  remind_at: number
  rrule: string | null
  timezone: string
  starts: string
  status: 'pending' | 'fired' | 'cancelled'
  fired_at: number | null
  revision: number
  created_at: number
  updated_at: number
  created_by: Id<'users'>
  created_via: 'web' | 'api' | 'mcp' | 'automation' | 'sync' | 'cli'
}

export interface ReplaysTable {
  actor_id: Id<'users'>
  key_id: string
  tool: string
  idempotency_key: string
  arguments_hash: string
  answer_json: string
  call_id: string
  created_at: number
}

export interface ResponseProjectsTable {
  project_id: Id<'projects'>
  incident_id: Id<'incidents'> | null
  org_id: Id<'orgs'>
  added_at: number
}

export interface RunbookServicesTable {
  runbook_id: Id<'runbooks'>
  service_id: Id<'services'>
  org_id: Id<'orgs'>
  added_at: number
}

export interface RunbookStepsTable {
  incident_id: Id<'incidents'>
  runbook_id: Id<'runbooks'>
  step: number
  task_id: Id<'tasks'>
  org_id: Id<'orgs'>
  added_at: number
}

export interface RunbooksTable {
  id: Id<'runbooks'>
  org_id: Id<'orgs'>
  name: string
  page_id: string | null
  severities_json: string
  revision: number
  created_at: number
  updated_at: number
  created_by: Id<'users'>
  created_via: 'web' | 'api' | 'mcp' | 'automation' | 'sync' | 'cli'
  deleted_at: number | null
  deleted_by: string | null
  deleted_with: string | null
  steps_json: string
}

export interface SavedViewsTable {
  id: Id<'saved_views'>
  org_id: Id<'orgs'>
  owner_id: Id<'users'>
  name: string
  item_type: 'task' | 'email' | 'contact' | 'deal' | 'incident' | 'page' | 'search'
  filter_json: string
  sort: string | null
  group_by: string | null
  columns_json: string
  project_id: Id<'projects'> | null
  shared: 0 | 1
  revision: number
  created_at: number
  updated_at: number
  created_by: Id<'users'>
  created_via: 'web' | 'api' | 'mcp' | 'automation' | 'sync' | 'cli'
  deleted_at: number | null
  deleted_by: string | null
  deleted_with: string | null
  layout: 'list' | 'board' | 'table' | 'timeline' | 'calendar' | null
  display_json: string | null
}

export interface ScheduledEmailsTable {
  id: Id<'scheduled_emails'>
  org_id: Id<'orgs'>
  owner_id: Id<'users'>
  account_id: Id<'accounts'>
  draft_id: Id<'email_drafts'>
  send_at: number
  cancel_if_replied: 0 | 1
  status: 'queued' | 'sending' | 'sent' | 'failed' | 'cancelled'
  problem: string | null
  key_id: string | null
  revision: number
  created_at: number
  updated_at: number
  created_by: Id<'users'>
  created_via: 'web' | 'api' | 'mcp' | 'automation' | 'sync' | 'cli'
}

export interface ScimGroupMembersTable {
  group_id: Id<'scim_groups'>
  person_id: Id<'users'>
}

export interface ScimGroupsTable {
  id: Id<'scim_groups'>
  org_id: Id<'orgs'>
  provider_id: Id<'sso_providers'>
  display_name: string
  external_id: string | null
  created_at: number
  updated_at: number
}

export interface ScimPeopleTable {
  person_id: Id<'users'>
  org_id: Id<'orgs'>
  provider_id: Id<'sso_providers'>
  user_name: string
  external_id: string | null
  given_name: string | null
  family_name: string | null
  is_created: 0 | 1
  created_at: number
  updated_at: number
  deactivated_at: number | null
  deleted_at: number | null
}

export interface ScimTokensTable {
  id: Id<'scim_tokens'>
  org_id: Id<'orgs'>
  provider_id: Id<'sso_providers'>
  name: string
  token_hash: string
  hint: string
  created_at: number
  created_by: string | null
  expires_at: number | null
  revoked_at: number | null
  used_at: number | null
}

export interface SearchDocsTable {
  rowid_: number
  ref: string
  item_type: string
  item_id: string
  part: string
  org_id: Id<'orgs'>
  container: string
  title: string
  body: string
  at: number
}

export interface SearchProvidersTable {
  provider: 'openai'
  model: string
  problem: string | null
  problem_at: number | null
  retry_at: number | null
  asked_at: number | null
}

export interface SearchSpacesTable {
  id: Id<'search_spaces'>
  provider: 'embedded' | 'openai'
  model: string
  dimensions: number
  fingerprint: string
  passages: number
  state: 'building' | 'active' | 'retired'
  made_at: number
  active_at: number | null
}

export interface SearchTodoTable {
  doc: number
  provider: string
  version: number
}

export interface SecretsTable {
  org_id: Id<'orgs'>
  table_name: string
  row_id: string
  column_name: string
  kid: string
  value_sealed: string
  sealed_at: number
}

export interface ServiceDependenciesTable {
  service_id: Id<'services'>
  depends_on_id: Id<'services'>
  org_id: Id<'orgs'>
  added_at: number
}

export interface ServiceIntervalsTable {
  service_id: Id<'services'>
  starts_at: number
  org_id: Id<'orgs'>
  added_at: number
  state: 'degraded' | 'partial_outage' | 'major_outage' | 'maintenance'
  ends_at: number | null
}

export interface ServicesTable {
  id: Id<'services'>
  org_id: Id<'orgs'>
  name: string
  description: string | null
  team_id: Id<'teams'> | null
  schedule_id: string | null
  is_public: 0 | 1
  revision: number
  created_at: number
  updated_at: number
  created_by: Id<'users'>
  created_via: 'web' | 'api' | 'mcp' | 'automation' | 'sync' | 'cli'
  deleted_at: number | null
  deleted_by: string | null
  deleted_with: string | null
}

export interface SetupLinksTable {
  token_hash: string
  created_at: number
  expires_at: number
  used_at: number | null
}

export interface SignInFailuresTable {
  subject: string
  failures: number
  last_at: number
  next_at: number
}

export interface SprintMovesTable {
  id: Id<'sprint_moves'>
  org_id: Id<'orgs'>
  sprint_id: Id<'sprints'>
  task_id: string
  op: 'added' | 'removed' | 'completed' | 'reopened'
  points: number | null
  at: number
}

export interface SprintsTable {
  id: Id<'sprints'>
  org_id: Id<'orgs'>
  project_id: Id<'projects'>
  name: string
  goal: string | null
  starts_on: string
  ends_on: string
  status: 'planned' | 'active' | 'completed' | 'cancelled'
  started_at: number | null
  completed_at: number | null
  carried_to_id: Id<'sprints'> | null
  report_json: string | null
  revision: number
  created_at: number
  updated_at: number
  created_by: Id<'users'>
  created_via: 'web' | 'api' | 'mcp' | 'automation' | 'sync' | 'cli'
}

export interface SsoEmergencyAccountsTable {
  org_id: Id<'orgs'>
  person_id: Id<'users'>
  created_at: number
}

export interface SsoIdentitiesTable {
  provider_id: Id<'sso_providers'>
  subject: string
  org_id: Id<'orgs'>
  person_id: Id<'users'>
  email: string | null
  created_at: number
  used_at: number
}

export interface SsoOnlyOrgsTable {
  org_id: Id<'orgs'>
  created_at: number
}

export interface SsoProvidersTable {
  id: Id<'sso_providers'>
  org_id: Id<'orgs'>
  name: string
  issuer: string
  client_id: string
  scopes: string
  groups_claim: string | null
  rules_json: string
  domains_json: string
  accounts: 'invited' | 'domain' | 'group' | 'anyone'
  linking: 'ask' | 'trusted' | 'no'
  client_auth: 'auto' | 'basic' | 'post'
  created_at: number
  updated_at: number
}

export interface SsoRequestsTable {
  state_hash: string
  org_id: Id<'orgs'>
  provider_id: Id<'sso_providers'>
  purpose: 'sign_in' | 'link' | 'verify'
  holder_hash: string
  session_id: string | null
  return_to: string
  created_at: number
  expires_at: number
}

export interface StatusUpdateServicesTable {
  update_id: Id<'status_updates'>
  service_id: Id<'services'>
  org_id: Id<'orgs'>
  added_at: number
  state: 'operational' | 'degraded' | 'partial_outage' | 'major_outage' | 'maintenance'
  since_at: number | null
  released_at: number | null
  released_by: string | null
}

export interface StatusUpdatesTable {
  id: Id<'status_updates'>
  org_id: Id<'orgs'>
  title: string
  thread_id: Id<'status_updates'> | null
  latest: 0 | 1
  state: 'investigating' | 'identified' | 'monitoring' | 'resolved' | 'maintenance'
  incident_id: string | null
  starts_at: number | null
  ends_at: number | null
  phase: 'planned' | 'running' | 'over' | null
  published_at: number
  revision: number
  created_at: number
  updated_at: number
  created_by: Id<'users'>
  created_via: 'web' | 'api' | 'mcp' | 'automation' | 'sync' | 'cli'
  body_markdown: string
}

export interface StatusesTable {
  id: Id<'statuses'>
  org_id: Id<'orgs'>
  project_id: Id<'projects'>
  name: string
  category: 'triage' | 'backlog' | 'todo' | 'in_progress' | 'done' | 'cancelled'
  color: string
  position: number
  wip_limit: number | null
}

export interface TaskAttachmentsTable {
  id: Id<'task_attachments'>
  org_id: Id<'orgs'>
  task_id: Id<'tasks'>
  name: string
  kind: 'file' | 'link'
  file_id: Id<'files'> | null
  web_url: string | null
  revision: number
  created_at: number
  updated_at: number
  created_by: Id<'users'>
  created_via: 'web' | 'api' | 'mcp' | 'automation' | 'sync' | 'cli'
}

export interface TaskCommentsTable {
  id: Id<'task_comments'>
  org_id: Id<'orgs'>
  task_id: Id<'tasks'>
  body_markdown: string
  reply_to_id: Id<'task_comments'> | null
  mentions_json: string
  edited_at: number | null
  revision: number
  created_at: number
  updated_at: number
  created_by: Id<'users'>
  created_via: 'web' | 'api' | 'mcp' | 'automation' | 'sync' | 'cli'
}

export interface TaskCountsTable {
  project_id: Id<'projects'>
  status_category: string
  org_id: Id<'orgs'>
  tasks: number
}

export interface TaskDependenciesTable {
  task_id: Id<'tasks'>
  other_id: Id<'tasks'>
  type: 'blocked_by' | 'relates_to' | 'duplicates'
  org_id: Id<'orgs'>
  added_at: number
}

export interface TaskDueNoticesTable {
  task_id: Id<'tasks'>
  org_id: Id<'orgs'>
  due_at: number
}

export interface TaskImportPiecesTable {
  import_id: Id<'task_imports'>
  n: number
  org_id: Id<'orgs'>
  records_json: string
}

export interface TaskImportRefsTable {
  project_id: string
  format: string
  ref: string
  org_id: Id<'orgs'>
  task_id: Id<'tasks'>
}

export interface TaskImportsTable {
  id: Id<'task_imports'>
  org_id: Id<'orgs'>
  owner_id: Id<'users'>
  key_id: string | null
  project_id: Id<'projects'>
  options_json: string
  records: number
  done: number
  result_json: string
  created_at: number
  finished_at: number | null
}

export interface TaskLabelsTable {
  task_id: Id<'tasks'>
  label_id: Id<'labels'>
  org_id: Id<'orgs'>
  added_at: number
}

export interface TaskPeopleTable {
  task_id: Id<'tasks'>
  person_id: Id<'users'>
  role: 'assignee' | 'watcher'
  org_id: Id<'orgs'>
  added_at: number
}

export interface TaskTemplatesTable {
  id: Id<'task_templates'>
  org_id: Id<'orgs'>
  project_id: Id<'projects'> | null
  name: string
  outline_json: string
  variables_json: string
  use_count: number
  revision: number
  created_at: number
  updated_at: number
  created_by: Id<'users'>
  created_via: 'web' | 'api' | 'mcp' | 'automation' | 'sync' | 'cli'
  deleted_at: number | null
  deleted_by: string | null
  deleted_with: string | null
}

export interface TasksTable {
  id: Id<'tasks'>
  org_id: Id<'orgs'>
  project_id: Id<'projects'>
  key: string
  title: string
  status_id: Id<'statuses'>
  status_category: 'triage' | 'backlog' | 'todo' | 'in_progress' | 'done' | 'cancelled'
  priority: 'urgent' | 'high' | 'medium' | 'low' | 'none'
  priority_rank: number
  due_at: number | null
  due_on: string | null
  start_at: number | null
  start_on: string | null
  completed_at: number | null
  estimate_minutes: number | null
  points: number | null
  parent_id: Id<'tasks'> | null
  sprint_id: Id<'sprints'> | null
  milestone_id: Id<'milestones'> | null
  custom_fields_json: string
  position: string
  recurrence_rrule: string | null
  recurrence_timezone: string | null
  recurrence_create_next: 'on_schedule' | 'on_completion' | null
  recurrence_ends_on: string | null
  recurrence_start: string | null
  recurrence_next_at: number | null
  recurrence_create_at: number | null
  recurrence_of_id: string | null
  source_type: string | null
  source_id: string | null
  overdue_told_at: number | null
  revision: number
  created_at: number
  updated_at: number
  created_by: Id<'users'>
  created_via: 'web' | 'api' | 'mcp' | 'automation' | 'sync' | 'cli'
  deleted_at: number | null
  deleted_by: string | null
  deleted_with: string | null
  delegate_key_id: string | null
  trust: string | null
  description_markdown: string | null
}

export interface TeamMembersTable {
  team_id: Id<'teams'>
  person_id: Id<'users'>
  org_id: Id<'orgs'>
  role: 'lead' | 'member'
  added_at: number
}

export interface TeamsTable {
  id: Id<'teams'>
  org_id: Id<'orgs'>
  name: string
  description: string | null
  revision: number
  created_at: number
  updated_at: number
  created_by: Id<'users'>
  created_via: 'web' | 'api' | 'mcp' | 'automation' | 'sync' | 'cli'
  deleted_at: number | null
  deleted_by: string | null
  deleted_with: string | null
}

export interface TimeEntriesTable {
  id: Id<'time_entries'>
  org_id: Id<'orgs'>
  person_id: Id<'users'>
  task_id: Id<'tasks'> | null
  project_id: Id<'projects'> | null
  spent_on: string
  duration_minutes: number
  note: string | null
  billable: 0 | 1
  running_since_at: number | null
  started_at: number | null
  stopped_at: number | null
  long_told_at: number | null
  revision: number
  created_at: number
  updated_at: number
  created_by: Id<'users'>
  created_via: 'web' | 'api' | 'mcp' | 'automation' | 'sync' | 'cli'
  deleted_at: number | null
  deleted_by: string | null
  deleted_with: string | null
}

export interface TimeOffTable {
  id: Id<'time_off'>
  org_id: Id<'orgs'>
  person_id: Id<'users'>
  starts_on: string
  ends_on: string
  kind: 'vacation' | 'sick' | 'public_holiday' | 'other'
  note: string | null
  revision: number
  created_at: number
  updated_at: number
  created_by: Id<'users'>
  created_via: 'web' | 'api' | 'mcp' | 'automation' | 'sync' | 'cli'
  deleted_at: number | null
  deleted_by: string | null
  deleted_with: string | null
}

export interface TimelineEntriesTable {
  id: Id<'timeline_entries'>
  org_id: Id<'orgs'>
  incident_id: Id<'incidents'>
  kind: 'note' | 'status' | 'severity' | 'role' | 'escalation' | 'message' | 'update' | 'link'
  occurred_at: number
  from_value: string | null
  to_value: string | null
  message_id: string | null
  revision: number
  created_at: number
  updated_at: number
  created_by: Id<'users'>
  created_via: 'web' | 'api' | 'mcp' | 'automation' | 'sync' | 'cli'
  body_markdown: string
}

export interface TranscriptLinesTable {
  transcript_id: Id<'transcripts'>
  n: number
  org_id: Id<'orgs'>
  at_second: number | null
  speaker_n: number
  text: string
}

export interface TranscriptSpeakersTable {
  transcript_id: Id<'transcripts'>
  n: number
  org_id: Id<'orgs'>
  label: string
  person_id: Id<'users'> | null
}

export interface TranscriptsTable {
  id: Id<'transcripts'>
  org_id: Id<'orgs'>
  meeting_id: Id<'meetings'>
  language: string
  format: 'text' | 'vtt' | 'srt' | 'json'
  timed: 0 | 1
  line_count: number
  seconds: number
  revision: number
  created_at: number
  updated_at: number
  created_by: Id<'users'>
  created_via: 'web' | 'api' | 'mcp' | 'automation' | 'sync' | 'cli'
}

export interface UndoneCallsTable {
  call_id: string
  org_id: Id<'orgs'>
  undone_by_call_id: string
  undone_at: number
}

export interface UploadSessionsTable {
  id: Id<'upload_sessions'>
  org_id: Id<'orgs'>
  owner_id: Id<'users'>
  key_id: string | null
  folder_id: string
  name: string
  mime_type: string
  size_bytes: number
  sha256: string | null
  token_hash: string
  file_id: string | null
  completed_at: number | null
  expires_at: number
  revision: number
  created_at: number
  updated_at: number
  created_by: Id<'users'>
  created_via: 'web' | 'api' | 'mcp' | 'automation' | 'sync' | 'cli'
}

export interface UsageDaysTable {
  org_id: Id<'orgs'>
  day_on: string
  person_id: Id<'users'>
  key_id: string
  calls: number
}

export interface UsersTable {
  id: Id<'users'>
  org_id: Id<'orgs'>
  email: string
  display_name: string
  title: string | null
  role: 'admin' | 'member' | 'guest'
  status: 'active' | 'invited' | 'deactivated'
  timezone: string
  manager_id: Id<'users'> | null
  working_hours_json: string
  presence_text: string | null
  presence_emoji: string | null
  availability: 'available' | 'busy' | 'away' | 'do_not_disturb'
  presence_until_at: number | null
  avatar_file_id: string | null
  password_hash: string | null
  revision: number
  created_at: number
  updated_at: number
  hides_presence: 0 | 1
  shortcuts_json: string | null
}

export interface WebSessionsTable {
  id: Id<'web_sessions'>
  org_id: Id<'orgs'>
  person_id: Id<'users'>
  token_hash: string
  created_at: number
  expires_at: number
  last_used_at: number
  verified_at: number
  ip: string
  client: string | null
  provider_id: string | null
  provider_subject: string | null
  provider_sid: string | null
}

export interface WebhookDeliveriesTable {
  id: Id<'webhook_deliveries'>
  org_id: Id<'orgs'>
  webhook_id: Id<'webhooks'>
  change_seq: number
  event: string
  status: 'pending' | 'delivered' | 'failed'
  attempts: number
  aside: 0 | 1
  next_attempt_at: number | null
  response_code: number | null
  payload_json: string | null
  created_at: number
  finished_at: number | null
}

export interface WebhookFeedsTable {
  org_id: Id<'orgs'>
  seq: number
}

export interface WebhooksTable {
  id: Id<'webhooks'>
  org_id: Id<'orgs'>
  owner_id: Id<'users'>
  name: string
  address: string
  events_json: string
  filter_json: string | null
  active: 0 | 1
  pause: 'owner' | 'failing' | 'gone' | 'overflow' | 'restored' | null
  since_seq: number
  failures: number
  failing_since_at: number | null
  last_delivery_at: number | null
  rotated_at: number | null
  revision: number
  created_at: number
  updated_at: number
  created_by: Id<'users'>
  created_via: 'web' | 'api' | 'mcp' | 'automation' | 'sync' | 'cli'
  deleted_at: number | null
  deleted_by: string | null
  deleted_with: string | null
}

export interface Tables {
  abuse_findings: AbuseFindingsTable
  accounts: AccountsTable
  action_items: ActionItemsTable
  api_keys: ApiKeysTable
  approvals: ApprovalsTable
  automation_feeds: AutomationFeedsTable
  automation_runs: AutomationRunsTable
  automation_steps: AutomationStepsTable
  automations: AutomationsTable
  calendar_deletions: CalendarDeletionsTable
  calendar_imports: CalendarImportsTable
  calendars: CalendarsTable
  call_seals: CallSealsTable
  calls: CallsTable
  changes: ChangesTable
  channel_members: ChannelMembersTable
  channel_reads: ChannelReadsTable
  channels: ChannelsTable
  chat_imports: ChatImportsTable
  companies: CompaniesTable
  contact_emails: ContactEmailsTable
  contact_feeds: ContactFeedsTable
  contact_imports: ContactImportsTable
  contact_labels: ContactLabelsTable
  contact_phones: ContactPhonesTable
  contact_redirects: ContactRedirectsTable
  contact_tombstones: ContactTombstonesTable
  contacts: ContactsTable
  custom_fields: CustomFieldsTable
  deal_contacts: DealContactsTable
  deal_moves: DealMovesTable
  deals: DealsTable
  decisions: DecisionsTable
  digest_rounds: DigestRoundsTable
  drives: DrivesTable
  email_addresses: EmailAddressesTable
  email_attachments: EmailAttachmentsTable
  email_bodies: EmailBodiesTable
  email_draft_files: EmailDraftFilesTable
  email_drafts: EmailDraftsTable
  email_labels: EmailLabelsTable
  email_outbox: EmailOutboxTable
  email_rule_queue: EmailRuleQueueTable
  email_rules: EmailRulesTable
  email_templates: EmailTemplatesTable
  emails: EmailsTable
  entities: EntitiesTable
  entity_feeds: EntityFeedsTable
  entity_names: EntityNamesTable
  entity_redirects: EntityRedirectsTable
  escalation_targets: EscalationTargetsTable
  escalations: EscalationsTable
  event_letters: EventLettersTable
  event_mails: EventMailsTable
  event_occurrences: EventOccurrencesTable
  events: EventsTable
  facts: FactsTable
  file_labels: FileLabelsTable
  file_shares: FileSharesTable
  file_stars: FileStarsTable
  file_texts: FileTextsTable
  file_versions: FileVersionsTable
  files: FilesTable
  form_answers: FormAnswersTable
  form_days: FormDaysTable
  form_files: FormFilesTable
  form_responses: FormResponsesTable
  form_versions: FormVersionsTable
  forms: FormsTable
  goal_checkins: GoalCheckinsTable
  goal_feeds: GoalFeedsTable
  goal_projects: GoalProjectsTable
  goals: GoalsTable
  inboxes: InboxesTable
  incident_channels: IncidentChannelsTable
  incident_numbers: IncidentNumbersTable
  incident_roles: IncidentRolesTable
  incident_services: IncidentServicesTable
  incidents: IncidentsTable
  interaction_contacts: InteractionContactsTable
  interactions: InteractionsTable
  invitation_links: InvitationLinksTable
  invitations: InvitationsTable
  item_links: ItemLinksTable
  job_schedules: JobSchedulesTable
  jobs: JobsTable
  key_clients: KeyClientsTable
  key_results: KeyResultsTable
  known_devices: KnownDevicesTable
  labels: LabelsTable
  mail_folders: MailFoldersTable
  mail_pushes: MailPushesTable
  mail_thread_links: MailThreadLinksTable
  mail_threads: MailThreadsTable
  meeting_notes: MeetingNotesTable
  meeting_people: MeetingPeopleTable
  meetings: MeetingsTable
  message_files: MessageFilesTable
  message_mentions: MessageMentionsTable
  message_pins: MessagePinsTable
  message_reactions: MessageReactionsTable
  messages: MessagesTable
  milestones: MilestonesTable
  notice_mails: NoticeMailsTable
  notifications: NotificationsTable
  oauth_assertions: OauthAssertionsTable
  oauth_callback_hosts: OauthCallbackHostsTable
  oauth_clients: OauthClientsTable
  oauth_codes: OauthCodesTable
  oauth_connections: OauthConnectionsTable
  oauth_requests: OauthRequestsTable
  oauth_tokens: OauthTokensTable
  observations: ObservationsTable
  on_call_duties: OnCallDutiesTable
  on_call_overrides: OnCallOverridesTable
  on_call_schedules: OnCallSchedulesTable
  open_assignments: OpenAssignmentsTable
  open_counts: OpenCountsTable
  org_plans: OrgPlansTable
  orgs: OrgsTable
  page_comments: PageCommentsTable
  page_files: PageFilesTable
  page_labels: PageLabelsTable
  page_links: PageLinksTable
  page_publications: PagePublicationsTable
  page_shares: PageSharesTable
  page_steps: PageStepsTable
  page_version_authors: PageVersionAuthorsTable
  page_versions: PageVersionsTable
  pages: PagesTable
  passkey_challenges: PasskeyChallengesTable
  passkeys: PasskeysTable
  password_resets: PasswordResetsTable
  postmortems: PostmortemsTable
  project_members: ProjectMembersTable
  project_updates: ProjectUpdatesTable
  projects: ProjectsTable
  pulse_responses: PulseResponsesTable
  pulse_rounds: PulseRoundsTable
  pulses: PulsesTable
  relations: RelationsTable
  reminders: RemindersTable
  replays: ReplaysTable
  response_projects: ResponseProjectsTable
  runbook_services: RunbookServicesTable
  runbook_steps: RunbookStepsTable
  runbooks: RunbooksTable
  saved_views: SavedViewsTable
  scheduled_emails: ScheduledEmailsTable
  scim_group_members: ScimGroupMembersTable
  scim_groups: ScimGroupsTable
  scim_people: ScimPeopleTable
  scim_tokens: ScimTokensTable
  search_docs: SearchDocsTable
  search_providers: SearchProvidersTable
  search_spaces: SearchSpacesTable
  search_todo: SearchTodoTable
  secrets: SecretsTable
  service_dependencies: ServiceDependenciesTable
  service_intervals: ServiceIntervalsTable
  services: ServicesTable
  setup_links: SetupLinksTable
  sign_in_failures: SignInFailuresTable
  sprint_moves: SprintMovesTable
  sprints: SprintsTable
  sso_emergency_accounts: SsoEmergencyAccountsTable
  sso_identities: SsoIdentitiesTable
  sso_only_orgs: SsoOnlyOrgsTable
  sso_providers: SsoProvidersTable
  sso_requests: SsoRequestsTable
  status_update_services: StatusUpdateServicesTable
  status_updates: StatusUpdatesTable
  statuses: StatusesTable
  task_attachments: TaskAttachmentsTable
  task_comments: TaskCommentsTable
  task_counts: TaskCountsTable
  task_dependencies: TaskDependenciesTable
  task_due_notices: TaskDueNoticesTable
  task_import_pieces: TaskImportPiecesTable
  task_import_refs: TaskImportRefsTable
  task_imports: TaskImportsTable
  task_labels: TaskLabelsTable
  task_people: TaskPeopleTable
  task_templates: TaskTemplatesTable
  tasks: TasksTable
  team_members: TeamMembersTable
  teams: TeamsTable
  time_entries: TimeEntriesTable
  time_off: TimeOffTable
  timeline_entries: TimelineEntriesTable
  transcript_lines: TranscriptLinesTable
  transcript_speakers: TranscriptSpeakersTable
  transcripts: TranscriptsTable
  undone_calls: UndoneCallsTable
  upload_sessions: UploadSessionsTable
  usage_days: UsageDaysTable
  users: UsersTable
  web_sessions: WebSessionsTable
  webhook_deliveries: WebhookDeliveriesTable
  webhook_feeds: WebhookFeedsTable
  webhooks: WebhooksTable
}

/** The columns that may be NULL. */
export const nullable: { [T in keyof Tables]: readonly string[] } = {
  abuse_findings: ['org_id', 'key_id', 'owner_id', 'subject', 'until_at', 'released_at', 'released_by'],
  accounts: ['problem', 'problem_since', 'last_sync_at', 'synced_back_to', 'scopes_json', 'signature_markdown', 'removed_at'],
  action_items: ['owner_id', 'owner_email', 'owner_name', 'due_on', 'at_second', 'quote'],
  api_keys: ['toolsets_json', 'expires_at', 'revoked_at', 'revoked_by', 'suspended_at', 'last_used_at', 'last_ip', 'last_client', 'suspended_by'],
  approvals: ['key_id', 'idempotency_key', 'decided_at', 'decided_by', 'call_id', 'result_json', 'reason', 'items_json'],
  automation_feeds: [],
  automation_runs: ['key_id', 'source', 'event', 'change_seq', 'item_type', 'item_id', 'payload_json', 'cause_run_id', 'reason', 'conditions_json', 'resume_at', 'started_at', 'ended_at'],
  automation_steps: ['params_json', 'value_json', 'output_json', 'error_json', 'approval_id', 'acted_at', 'ended_at'],
  automations: ['project_id', 'hook_hash', 'reason', 'key_id', 'last_run_id', 'deleted_at', 'deleted_by', 'deleted_with'],
  calendar_deletions: ['etag', 'base_ics', 'problem'],
  calendar_imports: ['content', 'finished_at'],
  calendars: ['account_id', 'color', 'remote_url', 'ctag', 'sync_token', 'synced_at'],
  call_seals: [],
  calls: ['key_id', 'error_code', 'result_count', 'idempotency_key', 'details_json', 'salt'],
  changes: ['key_id', 'project_id', 'for_person_id', 'images_json', 'run_id'],
  channel_members: [],
  channel_reads: [],
  channels: ['name', 'people_key', 'topic', 'purpose', 'project_id', 'archived_at', 'last_message_at', 'imported_ref'],
  chat_imports: ['key_id', 'finished_at'],
  companies: ['domain', 'industry', 'size', 'owner_id', 'note', 'last_contacted_at', 'deleted_at', 'deleted_by', 'deleted_with'],
  contact_emails: [],
  contact_feeds: [],
  contact_imports: ['content', 'finished_at'],
  contact_labels: [],
  contact_phones: [],
  contact_redirects: [],
  contact_tombstones: [],
  contacts: ['title', 'company_id', 'owner_id', 'note', 'last_contacted_at', 'deleted_at', 'deleted_by', 'deleted_with', 'trust'],
  custom_fields: [],
  deal_contacts: [],
  deal_moves: [],
  deals: ['company_id', 'lost_reason', 'amount', 'expected_close_on', 'note', 'closed_at', 'deleted_at', 'deleted_by', 'deleted_with', 'trust'],
  decisions: ['project_id', 'meeting_id', 'superseded_by_id'],
  digest_rounds: [],
  drives: ['account_id', 'remote_id', 'used_bytes', 'quota_bytes', 'sync_token', 'synced_at'],
  email_addresses: ['name'],
  email_attachments: ['content_id', 'file_id', 'text'],
  email_bodies: ['html', 'calendar_text'],
  email_draft_files: ['file_id', 'attachment_id'],
  email_drafts: ['thread_id', 'answers_id', 'answers_as', 'email_id', 'folder_id', 'uid', 'pushed_revision', 'deleted_at', 'deleted_by', 'deleted_with'],
  email_labels: [],
  email_outbox: ['draft_id', 'handing_at', 'handed_at', 'problem'],
  email_rule_queue: ['rule_id'],
  email_rules: ['account_id', 'last_hit_at', 'problem', 'sweep_at', 'sweep_id', 'deleted_at', 'deleted_by', 'deleted_with'],
  email_templates: ['deleted_at', 'deleted_by', 'deleted_with'],
  emails: ['folder_id', 'uid', 'in_reply_to', 'from_name', 'unsubscribe_json', 'authentication_json', 'delivery_problem', 'body_tried_at', 'server_message', 'server_thread', 'modseq'],
  entities: ['description', 'item_type', 'item_id', 'deleted_at', 'deleted_by', 'deleted_with', 'trust'],
  entity_feeds: [],
  entity_names: [],
  entity_redirects: [],
  escalation_targets: [],
  escalations: ['route_ids_json', 'next_at'],
  event_letters: ['account_id', 'problem', 'finished_at'],
  event_mails: [],
  event_occurrences: [],
  events: ['ends_by', 'location', 'video_url', 'description', 'organizer_json', 'rrule', 'my_response', 'remind_at', 'unreadable', 'remote_href', 'etag', 'synced_ics', 'synced_revision', 'push_problem', 'expanded_revision', 'expanded_from', 'expanded_until', 'deleted_at', 'deleted_by', 'deleted_with'],
  facts: ['value_entity_id', 'said_to', 'valid_to', 'superseded_by', 'superseded_at', 'reason', 'source_type', 'source_id'],
  file_labels: [],
  file_shares: ['person_id', 'note', 'token_hash', 'password_hash', 'expires_at'],
  file_stars: [],
  file_texts: ['problem'],
  file_versions: ['comment', 'remote_id'],
  files: ['drive_id', 'project_id', 'parent_id', 'description', 'remote_id', 'remote_json', 'synced_revision', 'deleted_at', 'deleted_by', 'deleted_with'],
  form_answers: ['text', 'number'],
  form_days: [],
  form_files: [],
  form_responses: ['respondent_id', 'respondent_email', 'score', 'seconds', 'ticket', 'destination_error', 'created_item_type', 'created_item_id'],
  form_versions: [],
  forms: ['closes_at', 'response_limit', 'thank_you', 'destination_json', 'slug', 'published_at', 'closed_why', 'closed_message', 'last_response_at', 'told_at', 'deleted_at', 'deleted_by', 'deleted_with', 'description_markdown'],
  goal_checkins: ['note_markdown'],
  goal_feeds: [],
  goal_projects: [],
  goals: ['team_id', 'parent_id', 'deleted_at', 'deleted_by', 'deleted_with', 'description_markdown'],
  inboxes: ['quiet_from', 'quiet_to', 'quiet_timezone', 'muted_json'],
  incident_channels: [],
  incident_numbers: [],
  incident_roles: [],
  incident_services: [],
  incidents: ['acknowledged_at', 'mitigated_at', 'resolved_at', 'closed_at', 'first_acknowledged_at', 'cause', 'customer_impact', 'resolution', 'deleted_at', 'deleted_by', 'deleted_with', 'trust', 'summary_markdown'],
  interaction_contacts: [],
  interactions: ['company_id', 'deal_id', 'next_step', 'next_step_due_on', 'deleted_at', 'deleted_by', 'deleted_with'],
  invitation_links: [],
  invitations: ['email', 'note', 'mailed_at', 'mail_problem', 'used_at', 'used_by', 'revoked_at', 'revoked_by'],
  item_links: ['note'],
  job_schedules: ['org_id', 'owner_id', 'next_at', 'last_at'],
  jobs: ['org_id', 'owner_id', 'key_id', 'lease', 'unique_key', 'progress_json', 'result_json', 'last_error', 'started_at', 'finished_at'],
  key_clients: [],
  key_results: ['unit', 'source_kind', 'source_params_json', 'source_measure', 'source_project_id', 'source_label_id', 'source_milestone_id', 'source_by', 'stale_since_at'],
  known_devices: [],
  labels: ['description', 'deleted_at', 'deleted_by', 'deleted_with'],
  mail_folders: ['role', 'role_source', 'uid_validity', 'uid_next', 'highest_modseq', 'highest_uid', 'lowest_uid', 'server_total', 'server_unread', 'checked_at', 'problem'],
  mail_pushes: ['email_id', 'draft_id', 'problem'],
  mail_thread_links: [],
  mail_threads: ['waiting_since', 'waiting_told_at', 'snoozed_until'],
  meeting_notes: ['at_second'],
  meeting_people: ['person_id', 'email', 'name'],
  meetings: ['event_id', 'pulse_id', 'project_id', 'starts_at', 'ends_at', 'ended_at', 'deleted_at', 'deleted_by', 'deleted_with', 'notes_markdown', 'event_uid', 'cancelled_at'],
  message_files: [],
  message_mentions: [],
  message_pins: [],
  message_reactions: [],
  messages: ['thread_root_id', 'imported_from', 'imported_author', 'edited_at', 'erased_at', 'trust'],
  milestones: ['description_markdown', 'due_on', 'first_due_on', 'reached_at', 'deleted_at', 'deleted_by', 'deleted_with'],
  notice_mails: ['digest_json', 'last_error', 'finished_at'],
  notifications: ['actor_id', 'read_at', 'mail', 'mail_at', 'mail_id'],
  oauth_assertions: [],
  oauth_callback_hosts: [],
  oauth_clients: ['uri', 'jwks_uri', 'jwks_json', 'secret_hash', 'fetched_at', 'fresh_until', 'problem', 'created_ip', 'used_at'],
  oauth_codes: ['used_at'],
  oauth_connections: [],
  oauth_requests: ['state', 'decided_at'],
  oauth_tokens: ['salt', 'replaced_at'],
  observations: ['source_type', 'source_id'],
  on_call_duties: [],
  on_call_overrides: ['reason'],
  on_call_schedules: ['team_id', 'deleted_at', 'deleted_by', 'deleted_with'],
  open_assignments: ['due_at', 'due_on'],
  open_counts: [],
  org_plans: [],
  orgs: [],
  page_comments: ['reply_to_id', 'quote', 'quote_before', 'quote_after', 'quote_start', 'resolved_by', 'resolved_at'],
  page_files: [],
  page_labels: [],
  page_links: [],
  page_publications: ['expires_at'],
  page_shares: ['note'],
  page_steps: ['edit', 'key_id'],
  page_version_authors: [],
  page_versions: ['key_id', 'page_revision', 'base_number', 'base_start', 'base_end'],
  pages: ['icon', 'parent_id', 'parent_owner_id', 'project_id', 'deleted_at', 'deleted_by', 'deleted_with', 'live_from', 'live_since', 'live_at'],
  passkey_challenges: [],
  passkeys: ['last_used_at'],
  password_resets: [],
  postmortems: ['due_on', 'published_at', 'note'],
  project_members: [],
  project_updates: [],
  projects: ['description_markdown', 'status_before_archive', 'health', 'team_id', 'starts_on', 'ends_on', 'deleted_at', 'deleted_by', 'deleted_with'],
  pulse_responses: [],
  pulse_rounds: ['closed_at', 'expected', 'missing_json', 'scores_json', 'meeting_id', 'problem', 'answers_json'],
  pulses: ['channel_id', 'next_at', 'next_on', 'look_at', 'deleted_at', 'deleted_by', 'deleted_with'],
  relations: ['valid_from', 'valid_to', 'source_type', 'source_id', 'note'],
  reminders: ['text', 'item_type', 'item_id', 'rrule', 'fired_at'],
  replays: [],
  response_projects: ['incident_id'],
  runbook_services: [],
  runbook_steps: [],
  runbooks: ['page_id', 'deleted_at', 'deleted_by', 'deleted_with'],
  saved_views: ['sort', 'group_by', 'project_id', 'deleted_at', 'deleted_by', 'deleted_with', 'layout', 'display_json'],
  scheduled_emails: ['problem', 'key_id'],
  scim_group_members: [],
  scim_groups: ['external_id'],
  scim_people: ['external_id', 'given_name', 'family_name', 'deactivated_at', 'deleted_at'],
  scim_tokens: ['created_by', 'expires_at', 'revoked_at', 'used_at'],
  search_docs: [],
  search_providers: ['problem', 'problem_at', 'retry_at', 'asked_at'],
  search_spaces: ['active_at'],
  search_todo: [],
  secrets: [],
  service_dependencies: [],
  service_intervals: ['ends_at'],
  services: ['description', 'team_id', 'schedule_id', 'deleted_at', 'deleted_by', 'deleted_with'],
  setup_links: ['used_at'],
  sign_in_failures: [],
  sprint_moves: ['points'],
  sprints: ['goal', 'started_at', 'completed_at', 'carried_to_id', 'report_json'],
  sso_emergency_accounts: [],
  sso_identities: ['email'],
  sso_only_orgs: [],
  sso_providers: ['groups_claim'],
  sso_requests: ['session_id'],
  status_update_services: ['since_at', 'released_at', 'released_by'],
  status_updates: ['thread_id', 'incident_id', 'starts_at', 'ends_at', 'phase'],
  statuses: ['wip_limit'],
  task_attachments: ['file_id', 'web_url'],
  task_comments: ['reply_to_id', 'edited_at'],
  task_counts: [],
  task_dependencies: [],
  task_due_notices: [],
  task_import_pieces: [],
  task_import_refs: [],
  task_imports: ['key_id', 'finished_at'],
  task_labels: [],
  task_people: [],
  task_templates: ['project_id', 'deleted_at', 'deleted_by', 'deleted_with'],
  tasks: ['due_at', 'due_on', 'start_at', 'start_on', 'completed_at', 'estimate_minutes', 'points', 'parent_id', 'sprint_id', 'milestone_id', 'recurrence_rrule', 'recurrence_timezone', 'recurrence_create_next', 'recurrence_ends_on', 'recurrence_start', 'recurrence_next_at', 'recurrence_create_at', 'recurrence_of_id', 'source_type', 'source_id', 'overdue_told_at', 'deleted_at', 'deleted_by', 'deleted_with', 'delegate_key_id', 'trust', 'description_markdown'],
  team_members: [],
  teams: ['description', 'deleted_at', 'deleted_by', 'deleted_with'],
  time_entries: ['task_id', 'project_id', 'note', 'running_since_at', 'started_at', 'stopped_at', 'long_told_at', 'deleted_at', 'deleted_by', 'deleted_with'],
  time_off: ['note', 'deleted_at', 'deleted_by', 'deleted_with'],
  timeline_entries: ['from_value', 'to_value', 'message_id'],
  transcript_lines: ['at_second'],
  transcript_speakers: ['person_id'],
  transcripts: [],
  undone_calls: [],
  upload_sessions: ['key_id', 'sha256', 'file_id', 'completed_at'],
  usage_days: [],
  users: ['title', 'manager_id', 'presence_text', 'presence_emoji', 'presence_until_at', 'avatar_file_id', 'password_hash', 'shortcuts_json'],
  web_sessions: ['client', 'provider_id', 'provider_subject', 'provider_sid'],
  webhook_deliveries: ['next_attempt_at', 'response_code', 'payload_json', 'finished_at'],
  webhook_feeds: [],
  webhooks: ['filter_json', 'pause', 'failing_since_at', 'last_delivery_at', 'rotated_at', 'deleted_at', 'deleted_by', 'deleted_with'],
}

/** All columns. */
export const columns: { [T in keyof Tables]: readonly string[] } = {
  abuse_findings: ['id', 'org_id', 'rule', 'key_id', 'owner_id', 'subject', 'detail_json', 'occurrences', 'first_at', 'last_at', 'hold', 'until_at', 'released_at', 'released_by'],
  accounts: ['id', 'org_id', 'owner_id', 'provider', 'address', 'display_name', 'login', 'has_mail', 'has_calendar', 'has_drive', 'status', 'problem', 'problem_since', 'services_json', 'last_sync_at', 'synced_back_to', 'servers_json', 'scopes_json', 'signed_in_at', 'signature_markdown', 'is_default', 'removed_at', 'revision', 'created_at', 'updated_at', 'created_by', 'created_via'],
  action_items: ['id', 'org_id', 'meeting_id', 'owner_id', 'owner_email', 'owner_name', 'due_on', 'at_second', 'text', 'quote', 'revision', 'created_at', 'updated_at', 'created_by', 'created_via'],
  api_keys: ['id', 'org_id', 'owner_id', 'name', 'lookup', 'secret_hash', 'read_only', 'admin_grant', 'toolsets_json', 'created_at', 'created_via', 'expires_at', 'revoked_at', 'revoked_by', 'suspended_at', 'hold_outbound', 'last_used_at', 'last_ip', 'last_client', 'suspended_by', 'kind'],
  approvals: ['id', 'org_id', 'key_id', 'owner_id', 'tool', 'arguments_json', 'arguments_hash', 'idempotency_key', 'asked_via', 'request_id', 'ip', 'state', 'created_at', 'expires_at', 'decided_at', 'decided_by', 'call_id', 'result_json', 'reason', 'items_json'],
  automation_feeds: ['org_id', 'seq'],
  automation_runs: ['id', 'org_id', 'automation_id', 'automation_name', 'owner_id', 'key_id', 'plan_id', 'trigger_type', 'source', 'event', 'change_seq', 'item_type', 'item_id', 'payload_json', 'root_id', 'cause_run_id', 'depth', 'held', 'status', 'reason', 'conditions_json', 'resume_at', 'created_at', 'updated_at', 'started_at', 'ended_at'],
  automation_steps: ['run_id', 'path', 'org_id', 'automation_id', 'position', 'action', 'status', 'attempts', 'params_json', 'value_json', 'input_json', 'output_json', 'items_json', 'error_json', 'approval_id', 'acted_at', 'added_at', 'ended_at'],
  automations: ['id', 'org_id', 'owner_id', 'project_id', 'name', 'trigger_type', 'trigger_json', 'conditions_json', 'actions_json', 'plan_id', 'hook_hash', 'outbound', 'shared', 'status', 'reason', 'key_id', 'since_seq', 'failures', 'runs_succeeded', 'runs_failed', 'runs_skipped', 'last_run_id', 'revision', 'created_at', 'updated_at', 'created_by', 'created_via', 'deleted_at', 'deleted_by', 'deleted_with'],
  calendar_deletions: ['calendar_id', 'href', 'org_id', 'owner_id', 'uid', 'etag', 'base_ics', 'problem', 'added_at'],
  calendar_imports: ['id', 'org_id', 'owner_id', 'calendar_id', 'content', 'done', 'result_json', 'created_at', 'finished_at'],
  calendars: ['id', 'org_id', 'owner_id', 'account_id', 'name', 'timezone', 'access', 'is_primary', 'color', 'remote_url', 'ctag', 'sync_token', 'synced_at', 'revision', 'created_at', 'updated_at', 'created_by', 'created_via'],
  call_seals: ['org_id', 'through_seq', 'last_hash', 'last_at', 'entries', 'sealed_at'],
  calls: ['id', 'org_id', 'seq', 'at', 'request_id', 'actor_id', 'key_id', 'transport', 'tool', 'kind', 'status', 'error_code', 'result_count', 'changed', 'duration_us', 'idempotency_key', 'items_json', 'details_json', 'salt', 'details_hash', 'prev_hash', 'hash'],
  changes: ['seq', 'org_id', 'call_id', 'at', 'actor_id', 'key_id', 'via', 'op', 'events_json', 'item_type', 'item_id', 'project_id', 'for_person_id', 'fields_json', 'images_json', 'run_id'],
  channel_members: ['channel_id', 'person_id', 'org_id', 'added_at'],
  channel_reads: ['channel_id', 'person_id', 'org_id', 'last_read_seq', 'added_at'],
  channels: ['id', 'org_id', 'kind', 'name', 'people_key', 'topic', 'purpose', 'project_id', 'archived_at', 'last_seq', 'last_message_at', 'imported_ref', 'revision', 'created_at', 'updated_at', 'created_by', 'created_via'],
  chat_imports: ['id', 'org_id', 'owner_id', 'key_id', 'file_id', 'options_json', 'state_json', 'result_json', 'created_at', 'finished_at'],
  companies: ['id', 'org_id', 'name', 'name_key', 'domain', 'industry', 'size', 'owner_id', 'note', 'custom_fields_json', 'last_contacted_at', 'revision', 'created_at', 'updated_at', 'created_by', 'created_via', 'deleted_at', 'deleted_by', 'deleted_with'],
  contact_emails: ['org_id', 'email', 'contact_id'],
  contact_feeds: ['org_id', 'seq'],
  contact_imports: ['id', 'org_id', 'owner_id', 'format', 'mapping_json', 'on_match', 'content', 'done', 'result_json', 'created_at', 'finished_at'],
  contact_labels: ['contact_id', 'label_id', 'org_id', 'added_at'],
  contact_phones: ['org_id', 'phone', 'contact_id'],
  contact_redirects: ['old_id', 'org_id', 'contact_id', 'added_at'],
  contact_tombstones: ['id', 'org_id', 'erased_at'],
  contacts: ['id', 'org_id', 'name', 'name_key', 'emails_json', 'phones_json', 'title', 'company_id', 'owner_id', 'note', 'custom_fields_json', 'last_contacted_at', 'revision', 'created_at', 'updated_at', 'created_by', 'created_via', 'deleted_at', 'deleted_by', 'deleted_with', 'trust'],
  custom_fields: ['id', 'org_id', 'project_id', 'name', 'type', 'options_json', 'required', 'retired', 'revision', 'created_at', 'updated_at', 'created_by', 'created_via'],
  deal_contacts: ['deal_id', 'contact_id', 'org_id', 'added_at'],
  deal_moves: ['deal_id', 'position', 'org_id', 'stage', 'status', 'at', 'added_at'],
  deals: ['id', 'org_id', 'name', 'company_id', 'stage', 'status', 'lost_reason', 'amount', 'currency', 'expected_close_on', 'owner_id', 'note', 'stage_since_at', 'closed_at', 'revision', 'created_at', 'updated_at', 'created_by', 'created_via', 'deleted_at', 'deleted_by', 'deleted_with', 'trust'],
  decisions: ['id', 'org_id', 'scope', 'project_id', 'meeting_id', 'superseded_by_id', 'decided_at', 'title', 'decided_by_json', 'revision', 'created_at', 'updated_at', 'created_by', 'created_via', 'alternatives_json', 'decision_markdown'],
  digest_rounds: ['person_id', 'org_id', 'digest', 'since_at', 'due_at'],
  drives: ['id', 'org_id', 'owner_id', 'kind', 'name', 'account_id', 'remote_id', 'root_folder_id', 'used_bytes', 'quota_bytes', 'sync_token', 'synced_at', 'created_at', 'updated_at', 'revision', 'created_by', 'created_via'],
  email_addresses: ['email_id', 'field', 'address', 'org_id', 'owner_id', 'name', 'received_at'],
  email_attachments: ['id', 'org_id', 'email_id', 'part', 'position', 'name', 'mime_type', 'size_bytes', 'content_id', 'is_inline', 'file_id', 'text_state', 'text', 'revision', 'created_at', 'updated_at', 'created_by', 'created_via', 'text_cut'],
  email_bodies: ['email_id', 'org_id', 'own_markdown', 'quoted_markdown', 'signature', 'html', 'headers_json', 'calendar_text', 'warnings_json'],
  email_draft_files: ['draft_id', 'source_id', 'org_id', 'position', 'file_id', 'attachment_id', 'added_at'],
  email_drafts: ['id', 'org_id', 'owner_id', 'account_id', 'thread_id', 'answers_id', 'answers_as', 'quote', 'to_json', 'cc_json', 'bcc_json', 'subject', 'body_markdown', 'unfilled_json', 'message_id', 'state', 'email_id', 'folder_id', 'uid', 'pushed_revision', 'revision', 'created_at', 'updated_at', 'created_by', 'created_via', 'deleted_at', 'deleted_by', 'deleted_with'],
  email_labels: ['email_id', 'name', 'org_id', 'account_id', 'added_at'],
  email_outbox: ['email_id', 'org_id', 'account_id', 'draft_id', 'state', 'letter_json', 'attempts', 'not_before', 'handing_at', 'handed_at', 'problem'],
  email_rule_queue: ['email_id', 'org_id', 'owner_id', 'rule_id', 'added_at'],
  email_rules: ['id', 'org_id', 'owner_id', 'account_id', 'name', 'position', 'enabled', 'conditions_json', 'actions_json', 'hits', 'last_hit_at', 'problem', 'sweep_at', 'sweep_id', 'revision', 'created_at', 'updated_at', 'created_by', 'created_via', 'deleted_at', 'deleted_by', 'deleted_with'],
  email_templates: ['id', 'org_id', 'owner_id', 'name', 'subject', 'body_markdown', 'shared', 'retired', 'revision', 'created_at', 'updated_at', 'created_by', 'created_via', 'deleted_at', 'deleted_by', 'deleted_with'],
  emails: ['id', 'org_id', 'owner_id', 'account_id', 'thread_id', 'folder_id', 'uid', 'place', 'message_id', 'in_reply_to', 'references_json', 'from_name', 'from_email', 'addresses_json', 'is_own', 'is_bulk', 'subject', 'snippet', 'sent_at', 'received_at', 'size_bytes', 'unread', 'starred', 'answered', 'has_attachment', 'unsubscribe_json', 'authentication_json', 'delivery', 'delivery_problem', 'body_state', 'body_tried_at', 'server_message', 'server_thread', 'modseq', 'revision', 'created_at', 'updated_at', 'created_by', 'created_via'],
  entities: ['id', 'org_id', 'name', 'name_key', 'type', 'description', 'item_type', 'item_id', 'follows_item', 'revision', 'created_at', 'updated_at', 'created_by', 'created_via', 'deleted_at', 'deleted_by', 'deleted_with', 'trust'],
  entity_feeds: ['item_type', 'after_id', 'seq'],
  entity_names: ['entity_id', 'name_key', 'org_id', 'name', 'added_at'],
  entity_redirects: ['old_id', 'org_id', 'entity_id', 'added_at'],
  escalation_targets: ['escalation_id', 'person_id', 'org_id', 'paged_at'],
  escalations: ['id', 'org_id', 'incident_id', 'round', 'level', 'route', 'route_ids_json', 'status', 'wait_minutes', 'next_at', 'channels_json', 'reason', 'revision', 'created_at', 'updated_at', 'created_by', 'created_via'],
  event_letters: ['id', 'org_id', 'owner_id', 'event_id', 'account_id', 'recipient', 'method', 'letter_json', 'state', 'attempts', 'problem', 'created_at', 'finished_at'],
  event_mails: ['email_id', 'org_id', 'outcome', 'read_at'],
  event_occurrences: ['event_id', 'place', 'org_id', 'owner_id', 'calendar_id', 'starts_at', 'ends_at', 'busy', 'is_exception'],
  events: ['id', 'org_id', 'owner_id', 'calendar_id', 'uid', 'title', 'starts_at', 'ends_at', 'ends_by', 'timezone', 'all_day', 'location', 'video_url', 'description', 'trust', 'organizer_json', 'attendees_json', 'rrule', 'is_series', 'kind', 'status', 'busy', 'my_response', 'invites_pending', 'reminders_json', 'remind_at', 'sequence', 'raw_ics', 'unreadable', 'remote_href', 'etag', 'synced_ics', 'synced_revision', 'push_problem', 'expanded_revision', 'expanded_from', 'expanded_until', 'revision', 'created_at', 'updated_at', 'created_by', 'created_via', 'deleted_at', 'deleted_by', 'deleted_with'],
  facts: ['id', 'org_id', 'entity_id', 'predicate', 'value', 'value_key', 'value_entity_id', 'valid_from', 'said_to', 'valid_to', 'status', 'superseded_by', 'superseded_at', 'reason', 'confidence', 'source_type', 'source_id', 'revision', 'created_at', 'updated_at', 'created_by', 'created_via'],
  file_labels: ['file_id', 'label_id', 'org_id', 'added_at'],
  file_shares: ['id', 'org_id', 'file_id', 'kind', 'person_id', 'role', 'note', 'token_hash', 'password_hash', 'expires_at', 'revision', 'created_at', 'updated_at', 'created_by', 'created_via'],
  file_stars: ['file_id', 'person_id', 'org_id', 'added_at'],
  file_texts: ['file_id', 'org_id', 'version', 'format', 'body', 'problem'],
  file_versions: ['id', 'org_id', 'file_id', 'number', 'mime_type', 'size_bytes', 'sha256', 'trust', 'comment', 'remote_id', 'created_at', 'created_by', 'created_via'],
  files: ['id', 'org_id', 'place', 'drive_id', 'project_id', 'owner_id', 'parent_id', 'is_root', 'type', 'name', 'name_folded', 'description', 'mime_type', 'size_bytes', 'sha256', 'content_base64', 'version', 'modified_at', 'modified_by', 'trust', 'text_status', 'remote_id', 'remote_json', 'synced_revision', 'revision', 'created_at', 'updated_at', 'created_by', 'created_via', 'deleted_at', 'deleted_by', 'deleted_with'],
  form_answers: ['response_id', 'field_id', 'n', 'org_id', 'form_id', 'text', 'number'],
  form_days: ['form_id', 'day_on', 'org_id', 'views', 'started'],
  form_files: ['response_id', 'file_id', 'org_id', 'own'],
  form_responses: ['id', 'org_id', 'form_id', 'answers_json', 'trust', 'respondent_id', 'respondent_email', 'score', 'submitted_on', 'seconds', 'ticket', 'destination_state', 'destination_error', 'created_item_type', 'created_item_id', 'revision', 'created_at', 'updated_at', 'form_version'],
  form_versions: ['form_id', 'version', 'org_id', 'fields_json'],
  forms: ['id', 'org_id', 'title', 'status', 'fields_json', 'retired_json', 'audience', 'closes_at', 'response_limit', 'responses_visible_to', 'captcha', 'thank_you', 'destination_json', 'slug', 'published_at', 'closed_why', 'closed_message', 'last_response_at', 'told_at', 'revision', 'created_at', 'updated_at', 'created_by', 'created_via', 'deleted_at', 'deleted_by', 'deleted_with', 'description_markdown'],
  goal_checkins: ['id', 'org_id', 'goal_id', 'values_json', 'confidence', 'note_markdown', 'revision', 'created_at', 'updated_at', 'created_by', 'created_via'],
  goal_feeds: ['org_id', 'seq'],
  goal_projects: ['goal_id', 'project_id', 'org_id', 'added_at'],
  goals: ['id', 'org_id', 'title', 'period', 'level', 'owner_id', 'team_id', 'parent_id', 'status', 'risk_told', 'risk_check_at', 'revision', 'created_at', 'updated_at', 'created_by', 'created_via', 'deleted_at', 'deleted_by', 'deleted_with', 'description_markdown'],
  inboxes: ['id', 'org_id', 'person_id', 'events_json', 'quiet_from', 'quiet_to', 'quiet_timezone', 'quiet_except_incidents', 'digest', 'read_before', 'revision', 'created_at', 'updated_at', 'muted_json'],
  incident_channels: ['incident_id', 'channel_id', 'org_id', 'added_at'],
  incident_numbers: ['org_id', 'last_number'],
  incident_roles: ['incident_id', 'role', 'person_id', 'org_id', 'added_at'],
  incident_services: ['incident_id', 'service_id', 'org_id', 'added_at'],
  incidents: ['id', 'org_id', 'key', 'title', 'severity', 'status', 'restricted', 'detected_at', 'opened_at', 'acknowledged_at', 'mitigated_at', 'resolved_at', 'closed_at', 'first_acknowledged_at', 'cause', 'customer_impact', 'resolution', 'revision', 'created_at', 'updated_at', 'created_by', 'created_via', 'deleted_at', 'deleted_by', 'deleted_with', 'trust', 'summary_markdown'],
  interaction_contacts: ['interaction_id', 'contact_id', 'org_id', 'occurred_at', 'added_at'],
  interactions: ['id', 'org_id', 'kind', 'occurred_at', 'summary_markdown', 'company_id', 'deal_id', 'next_step', 'next_step_due_on', 'revision', 'created_at', 'updated_at', 'created_by', 'created_via', 'deleted_at', 'deleted_by', 'deleted_with'],
  invitation_links: ['token_hash', 'org_id', 'invitation_id', 'created_at'],
  invitations: ['id', 'org_id', 'email', 'role', 'note', 'mail', 'mails', 'mailed_at', 'mail_problem', 'created_at', 'created_by', 'expires_at', 'used_at', 'used_by', 'revoked_at', 'revoked_by'],
  item_links: ['id', 'org_id', 'from_type', 'from_id', 'to_type', 'to_id', 'kind', 'note', 'revision', 'created_at', 'updated_at', 'created_by', 'created_via'],
  job_schedules: ['id', 'org_id', 'owner_id', 'name', 'defined', 'kind', 'arguments_json', 'cron', 'timezone', 'next_at', 'last_at', 'created_at'],
  jobs: ['id', 'org_id', 'owner_id', 'key_id', 'kind', 'arguments_json', 'state', 'priority', 'run_at', 'queued_at', 'attempts', 'most_attempts', 'lease', 'beats', 'cancel_asked', 'asked_again', 'unique_key', 'progress_json', 'result_json', 'last_error', 'created_at', 'started_at', 'finished_at'],
  key_clients: ['key_id', 'client', 'org_id', 'first_at'],
  key_results: ['id', 'org_id', 'goal_id', 'title', 'metric', 'start_value', 'current_value', 'target_value', 'unit', 'owner_id', 'retired', 'source_kind', 'source_params_json', 'source_measure', 'source_project_id', 'source_label_id', 'source_milestone_id', 'source_by', 'stale_since_at', 'revision', 'created_at', 'updated_at', 'created_by', 'created_via'],
  known_devices: ['token_hash', 'person_id', 'org_id', 'created_at', 'last_used_at'],
  labels: ['id', 'org_id', 'name', 'color', 'description', 'revision', 'created_at', 'updated_at', 'created_by', 'created_via', 'deleted_at', 'deleted_by', 'deleted_with'],
  mail_folders: ['id', 'org_id', 'account_id', 'path', 'name', 'kind', 'role', 'role_source', 'is_selectable', 'is_synced', 'uid_validity', 'uid_next', 'highest_modseq', 'highest_uid', 'lowest_uid', 'is_complete', 'server_total', 'server_unread', 'checked_at', 'problem'],
  mail_pushes: ['id', 'org_id', 'account_id', 'email_id', 'draft_id', 'kind', 'wanted_json', 'version', 'attempts', 'not_before', 'problem', 'created_at', 'updated_at'],
  mail_thread_links: ['account_id', 'message_id', 'org_id', 'thread_id'],
  mail_threads: ['id', 'org_id', 'owner_id', 'account_id', 'subject', 'subject_key', 'participants_json', 'message_count', 'unread_count', 'first_message_at', 'last_message_at', 'in_inbox', 'awaiting', 'waiting_since', 'waiting_told_at', 'snoozed_until', 'snoozed_until_reply', 'revision', 'created_at', 'updated_at', 'created_by', 'created_via'],
  meeting_notes: ['id', 'org_id', 'meeting_id', 'body_markdown', 'at_second', 'revision', 'created_at', 'updated_at', 'created_by', 'created_via'],
  meeting_people: ['meeting_id', 'address', 'org_id', 'position', 'person_id', 'email', 'name', 'added_at'],
  meetings: ['id', 'org_id', 'title', 'kind', 'status', 'event_id', 'pulse_id', 'project_id', 'organizer_id', 'visibility', 'starts_at', 'ends_at', 'takes_place_at', 'ended_at', 'revision', 'created_at', 'updated_at', 'created_by', 'created_via', 'deleted_at', 'deleted_by', 'deleted_with', 'agenda_json', 'notes_markdown', 'event_uid', 'cancelled_at'],
  message_files: ['message_id', 'file_id', 'org_id', 'position', 'added_at'],
  message_mentions: ['message_id', 'person_id', 'org_id', 'channel_id', 'seq', 'added_at'],
  message_pins: ['message_id', 'org_id', 'channel_id', 'person_id', 'added_at'],
  message_reactions: ['message_id', 'person_id', 'emoji', 'org_id', 'added_at'],
  messages: ['id', 'org_id', 'channel_id', 'seq', 'body_markdown', 'thread_root_id', 'in_channel', 'mentions_channel', 'via_assistant', 'sent_at', 'imported_from', 'imported_author', 'edited_at', 'erased_at', 'revision', 'created_at', 'updated_at', 'created_by', 'created_via', 'trust'],
  milestones: ['id', 'org_id', 'project_id', 'name', 'description_markdown', 'due_on', 'first_due_on', 'status', 'reached_at', 'revision', 'created_at', 'updated_at', 'created_by', 'created_via', 'deleted_at', 'deleted_by', 'deleted_with'],
  notice_mails: ['id', 'org_id', 'person_id', 'form', 'state', 'digest_json', 'send_at', 'attempts', 'last_error', 'created_at', 'finished_at'],
  notifications: ['id', 'org_id', 'person_id', 'inbox_id', 'kind', 'item_type', 'item_id', 'actor_id', 'text', 'shown_at', 'read_at', 'in_app', 'mail', 'mail_at', 'mail_id', 'revision', 'created_at', 'updated_at'],
  oauth_assertions: ['jti_hash', 'expires_at'],
  oauth_callback_hosts: ['host', 'policy', 'created_at'],
  oauth_clients: ['client_id', 'source', 'name', 'uri', 'redirects_json', 'methods_json', 'jwks_uri', 'jwks_json', 'secret_hash', 'fetched_at', 'fresh_until', 'problem', 'policy', 'created_at', 'created_ip', 'used_at'],
  oauth_codes: ['code_hash', 'key_id', 'challenge', 'expires_at', 'used_at'],
  oauth_connections: ['key_id', 'org_id', 'client_id', 'redirect_uri', 'issuer', 'resource', 'asked', 'scope', 'generation', 'refreshed_at'],
  oauth_requests: ['token_hash', 'client_id', 'redirect_uri', 'state', 'challenge', 'resource', 'scope', 'issuer', 'ip', 'created_at', 'expires_at', 'decided_at'],
  oauth_tokens: ['token_hash', 'key_id', 'kind', 'generation', 'salt', 'created_at', 'expires_at', 'replaced_at'],
  observations: ['id', 'org_id', 'entity_id', 'body', 'observed_at', 'source_type', 'source_id', 'revision', 'created_at', 'updated_at', 'created_by', 'created_via'],
  on_call_duties: ['schedule_id', 'org_id', 'on_duty_json', 'seen_revision', 'looked_at', 'look_at'],
  on_call_overrides: ['id', 'org_id', 'schedule_id', 'level', 'person_id', 'starts_at', 'ends_at', 'reason', 'revision', 'created_at', 'updated_at', 'created_by', 'created_via'],
  on_call_schedules: ['id', 'org_id', 'name', 'timezone', 'team_id', 'layers_json', 'escalation_minutes', 'revision', 'created_at', 'updated_at', 'created_by', 'created_via', 'deleted_at', 'deleted_by', 'deleted_with'],
  open_assignments: ['task_id', 'person_id', 'org_id', 'project_id', 'due_at', 'due_on'],
  open_counts: ['project_id', 'person_id', 'org_id', 'tasks'],
  org_plans: ['org_id', 'plan', 'set_at'],
  orgs: ['id', 'name', 'default_timezone', 'work_week_json', 'holidays_json', 'severity_scale_json', 'deal_stages_json', 'trash_days', 'revision', 'created_at', 'updated_at'],
  page_comments: ['id', 'org_id', 'page_id', 'body_markdown', 'reply_to_id', 'quote', 'quote_before', 'quote_after', 'quote_start', 'mentions_json', 'resolved', 'resolved_by', 'resolved_at', 'revision', 'created_at', 'updated_at', 'created_by', 'created_via'],
  page_files: ['page_id', 'file_id', 'org_id', 'added_at'],
  page_labels: ['page_id', 'label_id', 'org_id', 'added_at'],
  page_links: ['page_id', 'org_id', 'kind', 'target_id', 'title_folded', 'added_at'],
  page_publications: ['id', 'org_id', 'page_id', 'slug', 'include_children', 'expires_at', 'revision', 'created_at', 'updated_at', 'created_by', 'created_via'],
  page_shares: ['id', 'org_id', 'page_id', 'person_id', 'role', 'note', 'revision', 'created_at', 'updated_at', 'created_by', 'created_via'],
  page_steps: ['page_id', 'org_id', 'revision', 'edit', 'key_id', 'created_at', 'created_by', 'encoding', 'content'],
  page_version_authors: ['version_id', 'org_id', 'person_id', 'chars'],
  page_versions: ['id', 'org_id', 'page_id', 'number', 'title', 'chars', 'chars_changed', 'key_id', 'page_revision', 'base_number', 'base_start', 'base_end', 'depth', 'encoding', 'created_at', 'created_by', 'created_via', 'content'],
  pages: ['id', 'org_id', 'title', 'title_folded', 'icon', 'kind', 'parent_id', 'parent_owner_id', 'position', 'visibility', 'project_id', 'owner_id', 'version', 'revision', 'created_at', 'updated_at', 'created_by', 'created_via', 'deleted_at', 'deleted_by', 'deleted_with', 'live_from', 'live_since', 'live_at'],
  passkey_challenges: ['challenge_hash', 'purpose', 'holder_hash', 'expires_at'],
  passkeys: ['id', 'org_id', 'person_id', 'name', 'credential_id', 'public_key', 'sign_count', 'transports_json', 'device_type', 'backed_up', 'created_at', 'last_used_at'],
  password_resets: ['token_hash', 'org_id', 'person_id', 'created_at', 'created_by', 'expires_at'],
  postmortems: ['id', 'org_id', 'incident_id', 'page_id', 'author_id', 'due_on', 'published_at', 'note', 'revision', 'created_at', 'updated_at', 'created_by', 'created_via'],
  project_members: ['project_id', 'person_id', 'org_id', 'role', 'added_at'],
  project_updates: ['id', 'org_id', 'project_id', 'health', 'body_markdown', 'revision', 'created_at', 'updated_at', 'created_by', 'created_via'],
  projects: ['id', 'org_id', 'key', 'name', 'description_markdown', 'status', 'status_before_archive', 'health', 'team_id', 'starts_on', 'ends_on', 'next_task_number', 'revision', 'created_at', 'updated_at', 'created_by', 'created_via', 'deleted_at', 'deleted_by', 'deleted_with'],
  pulse_responses: ['id', 'org_id', 'pulse_id', 'occurrence_on', 'revision', 'created_at', 'updated_at', 'created_by', 'created_via', 'answers_json'],
  pulse_rounds: ['pulse_id', 'occurrence_on', 'org_id', 'opened_at', 'closed_at', 'answered', 'expected', 'missing_json', 'scores_json', 'meeting_id', 'problem', 'answers_json'],
  pulses: ['id', 'org_id', 'team_id', 'channel_id', 'mode', 'anonymous', 'active', 'next_at', 'next_on', 'look_at', 'revision', 'created_at', 'updated_at', 'created_by', 'created_via', 'deleted_at', 'deleted_by', 'deleted_with', 'name', 'rrule', 'timezone', 'rule_start', 'questions_json'],
  relations: ['id', 'org_id', 'from_id', 'type', 'to_id', 'valid_from', 'valid_to', 'is_wrong', 'confidence', 'source_type', 'source_id', 'note', 'revision', 'created_at', 'updated_at', 'created_by', 'created_via'],
  reminders: ['id', 'org_id', 'text', 'item_type', 'item_id', 'remind_at', 'rrule', 'timezone', 'starts', 'status', 'fired_at', 'revision', 'created_at', 'updated_at', 'created_by', 'created_via'],
  replays: ['actor_id', 'key_id', 'tool', 'idempotency_key', 'arguments_hash', 'answer_json', 'call_id', 'created_at'],
  response_projects: ['project_id', 'incident_id', 'org_id', 'added_at'],
  runbook_services: ['runbook_id', 'service_id', 'org_id', 'added_at'],
  runbook_steps: ['incident_id', 'runbook_id', 'step', 'task_id', 'org_id', 'added_at'],
  runbooks: ['id', 'org_id', 'name', 'page_id', 'severities_json', 'revision', 'created_at', 'updated_at', 'created_by', 'created_via', 'deleted_at', 'deleted_by', 'deleted_with', 'steps_json'],
  saved_views: ['id', 'org_id', 'owner_id', 'name', 'item_type', 'filter_json', 'sort', 'group_by', 'columns_json', 'project_id', 'shared', 'revision', 'created_at', 'updated_at', 'created_by', 'created_via', 'deleted_at', 'deleted_by', 'deleted_with', 'layout', 'display_json'],
  scheduled_emails: ['id', 'org_id', 'owner_id', 'account_id', 'draft_id', 'send_at', 'cancel_if_replied', 'status', 'problem', 'key_id', 'revision', 'created_at', 'updated_at', 'created_by', 'created_via'],
  scim_group_members: ['group_id', 'person_id'],
  scim_groups: ['id', 'org_id', 'provider_id', 'display_name', 'external_id', 'created_at', 'updated_at'],
  scim_people: ['person_id', 'org_id', 'provider_id', 'user_name', 'external_id', 'given_name', 'family_name', 'is_created', 'created_at', 'updated_at', 'deactivated_at', 'deleted_at'],
  scim_tokens: ['id', 'org_id', 'provider_id', 'name', 'token_hash', 'hint', 'created_at', 'created_by', 'expires_at', 'revoked_at', 'used_at'],
  search_docs: ['rowid_', 'ref', 'item_type', 'item_id', 'part', 'org_id', 'container', 'title', 'body', 'at'],
  search_providers: ['provider', 'model', 'problem', 'problem_at', 'retry_at', 'asked_at'],
  search_spaces: ['id', 'provider', 'model', 'dimensions', 'fingerprint', 'passages', 'state', 'made_at', 'active_at'],
  search_todo: ['doc', 'provider', 'version'],
  secrets: ['org_id', 'table_name', 'row_id', 'column_name', 'kid', 'value_sealed', 'sealed_at'],
  service_dependencies: ['service_id', 'depends_on_id', 'org_id', 'added_at'],
  service_intervals: ['service_id', 'starts_at', 'org_id', 'added_at', 'state', 'ends_at'],
  services: ['id', 'org_id', 'name', 'description', 'team_id', 'schedule_id', 'is_public', 'revision', 'created_at', 'updated_at', 'created_by', 'created_via', 'deleted_at', 'deleted_by', 'deleted_with'],
  setup_links: ['token_hash', 'created_at', 'expires_at', 'used_at'],
  sign_in_failures: ['subject', 'failures', 'last_at', 'next_at'],
  sprint_moves: ['id', 'org_id', 'sprint_id', 'task_id', 'op', 'points', 'at'],
  sprints: ['id', 'org_id', 'project_id', 'name', 'goal', 'starts_on', 'ends_on', 'status', 'started_at', 'completed_at', 'carried_to_id', 'report_json', 'revision', 'created_at', 'updated_at', 'created_by', 'created_via'],
  sso_emergency_accounts: ['org_id', 'person_id', 'created_at'],
  sso_identities: ['provider_id', 'subject', 'org_id', 'person_id', 'email', 'created_at', 'used_at'],
  sso_only_orgs: ['org_id', 'created_at'],
  sso_providers: ['id', 'org_id', 'name', 'issuer', 'client_id', 'scopes', 'groups_claim', 'rules_json', 'domains_json', 'accounts', 'linking', 'client_auth', 'created_at', 'updated_at'],
  sso_requests: ['state_hash', 'org_id', 'provider_id', 'purpose', 'holder_hash', 'session_id', 'return_to', 'created_at', 'expires_at'],
  status_update_services: ['update_id', 'service_id', 'org_id', 'added_at', 'state', 'since_at', 'released_at', 'released_by'],
  status_updates: ['id', 'org_id', 'title', 'thread_id', 'latest', 'state', 'incident_id', 'starts_at', 'ends_at', 'phase', 'published_at', 'revision', 'created_at', 'updated_at', 'created_by', 'created_via', 'body_markdown'],
  statuses: ['id', 'org_id', 'project_id', 'name', 'category', 'color', 'position', 'wip_limit'],
  task_attachments: ['id', 'org_id', 'task_id', 'name', 'kind', 'file_id', 'web_url', 'revision', 'created_at', 'updated_at', 'created_by', 'created_via'],
  task_comments: ['id', 'org_id', 'task_id', 'body_markdown', 'reply_to_id', 'mentions_json', 'edited_at', 'revision', 'created_at', 'updated_at', 'created_by', 'created_via'],
  task_counts: ['project_id', 'status_category', 'org_id', 'tasks'],
  task_dependencies: ['task_id', 'other_id', 'type', 'org_id', 'added_at'],
  task_due_notices: ['task_id', 'org_id', 'due_at'],
  task_import_pieces: ['import_id', 'n', 'org_id', 'records_json'],
  task_import_refs: ['project_id', 'format', 'ref', 'org_id', 'task_id'],
  task_imports: ['id', 'org_id', 'owner_id', 'key_id', 'project_id', 'options_json', 'records', 'done', 'result_json', 'created_at', 'finished_at'],
  task_labels: ['task_id', 'label_id', 'org_id', 'added_at'],
  task_people: ['task_id', 'person_id', 'role', 'org_id', 'added_at'],
  task_templates: ['id', 'org_id', 'project_id', 'name', 'outline_json', 'variables_json', 'use_count', 'revision', 'created_at', 'updated_at', 'created_by', 'created_via', 'deleted_at', 'deleted_by', 'deleted_with'],
  tasks: ['id', 'org_id', 'project_id', 'key', 'title', 'status_id', 'status_category', 'priority', 'priority_rank', 'due_at', 'due_on', 'start_at', 'start_on', 'completed_at', 'estimate_minutes', 'points', 'parent_id', 'sprint_id', 'milestone_id', 'custom_fields_json', 'position', 'recurrence_rrule', 'recurrence_timezone', 'recurrence_create_next', 'recurrence_ends_on', 'recurrence_start', 'recurrence_next_at', 'recurrence_create_at', 'recurrence_of_id', 'source_type', 'source_id', 'overdue_told_at', 'revision', 'created_at', 'updated_at', 'created_by', 'created_via', 'deleted_at', 'deleted_by', 'deleted_with', 'delegate_key_id', 'trust', 'description_markdown'],
  team_members: ['team_id', 'person_id', 'org_id', 'role', 'added_at'],
  teams: ['id', 'org_id', 'name', 'description', 'revision', 'created_at', 'updated_at', 'created_by', 'created_via', 'deleted_at', 'deleted_by', 'deleted_with'],
  time_entries: ['id', 'org_id', 'person_id', 'task_id', 'project_id', 'spent_on', 'duration_minutes', 'note', 'billable', 'running_since_at', 'started_at', 'stopped_at', 'long_told_at', 'revision', 'created_at', 'updated_at', 'created_by', 'created_via', 'deleted_at', 'deleted_by', 'deleted_with'],
  time_off: ['id', 'org_id', 'person_id', 'starts_on', 'ends_on', 'kind', 'note', 'revision', 'created_at', 'updated_at', 'created_by', 'created_via', 'deleted_at', 'deleted_by', 'deleted_with'],
  timeline_entries: ['id', 'org_id', 'incident_id', 'kind', 'occurred_at', 'from_value', 'to_value', 'message_id', 'revision', 'created_at', 'updated_at', 'created_by', 'created_via', 'body_markdown'],
  transcript_lines: ['transcript_id', 'n', 'org_id', 'at_second', 'speaker_n', 'text'],
  transcript_speakers: ['transcript_id', 'n', 'org_id', 'label', 'person_id'],
  transcripts: ['id', 'org_id', 'meeting_id', 'language', 'format', 'timed', 'line_count', 'seconds', 'revision', 'created_at', 'updated_at', 'created_by', 'created_via'],
  undone_calls: ['call_id', 'org_id', 'undone_by_call_id', 'undone_at'],
  upload_sessions: ['id', 'org_id', 'owner_id', 'key_id', 'folder_id', 'name', 'mime_type', 'size_bytes', 'sha256', 'token_hash', 'file_id', 'completed_at', 'expires_at', 'revision', 'created_at', 'updated_at', 'created_by', 'created_via'],
  usage_days: ['org_id', 'day_on', 'person_id', 'key_id', 'calls'],
  users: ['id', 'org_id', 'email', 'display_name', 'title', 'role', 'status', 'timezone', 'manager_id', 'working_hours_json', 'presence_text', 'presence_emoji', 'availability', 'presence_until_at', 'avatar_file_id', 'password_hash', 'revision', 'created_at', 'updated_at', 'hides_presence', 'shortcuts_json'],
  web_sessions: ['id', 'org_id', 'person_id', 'token_hash', 'created_at', 'expires_at', 'last_used_at', 'verified_at', 'ip', 'client', 'provider_id', 'provider_subject', 'provider_sid'],
  webhook_deliveries: ['id', 'org_id', 'webhook_id', 'change_seq', 'event', 'status', 'attempts', 'aside', 'next_attempt_at', 'response_code', 'payload_json', 'created_at', 'finished_at'],
  webhook_feeds: ['org_id', 'seq'],
  webhooks: ['id', 'org_id', 'owner_id', 'name', 'address', 'events_json', 'filter_json', 'active', 'pause', 'since_seq', 'failures', 'failing_since_at', 'last_delivery_at', 'rotated_at', 'revision', 'created_at', 'updated_at', 'created_by', 'created_via', 'deleted_at', 'deleted_by', 'deleted_with'],
}

/** Columns that name rows of a table by their id; `cascades`: the row goes with the one that it names. */
export const references: readonly {
  table: keyof Tables
  column: string
  named: keyof Tables
  cascades: boolean
}[] = [
  { table: 'abuse_findings', column: 'owner_id', named: 'users', cascades: false },
  { table: 'abuse_findings', column: 'key_id', named: 'api_keys', cascades: false },
  { table: 'abuse_findings', column: 'org_id', named: 'orgs', cascades: false },
  { table: 'accounts', column: 'owner_id', named: 'users', cascades: false },
  { table: 'accounts', column: 'created_by', named: 'users', cascades: false },
  { table: 'accounts', column: 'org_id', named: 'orgs', cascades: false },
  { table: 'action_items', column: 'owner_id', named: 'users', cascades: false },
  { table: 'action_items', column: 'meeting_id', named: 'meetings', cascades: true },
  { table: 'action_items', column: 'created_by', named: 'users', cascades: false },
  { table: 'action_items', column: 'org_id', named: 'orgs', cascades: false },
  { table: 'api_keys', column: 'owner_id', named: 'users', cascades: false },
  { table: 'api_keys', column: 'org_id', named: 'orgs', cascades: false },
  { table: 'approvals', column: 'owner_id', named: 'users', cascades: false },
  { table: 'approvals', column: 'key_id', named: 'api_keys', cascades: false },
  { table: 'approvals', column: 'org_id', named: 'orgs', cascades: false },
  { table: 'automation_feeds', column: 'org_id', named: 'orgs', cascades: false },
  { table: 'automation_runs', column: 'owner_id', named: 'users', cascades: false },
  { table: 'automation_runs', column: 'org_id', named: 'orgs', cascades: false },
  { table: 'automation_steps', column: 'run_id', named: 'automation_runs', cascades: true },
  { table: 'automations', column: 'key_id', named: 'api_keys', cascades: false },
  { table: 'automations', column: 'project_id', named: 'projects', cascades: false },
  { table: 'automations', column: 'owner_id', named: 'users', cascades: false },
  { table: 'automations', column: 'created_by', named: 'users', cascades: false },
  { table: 'automations', column: 'org_id', named: 'orgs', cascades: false },
  { table: 'calendar_deletions', column: 'calendar_id', named: 'calendars', cascades: true },
  { table: 'calendar_imports', column: 'calendar_id', named: 'calendars', cascades: true },
  { table: 'calendar_imports', column: 'owner_id', named: 'users', cascades: false },
  { table: 'calendar_imports', column: 'org_id', named: 'orgs', cascades: false },
  { table: 'calendars', column: 'account_id', named: 'accounts', cascades: true },
  { table: 'calendars', column: 'owner_id', named: 'users', cascades: false },
  { table: 'calendars', column: 'created_by', named: 'users', cascades: false },
  { table: 'calendars', column: 'org_id', named: 'orgs', cascades: false },
  { table: 'call_seals', column: 'org_id', named: 'orgs', cascades: false },
  { table: 'calls', column: 'key_id', named: 'api_keys', cascades: false },
  { table: 'calls', column: 'actor_id', named: 'users', cascades: false },
  { table: 'calls', column: 'org_id', named: 'orgs', cascades: false },
  { table: 'changes', column: 'actor_id', named: 'users', cascades: false },
  { table: 'changes', column: 'org_id', named: 'orgs', cascades: false },
  { table: 'channel_members', column: 'person_id', named: 'users', cascades: false },
  { table: 'channel_members', column: 'channel_id', named: 'channels', cascades: true },
  { table: 'channel_reads', column: 'person_id', named: 'users', cascades: false },
  { table: 'channel_reads', column: 'channel_id', named: 'channels', cascades: true },
  { table: 'channels', column: 'project_id', named: 'projects', cascades: false },
  { table: 'channels', column: 'created_by', named: 'users', cascades: false },
  { table: 'channels', column: 'org_id', named: 'orgs', cascades: false },
  { table: 'chat_imports', column: 'owner_id', named: 'users', cascades: false },
  { table: 'chat_imports', column: 'org_id', named: 'orgs', cascades: false },
  { table: 'companies', column: 'owner_id', named: 'users', cascades: false },
  { table: 'companies', column: 'created_by', named: 'users', cascades: false },
  { table: 'companies', column: 'org_id', named: 'orgs', cascades: false },
  { table: 'contact_emails', column: 'contact_id', named: 'contacts', cascades: true },
  { table: 'contact_emails', column: 'org_id', named: 'orgs', cascades: false },
  { table: 'contact_feeds', column: 'org_id', named: 'orgs', cascades: false },
  { table: 'contact_imports', column: 'owner_id', named: 'users', cascades: false },
  { table: 'contact_imports', column: 'org_id', named: 'orgs', cascades: false },
  { table: 'contact_labels', column: 'label_id', named: 'labels', cascades: true },
  { table: 'contact_labels', column: 'contact_id', named: 'contacts', cascades: true },
  { table: 'contact_phones', column: 'contact_id', named: 'contacts', cascades: true },
  { table: 'contact_phones', column: 'org_id', named: 'orgs', cascades: false },
  { table: 'contact_redirects', column: 'contact_id', named: 'contacts', cascades: true },
  { table: 'contact_tombstones', column: 'org_id', named: 'orgs', cascades: false },
  { table: 'contacts', column: 'owner_id', named: 'users', cascades: false },
  { table: 'contacts', column: 'company_id', named: 'companies', cascades: false },
  { table: 'contacts', column: 'created_by', named: 'users', cascades: false },
  { table: 'contacts', column: 'org_id', named: 'orgs', cascades: false },
  { table: 'custom_fields', column: 'project_id', named: 'projects', cascades: true },
  { table: 'custom_fields', column: 'created_by', named: 'users', cascades: false },
  { table: 'custom_fields', column: 'org_id', named: 'orgs', cascades: false },
  { table: 'deal_contacts', column: 'contact_id', named: 'contacts', cascades: true },
  { table: 'deal_contacts', column: 'deal_id', named: 'deals', cascades: true },
  { table: 'deal_moves', column: 'deal_id', named: 'deals', cascades: true },
  { table: 'deals', column: 'owner_id', named: 'users', cascades: false },
  { table: 'deals', column: 'company_id', named: 'companies', cascades: false },
  { table: 'deals', column: 'created_by', named: 'users', cascades: false },
  { table: 'deals', column: 'org_id', named: 'orgs', cascades: false },
  { table: 'decisions', column: 'superseded_by_id', named: 'decisions', cascades: false },
  { table: 'decisions', column: 'meeting_id', named: 'meetings', cascades: false },
  { table: 'decisions', column: 'project_id', named: 'projects', cascades: true },
  { table: 'decisions', column: 'created_by', named: 'users', cascades: false },
  { table: 'decisions', column: 'org_id', named: 'orgs', cascades: false },
  { table: 'digest_rounds', column: 'person_id', named: 'users', cascades: false },
  { table: 'drives', column: 'account_id', named: 'accounts', cascades: true },
  { table: 'drives', column: 'owner_id', named: 'users', cascades: false },
  { table: 'drives', column: 'created_by', named: 'users', cascades: false },
  { table: 'drives', column: 'org_id', named: 'orgs', cascades: false },
  { table: 'email_addresses', column: 'email_id', named: 'emails', cascades: true },
  { table: 'email_attachments', column: 'email_id', named: 'emails', cascades: true },
  { table: 'email_attachments', column: 'created_by', named: 'users', cascades: false },
  { table: 'email_attachments', column: 'org_id', named: 'orgs', cascades: false },
  { table: 'email_bodies', column: 'email_id', named: 'emails', cascades: true },
  { table: 'email_draft_files', column: 'draft_id', named: 'email_drafts', cascades: true },
  { table: 'email_drafts', column: 'account_id', named: 'accounts', cascades: true },
  { table: 'email_drafts', column: 'owner_id', named: 'users', cascades: false },
  { table: 'email_drafts', column: 'created_by', named: 'users', cascades: false },
  { table: 'email_drafts', column: 'org_id', named: 'orgs', cascades: false },
  { table: 'email_labels', column: 'email_id', named: 'emails', cascades: true },
  { table: 'email_outbox', column: 'account_id', named: 'accounts', cascades: true },
  { table: 'email_outbox', column: 'email_id', named: 'emails', cascades: true },
  { table: 'email_rule_queue', column: 'email_id', named: 'emails', cascades: true },
  { table: 'email_rules', column: 'account_id', named: 'accounts', cascades: true },
  { table: 'email_rules', column: 'owner_id', named: 'users', cascades: false },
  { table: 'email_rules', column: 'created_by', named: 'users', cascades: false },
  { table: 'email_rules', column: 'org_id', named: 'orgs', cascades: false },
  { table: 'email_templates', column: 'owner_id', named: 'users', cascades: false },
  { table: 'email_templates', column: 'created_by', named: 'users', cascades: false },
  { table: 'email_templates', column: 'org_id', named: 'orgs', cascades: false },
  { table: 'emails', column: 'folder_id', named: 'mail_folders', cascades: false },
  { table: 'emails', column: 'thread_id', named: 'mail_threads', cascades: true },
  { table: 'emails', column: 'account_id', named: 'accounts', cascades: true },
  { table: 'emails', column: 'owner_id', named: 'users', cascades: false },
  { table: 'emails', column: 'created_by', named: 'users', cascades: false },
  { table: 'emails', column: 'org_id', named: 'orgs', cascades: false },
  { table: 'entities', column: 'created_by', named: 'users', cascades: false },
  { table: 'entities', column: 'org_id', named: 'orgs', cascades: false },
  { table: 'entity_names', column: 'entity_id', named: 'entities', cascades: true },
  { table: 'entity_redirects', column: 'entity_id', named: 'entities', cascades: true },
  { table: 'escalation_targets', column: 'person_id', named: 'users', cascades: false },
  { table: 'escalation_targets', column: 'escalation_id', named: 'escalations', cascades: true },
  { table: 'escalations', column: 'incident_id', named: 'incidents', cascades: true },
  { table: 'escalations', column: 'created_by', named: 'users', cascades: false },
  { table: 'escalations', column: 'org_id', named: 'orgs', cascades: false },
  { table: 'event_letters', column: 'account_id', named: 'accounts', cascades: true },
  { table: 'event_letters', column: 'owner_id', named: 'users', cascades: false },
  { table: 'event_mails', column: 'email_id', named: 'emails', cascades: true },
  { table: 'event_occurrences', column: 'event_id', named: 'events', cascades: true },
  { table: 'events', column: 'calendar_id', named: 'calendars', cascades: true },
  { table: 'events', column: 'owner_id', named: 'users', cascades: false },
  { table: 'events', column: 'created_by', named: 'users', cascades: false },
  { table: 'events', column: 'org_id', named: 'orgs', cascades: false },
  { table: 'facts', column: 'value_entity_id', named: 'entities', cascades: false },
  { table: 'facts', column: 'entity_id', named: 'entities', cascades: true },
  { table: 'facts', column: 'created_by', named: 'users', cascades: false },
  { table: 'facts', column: 'org_id', named: 'orgs', cascades: false },
  { table: 'file_labels', column: 'file_id', named: 'files', cascades: true },
  { table: 'file_labels', column: 'label_id', named: 'labels', cascades: true },
  { table: 'file_labels', column: 'org_id', named: 'orgs', cascades: false },
  { table: 'file_shares', column: 'file_id', named: 'files', cascades: true },
  { table: 'file_shares', column: 'person_id', named: 'users', cascades: false },
  { table: 'file_shares', column: 'created_by', named: 'users', cascades: false },
  { table: 'file_shares', column: 'org_id', named: 'orgs', cascades: false },
  { table: 'file_stars', column: 'file_id', named: 'files', cascades: true },
  { table: 'file_stars', column: 'person_id', named: 'users', cascades: false },
  { table: 'file_stars', column: 'org_id', named: 'orgs', cascades: false },
  { table: 'file_texts', column: 'file_id', named: 'files', cascades: true },
  { table: 'file_texts', column: 'org_id', named: 'orgs', cascades: false },
  { table: 'file_versions', column: 'file_id', named: 'files', cascades: true },
  { table: 'file_versions', column: 'created_by', named: 'users', cascades: false },
  { table: 'file_versions', column: 'org_id', named: 'orgs', cascades: false },
  { table: 'files', column: 'parent_id', named: 'files', cascades: false },
  { table: 'files', column: 'project_id', named: 'projects', cascades: true },
  { table: 'files', column: 'drive_id', named: 'drives', cascades: true },
  { table: 'files', column: 'modified_by', named: 'users', cascades: false },
  { table: 'files', column: 'owner_id', named: 'users', cascades: false },
  { table: 'files', column: 'created_by', named: 'users', cascades: false },
  { table: 'files', column: 'org_id', named: 'orgs', cascades: false },
  { table: 'form_answers', column: 'response_id', named: 'form_responses', cascades: true },
  { table: 'form_days', column: 'form_id', named: 'forms', cascades: true },
  { table: 'form_files', column: 'file_id', named: 'files', cascades: true },
  { table: 'form_responses', column: 'respondent_id', named: 'users', cascades: false },
  { table: 'form_responses', column: 'form_id', named: 'forms', cascades: true },
  { table: 'form_responses', column: 'org_id', named: 'orgs', cascades: false },
  { table: 'form_versions', column: 'form_id', named: 'forms', cascades: true },
  { table: 'forms', column: 'created_by', named: 'users', cascades: false },
  { table: 'forms', column: 'org_id', named: 'orgs', cascades: false },
  { table: 'goal_checkins', column: 'goal_id', named: 'goals', cascades: true },
  { table: 'goal_checkins', column: 'created_by', named: 'users', cascades: false },
  { table: 'goal_checkins', column: 'org_id', named: 'orgs', cascades: false },
  { table: 'goal_feeds', column: 'org_id', named: 'orgs', cascades: false },
  { table: 'goal_projects', column: 'project_id', named: 'projects', cascades: true },
  { table: 'goal_projects', column: 'goal_id', named: 'goals', cascades: true },
  { table: 'goals', column: 'parent_id', named: 'goals', cascades: false },
  { table: 'goals', column: 'team_id', named: 'teams', cascades: false },
  { table: 'goals', column: 'owner_id', named: 'users', cascades: false },
  { table: 'goals', column: 'created_by', named: 'users', cascades: false },
  { table: 'goals', column: 'org_id', named: 'orgs', cascades: false },
  { table: 'inboxes', column: 'person_id', named: 'users', cascades: false },
  { table: 'inboxes', column: 'org_id', named: 'orgs', cascades: false },
  { table: 'incident_channels', column: 'channel_id', named: 'channels', cascades: true },
  { table: 'incident_channels', column: 'incident_id', named: 'incidents', cascades: true },
  { table: 'incident_numbers', column: 'org_id', named: 'orgs', cascades: false },
  { table: 'incident_roles', column: 'person_id', named: 'users', cascades: false },
  { table: 'incident_roles', column: 'incident_id', named: 'incidents', cascades: true },
  { table: 'incident_services', column: 'service_id', named: 'services', cascades: true },
  { table: 'incident_services', column: 'incident_id', named: 'incidents', cascades: true },
  { table: 'incidents', column: 'created_by', named: 'users', cascades: false },
  { table: 'incidents', column: 'org_id', named: 'orgs', cascades: false },
  { table: 'interaction_contacts', column: 'contact_id', named: 'contacts', cascades: true },
  { table: 'interaction_contacts', column: 'interaction_id', named: 'interactions', cascades: true },
  { table: 'interactions', column: 'deal_id', named: 'deals', cascades: false },
  { table: 'interactions', column: 'company_id', named: 'companies', cascades: false },
  { table: 'interactions', column: 'created_by', named: 'users', cascades: false },
  { table: 'interactions', column: 'org_id', named: 'orgs', cascades: false },
  { table: 'invitation_links', column: 'invitation_id', named: 'invitations', cascades: true },
  { table: 'invitation_links', column: 'org_id', named: 'orgs', cascades: false },
  { table: 'invitations', column: 'revoked_by', named: 'users', cascades: false },
  { table: 'invitations', column: 'used_by', named: 'users', cascades: false },
  { table: 'invitations', column: 'created_by', named: 'users', cascades: false },
  { table: 'invitations', column: 'org_id', named: 'orgs', cascades: false },
  { table: 'item_links', column: 'created_by', named: 'users', cascades: false },
  { table: 'item_links', column: 'org_id', named: 'orgs', cascades: false },
  { table: 'job_schedules', column: 'owner_id', named: 'users', cascades: false },
  { table: 'job_schedules', column: 'org_id', named: 'orgs', cascades: false },
  { table: 'jobs', column: 'owner_id', named: 'users', cascades: false },
  { table: 'jobs', column: 'org_id', named: 'orgs', cascades: false },
  { table: 'key_clients', column: 'key_id', named: 'api_keys', cascades: false },
  { table: 'key_results', column: 'source_by', named: 'users', cascades: false },
  { table: 'key_results', column: 'owner_id', named: 'users', cascades: false },
  { table: 'key_results', column: 'goal_id', named: 'goals', cascades: true },
  { table: 'key_results', column: 'created_by', named: 'users', cascades: false },
  { table: 'key_results', column: 'org_id', named: 'orgs', cascades: false },
  { table: 'known_devices', column: 'person_id', named: 'users', cascades: false },
  { table: 'known_devices', column: 'org_id', named: 'orgs', cascades: false },
  { table: 'labels', column: 'created_by', named: 'users', cascades: false },
  { table: 'labels', column: 'org_id', named: 'orgs', cascades: false },
  { table: 'mail_folders', column: 'account_id', named: 'accounts', cascades: true },
  { table: 'mail_pushes', column: 'account_id', named: 'accounts', cascades: true },
  { table: 'mail_thread_links', column: 'thread_id', named: 'mail_threads', cascades: true },
  { table: 'mail_threads', column: 'account_id', named: 'accounts', cascades: true },
  { table: 'mail_threads', column: 'owner_id', named: 'users', cascades: false },
  { table: 'mail_threads', column: 'created_by', named: 'users', cascades: false },
  { table: 'mail_threads', column: 'org_id', named: 'orgs', cascades: false },
  { table: 'meeting_notes', column: 'meeting_id', named: 'meetings', cascades: true },
  { table: 'meeting_notes', column: 'created_by', named: 'users', cascades: false },
  { table: 'meeting_notes', column: 'org_id', named: 'orgs', cascades: false },
  { table: 'meeting_people', column: 'person_id', named: 'users', cascades: false },
  { table: 'meeting_people', column: 'meeting_id', named: 'meetings', cascades: true },
  { table: 'meetings', column: 'organizer_id', named: 'users', cascades: false },
  { table: 'meetings', column: 'project_id', named: 'projects', cascades: false },
  { table: 'meetings', column: 'created_by', named: 'users', cascades: false },
  { table: 'meetings', column: 'org_id', named: 'orgs', cascades: false },
  { table: 'message_files', column: 'file_id', named: 'files', cascades: true },
  { table: 'message_files', column: 'message_id', named: 'messages', cascades: true },
  { table: 'message_mentions', column: 'person_id', named: 'users', cascades: false },
  { table: 'message_mentions', column: 'message_id', named: 'messages', cascades: true },
  { table: 'message_pins', column: 'person_id', named: 'users', cascades: false },
  { table: 'message_pins', column: 'channel_id', named: 'channels', cascades: true },
  { table: 'message_pins', column: 'message_id', named: 'messages', cascades: true },
  { table: 'message_reactions', column: 'person_id', named: 'users', cascades: false },
  { table: 'message_reactions', column: 'message_id', named: 'messages', cascades: true },
  { table: 'messages', column: 'thread_root_id', named: 'messages', cascades: false },
  { table: 'messages', column: 'channel_id', named: 'channels', cascades: false },
  { table: 'messages', column: 'created_by', named: 'users', cascades: false },
  { table: 'messages', column: 'org_id', named: 'orgs', cascades: false },
  { table: 'milestones', column: 'project_id', named: 'projects', cascades: true },
  { table: 'milestones', column: 'created_by', named: 'users', cascades: false },
  { table: 'milestones', column: 'org_id', named: 'orgs', cascades: false },
  { table: 'notice_mails', column: 'person_id', named: 'users', cascades: false },
  { table: 'notice_mails', column: 'org_id', named: 'orgs', cascades: false },
  { table: 'notifications', column: 'actor_id', named: 'users', cascades: false },
  { table: 'notifications', column: 'inbox_id', named: 'inboxes', cascades: false },
  { table: 'notifications', column: 'person_id', named: 'users', cascades: false },
  { table: 'notifications', column: 'org_id', named: 'orgs', cascades: false },
  { table: 'oauth_connections', column: 'key_id', named: 'api_keys', cascades: false },
  { table: 'observations', column: 'entity_id', named: 'entities', cascades: true },
  { table: 'observations', column: 'created_by', named: 'users', cascades: false },
  { table: 'observations', column: 'org_id', named: 'orgs', cascades: false },
  { table: 'on_call_duties', column: 'schedule_id', named: 'on_call_schedules', cascades: true },
  { table: 'on_call_overrides', column: 'person_id', named: 'users', cascades: false },
  { table: 'on_call_overrides', column: 'schedule_id', named: 'on_call_schedules', cascades: true },
  { table: 'on_call_overrides', column: 'created_by', named: 'users', cascades: false },
  { table: 'on_call_overrides', column: 'org_id', named: 'orgs', cascades: false },
  { table: 'on_call_schedules', column: 'team_id', named: 'teams', cascades: false },
  { table: 'on_call_schedules', column: 'created_by', named: 'users', cascades: false },
  { table: 'on_call_schedules', column: 'org_id', named: 'orgs', cascades: false },
  { table: 'open_assignments', column: 'person_id', named: 'users', cascades: false },
  { table: 'open_assignments', column: 'task_id', named: 'tasks', cascades: true },
  { table: 'open_counts', column: 'person_id', named: 'users', cascades: false },
  { table: 'open_counts', column: 'project_id', named: 'projects', cascades: true },
  { table: 'org_plans', column: 'org_id', named: 'orgs', cascades: false },
  { table: 'page_comments', column: 'resolved_by', named: 'users', cascades: false },
  { table: 'page_comments', column: 'reply_to_id', named: 'page_comments', cascades: true },
  { table: 'page_comments', column: 'page_id', named: 'pages', cascades: true },
  { table: 'page_comments', column: 'created_by', named: 'users', cascades: false },
  { table: 'page_comments', column: 'org_id', named: 'orgs', cascades: false },
  { table: 'page_files', column: 'file_id', named: 'files', cascades: true },
  { table: 'page_files', column: 'page_id', named: 'pages', cascades: true },
  { table: 'page_labels', column: 'label_id', named: 'labels', cascades: true },
  { table: 'page_labels', column: 'page_id', named: 'pages', cascades: true },
  { table: 'page_links', column: 'page_id', named: 'pages', cascades: true },
  { table: 'page_publications', column: 'page_id', named: 'pages', cascades: true },
  { table: 'page_publications', column: 'created_by', named: 'users', cascades: false },
  { table: 'page_publications', column: 'org_id', named: 'orgs', cascades: false },
  { table: 'page_shares', column: 'person_id', named: 'users', cascades: false },
  { table: 'page_shares', column: 'page_id', named: 'pages', cascades: true },
  { table: 'page_shares', column: 'created_by', named: 'users', cascades: false },
  { table: 'page_shares', column: 'org_id', named: 'orgs', cascades: false },
  { table: 'page_steps', column: 'key_id', named: 'api_keys', cascades: false },
  { table: 'page_steps', column: 'page_id', named: 'pages', cascades: true },
  { table: 'page_steps', column: 'created_by', named: 'users', cascades: false },
  { table: 'page_version_authors', column: 'person_id', named: 'users', cascades: false },
  { table: 'page_version_authors', column: 'version_id', named: 'page_versions', cascades: true },
  { table: 'page_versions', column: 'key_id', named: 'api_keys', cascades: false },
  { table: 'page_versions', column: 'page_id', named: 'pages', cascades: true },
  { table: 'page_versions', column: 'created_by', named: 'users', cascades: false },
  { table: 'page_versions', column: 'org_id', named: 'orgs', cascades: false },
  { table: 'pages', column: 'owner_id', named: 'users', cascades: false },
  { table: 'pages', column: 'project_id', named: 'projects', cascades: false },
  { table: 'pages', column: 'parent_owner_id', named: 'users', cascades: false },
  { table: 'pages', column: 'parent_id', named: 'pages', cascades: true },
  { table: 'pages', column: 'created_by', named: 'users', cascades: false },
  { table: 'pages', column: 'org_id', named: 'orgs', cascades: false },
  { table: 'passkeys', column: 'person_id', named: 'users', cascades: false },
  { table: 'passkeys', column: 'org_id', named: 'orgs', cascades: false },
  { table: 'password_resets', column: 'person_id', named: 'users', cascades: false },
  { table: 'password_resets', column: 'created_by', named: 'users', cascades: false },
  { table: 'password_resets', column: 'org_id', named: 'orgs', cascades: false },
  { table: 'postmortems', column: 'author_id', named: 'users', cascades: false },
  { table: 'postmortems', column: 'page_id', named: 'pages', cascades: true },
  { table: 'postmortems', column: 'incident_id', named: 'incidents', cascades: true },
  { table: 'postmortems', column: 'created_by', named: 'users', cascades: false },
  { table: 'postmortems', column: 'org_id', named: 'orgs', cascades: false },
  { table: 'project_members', column: 'person_id', named: 'users', cascades: false },
  { table: 'project_members', column: 'project_id', named: 'projects', cascades: true },
  { table: 'project_updates', column: 'project_id', named: 'projects', cascades: true },
  { table: 'project_updates', column: 'created_by', named: 'users', cascades: false },
  { table: 'project_updates', column: 'org_id', named: 'orgs', cascades: false },
  { table: 'projects', column: 'team_id', named: 'teams', cascades: false },
  { table: 'projects', column: 'created_by', named: 'users', cascades: false },
  { table: 'projects', column: 'org_id', named: 'orgs', cascades: false },
  { table: 'pulse_responses', column: 'pulse_id', named: 'pulses', cascades: true },
  { table: 'pulse_responses', column: 'created_by', named: 'users', cascades: false },
  { table: 'pulse_responses', column: 'org_id', named: 'orgs', cascades: false },
  { table: 'pulse_rounds', column: 'pulse_id', named: 'pulses', cascades: true },
  { table: 'pulses', column: 'channel_id', named: 'channels', cascades: false },
  { table: 'pulses', column: 'team_id', named: 'teams', cascades: true },
  { table: 'pulses', column: 'created_by', named: 'users', cascades: false },
  { table: 'pulses', column: 'org_id', named: 'orgs', cascades: false },
  { table: 'relations', column: 'to_id', named: 'entities', cascades: true },
  { table: 'relations', column: 'from_id', named: 'entities', cascades: true },
  { table: 'relations', column: 'created_by', named: 'users', cascades: false },
  { table: 'relations', column: 'org_id', named: 'orgs', cascades: false },
  { table: 'reminders', column: 'created_by', named: 'users', cascades: false },
  { table: 'reminders', column: 'org_id', named: 'orgs', cascades: false },
  { table: 'replays', column: 'actor_id', named: 'users', cascades: false },
  { table: 'response_projects', column: 'incident_id', named: 'incidents', cascades: true },
  { table: 'response_projects', column: 'project_id', named: 'projects', cascades: true },
  { table: 'runbook_services', column: 'service_id', named: 'services', cascades: true },
  { table: 'runbook_services', column: 'runbook_id', named: 'runbooks', cascades: true },
  { table: 'runbook_steps', column: 'task_id', named: 'tasks', cascades: true },
  { table: 'runbook_steps', column: 'runbook_id', named: 'runbooks', cascades: true },
  { table: 'runbook_steps', column: 'incident_id', named: 'incidents', cascades: true },
  { table: 'runbooks', column: 'created_by', named: 'users', cascades: false },
  { table: 'runbooks', column: 'org_id', named: 'orgs', cascades: false },
  { table: 'saved_views', column: 'project_id', named: 'projects', cascades: true },
  { table: 'saved_views', column: 'owner_id', named: 'users', cascades: false },
  { table: 'saved_views', column: 'created_by', named: 'users', cascades: false },
  { table: 'saved_views', column: 'org_id', named: 'orgs', cascades: false },
  { table: 'scheduled_emails', column: 'draft_id', named: 'email_drafts', cascades: true },
  { table: 'scheduled_emails', column: 'account_id', named: 'accounts', cascades: true },
  { table: 'scheduled_emails', column: 'owner_id', named: 'users', cascades: false },
  { table: 'scheduled_emails', column: 'created_by', named: 'users', cascades: false },
  { table: 'scheduled_emails', column: 'org_id', named: 'orgs', cascades: false },
  { table: 'scim_group_members', column: 'person_id', named: 'users', cascades: false },
  { table: 'scim_group_members', column: 'group_id', named: 'scim_groups', cascades: false },
  { table: 'scim_groups', column: 'provider_id', named: 'sso_providers', cascades: false },
  { table: 'scim_people', column: 'person_id', named: 'users', cascades: false },
  { table: 'scim_people', column: 'provider_id', named: 'sso_providers', cascades: false },
  { table: 'scim_tokens', column: 'provider_id', named: 'sso_providers', cascades: false },
  { table: 'search_docs', column: 'org_id', named: 'orgs', cascades: false },
  { table: 'secrets', column: 'org_id', named: 'orgs', cascades: false },
  { table: 'service_dependencies', column: 'depends_on_id', named: 'services', cascades: true },
  { table: 'service_dependencies', column: 'service_id', named: 'services', cascades: true },
  { table: 'service_intervals', column: 'service_id', named: 'services', cascades: true },
  { table: 'services', column: 'team_id', named: 'teams', cascades: false },
  { table: 'services', column: 'created_by', named: 'users', cascades: false },
  { table: 'services', column: 'org_id', named: 'orgs', cascades: false },
  { table: 'sprint_moves', column: 'sprint_id', named: 'sprints', cascades: true },
  { table: 'sprints', column: 'carried_to_id', named: 'sprints', cascades: false },
  { table: 'sprints', column: 'project_id', named: 'projects', cascades: true },
  { table: 'sprints', column: 'created_by', named: 'users', cascades: false },
  { table: 'sprints', column: 'org_id', named: 'orgs', cascades: false },
  { table: 'sso_emergency_accounts', column: 'person_id', named: 'users', cascades: false },
  { table: 'sso_identities', column: 'person_id', named: 'users', cascades: false },
  { table: 'sso_identities', column: 'provider_id', named: 'sso_providers', cascades: false },
  { table: 'sso_only_orgs', column: 'org_id', named: 'orgs', cascades: false },
  { table: 'sso_providers', column: 'org_id', named: 'orgs', cascades: false },
  { table: 'sso_requests', column: 'provider_id', named: 'sso_providers', cascades: false },
  { table: 'status_update_services', column: 'service_id', named: 'services', cascades: true },
  { table: 'status_update_services', column: 'update_id', named: 'status_updates', cascades: true },
  { table: 'status_updates', column: 'thread_id', named: 'status_updates', cascades: false },
  { table: 'status_updates', column: 'created_by', named: 'users', cascades: false },
  { table: 'status_updates', column: 'org_id', named: 'orgs', cascades: false },
  { table: 'statuses', column: 'project_id', named: 'projects', cascades: true },
  { table: 'task_attachments', column: 'file_id', named: 'files', cascades: false },
  { table: 'task_attachments', column: 'task_id', named: 'tasks', cascades: true },
  { table: 'task_attachments', column: 'created_by', named: 'users', cascades: false },
  { table: 'task_attachments', column: 'org_id', named: 'orgs', cascades: false },
  { table: 'task_comments', column: 'reply_to_id', named: 'task_comments', cascades: false },
  { table: 'task_comments', column: 'task_id', named: 'tasks', cascades: true },
  { table: 'task_comments', column: 'created_by', named: 'users', cascades: false },
  { table: 'task_comments', column: 'org_id', named: 'orgs', cascades: false },
  { table: 'task_counts', column: 'project_id', named: 'projects', cascades: true },
  { table: 'task_dependencies', column: 'other_id', named: 'tasks', cascades: true },
  { table: 'task_dependencies', column: 'task_id', named: 'tasks', cascades: true },
  { table: 'task_due_notices', column: 'task_id', named: 'tasks', cascades: true },
  { table: 'task_import_pieces', column: 'import_id', named: 'task_imports', cascades: true },
  { table: 'task_import_refs', column: 'task_id', named: 'tasks', cascades: true },
  { table: 'task_imports', column: 'project_id', named: 'projects', cascades: true },
  { table: 'task_imports', column: 'owner_id', named: 'users', cascades: false },
  { table: 'task_imports', column: 'org_id', named: 'orgs', cascades: false },
  { table: 'task_labels', column: 'label_id', named: 'labels', cascades: true },
  { table: 'task_labels', column: 'task_id', named: 'tasks', cascades: true },
  { table: 'task_people', column: 'person_id', named: 'users', cascades: false },
  { table: 'task_people', column: 'task_id', named: 'tasks', cascades: true },
  { table: 'task_templates', column: 'project_id', named: 'projects', cascades: true },
  { table: 'task_templates', column: 'created_by', named: 'users', cascades: false },
  { table: 'task_templates', column: 'org_id', named: 'orgs', cascades: false },
  { table: 'tasks', column: 'milestone_id', named: 'milestones', cascades: false },
  { table: 'tasks', column: 'sprint_id', named: 'sprints', cascades: false },
  { table: 'tasks', column: 'parent_id', named: 'tasks', cascades: true },
  { table: 'tasks', column: 'status_id', named: 'statuses', cascades: false },
  { table: 'tasks', column: 'project_id', named: 'projects', cascades: true },
  { table: 'tasks', column: 'created_by', named: 'users', cascades: false },
  { table: 'tasks', column: 'org_id', named: 'orgs', cascades: false },
  { table: 'team_members', column: 'person_id', named: 'users', cascades: false },
  { table: 'team_members', column: 'team_id', named: 'teams', cascades: true },
  { table: 'teams', column: 'created_by', named: 'users', cascades: false },
  { table: 'teams', column: 'org_id', named: 'orgs', cascades: false },
  { table: 'time_entries', column: 'project_id', named: 'projects', cascades: false },
  { table: 'time_entries', column: 'task_id', named: 'tasks', cascades: false },
  { table: 'time_entries', column: 'person_id', named: 'users', cascades: false },
  { table: 'time_entries', column: 'created_by', named: 'users', cascades: false },
  { table: 'time_entries', column: 'org_id', named: 'orgs', cascades: false },
  { table: 'time_off', column: 'person_id', named: 'users', cascades: false },
  { table: 'time_off', column: 'created_by', named: 'users', cascades: false },
  { table: 'time_off', column: 'org_id', named: 'orgs', cascades: false },
  { table: 'timeline_entries', column: 'incident_id', named: 'incidents', cascades: true },
  { table: 'timeline_entries', column: 'created_by', named: 'users', cascades: false },
  { table: 'timeline_entries', column: 'org_id', named: 'orgs', cascades: false },
  { table: 'transcript_lines', column: 'transcript_id', named: 'transcripts', cascades: true },
  { table: 'transcript_speakers', column: 'person_id', named: 'users', cascades: false },
  { table: 'transcript_speakers', column: 'transcript_id', named: 'transcripts', cascades: true },
  { table: 'transcripts', column: 'meeting_id', named: 'meetings', cascades: true },
  { table: 'transcripts', column: 'created_by', named: 'users', cascades: false },
  { table: 'transcripts', column: 'org_id', named: 'orgs', cascades: false },
  { table: 'undone_calls', column: 'org_id', named: 'orgs', cascades: false },
  { table: 'upload_sessions', column: 'owner_id', named: 'users', cascades: false },
  { table: 'upload_sessions', column: 'created_by', named: 'users', cascades: false },
  { table: 'upload_sessions', column: 'org_id', named: 'orgs', cascades: false },
  { table: 'usage_days', column: 'person_id', named: 'users', cascades: false },
  { table: 'usage_days', column: 'org_id', named: 'orgs', cascades: false },
  { table: 'users', column: 'manager_id', named: 'users', cascades: false },
  { table: 'users', column: 'org_id', named: 'orgs', cascades: false },
  { table: 'web_sessions', column: 'person_id', named: 'users', cascades: false },
  { table: 'web_sessions', column: 'org_id', named: 'orgs', cascades: false },
  { table: 'webhook_deliveries', column: 'webhook_id', named: 'webhooks', cascades: true },
  { table: 'webhook_deliveries', column: 'org_id', named: 'orgs', cascades: false },
  { table: 'webhook_feeds', column: 'org_id', named: 'orgs', cascades: false },
  { table: 'webhooks', column: 'owner_id', named: 'users', cascades: false },
  { table: 'webhooks', column: 'created_by', named: 'users', cascades: false },
  { table: 'webhooks', column: 'org_id', named: 'orgs', cascades: false },
]
