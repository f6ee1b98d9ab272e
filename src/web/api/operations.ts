// Written by `npm run web-types` from the OpenAPI document; not by hand.

export type Problem = {
  type: string
  title: string
  status: number
  code: "invalid_argument" | "blocked_address" | "live_key_in_content" | "unauthenticated" | "permission_denied" | "tls_required" | "csrf" | "password_required" | "not_found" | "method_not_allowed" | "conflict" | "approval_required" | "idempotency_conflict" | "too_large" | "unsupported_media_type" | "misdirected" | "rate_limited" | "plan_exceeded" | "cancelled" | "not_connected" | "provider_error" | "internal" | "unavailable" | "storage_full"
  message: string
  detail: string
  request_id: string
  field?: string | undefined
  errors?: Array<{
    path: string
    message: string
  }> | undefined
  retry_after_seconds?: number | undefined
  next?: {
    tool: string
    arguments: Record<string, unknown>
  } | undefined
}

export type MyProfile = {
  id: string
  revision: number
  created_at: string
  updated_at: string
  created_by?: CreatedBy | undefined
  created_via?: "web" | "api" | "mcp" | "automation" | "sync" | "cli" | undefined
  url: string
  deleted_at?: string | undefined
  display_name: string
  email: string
  title: unknown
  role: "admin" | "member" | "guest"
  status: "active" | "invited" | "deactivated"
  timezone: string
  manager: CreatedBy | null
  teams: Array<CreatedBy>
  presence: Presence
  working_hours: Record<string, Array<WorkingHour>>
  avatar_url: unknown
}

export type Event = {
  id: string
  revision: number
  created_at: string
  updated_at: string
  created_by?: CreatedBy | undefined
  created_via?: "web" | "api" | "mcp" | "automation" | "sync" | "cli" | undefined
  url: string
  deleted_at?: string | undefined
  calendar: CreatedBy
  title: string
  starts_at: string
  ends_at: string
  starts_local: string
  ends_local: string
  timezone: string
  event_timezone?: string | undefined
  all_day: boolean
  location?: string | undefined
  video_url?: string | undefined
  content?: Content | undefined
  organizer?: To | undefined
  attendees: Array<Attendee>
  my_response?: "needs_action" | "accepted" | "tentative" | "declined" | undefined
  series_id?: string | undefined
  rrule?: string | undefined
  is_exception: boolean
  kind: "default" | "focus" | "out_of_office"
  status: "confirmed" | "tentative" | "cancelled"
  reminders_minutes: Array<number>
  meeting?: CreatedBy | undefined
  invites_pending: boolean
  next_occurrences?: Array<NextOccurrence> | undefined
  sync?: "pending" | "refused" | undefined
  notes?: Array<string> | undefined
}

export type Reminder = {
  id: string
  revision: number
  created_at: string
  updated_at: string
  created_by?: CreatedBy | undefined
  created_via?: "web" | "api" | "mcp" | "automation" | "sync" | "cli" | undefined
  url: string
  deleted_at?: string | undefined
  remind_at: string
  remind_local: string
  timezone: string
  text?: string | undefined
  item?: ApiCallInList | undefined
  item_hidden?: true | undefined
  rrule?: string | undefined
  status: "pending" | "fired" | "cancelled"
  fired_at?: string | undefined
}

export type TimeOff = {
  id: string
  revision: number
  created_at: string
  updated_at: string
  created_by?: CreatedBy | undefined
  created_via?: "web" | "api" | "mcp" | "automation" | "sync" | "cli" | undefined
  url: string
  deleted_at?: string | undefined
  person: CreatedBy
  starts_on: string
  ends_on: string
  kind: "vacation" | "sick" | "public_holiday" | "other"
  note?: string | undefined
  status: "planned" | "past"
  conflicts: Array<Conflict>
}

export type Team = {
  id: string
  revision: number
  created_at: string
  updated_at: string
  created_by?: CreatedBy | undefined
  created_via?: "web" | "api" | "mcp" | "automation" | "sync" | "cli" | undefined
  url: string
  deleted_at?: string | undefined
  name: string
  description?: string | undefined
  lead?: CreatedBy | undefined
  members: Array<Member>
}

export type Project = {
  id: string
  revision: number
  created_at: string
  updated_at: string
  created_by?: CreatedBy | undefined
  created_via?: "web" | "api" | "mcp" | "automation" | "sync" | "cli" | undefined
  url: string
  deleted_at?: string | undefined
  key: string
  name: string
  description_markdown?: string | undefined
  status: "planned" | "active" | "paused" | "completed" | "archived"
  health?: "on_track" | "at_risk" | "off_track" | undefined
  lead: CreatedBy
  members: Array<AddResult>
  team?: CreatedBy | undefined
  starts_on?: string | undefined
  ends_on?: string | undefined
  statuses: Array<Status>
  custom_fields: Array<CustomField>
  current_sprint?: CreatedBy | undefined
  task_counts: TaskCounts
  goals: Array<CreatedBy>
  notes?: Array<string> | undefined
}

export type CustomField = {
  id: string
  revision: number
  created_at: string
  updated_at: string
  created_by?: CreatedBy | undefined
  created_via?: "web" | "api" | "mcp" | "automation" | "sync" | "cli" | undefined
  url: string
  deleted_at?: string | undefined
  project: CreatedBy
  name: string
  type: "text" | "number" | "date" | "boolean" | "select" | "multi_select" | "person" | "url"
  options: Array<Option>
  required: boolean
  retired: boolean
}

export type Milestone = {
  id: string
  revision: number
  created_at: string
  updated_at: string
  created_by?: CreatedBy | undefined
  created_via?: "web" | "api" | "mcp" | "automation" | "sync" | "cli" | undefined
  url: string
  deleted_at?: string | undefined
  project: CreatedBy
  name: string
  description_markdown?: string | undefined
  due_on?: string | undefined
  status: "open" | "reached" | "missed" | "cancelled"
  reached_at?: string | undefined
  progress: {
    done: number
    total: number
  }
  slip_days: number
}

export type Subtasks = {
  requested: number
  matched: number
  changed: number
  skipped: Array<Skipped>
  failed: Array<Failed>
  items: Array<ApiCallInList>
  dry_run: boolean
  undo_call_id?: string | undefined
}

export type Sprint = {
  id: string
  revision: number
  created_at: string
  updated_at: string
  created_by?: CreatedBy | undefined
  created_via?: "web" | "api" | "mcp" | "automation" | "sync" | "cli" | undefined
  url: string
  deleted_at?: string | undefined
  project: CreatedBy
  name: string
  goal?: string | undefined
  starts_on: string
  ends_on: string
  status: "planned" | "active" | "completed" | "cancelled"
  started_at?: string | undefined
  completed_at?: string | undefined
  committed: {
    tasks: number
    points: number
  }
  done: {
    tasks: number
    points: number
  }
}

export type SprintReport = {
  sprint: Sprint
  burndown: Array<Burndown>
  velocity: number
  velocity_unit: "points" | "tasks"
  added_after_start: Array<TaskInList>
  removed_after_start: Array<TaskInList>
  completed: Array<TaskInList>
  carried_over: Array<TaskInList>
  carried_to?: CreatedBy | undefined
  counts: Counts
  dry_run?: boolean | undefined
}

export type Task = {
  id: string
  revision: number
  created_at: string
  updated_at: string
  created_by?: CreatedBy | undefined
  created_via?: "web" | "api" | "mcp" | "automation" | "sync" | "cli" | undefined
  url: string
  deleted_at?: string | undefined
  key: string
  title: string
  description_markdown?: string | undefined
  project: CreatedBy
  status: string
  status_category: "triage" | "backlog" | "todo" | "in_progress" | "done" | "cancelled"
  priority: "urgent" | "high" | "medium" | "low" | "none"
  assignees: Array<CreatedBy>
  watchers?: Array<CreatedBy> | undefined
  due_at?: string | undefined
  due_on?: string | undefined
  due_local?: string | undefined
  start_at?: string | undefined
  start_on?: string | undefined
  start_local?: string | undefined
  completed_at?: string | undefined
  estimate_minutes?: number | undefined
  points?: number | undefined
  time_spent_minutes: number
  parent?: CreatedBy | undefined
  subtask_counts: {
    total: number
    done: number
  }
  blocked: boolean
  blocked_by: Array<CreatedBy>
  blocks: Array<CreatedBy>
  sprint?: CreatedBy | undefined
  milestone?: CreatedBy | undefined
  labels: Array<CreatedBy>
  custom_fields: Record<string, unknown>
  recurrence?: Recurrence | undefined
  source?: ApiCallInList | undefined
  comment_count: number
  position: string
  watching: boolean
  attachments?: Array<Attachment> | undefined
  subtasks?: Array<TaskInList> | undefined
  dependencies?: Array<Dependency> | undefined
  comments?: Array<TaskComment> | undefined
  activity?: Array<Record<string, unknown>> | undefined
  time?: Time | undefined
  unblocked?: Array<CreatedBy> | undefined
  next_occurrence?: CreatedBy | undefined
  notes?: Array<string> | undefined
}

export type TaskComment = {
  id: string
  revision: number
  created_at: string
  updated_at: string
  created_by?: CreatedBy | undefined
  created_via?: "web" | "api" | "mcp" | "automation" | "sync" | "cli" | undefined
  url: string
  deleted_at?: string | undefined
  body_markdown: string
  author: CreatedBy
  on: ApiCallInList
  reply_to?: string | undefined
  resolved: boolean
  edited_at?: string | undefined
  mentions: Array<CreatedBy>
  unresolved_mentions?: Array<string> | undefined
}

export type TaskTemplate = {
  id: string
  revision: number
  created_at: string
  updated_at: string
  created_by?: CreatedBy | undefined
  created_via?: "web" | "api" | "mcp" | "automation" | "sync" | "cli" | undefined
  url: string
  deleted_at?: string | undefined
  name: string
  outline: Record<string, unknown>
  variables: Array<string>
  project?: CreatedBy | undefined
  use_count: number
}

export type Label = {
  id: string
  revision: number
  created_at: string
  updated_at: string
  created_by?: CreatedBy | undefined
  created_via?: "web" | "api" | "mcp" | "automation" | "sync" | "cli" | undefined
  url: string
  deleted_at?: string | undefined
  name: string
  color: string
  description: unknown
  existing?: true | undefined
  uses: Uses
}

export type SavedView = {
  id: string
  revision: number
  created_at: string
  updated_at: string
  created_by?: CreatedBy | undefined
  created_via?: "web" | "api" | "mcp" | "automation" | "sync" | "cli" | undefined
  url: string
  deleted_at?: string | undefined
  name: string
  item_type: "task" | "email" | "contact" | "deal" | "incident" | "page"
  filter: Record<string, unknown>
  sort?: string | undefined
  group_by?: string | undefined
  columns: Array<string>
  project?: CreatedBy | undefined
  shared: boolean
}

export type Channel = {
  id: string
  revision: number
  created_at: string
  updated_at: string
  created_by?: CreatedBy | undefined
  created_via?: "web" | "api" | "mcp" | "automation" | "sync" | "cli" | undefined
  url: string
  deleted_at?: string | undefined
  key?: string | undefined
  name: string
  kind: "public" | "private" | "direct" | "group"
  joined: boolean
  topic?: string | undefined
  purpose?: string | undefined
  members?: Array<CreatedBy> | undefined
  member_count: number
  project?: CreatedBy | undefined
  incident?: Incident2 | undefined
  archived: boolean
  last_message_at?: string | undefined
  unread: {
    total: number
    mentions: number
  }
  pinned?: Array<Message> | undefined
}

export type Message = {
  id: string
  revision: number
  created_at: string
  updated_at: string
  created_by?: CreatedBy | undefined
  created_via?: "web" | "api" | "mcp" | "automation" | "sync" | "cli" | undefined
  url: string
  deleted_at?: string | undefined
  channel: CreatedBy
  author: CreatedBy
  content: Content2
  sent_at: string
  imported?: Imported | undefined
  edited_at?: string | undefined
  thread_root_id?: string | undefined
  also_to_channel?: boolean | undefined
  reply_count: number
  last_reply_at?: string | undefined
  reactions: Array<Reaction>
  files: Array<CreatedBy>
  pinned: boolean
  mentions: Array<CreatedBy>
  unresolved_mentions?: Array<string> | undefined
  mentions_channel?: boolean | undefined
  via_assistant: boolean
  linked_items: Array<ApiCallInList>
}

export type Page = {
  id: string
  revision: number
  created_at: string
  updated_at: string
  created_by?: CreatedBy | undefined
  created_via?: "web" | "api" | "mcp" | "automation" | "sync" | "cli" | undefined
  url: string
  deleted_at?: string | undefined
  title: string
  icon?: string | undefined
  kind: "page" | "template" | "postmortem" | "runbook" | "meeting_notes"
  parent?: CreatedBy | undefined
  breadcrumb: Array<CreatedBy>
  visibility: "private" | "organization"
  project?: CreatedBy | undefined
  owner: CreatedBy
  labels: Array<CreatedBy>
  my_role: "viewer" | "commenter" | "editor" | "owner"
  shares?: Array<ShareResult> | undefined
  outline?: Array<Outline> | undefined
  body_markdown?: string | undefined
  section?: string | undefined
  offset?: number | undefined
  total_chars?: number | undefined
  next_offset?: number | undefined
  backlinks?: Array<ApiCallInList> | undefined
  publication?: PublishResult | undefined
  readers?: Readers | undefined
  warnings?: Array<string> | undefined
  unresolved_mentions?: Array<string> | undefined
  dry_run?: boolean | undefined
}

export type PageVersion = {
  id: string
  page: CreatedBy
  number: number
  title: string
  author: CreatedBy
  via: "web" | "api" | "mcp" | "automation" | "sync" | "cli"
  key_name?: string | undefined
  created_at: string
  chars_changed: number
  total_chars: number
  current: boolean
  body_markdown?: string | undefined
  diff?: string | undefined
  url: string
}

export type Meeting = {
  id: string
  revision: number
  created_at: string
  updated_at: string
  created_by?: CreatedBy | undefined
  created_via?: "web" | "api" | "mcp" | "automation" | "sync" | "cli" | undefined
  url: string
  deleted_at?: string | undefined
  title: string
  kind: "meeting" | "one_on_one" | "standup" | "pulse" | "customer"
  status: "planned" | "live" | "ended"
  event?: CreatedBy | undefined
  cancelled?: boolean | undefined
  starts_at?: string | undefined
  ends_at?: string | undefined
  starts_local?: string | undefined
  ends_local?: string | undefined
  timezone: string
  participants: Array<To>
  organizer: CreatedBy
  agenda: Array<{
    text: string
    done: boolean
  }>
  transcript: Transcript2
  project?: CreatedBy | undefined
  pulse?: CreatedBy | undefined
  visibility: "participants" | "project" | "organization"
  missing: Array<"notes" | "transcript" | "owners" | "tasks">
  notes_markdown?: string | undefined
  unresolved_mentions?: Array<string> | undefined
  notes: Array<AddResult3>
  decisions: Array<DecisionInList>
  action_items: Array<ActionItemInList>
}

export type Transcript = {
  meeting: CreatedBy
  language: string
  speakers: Array<Speaker>
  lines: Array<Line>
  line_count: number
  minutes: number
  trust: "external"
  replaced_lines?: number | undefined
  next_cursor?: string | undefined
  has_more: boolean
}

export type Deal = {
  id: string
  revision: number
  created_at: string
  updated_at: string
  created_by?: CreatedBy | undefined
  created_via?: "web" | "api" | "mcp" | "automation" | "sync" | "cli" | undefined
  url: string
  deleted_at?: string | undefined
  name: string
  company?: CreatedBy | undefined
  contacts: Array<CreatedBy>
  stage: string
  status: "open" | "won" | "lost"
  lost_reason?: string | undefined
  amount?: number | undefined
  currency: string
  expected_close_on?: string | undefined
  closed_at?: string | undefined
  owner: CreatedBy
  stage_history: Array<StageHistory>
  stale_days: number
  note?: string | undefined
}

export type Pulse = {
  id: string
  revision: number
  created_at: string
  updated_at: string
  created_by?: CreatedBy | undefined
  created_via?: "web" | "api" | "mcp" | "automation" | "sync" | "cli" | undefined
  url: string
  deleted_at?: string | undefined
  name: string
  team: CreatedBy
  questions: Array<Question>
  rrule: string
  timezone: string
  mode: "async" | "meeting"
  channel?: Channel2 | undefined
  problem?: string | undefined
  anonymous: boolean
  active: boolean
  answer_rate: number
  next_on?: string | undefined
  next_at?: string | undefined
  next_local?: string | undefined
  open_round?: OpenRound | undefined
}

export type Goal = {
  id: string
  revision: number
  created_at: string
  updated_at: string
  created_by?: CreatedBy | undefined
  created_via?: "web" | "api" | "mcp" | "automation" | "sync" | "cli" | undefined
  url: string
  deleted_at?: string | undefined
  title: string
  description_markdown?: string | undefined
  period: string
  level: "organization" | "team" | "personal"
  owner: CreatedBy
  team?: CreatedBy | undefined
  parent?: CreatedBy | undefined
  children: Array<CreatedBy>
  key_results: Array<KeyResult>
  progress: number
  confidence?: "high" | "medium" | "low" | undefined
  at_risk: boolean
  status: "draft" | "active" | "achieved" | "missed" | "cancelled"
  projects: Array<CreatedBy>
  checkins: Array<RecordResult>
}

export type KeyResult = {
  id: string
  revision: number
  created_at: string
  updated_at: string
  created_by?: CreatedBy | undefined
  created_via?: "web" | "api" | "mcp" | "automation" | "sync" | "cli" | undefined
  url: string
  deleted_at?: string | undefined
  goal: CreatedBy
  title: string
  metric: "number" | "percent" | "currency" | "boolean"
  start_value: number
  current_value: number
  target_value: number
  unit?: string | undefined
  source: Source
  owner: CreatedBy
  retired: boolean
  progress: number
  stale?: Stale | undefined
}

export type TimeEntry = {
  id: string
  revision: number
  created_at: string
  updated_at: string
  created_by?: CreatedBy | undefined
  created_via?: "web" | "api" | "mcp" | "automation" | "sync" | "cli" | undefined
  url: string
  deleted_at?: string | undefined
  person: CreatedBy
  task?: CreatedBy | undefined
  project?: Project2 | undefined
  spent_on: string
  duration_minutes: number
  note?: string | undefined
  billable: boolean
  running_since?: string | undefined
  stopped?: Stopped | undefined
  notes?: Array<string> | undefined
}

export type NotificationPreferences = {
  events: Array<Event2>
  quiet_hours: QuietHours | null
  digest: "off" | "daily" | "weekly"
  email_delivery: "configured" | "not_configured"
}

export type Postmortem = {
  id: string
  revision: number
  created_at: string
  updated_at: string
  created_by?: CreatedBy | undefined
  created_via?: "web" | "api" | "mcp" | "automation" | "sync" | "cli" | undefined
  url: string
  deleted_at?: string | undefined
  incident: CreatedBy
  page: CreatedBy
  author: CreatedBy
  due_on?: string | undefined
  overdue: boolean
  status: "draft" | "in_review" | "published"
  action_tasks: Array<CreatedBy>
}

export type Incident = {
  id: string
  revision: number
  created_at: string
  updated_at: string
  created_by?: CreatedBy | undefined
  created_via?: "web" | "api" | "mcp" | "automation" | "sync" | "cli" | undefined
  url: string
  deleted_at?: string | undefined
  key: string
  title: string
  summary_markdown?: string | undefined
  severity: "sev1" | "sev2" | "sev3" | "sev4"
  status: "open" | "acknowledged" | "mitigated" | "resolved" | "closed"
  services: Array<CreatedBy>
  roles: Roles
  channel?: Channel3 | undefined
  detected_at: string
  opened_at: string
  acknowledged_at?: string | undefined
  mitigated_at?: string | undefined
  resolved_at?: string | undefined
  closed_at?: string | undefined
  cause?: string | undefined
  customer_impact?: string | undefined
  resolution?: string | undefined
  restricted: boolean
  runbooks?: Array<Runbook2> | undefined
  follow_up_tasks?: Array<CreatedBy> | undefined
  links?: Array<Record<string, unknown>> | undefined
  status_updates?: Array<StatusUpdate> | undefined
  postmortem?: Postmortem | null | undefined
  timeline?: Array<IncidentTimelineInList> | undefined
}

export type Service = {
  id: string
  revision: number
  created_at: string
  updated_at: string
  created_by?: CreatedBy | undefined
  created_via?: "web" | "api" | "mcp" | "automation" | "sync" | "cli" | undefined
  url: string
  deleted_at?: string | undefined
  name: string
  description?: string | undefined
  team?: CreatedBy | undefined
  schedule?: CreatedBy | undefined
  depends_on: Array<CreatedBy>
  state: "operational" | "degraded" | "partial_outage" | "major_outage" | "maintenance"
  public: boolean
}

export type Runbook = {
  id: string
  revision: number
  created_at: string
  updated_at: string
  created_by?: CreatedBy | undefined
  created_via?: "web" | "api" | "mcp" | "automation" | "sync" | "cli" | undefined
  url: string
  deleted_at?: string | undefined
  name: string
  steps: Array<Step>
  services: Array<CreatedBy>
  severities: Array<"sev1" | "sev2" | "sev3" | "sev4">
  page?: Page2 | undefined
  last_used_at?: string | undefined
  match_reason?: string | undefined
}

export type OnCallSchedule = {
  id: string
  revision: number
  created_at: string
  updated_at: string
  created_by?: CreatedBy | undefined
  created_via?: "web" | "api" | "mcp" | "automation" | "sync" | "cli" | undefined
  url: string
  deleted_at?: string | undefined
  name: string
  timezone: string
  team?: CreatedBy | undefined
  layers: Array<Layer>
  escalation_minutes: number
  from: string
  to: string
  overrides: Array<OnCallItem>
  gaps: Array<Gap>
  shifts?: Array<OnCallItem> | undefined
  shifts_until?: string | undefined
}

export type Company = {
  id: string
  revision: number
  created_at: string
  updated_at: string
  created_by?: CreatedBy | undefined
  created_via?: "web" | "api" | "mcp" | "automation" | "sync" | "cli" | undefined
  url: string
  deleted_at?: string | undefined
  name: string
  domain?: string | undefined
  industry?: string | undefined
  size?: string | undefined
  owner?: CreatedBy | undefined
  contacts: Array<CreatedBy>
  contact_count: number
  open_deal_value: Record<string, number>
  note?: string | undefined
  custom_fields: Record<string, string | number | boolean | Array<string>>
  last_contacted_at?: string | undefined
  existing?: boolean | undefined
}

export type Contact = {
  id: string
  revision: number
  created_at: string
  updated_at: string
  created_by?: CreatedBy | undefined
  created_via?: "web" | "api" | "mcp" | "automation" | "sync" | "cli" | undefined
  url: string
  deleted_at?: string | undefined
  name: string
  emails: Array<string>
  phones: Array<string>
  title?: string | undefined
  company?: CreatedBy | undefined
  owner?: CreatedBy | undefined
  labels: Array<CreatedBy>
  note?: string | undefined
  custom_fields: Record<string, string | number | boolean | Array<string>>
  last_contacted_at?: string | undefined
  deals: Array<Deal2>
  interactions?: Array<InteractionInList> | undefined
  tasks?: Array<Task2> | undefined
  meetings?: Array<Meeting2> | undefined
  existing?: boolean | undefined
}

export type Form = {
  id: string
  revision: number
  created_at: string
  updated_at: string
  created_by?: CreatedBy | undefined
  created_via?: "web" | "api" | "mcp" | "automation" | "sync" | "cli" | undefined
  url: string
  deleted_at?: string | undefined
  title: string
  description_markdown?: string | undefined
  status: "draft" | "published" | "closed"
  fields: Array<Field>
  retired_fields?: Array<Field> | undefined
  settings: Settings
  destination?: Destination | undefined
  public_url?: string | undefined
  response_count: number
  closed?: Closed | undefined
}

export type Automation = {
  id: string
  revision: number
  created_at: string
  updated_at: string
  created_by?: CreatedBy | undefined
  created_via?: "web" | "api" | "mcp" | "automation" | "sync" | "cli" | undefined
  url: string
  deleted_at?: string | undefined
  name: string
  owner: CreatedBy
  trigger: Trigger
  conditions: Array<Condition>
  actions: Array<Action>
  status: "disabled" | "enabled" | "suspended"
  reason?: string | undefined
  shared: boolean
  project?: CreatedBy | undefined
  last_run?: AutomationRun | undefined
  run_counts: RunCounts
  outbound: boolean
  webhook_url?: string | undefined
}

export type AutomationRun = {
  id: string
  url: string
  automation: CreatedBy
  status: "queued" | "running" | "succeeded" | "failed" | "skipped"
  trigger: Trigger2
  trigger_item?: ApiCallInList | undefined
  created_at: string
  started_at?: string | undefined
  ended_at?: string | undefined
  duration_ms?: number | undefined
  resumes_at?: string | undefined
  reason?: string | undefined
  conditions?: Array<Condition2> | undefined
  depth: number
  held?: boolean | undefined
  chain?: Array<Chain> | undefined
  steps?: Array<Step2> | undefined
  changed_items?: Array<ApiCallInList> | undefined
}

export type EmailDraft = {
  id: string
  revision: number
  created_at: string
  updated_at: string
  created_by?: CreatedBy | undefined
  created_via?: "web" | "api" | "mcp" | "automation" | "sync" | "cli" | undefined
  url: string
  deleted_at?: string | undefined
  account_id: string
  thread_id?: string | undefined
  in_reply_to?: string | undefined
  to: Array<To>
  cc: Array<To>
  bcc: Array<To>
  subject: string
  body_markdown: string
  attachment_files: Array<CreatedBy>
  state: "draft" | "scheduled" | "sent"
  warnings: Array<string>
}

export type EmailRule = {
  id: string
  revision: number
  created_at: string
  updated_at: string
  created_by?: CreatedBy | undefined
  created_via?: "web" | "api" | "mcp" | "automation" | "sync" | "cli" | undefined
  url: string
  deleted_at?: string | undefined
  account_id?: string | undefined
  name: string
  position: number
  enabled: boolean
  conditions: Conditions
  actions: Array<Action2>
  hits: number
  last_hit_at?: string | undefined
  problem?: string | undefined
}

export type EmailTemplate = {
  id: string
  revision: number
  created_at: string
  updated_at: string
  created_by?: CreatedBy | undefined
  created_via?: "web" | "api" | "mcp" | "automation" | "sync" | "cli" | undefined
  url: string
  deleted_at?: string | undefined
  name: string
  subject: string
  body_markdown: string
  variables: Array<string>
  shared: boolean
  retired: boolean
}

export type EmailAttachment = {
  file_or_attachment: ApiCallInList
  version_id?: string | undefined
  mime_type: string
  size_bytes: number
  format: "text" | "markdown" | "base64" | "link"
  content?: Content4 | undefined
  base64?: string | undefined
  download_url?: string | undefined
  expires_at?: string | undefined
  offset: number
  total_chars?: number | undefined
  next_offset?: number | undefined
  extraction: "native" | "ocr" | "none"
  note?: string | undefined
}

export type File = {
  id: string
  revision: number
  created_at: string
  updated_at: string
  created_by?: CreatedBy | undefined
  created_via?: "web" | "api" | "mcp" | "automation" | "sync" | "cli" | undefined
  url: string
  deleted_at?: string | undefined
  drive?: Drive | undefined
  project?: Project3 | undefined
  name: string
  type: "folder" | "document" | "spreadsheet" | "presentation" | "pdf" | "image" | "video" | "other"
  mime_type: string
  size_bytes: number
  path: string
  parent_id?: string | undefined
  owner: CreatedBy
  version_id?: string | undefined
  modified_at: string
  modified_by: CreatedBy
  starred: boolean
  labels: Array<CreatedBy>
  text_status: "indexed" | "pending" | "none"
  description?: string | undefined
  shares?: Array<ShareLink> | undefined
  readers?: Readers | undefined
  warnings?: Array<string> | undefined
  dry_run?: boolean | undefined
}

export type ShareLink = {
  id: string
  revision: number
  created_at: string
  updated_at: string
  created_by?: CreatedBy | undefined
  created_via?: "web" | "api" | "mcp" | "automation" | "sync" | "cli" | undefined
  url: string
  deleted_at?: string | undefined
  on: ApiCallInList
  kind: "person" | "link"
  person?: CreatedBy | undefined
  role: "viewer" | "commenter" | "editor"
  note?: string | undefined
  link_url?: string | undefined
  has_password: boolean
  expires_at?: string | undefined
  inherited_from?: InheritedFrom | undefined
}

export type FileContent = {
  id: string
  file: CreatedBy
  number: number
  size_bytes: number
  mime_type: string
  author: CreatedBy
  comment?: string | undefined
  is_current: boolean
  sha256?: string | undefined
  created_at: string
  created_via?: "web" | "api" | "mcp" | "automation" | "sync" | "cli" | undefined
}

export type Entity = {
  id: string
  revision: number
  created_at: string
  updated_at: string
  created_by?: CreatedBy | undefined
  created_via?: "web" | "api" | "mcp" | "automation" | "sync" | "cli" | undefined
  url: string
  deleted_at?: string | undefined
  name: string
  type: string
  aliases: Array<string>
  description?: string | undefined
  item?: Item | undefined
  counts: Counts2
  facts: Array<FactInList>
  observations: Array<AddResult4>
  existing?: boolean | undefined
  others?: Array<CreatedBy> | undefined
}

export type Approval = {
  id: string
  status: "pending" | "released" | "denied" | "expired"
  tool: string
  arguments: Record<string, unknown>
  waits_for: string
  asked_at: string
  expires_at: string
  decided_at?: string | undefined
  reason?: string | undefined
  call_id?: string | undefined
  result?: unknown | undefined
  url: string
}

export type Webhook = {
  id: string
  revision: number
  created_at: string
  updated_at: string
  created_by?: CreatedBy | undefined
  created_via?: "web" | "api" | "mcp" | "automation" | "sync" | "cli" | undefined
  url: string
  deleted_at?: string | undefined
  name: string
  events: Array<string>
  filter?: Filter | undefined
  active: boolean
  secret?: string | undefined
  health: "ok" | "failing" | "paused"
  last_delivery_at?: string | undefined
}

export type Tool = {
  name: string
  module: string
  kind: "read" | "write" | "destructive"
  summary: string
  rest: string
  input_schema?: Record<string, unknown> | undefined
  output_schema?: Record<string, unknown> | undefined
  examples?: Array<Example> | undefined
  in_session: boolean
  aliases: Array<string>
}

export type TaskInList = {
  id: string
  revision: number
  created_at: string
  updated_at: string
  created_by?: CreatedBy | undefined
  created_via?: "web" | "api" | "mcp" | "automation" | "sync" | "cli" | undefined
  url: string
  deleted_at?: string | undefined
  key: string
  title: string
  description_markdown?: string | undefined
  project: CreatedBy
  status: string
  status_category: "triage" | "backlog" | "todo" | "in_progress" | "done" | "cancelled"
  priority: "urgent" | "high" | "medium" | "low" | "none"
  assignees: Array<CreatedBy>
  watchers?: Array<CreatedBy> | undefined
  due_at?: string | undefined
  due_on?: string | undefined
  due_local?: string | undefined
  start_at?: string | undefined
  start_on?: string | undefined
  start_local?: string | undefined
  completed_at?: string | undefined
  estimate_minutes?: number | undefined
  points?: number | undefined
  time_spent_minutes: number
  parent?: CreatedBy | undefined
  subtask_counts: {
    total: number
    done: number
  }
  blocked: boolean
  blocked_by: Array<CreatedBy>
  blocks: Array<CreatedBy>
  sprint?: CreatedBy | undefined
  milestone?: CreatedBy | undefined
  labels: Array<CreatedBy>
  custom_fields: Record<string, unknown>
  recurrence?: Recurrence | undefined
  source?: ApiCallInList | undefined
  comment_count: number
  position: string
  watching: boolean
}

export type ApiCallInList = {
  type: string
  id: string
  key?: string | undefined
  title: string
  url: string
}

export type MeetingInList = {
  id: string
  revision: number
  created_at: string
  updated_at: string
  created_by?: CreatedBy | undefined
  created_via?: "web" | "api" | "mcp" | "automation" | "sync" | "cli" | undefined
  url: string
  deleted_at?: string | undefined
  title: string
  kind: "meeting" | "one_on_one" | "standup" | "pulse" | "customer"
  status: "planned" | "live" | "ended"
  event?: CreatedBy | undefined
  cancelled?: boolean | undefined
  starts_at?: string | undefined
  ends_at?: string | undefined
  starts_local?: string | undefined
  ends_local?: string | undefined
  timezone: string
  participants: Array<To>
  organizer: CreatedBy
  agenda: Array<{
    text: string
    done: boolean
  }>
  transcript: Transcript2
  project?: CreatedBy | undefined
  pulse?: CreatedBy | undefined
  visibility: "participants" | "project" | "organization"
  missing: Array<"notes" | "transcript" | "owners" | "tasks">
}

export type PageInList = {
  id: string
  revision: number
  created_at: string
  updated_at: string
  created_by?: CreatedBy | undefined
  created_via?: "web" | "api" | "mcp" | "automation" | "sync" | "cli" | undefined
  url: string
  deleted_at?: string | undefined
  title: string
  icon?: string | undefined
  kind: "page" | "template" | "postmortem" | "runbook" | "meeting_notes"
  parent?: CreatedBy | undefined
  breadcrumb: Array<CreatedBy>
  visibility: "private" | "organization"
  project?: CreatedBy | undefined
  owner: CreatedBy
  labels: Array<CreatedBy>
  my_role: "viewer" | "commenter" | "editor" | "owner"
}

export type PageCommentInList = {
  id: string
  revision: number
  created_at: string
  updated_at: string
  created_by?: CreatedBy | undefined
  created_via?: "web" | "api" | "mcp" | "automation" | "sync" | "cli" | undefined
  url: string
  deleted_at?: string | undefined
  body_markdown: string
  author: CreatedBy
  on: ApiCallInList
  reply_to?: string | undefined
  quote?: string | undefined
  anchor?: "found" | "lost" | undefined
  quote_offset?: number | undefined
  resolved: boolean
  resolved_by?: CreatedBy | undefined
  resolved_at?: string | undefined
  mentions: Array<CreatedBy>
  unresolved_mentions?: Array<string> | undefined
}

export type DecisionInList = {
  id: string
  revision: number
  created_at: string
  updated_at: string
  created_by?: CreatedBy | undefined
  created_via?: "web" | "api" | "mcp" | "automation" | "sync" | "cli" | undefined
  url: string
  deleted_at?: string | undefined
  title: string
  decision_markdown: string
  alternatives: Array<string>
  decided_by: Array<CreatedBy>
  decided_at: string
  meeting?: CreatedBy | undefined
  project?: CreatedBy | undefined
  status: "accepted" | "superseded"
  supersedes?: CreatedBy | undefined
  superseded_by?: CreatedBy | undefined
}

export type ActionItemInList = {
  id: string
  revision: number
  created_at: string
  updated_at: string
  created_by?: CreatedBy | undefined
  created_via?: "web" | "api" | "mcp" | "automation" | "sync" | "cli" | undefined
  url: string
  deleted_at?: string | undefined
  meeting: CreatedBy
  text: string
  owner?: To | undefined
  due_on?: string | undefined
  quote?: string | undefined
  at_second?: number | undefined
  status: "open" | "task_created" | "done" | "dropped"
  task?: CreatedBy | undefined
}

export type FactInList = {
  id: string
  revision: number
  created_at: string
  updated_at: string
  created_by?: CreatedBy | undefined
  created_via?: "web" | "api" | "mcp" | "automation" | "sync" | "cli" | undefined
  url: string
  deleted_at?: string | undefined
  entity: CreatedBy
  predicate: string
  value: string
  value_entity?: CreatedBy | undefined
  valid_from: string
  valid_to?: string | undefined
  recorded_at: string
  status: "valid" | "superseded" | "invalidated"
  superseded_by?: string | undefined
  superseded_at?: string | undefined
  reason?: string | undefined
  confidence: number
  source?: ApiCallInList | "hidden" | undefined
  stated_by?: CreatedBy | undefined
}

export type IncidentTimelineInList = {
  id: string
  revision: number
  created_at: string
  updated_at: string
  created_by?: CreatedBy | undefined
  created_via?: "web" | "api" | "mcp" | "automation" | "sync" | "cli" | undefined
  url: string
  deleted_at?: string | undefined
  incident: CreatedBy
  kind: "note" | "status" | "severity" | "role" | "escalation" | "message" | "update" | "link"
  occurred_at: string
  actor?: CreatedBy | undefined
  via: string
  body_markdown: string
  from?: string | undefined
  to?: string | undefined
  message?: Message2 | undefined
  unresolved_mentions?: Array<string> | undefined
}

export type IncidentInList = {
  id: string
  revision: number
  created_at: string
  updated_at: string
  created_by?: CreatedBy | undefined
  created_via?: "web" | "api" | "mcp" | "automation" | "sync" | "cli" | undefined
  url: string
  deleted_at?: string | undefined
  key: string
  title: string
  summary_markdown?: string | undefined
  severity: "sev1" | "sev2" | "sev3" | "sev4"
  status: "open" | "acknowledged" | "mitigated" | "resolved" | "closed"
  services: Array<CreatedBy>
  roles: Roles
  channel?: Channel3 | undefined
  detected_at: string
  opened_at: string
  acknowledged_at?: string | undefined
  mitigated_at?: string | undefined
  resolved_at?: string | undefined
  closed_at?: string | undefined
  cause?: string | undefined
  customer_impact?: string | undefined
  resolution?: string | undefined
  restricted: boolean
}

export type ContactInList = {
  id: string
  revision: number
  created_at: string
  updated_at: string
  created_by?: CreatedBy | undefined
  created_via?: "web" | "api" | "mcp" | "automation" | "sync" | "cli" | undefined
  url: string
  deleted_at?: string | undefined
  name: string
  emails: Array<string>
  phones: Array<string>
  title?: string | undefined
  company?: CreatedBy | undefined
  owner?: CreatedBy | undefined
  labels: Array<CreatedBy>
  note?: string | undefined
  custom_fields: Record<string, string | number | boolean | Array<string>>
  last_contacted_at?: string | undefined
  deals: Array<CreatedBy>
}

export type InteractionInList = {
  id: string
  revision: number
  created_at: string
  updated_at: string
  created_by?: CreatedBy | undefined
  created_via?: "web" | "api" | "mcp" | "automation" | "sync" | "cli" | undefined
  url: string
  deleted_at?: string | undefined
  kind: "email" | "meeting" | "call" | "note" | "form" | "other"
  occurred_at: string
  summary_markdown: string
  trust: "internal" | "external"
  contacts: Array<CreatedBy>
  company?: CreatedBy | undefined
  deal?: CreatedBy | undefined
  person: CreatedBy
  source?: ApiCallInList | undefined
  next_step?: string | undefined
  next_step_due?: string | undefined
  next_step_task?: NextStepTask | undefined
  unresolved_mentions?: Array<string> | undefined
}

export type FormResponseInList = {
  id: string
  revision: number
  created_at: string
  updated_at: string
  created_by?: CreatedBy | undefined
  created_via?: "web" | "api" | "mcp" | "automation" | "sync" | "cli" | undefined
  url: string
  deleted_at?: string | undefined
  form: CreatedBy
  submitted_at: string
  answers: Array<Answer>
  respondent?: To | undefined
  trust: "internal" | "external"
  score?: number | undefined
  created_item?: ApiCallInList | undefined
  destination?: Destination2 | undefined
  partial: boolean
}

export type EmailInList = {
  id: string
  revision: number
  created_at: string
  updated_at: string
  created_by?: CreatedBy | undefined
  created_via?: "web" | "api" | "mcp" | "automation" | "sync" | "cli" | undefined
  url: string
  deleted_at?: string | undefined
  account_id: string
  thread_id: string
  message_id_header: string
  from: To
  to: Array<To>
  cc: Array<To>
  bcc?: Array<To> | undefined
  reply_to?: Array<To> | undefined
  subject: string
  date: string
  snippet: string
  content?: Content3 | undefined
  body_state?: "pending" | "ready" | "failed" | "large" | undefined
  headers?: Array<{
    name: string
    value: string
  }> | undefined
  folder: string
  labels: Array<string>
  unread: boolean
  starred: boolean
  attachments: Array<Attachment2>
  contact?: CreatedBy | undefined
  linked_items: Array<ApiCallInList>
  list_unsubscribe: boolean
  authentication: Authentication
  delivery: "received" | "sending" | "sent" | "failed"
  delivery_problem?: string | undefined
}

export type EmailThreadInList = {
  id: string
  revision: number
  created_at: string
  updated_at: string
  created_by?: CreatedBy | undefined
  created_via?: "web" | "api" | "mcp" | "automation" | "sync" | "cli" | undefined
  url: string
  deleted_at?: string | undefined
  account_id: string
  subject: string
  participants: Array<To>
  message_count: number
  unread_count: number
  last_message_at: string
  last_email_id?: string | undefined
  last_sender?: To | undefined
  snippet?: string | undefined
  waiting_for?: Array<To> | undefined
  awaiting: "me" | "them" | "none"
  waiting_since?: string | undefined
  snoozed_until?: string | undefined
  snoozed_until_reply?: boolean | undefined
  labels: Array<string>
  messages?: Array<EmailInList> | undefined
  drafts: Array<CreatedBy>
  linked_items: Array<ApiCallInList>
}

export type ScheduledEmailInList = {
  id: string
  revision: number
  created_at: string
  updated_at: string
  created_by?: CreatedBy | undefined
  created_via?: "web" | "api" | "mcp" | "automation" | "sync" | "cli" | undefined
  url: string
  deleted_at?: string | undefined
  draft: EmailDraft
  send_at: string
  cancel_if_replied: boolean
  status: "queued" | "sending" | "sent" | "failed" | "cancelled"
  error?: string | undefined
}

export type FileInList = {
  id: string
  revision: number
  created_at: string
  updated_at: string
  created_by?: CreatedBy | undefined
  created_via?: "web" | "api" | "mcp" | "automation" | "sync" | "cli" | undefined
  url: string
  deleted_at?: string | undefined
  drive?: Drive | undefined
  project?: Project3 | undefined
  name: string
  type: "folder" | "document" | "spreadsheet" | "presentation" | "pdf" | "image" | "video" | "other"
  mime_type: string
  size_bytes: number
  path: string
  parent_id?: string | undefined
  owner: CreatedBy
  version_id?: string | undefined
  modified_at: string
  modified_by: CreatedBy
  starred: boolean
  labels: Array<CreatedBy>
  text_status: "indexed" | "pending" | "none"
  description?: string | undefined
}

export type TrashInList = {
  item: ApiCallInList
  deleted_by?: CreatedBy | undefined
  deleted_at: string
  purge_at: string
  parts: Array<{
    type: string
    count: number
  }>
  status: "restorable" | "restored"
}

export type ApiKeyInList = {
  id: string
  name: string
  prefix: string
  status: "active" | "suspended" | "revoked" | "expired"
  created_at: string
  expires_at?: string | undefined
  last_used_at?: string | undefined
  last_ip?: string | undefined
  last_client?: string | undefined
  call_count_30d: number
  is_current: boolean
  findings?: Array<Finding> | undefined
  url: string
}

export type DeleteResult = {
  item: ApiCallInList
  also_deleted: Array<{
    type: string
    count: number
  }>
  restorable_until?: string | undefined
  dry_run: boolean
  undo_call_id?: string | undefined
}

export type AddResult = {
  person: CreatedBy
  role: "lead" | "member"
  added_at: string
  open_task_count: number
}

export type PostResult = {
  id: string
  revision: number
  created_at: string
  updated_at: string
  created_by?: CreatedBy | undefined
  created_via?: "web" | "api" | "mcp" | "automation" | "sync" | "cli" | undefined
  url: string
  deleted_at?: string | undefined
  project: CreatedBy
  health: "on_track" | "at_risk" | "off_track"
  body_markdown: string
  author: CreatedBy
}

export type AddResult2 = {
  task: CreatedBy
  other: CreatedBy
  type: "blocked_by" | "blocks" | "relates_to" | "duplicates"
}

export type ExportResult = {
  format: "csv"
  inline?: string | undefined
  download_url?: string | undefined
  expires_at?: string | undefined
  item_count: number
  size_bytes: number
}

export type ShareResult = {
  id: string
  revision: number
  created_at: string
  updated_at: string
  created_by?: CreatedBy | undefined
  created_via?: "web" | "api" | "mcp" | "automation" | "sync" | "cli" | undefined
  url: string
  deleted_at?: string | undefined
  on: ApiCallInList
  kind: "person" | "link"
  person?: CreatedBy | undefined
  role: "viewer" | "commenter" | "editor"
  note?: string | undefined
  has_password: boolean
  inherited_from?: ApiCallInList | undefined
}

export type PublishResult = {
  page: CreatedBy
  public_url: string
  slug: string
  include_children: boolean
  expires_at?: string | undefined
  status: "published" | "expired"
}

export type EditResult = {
  page: CreatedBy
  revision: number
  diff: string
  matches: number
  dry_run: boolean
  unresolved_mentions?: Array<string> | undefined
  undo_call_id?: string | undefined
}

export type AddResult3 = {
  id: string
  revision: number
  created_at: string
  updated_at: string
  created_by?: CreatedBy | undefined
  created_via?: "web" | "api" | "mcp" | "automation" | "sync" | "cli" | undefined
  url: string
  deleted_at?: string | undefined
  meeting: CreatedBy
  body_markdown: string
  at_second?: number | undefined
  author: CreatedBy
  unresolved_mentions?: Array<string> | undefined
}

export type SubmitResult = {
  id?: string | undefined
  revision?: number | undefined
  created_at?: string | undefined
  updated_at?: string | undefined
  created_by?: CreatedBy | undefined
  created_via?: "web" | "api" | "mcp" | "automation" | "sync" | "cli" | undefined
  url?: string | undefined
  deleted_at?: string | undefined
  pulse: CreatedBy
  occurrence_on: string
  person?: Person | undefined
  answers: Record<string, unknown>
}

export type RecordResult = {
  id: string
  revision: number
  created_at: string
  updated_at: string
  created_by?: CreatedBy | undefined
  created_via?: "web" | "api" | "mcp" | "automation" | "sync" | "cli" | undefined
  url: string
  deleted_at?: string | undefined
  goal: CreatedBy
  values: Record<string, number>
  confidence: "high" | "medium" | "low"
  note_markdown?: string | undefined
  author: CreatedBy
  unresolved_mentions?: Array<string> | undefined
}

export type SendResult = {
  id: string
  revision: number
  created_at: string
  updated_at: string
  created_by?: CreatedBy | undefined
  created_via?: "web" | "api" | "mcp" | "automation" | "sync" | "cli" | undefined
  url: string
  deleted_at?: string | undefined
  account_id: string
  thread_id: string
  message_id_header: string
  from: To
  to: Array<To>
  cc: Array<To>
  bcc?: Array<To> | undefined
  reply_to?: Array<To> | undefined
  subject: string
  date: string
  snippet: string
  content?: Content3 | undefined
  body_state?: "pending" | "ready" | "failed" | "large" | undefined
  headers?: Array<{
    name: string
    value: string
  }> | undefined
  folder: string
  labels: Array<string>
  unread: boolean
  starred: boolean
  attachments: Array<Attachment2>
  contact?: CreatedBy | undefined
  linked_items: Array<ApiCallInList>
  list_unsubscribe: boolean
  authentication: Authentication
  delivery: "received" | "sending" | "sent" | "failed"
  delivery_problem?: string | undefined
  warnings: Array<string>
  outgoing?: Outgoing | undefined
}

export type AddResult4 = {
  id: string
  revision: number
  created_at: string
  updated_at: string
  created_by?: CreatedBy | undefined
  created_via?: "web" | "api" | "mcp" | "automation" | "sync" | "cli" | undefined
  url: string
  deleted_at?: string | undefined
  entity: CreatedBy
  body: string
  observed_at: string
  source?: ApiCallInList | "hidden" | undefined
  stated_by?: CreatedBy | undefined
}

export type DeleteResult2 = {
  id: string
  revision: number
  created_at: string
  updated_at: string
  created_by?: CreatedBy | undefined
  created_via?: "web" | "api" | "mcp" | "automation" | "sync" | "cli" | undefined
  url: string
  deleted_at?: string | undefined
  from: CreatedBy
  type: string
  to: CreatedBy
  valid_from?: string | undefined
  valid_to?: string | undefined
  confidence: number
  source?: ApiCallInList | "hidden" | undefined
  status: "current" | "ended" | "wrong"
  note?: string | undefined
}

export type OnCallItem = {
  id?: string | undefined
  schedule: CreatedBy
  level: number
  person: CreatedBy
  starts_at: string
  ends_at: string
  starts_local: string
  ends_local: string
  timezone: string
  is_override: boolean
  covers_for?: CreatedBy | undefined
  reason?: string | undefined
  conflicts: Array<string>
}

export type CreatedBy = {
  id: string
  title: string
  key?: string | undefined
  url?: string | undefined
}

export type Presence = {
  text?: string | undefined
  emoji?: string | undefined
  availability: "available" | "busy" | "away" | "do_not_disturb"
  until?: string | undefined
}

export type WorkingHour = {
  from: string
  to: string
}

export type Content = {
  text: string
  trust: "internal" | "external"
  source?: string | undefined
}

export type To = {
  name?: string | undefined
  email?: string | undefined
  person?: CreatedBy | undefined
  contact?: CreatedBy | undefined
}

export type Attendee = {
  address: To
  response: "needs_action" | "accepted" | "tentative" | "declined"
  optional: boolean
}

export type NextOccurrence = {
  id: string
  starts_at: string
  starts_local: string
}

export type Recurrence = {
  rrule: string
  timezone: string
  create_next: "on_schedule" | "on_completion"
  ends_on?: string | undefined
  next_at?: string | undefined
  next_on?: string | undefined
}

export type Transcript2 = {
  exists: boolean
  minutes?: number | undefined
  language?: string | undefined
}

export type ThreadsAwaitingMe = {
  id: string
  account_id: string
  subject: string
  participants: Array<To>
  message_count: number
  unread_count: number
  last_message_at: string
  awaiting: "me" | "them" | "none"
  waiting_since?: string | undefined
  url: string
}

export type Conflict = {
  kind: "task_due" | "on_call"
  item: ApiCallInList
  at: string
  shifts?: number | undefined
}

export type Truncated = {
  reason: string
  how_to_continue: string
}

export type Truncated2 = {
  reason: string
  bytes: number
  how_to_continue: string
}

export type Member = {
  person: CreatedBy
  role: "lead" | "member"
}

export type Status = {
  name: string
  category: "triage" | "backlog" | "todo" | "in_progress" | "done" | "cancelled"
  color: string
  position: number
  wip_limit?: number | undefined
}

export type Option = {
  id: string
  name: string
  color: string
}

export type TaskCounts = {
  total: number
  triage: number
  backlog: number
  todo: number
  in_progress: number
  done: number
  cancelled: number
}

export type Skipped = {
  id: string
  key?: string | undefined
  title?: string | undefined
  reason: string
}

export type Failed = {
  id: string
  key?: string | undefined
  title?: string | undefined
  code: string
  message: string
}

export type Burndown = {
  date: string
  remaining: number
  ideal: number
}

export type Counts = {
  added_after_start: number
  removed_after_start: number
  completed: number
  carried_over: number
}

export type Attachment = {
  id: string
  revision: number
  created_at: string
  updated_at: string
  created_by?: CreatedBy | undefined
  created_via?: "web" | "api" | "mcp" | "automation" | "sync" | "cli" | undefined
  url: string
  deleted_at?: string | undefined
  name: string
  kind: "file" | "link"
  file?: CreatedBy | undefined
  web_url?: string | undefined
  mime_type?: string | undefined
  size_bytes?: number | undefined
}

export type Dependency = {
  type: "blocked_by" | "blocks" | "relates_to" | "duplicates"
  task: CreatedBy
  status_category: "triage" | "backlog" | "todo" | "in_progress" | "done" | "cancelled"
}

export type Time = {
  total_minutes: number
  entries: Array<Record<string, unknown>>
}

export type Searched = {
  mode: "keyword" | "semantic" | "hybrid"
  note?: string | undefined
}

export type Uses = {
  task: number
  page: number
  contact: number
  deal: number
  file: number
  incident: number
}

export type Incident2 = {
  id: string
  title: string
  key?: string | undefined
  url?: string | undefined
}

export type Content2 = {
  text: string
  trust: "internal" | "external"
}

export type Imported = {
  from: string
  author: string
}

export type Reaction = {
  emoji: string
  name?: string | undefined
  people: Array<CreatedBy>
}

export type Before = {
  id: string
  author: CreatedBy
  imported?: Imported | undefined
  text: string
  trust?: "external" | undefined
  sent_at: string
}

export type Outline = {
  level: number
  heading: string
  anchor: string
}

export type Readers = {
  gained: Array<{
    id: string
    title: string
  }>
  lost: Array<{
    id: string
    title: string
  }>
}

export type Line = {
  at_second?: number | undefined
  speaker: string
  text: string
}

export type Speaker = {
  label: string
  person?: CreatedBy | undefined
  contact?: CreatedBy | undefined
}

export type Meeting2 = {
  id: string
  title: string
  key?: string | undefined
  url?: string | undefined
  at: string
}

export type StageHistory = {
  stage: string
  at: string
  status: "open" | "won" | "lost"
}

export type Question = {
  id: string
  text: string
  type: "text" | "scale" | "choice" | "yes_no"
  options?: Array<string> | undefined
  min?: number | undefined
  max?: number | undefined
  blocker?: boolean | undefined
}

export type Channel2 = {
  id: string
  title: string
  key?: string | undefined
  url?: string | undefined
}

export type OpenRound = {
  on: string
  opened_at: string
  closes_at?: string | undefined
  answered: number
  expected: number
  answered_by_me?: boolean | undefined
  meeting?: CreatedBy | undefined
}

export type Person = {
  id: string
  title: string
  key?: string | undefined
  url?: string | undefined
}

export type Source = {
  kind: "manual" | "tasks" | "deals" | "form"
  params: Record<string, string>
}

export type Stale = {
  since?: string | undefined
  reason: string
}

export type Project2 = {
  id: string
  title: string
  key?: string | undefined
  url?: string | undefined
}

export type Stopped = {
  id: string
  revision: number
  created_at: string
  updated_at: string
  created_by?: CreatedBy | undefined
  created_via?: "web" | "api" | "mcp" | "automation" | "sync" | "cli" | undefined
  url: string
  deleted_at?: string | undefined
  person: CreatedBy
  task?: CreatedBy | undefined
  project?: Project2 | undefined
  spent_on: string
  duration_minutes: number
  note?: string | undefined
  billable: boolean
  running_since?: string | undefined
}

export type Event2 = {
  kind: "mention" | "assignment" | "incident" | "invite" | "share" | "comment" | "due" | "automation" | "reminder" | "security" | "digest"
  app: boolean
  email: boolean
}

export type QuietHours = {
  from: string
  to: string
  timezone: string
  except_incidents: boolean
}

export type Roles = {
  lead: CreatedBy | null
  communications: CreatedBy | null
  scribe: CreatedBy | null
}

export type Channel3 = {
  id: string
  title: string
  key?: string | undefined
  url?: string | undefined
}

export type Runbook2 = {
  runbook: CreatedBy
  progress: {
    done: number
    total: number
  }
}

export type StatusUpdate = {
  id: string
  revision: number
  created_at: string
  updated_at: string
  created_by?: CreatedBy | undefined
  created_via?: "web" | "api" | "mcp" | "automation" | "sync" | "cli" | undefined
  url: string
  deleted_at?: string | undefined
  title: string
  body_markdown: string
  state: "investigating" | "identified" | "monitoring" | "resolved" | "maintenance"
  incident?: CreatedBy | undefined
  service_states: Record<string, "operational" | "degraded" | "partial_outage" | "major_outage" | "maintenance">
  starts_at?: string | undefined
  ends_at?: string | undefined
  phase?: "planned" | "running" | "resolved" | undefined
  thread_id: string
  published_at: string
}

export type Message2 = {
  id: string
  url: string
}

export type Step = {
  title: string
  body_markdown: string
  minutes?: number | undefined
}

export type Page2 = {
  id: string
  title: string
  key?: string | undefined
  url?: string | undefined
}

export type Layer = {
  level: number
  people: Array<CreatedBy>
  rotation: string
  starts_on: string
  handover: Handover
  hours?: Record<string, Array<WorkingHour>> | undefined
}

export type Handover = {
  time: string
  weekday?: "mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun" | undefined
}

export type Gap = {
  from: string
  to: string
}

export type Deal2 = {
  id: string
  title: string
  key?: string | undefined
  url?: string | undefined
  stage?: string | undefined
  status?: "open" | "won" | "lost" | undefined
  amount?: number | undefined
  currency?: string | undefined
  expected_close_on?: string | undefined
}

export type NextStepTask = {
  id: string
  title: string
  key?: string | undefined
  url?: string | undefined
}

export type Task2 = {
  id: string
  title: string
  key?: string | undefined
  url?: string | undefined
  status: string
}

export type Field = {
  id: string
  label: string
  help?: string | undefined
  type: "short_text" | "long_text" | "number" | "email" | "phone" | "date" | "select" | "multi_select" | "rating" | "nps" | "file" | "yes_no"
  required: boolean
  options?: Array<string> | undefined
  min?: number | undefined
  max?: number | undefined
  show_if?: ShowIf | undefined
}

export type ShowIf = {
  field_id: string
  op: "equals" | "not_equals" | "contains" | "greater" | "less" | "answered"
  value?: unknown | undefined
}

export type Settings = {
  audience: "organization" | "public"
  closes_at?: string | undefined
  response_limit?: number | undefined
  responses_visible_to: "owner_only" | "organization"
  thank_you?: string | undefined
  captcha: boolean
}

export type Destination = {
  kind: "none" | "task" | "contact" | "deal" | "incident" | "webhook"
  mapping?: Record<string, unknown> | undefined
}

export type Closed = {
  why: "person" | "time" | "limit"
  message?: string | undefined
}

export type Answer = {
  field_id: string
  label: string
  value: string | number | boolean | Array<string> | Array<Value>
}

export type Value = {
  file_id: string
  name: string
  size_bytes: number
  url: string
}

export type Destination2 = {
  state: "waiting" | "done" | "failed"
  error?: string | undefined
}

export type Trigger = {
  type: "event" | "schedule" | "webhook" | "manual"
  params: Record<string, unknown>
}

export type Condition = {
  type: "expression"
  expression: string
}

export type Action = {
  type: string
  params: Record<string, unknown>
  on_error: "stop" | "continue"
  id?: string | undefined
}

export type Trigger2 = {
  type: "event" | "schedule" | "webhook" | "manual"
  event?: string | undefined
}

export type Condition2 = {
  text: string
  held: boolean
  error?: string | undefined
}

export type Chain = {
  run_id: string
  automation: CreatedBy
}

export type Step2 = {
  path: string
  action: string
  status: "running" | "waiting" | "succeeded" | "failed"
  attempts: number
  input: Record<string, unknown>
  output?: unknown | undefined
  error?: {
    code: string
    message: string
  } | undefined
  approval_id?: string | undefined
  ended_at?: string | undefined
}

export type RunCounts = {
  succeeded: number
  failed: number
  skipped: number
}

export type Content3 = {
  text: string
  format: "markdown" | "text" | "html"
  trust: "external" | "internal"
  source: string
  offset: number
  total_chars: number
  next_offset?: number | undefined
  quoted_left_out?: boolean | undefined
}

export type Attachment2 = {
  id: string
  name: string
  mime_type: string
  size_bytes: number
}

export type Authentication = {
  spf: string
  dkim: string
  dmarc: string
}

export type Outgoing = {
  text: string
  html: string
  in_reply_to?: string | undefined
  references: Array<string>
}

export type Conditions = {
  all?: Array<All> | undefined
  any?: Array<All> | undefined
}

export type All = {
  field: "from" | "to" | "cc" | "subject" | "body" | "header" | "has_attachment" | "list" | "account" | "size_bytes"
  op: "contains" | "not_contains" | "equals" | "not_equals" | "starts_with" | "ends_with" | "matches_domain" | "is" | "greater_than" | "less_than"
  value: unknown
}

export type Action2 = {
  type: "label" | "archive" | "move" | "mark_read" | "star" | "snooze" | "create_task" | "notify"
  params?: Record<string, unknown> | undefined
}

export type Content4 = {
  text: string
  trust: "internal" | "external"
  source?: string | undefined
}

export type Drive = {
  id: string
  title: string
  key?: string | undefined
  url?: string | undefined
}

export type Project3 = {
  id: string
  title: string
  key?: string | undefined
  url?: string | undefined
}

export type InheritedFrom = {
  type: string
  id: string
  key?: string | undefined
  title: string
  url: string
}

export type Item = {
  type: string
  id: string
  key?: string | undefined
  title: string
  url: string
}

export type Counts2 = {
  facts: number
  relations: number
  observations: number
  mentions: number
}

export type Item2 = {
  type: string
  id: string
  key?: string | undefined
  title?: string | undefined
  url?: string | undefined
}

export type Finding = {
  id: string
  rule: string
  at: string
  holds?: "all" | "writes" | "outbound" | "key" | undefined
  until?: string | undefined
}

export type Filter = {
  project_ids?: Array<string> | undefined
  fields?: Array<string> | undefined
  via?: Array<"web" | "api" | "mcp" | "automation" | "sync" | "cli"> | undefined
  by_others?: boolean | undefined
}

export type Example = {
  about: string
  arguments: Record<string, unknown>
  request: Request
}

export type Request = {
  method: string
  path: string
  body?: Record<string, unknown> | undefined
}

export type PageTreeNode = {
  id: string
  title: string
  icon?: string | undefined
  depth: number
  child_count: number
  children: Array<PageTreeNode>
}

export interface Operations {
  get_me: {
    kind: 'read'
    input: {
      include?: Array<"teams" | "projects" | "accounts" | "counts"> | undefined
    }
    output: {
      person: MyProfile
      organization: CreatedBy
      key?: {
        id: string
        name: string
        prefix: string
        read_only: boolean
        expires_at?: string | undefined
      } | undefined
      timezone: string
      now: {
        utc: string
        local: string
        weekday: string
      }
      working_hours: Record<string, Array<WorkingHour>>
      teams?: Array<CreatedBy> | undefined
      projects?: Array<CreatedBy> | undefined
      accounts?: {
        mail: Array<Record<string, unknown>>
        calendars: number
        drives: number
      } | undefined
      enabled_modules: Array<string>
      toolset: Array<string>
      counts?: {
        unread: number
        mentions: number
        due_today: number
        overdue: number
        awaiting_reply: number
      } | undefined
    }
  }
  update_my_profile: {
    kind: 'write'
    input: {
      avatar_file_id?: string | null | undefined
      display_name?: string | undefined
      title?: string | null | undefined
      timezone?: string | undefined
      working_hours?: Record<string, Array<{
        from: string
        to: string
      }>> | undefined
    }
    output: MyProfile
  }
  set_my_status: {
    kind: 'write'
    input: {
      text?: string | null | undefined
      emoji?: string | null | undefined
      availability?: "available" | "busy" | "away" | "do_not_disturb" | undefined
      until?: string | null | undefined
    }
    output: MyProfile
  }
  get_my_agenda: {
    kind: 'read'
    input: {
      date?: string | undefined
      days?: number | undefined
      timezone?: string | undefined
    }
    output: {
      date: string
      timezone: string
      events: Array<Event>
      tasks_due: Array<TaskInList>
      tasks_overdue: Array<TaskInList>
      meetings_to_prepare: Array<MeetingInList>
      on_call: Array<OnCallItem>
      reminders: Array<Reminder>
      threads_awaiting_me: Array<ThreadsAwaitingMe>
      time_off: Array<TimeOff>
      free_minutes: number
      missing_modules: Array<string>
      truncated?: Truncated | undefined
    }
  }
  get_organization: {
    kind: 'read'
    input: Record<string, never>
    output: {
      id: string
      revision: number
      created_at: string
      updated_at: string
      created_by?: CreatedBy | undefined
      created_via?: "web" | "api" | "mcp" | "automation" | "sync" | "cli" | undefined
      url: string
      deleted_at?: string | undefined
      name: string
      default_timezone: string
      work_week: Array<number>
      holidays: Array<{
        date: string
        name: string
      }>
      severity_scale: Array<Record<string, unknown>>
      deal_stages: Array<string>
      modules: Array<string>
      trash_days: number
      plan_limits: Record<string, unknown>
    }
  }
  get_person: {
    kind: 'read'
    input: {
      person_id: string
    }
    output: MyProfile
  }
  list_people: {
    kind: 'read'
    input: {
      team_id?: string | undefined
      query?: string | undefined
      role?: "admin" | "member" | "guest" | undefined
      status?: "active" | "invited" | "deactivated" | undefined
      limit?: number | undefined
      cursor?: string | undefined
      fields?: Array<string> | undefined
    }
    output: {
      items: Array<MyProfile>
      next_cursor?: string | undefined
      has_more: boolean
      total?: number | undefined
      truncated?: Truncated2 | undefined
    }
  }
  get_person_workload: {
    kind: 'read'
    input: {
      person_id: string
      from?: string | undefined
      to?: string | undefined
    }
    output: {
      person: CreatedBy
      from: string
      to: string
      open_tasks: number
      estimate_minutes: number
      unestimated_tasks: number
      capacity_minutes: number
      meeting_minutes?: number | undefined
      time_off_days: number
      on_call_minutes: number
      by_project: Array<{
        project: CreatedBy
        open: number
        overdue: number
      }>
      load: "light" | "normal" | "heavy" | "over"
    }
  }
  add_team_member: {
    kind: 'write'
    input: {
      team_id: string
      person_id: string
      role?: "lead" | "member" | undefined
    }
    output: Team
  }
  remove_team_member: {
    kind: 'destructive'
    input: {
      team_id: string
      person_id: string
    }
    output: DeleteResult
  }
  create_team: {
    kind: 'write'
    input: {
      lead_id?: string | undefined
      member_ids?: Array<string> | undefined
      name: string
      description?: string | undefined
      idempotency_key?: string | undefined
    }
    output: Team
  }
  list_teams: {
    kind: 'read'
    input: {
      person_id?: string | undefined
      query?: string | undefined
      limit?: number | undefined
      cursor?: string | undefined
      fields?: Array<string> | undefined
    }
    output: {
      items: Array<Team>
      next_cursor?: string | undefined
      has_more: boolean
      total?: number | undefined
      truncated?: Truncated2 | undefined
    }
  }
  delete_team: {
    kind: 'destructive'
    input: {
      team_id: string
      dry_run?: boolean | undefined
    }
    output: DeleteResult
  }
  update_team: {
    kind: 'write'
    input: {
      team_id: string
      lead_id?: string | null | undefined
      name?: string | undefined
      description?: string | null | undefined
    }
    output: Team
  }
  cancel_time_off: {
    kind: 'destructive'
    input: {
      time_off_id: string
    }
    output: DeleteResult
  }
  create_time_off: {
    kind: 'write'
    input: {
      starts_on: string
      ends_on: string
      kind: "vacation" | "sick" | "public_holiday" | "other"
      note?: string | undefined
      idempotency_key?: string | undefined
    }
    output: TimeOff
  }
  list_time_off: {
    kind: 'read'
    input: {
      person_id?: string | undefined
      team_id?: string | undefined
      from?: string | undefined
      to?: string | undefined
      limit?: number | undefined
      cursor?: string | undefined
      fields?: Array<string> | undefined
    }
    output: {
      items: Array<TimeOff>
      next_cursor?: string | undefined
      has_more: boolean
      total?: number | undefined
      truncated?: Truncated2 | undefined
    }
  }
  archive_project: {
    kind: 'write'
    input: {
      project_id: string
      archived?: boolean | undefined
    }
    output: Project
  }
  create_project: {
    kind: 'write'
    input: {
      lead_id?: string | undefined
      member_ids?: Array<string> | undefined
      team_id?: string | undefined
      template_project_id?: string | undefined
      name: string
      key?: string | undefined
      description_markdown?: string | undefined
      starts_on?: string | undefined
      ends_on?: string | undefined
      idempotency_key?: string | undefined
    }
    output: Project
  }
  list_projects: {
    kind: 'read'
    input: {
      lead_id?: string | undefined
      team_id?: string | undefined
      status?: Array<"planned" | "active" | "paused" | "completed" | "archived"> | undefined
      health?: Array<"on_track" | "at_risk" | "off_track"> | undefined
      query?: string | undefined
      fields?: Array<string> | undefined
      limit?: number | undefined
      cursor?: string | undefined
    }
    output: {
      items: Array<Project>
      next_cursor?: string | undefined
      has_more: boolean
      total?: number | undefined
      truncated?: Truncated2 | undefined
    }
  }
  delete_project: {
    kind: 'destructive'
    input: {
      project_id: string
      confirm_key: string
      dry_run?: boolean | undefined
    }
    output: DeleteResult
  }
  get_project: {
    kind: 'read'
    input: {
      project_id: string
    }
    output: Project
  }
  update_project: {
    kind: 'write'
    input: {
      project_id: string
      lead_id?: string | undefined
      name?: string | undefined
      description_markdown?: string | null | undefined
      status?: "planned" | "active" | "paused" | "completed" | undefined
      starts_on?: string | null | undefined
      ends_on?: string | null | undefined
      expected_revision?: number | undefined
    }
    output: Project
  }
  get_project_summary: {
    kind: 'read'
    input: {
      project_id: string
      from?: string | undefined
      to?: string | undefined
    }
    output: {
      project: CreatedBy
      from: string
      to: string
      progress: {
        done: number
        total: number
        percent: number
      }
      overdue: Array<TaskInList>
      blocked: Array<TaskInList>
      due_soon: Array<TaskInList>
      counts: {
        open: number
        overdue: number
        blocked: number
        due_soon: number
      }
      unassigned: number
      scope_change: {
        added: number
        removed: number
      }
      throughput: Array<{
        week: string
        done: number
      }>
      workload: Array<{
        person: CreatedBy
        open: number
      }>
      milestones: Array<Milestone>
      last_update?: PostResult | undefined
      risks: Array<{
        kind: string
        detail: string
        items: Array<CreatedBy>
      }>
    }
  }
  add_project_member: {
    kind: 'write'
    input: {
      project_id: string
      person_id: string
      role?: "lead" | "member" | undefined
    }
    output: AddResult
  }
  remove_project_member: {
    kind: 'destructive'
    input: {
      project_id: string
      person_id: string
      reassign_to?: string | undefined
    }
    output: DeleteResult
  }
  set_project_workflow: {
    kind: 'write'
    input: {
      project_id: string
      statuses: Array<{
        name: string
        category: "triage" | "backlog" | "todo" | "in_progress" | "done" | "cancelled"
        color?: string | undefined
        wip_limit?: number | undefined
        was?: string | undefined
      }>
      migrate?: Record<string, string> | undefined
      dry_run?: boolean | undefined
    }
    output: Project
  }
  add_tasks_to_sprint: {
    kind: 'write'
    input: {
      sprint_id: string
      task_ids: Array<string>
      remove?: boolean | undefined
    }
    output: Subtasks
  }
  create_sprint: {
    kind: 'write'
    input: {
      project_id: string
      task_ids?: Array<string> | undefined
      name: string
      starts_on: string
      ends_on: string
      goal?: string | undefined
      idempotency_key?: string | undefined
    }
    output: Sprint
  }
  list_sprints: {
    kind: 'read'
    input: {
      project_id: string
      status?: Array<"planned" | "active" | "completed" | "cancelled"> | undefined
      limit?: number | undefined
      cursor?: string | undefined
      fields?: Array<string> | undefined
    }
    output: {
      items: Array<Sprint>
      next_cursor?: string | undefined
      has_more: boolean
      total?: number | undefined
      truncated?: Truncated2 | undefined
    }
  }
  start_sprint: {
    kind: 'write'
    input: {
      sprint_id: string
    }
    output: {
      id: string
      revision: number
      created_at: string
      updated_at: string
      created_by?: CreatedBy | undefined
      created_via?: "web" | "api" | "mcp" | "automation" | "sync" | "cli" | undefined
      url: string
      deleted_at?: string | undefined
      project: CreatedBy
      name: string
      goal?: string | undefined
      starts_on: string
      ends_on: string
      status: "planned" | "active" | "completed" | "cancelled"
      started_at?: string | undefined
      completed_at?: string | undefined
      committed: {
        tasks: number
        points: number
      }
      done: {
        tasks: number
        points: number
      }
      warnings?: Array<string> | undefined
    }
  }
  update_sprint: {
    kind: 'write'
    input: {
      sprint_id: string
      name?: string | undefined
      goal?: string | null | undefined
      starts_on?: string | undefined
      ends_on?: string | undefined
      status?: "planned" | "cancelled" | undefined
    }
    output: Sprint
  }
  complete_sprint: {
    kind: 'write'
    input: {
      sprint_id: string
      carry_over_to?: string | undefined
      dry_run?: boolean | undefined
    }
    output: SprintReport
  }
  get_sprint_report: {
    kind: 'read'
    input: {
      sprint_id: string
    }
    output: SprintReport
  }
  create_milestone: {
    kind: 'write'
    input: {
      project_id: string
      name: string
      due_on?: string | undefined
      description_markdown?: string | undefined
      idempotency_key?: string | undefined
    }
    output: Milestone
  }
  delete_milestone: {
    kind: 'destructive'
    input: {
      milestone_id: string
      dry_run?: boolean | undefined
    }
    output: DeleteResult
  }
  update_milestone: {
    kind: 'write'
    input: {
      milestone_id: string
      name?: string | undefined
      due_on?: string | null | undefined
      status?: "open" | "reached" | "missed" | "cancelled" | undefined
      description_markdown?: string | null | undefined
    }
    output: Milestone
  }
  list_milestones: {
    kind: 'read'
    input: {
      project_id?: string | undefined
      status?: Array<"open" | "reached" | "missed" | "cancelled"> | undefined
      due_before?: string | undefined
      limit?: number | undefined
      cursor?: string | undefined
      fields?: Array<string> | undefined
    }
    output: {
      items: Array<Milestone>
      next_cursor?: string | undefined
      has_more: boolean
      total?: number | undefined
      truncated?: Truncated2 | undefined
    }
  }
  post_project_update: {
    kind: 'write'
    input: {
      project_id: string
      health: "on_track" | "at_risk" | "off_track"
      body_markdown: string
      idempotency_key?: string | undefined
    }
    output: PostResult
  }
  create_custom_field: {
    kind: 'write'
    input: {
      project_id: string
      name: string
      type: "text" | "number" | "date" | "boolean" | "select" | "multi_select" | "person" | "url"
      options?: Array<string> | undefined
      required?: boolean | undefined
      idempotency_key?: string | undefined
    }
    output: CustomField
  }
  update_custom_field: {
    kind: 'write'
    input: {
      field_id: string
      name?: string | undefined
      options?: Array<string> | undefined
      required?: boolean | undefined
      retired?: boolean | undefined
    }
    output: CustomField
  }
  create_task: {
    kind: 'write'
    input: {
      project_id: string
      assignee_ids?: Array<string> | undefined
      parent_id?: string | undefined
      sprint_id?: string | undefined
      milestone_id?: string | undefined
      label_ids?: Array<string> | undefined
      title: string
      description_markdown?: string | undefined
      status?: string | undefined
      priority?: "urgent" | "high" | "medium" | "low" | "none" | undefined
      due_at?: string | undefined
      start_at?: string | undefined
      estimate_minutes?: number | undefined
      points?: number | undefined
      custom_fields?: Record<string, unknown> | undefined
      idempotency_key?: string | undefined
    }
    output: Task
  }
  list_tasks: {
    kind: 'read'
    input: {
      project_id?: string | undefined
      assignee?: string | undefined
      label_id?: Array<string> | undefined
      sprint_id?: string | undefined
      milestone_id?: string | undefined
      parent_id?: string | undefined
      created_by?: string | undefined
      status?: Array<string> | undefined
      status_category?: Array<"triage" | "backlog" | "todo" | "in_progress" | "done" | "cancelled"> | undefined
      priority?: Array<"urgent" | "high" | "medium" | "low" | "none"> | undefined
      due_before?: string | undefined
      due_after?: string | undefined
      updated_after?: string | undefined
      overdue?: boolean | undefined
      blocked?: boolean | undefined
      has_no_assignee?: boolean | undefined
      sort?: "due_at" | "priority" | "created_at" | "updated_at" | "position" | undefined
      order?: "asc" | "desc" | undefined
      fields?: Array<string> | undefined
      limit?: number | undefined
      cursor?: string | undefined
    }
    output: {
      items: Array<TaskInList>
      next_cursor?: string | undefined
      has_more: boolean
      total?: number | undefined
      truncated?: Truncated2 | undefined
    }
  }
  delete_task: {
    kind: 'destructive'
    input: {
      task_id: string
      dry_run?: boolean | undefined
    }
    output: DeleteResult
  }
  get_task: {
    kind: 'read'
    input: {
      task_id: string
      include?: Array<"subtasks" | "dependencies" | "comments" | "attachments" | "activity" | "time"> | undefined
    }
    output: Task
  }
  update_task: {
    kind: 'write'
    input: {
      task_id: string
      parent_id?: string | null | undefined
      sprint_id?: string | null | undefined
      milestone_id?: string | null | undefined
      add_label_ids?: Array<string> | undefined
      remove_label_ids?: Array<string> | undefined
      title?: string | undefined
      description_markdown?: string | null | undefined
      status?: string | undefined
      priority?: "urgent" | "high" | "medium" | "low" | "none" | undefined
      due_at?: string | null | undefined
      start_at?: string | null | undefined
      estimate_minutes?: number | null | undefined
      points?: number | null | undefined
      custom_fields?: Record<string, unknown> | undefined
      watching?: boolean | undefined
      expected_revision?: number | undefined
    }
    output: Task
  }
  search_tasks: {
    kind: 'read'
    input: {
      project_id?: string | undefined
      assignee?: string | undefined
      query: string
      mode?: "keyword" | "semantic" | "hybrid" | undefined
      status_category?: Array<"triage" | "backlog" | "todo" | "in_progress" | "done" | "cancelled"> | undefined
      limit?: number | undefined
      cursor?: string | undefined
      fields?: Array<string> | undefined
    }
    output: {
      items: Array<{
        task: TaskInList
        score: number
        matched_in: Array<"title" | "description" | "comment" | "attachment">
        snippet: string
        is_likely_duplicate: boolean
      }>
      next_cursor?: string | undefined
      has_more: boolean
      total?: number | undefined
      truncated?: Truncated2 | undefined
      searched: Searched
    }
  }
  count_tasks: {
    kind: 'read'
    input: {
      project_id?: string | undefined
      assignee?: string | undefined
      group_by: "status" | "status_category" | "assignee" | "priority" | "project" | "label" | "sprint" | "due_week"
      status_category?: Array<"triage" | "backlog" | "todo" | "in_progress" | "done" | "cancelled"> | undefined
      due_before?: string | undefined
      due_after?: string | undefined
      created_after?: string | undefined
      completed_after?: string | undefined
    }
    output: {
      total: number
      group_by: string
      groups: Array<{
        key: string
        label: string
        count: number
      }>
      as_of: string
    }
  }
  complete_task: {
    kind: 'write'
    input: {
      task_id: string
      comment?: string | undefined
      complete_subtasks?: boolean | undefined
    }
    output: Task
  }
  reopen_task: {
    kind: 'write'
    input: {
      task_id: string
      status?: string | undefined
      reason?: string | undefined
    }
    output: Task
  }
  assign_task: {
    kind: 'write'
    input: {
      task_id: string
      assignee_ids: Array<string>
      note?: string | undefined
    }
    output: Task
  }
  move_task: {
    kind: 'write'
    input: {
      task_id: string
      project_id?: string | undefined
      parent_id?: string | null | undefined
      before_task_id?: string | undefined
      after_task_id?: string | undefined
      status?: string | undefined
    }
    output: Task
  }
  bulk_create_tasks: {
    kind: 'write'
    input: {
      project_id: string
      tasks: Array<{
        ref?: string | undefined
        title: string
        description_markdown?: string | undefined
        status?: string | undefined
        priority?: "urgent" | "high" | "medium" | "low" | "none" | undefined
        due_at?: string | undefined
        start_at?: string | undefined
        estimate_minutes?: number | undefined
        points?: number | undefined
        custom_fields?: Record<string, unknown> | undefined
        assignee_ids?: Array<string> | undefined
        sprint_id?: string | undefined
        milestone_id?: string | undefined
        label_ids?: Array<string> | undefined
        parent_id?: string | undefined
        parent_ref?: string | undefined
        blocked_by_refs?: Array<string> | undefined
      }>
      dry_run?: boolean | undefined
      idempotency_key?: string | undefined
    }
    output: Subtasks
  }
  bulk_update_tasks: {
    kind: 'write'
    input: {
      task_ids?: Array<string> | undefined
      changes: {
        status?: string | undefined
        priority?: "urgent" | "high" | "medium" | "low" | "none" | undefined
        due_at?: string | null | undefined
        start_at?: string | null | undefined
        estimate_minutes?: number | null | undefined
        points?: number | null | undefined
        parent_id?: string | null | undefined
        sprint_id?: string | null | undefined
        milestone_id?: string | null | undefined
        add_label_ids?: Array<string> | undefined
        remove_label_ids?: Array<string> | undefined
        assignee_ids?: Array<string> | undefined
        custom_fields?: Record<string, unknown> | undefined
        watching?: boolean | undefined
      }
      filter?: {
        project_id?: string | undefined
        assignee?: string | undefined
        label_id?: Array<string> | undefined
        sprint_id?: string | undefined
        milestone_id?: string | undefined
        parent_id?: string | undefined
        created_by?: string | undefined
        status?: Array<string> | undefined
        status_category?: Array<"triage" | "backlog" | "todo" | "in_progress" | "done" | "cancelled"> | undefined
        priority?: Array<"urgent" | "high" | "medium" | "low" | "none"> | undefined
        due_before?: string | undefined
        due_after?: string | undefined
        updated_after?: string | undefined
        overdue?: boolean | undefined
        blocked?: boolean | undefined
        has_no_assignee?: boolean | undefined
      } | undefined
      max_items?: number | undefined
      dry_run?: boolean | undefined
    }
    output: Subtasks
  }
  create_subtasks: {
    kind: 'write'
    input: {
      task_id: string
      subtasks: Array<{
        title: string
        description_markdown?: string | undefined
        status?: string | undefined
        priority?: "urgent" | "high" | "medium" | "low" | "none" | undefined
        due_at?: string | undefined
        start_at?: string | undefined
        estimate_minutes?: number | undefined
        points?: number | undefined
        custom_fields?: Record<string, unknown> | undefined
        assignee_ids?: Array<string> | undefined
        sprint_id?: string | undefined
        milestone_id?: string | undefined
        label_ids?: Array<string> | undefined
      }>
      idempotency_key?: string | undefined
    }
    output: Subtasks
  }
  add_task_dependency: {
    kind: 'write'
    input: {
      task_id: string
      other_task_id: string
      type?: "blocked_by" | "blocks" | "relates_to" | "duplicates" | undefined
    }
    output: AddResult2
  }
  remove_task_dependency: {
    kind: 'destructive'
    input: {
      task_id: string
      other_task_id: string
    }
    output: DeleteResult
  }
  get_task_dependencies: {
    kind: 'read'
    input: {
      task_id: string
      depth?: number | undefined
      direction?: "upstream" | "downstream" | "both" | undefined
    }
    output: {
      root: CreatedBy
      nodes: Array<{
        task: CreatedBy
        status_category: "triage" | "backlog" | "todo" | "in_progress" | "done" | "cancelled"
        due_at?: string | undefined
        due_on?: string | undefined
        due_local?: string | undefined
        depth: number
      }>
      edges: Array<AddResult2>
      critical_path: Array<CreatedBy>
      warnings: Array<{
        kind: "cycle" | "late_blocker" | "hidden_blocker_count"
        detail: string
      }>
      truncated?: Truncated2 | undefined
    }
  }
  add_task_comment: {
    kind: 'write'
    input: {
      task_id: string
      reply_to_comment_id?: string | undefined
      body_markdown: string
      idempotency_key?: string | undefined
    }
    output: TaskComment
  }
  list_task_comments: {
    kind: 'read'
    input: {
      task_id: string
      since?: string | undefined
      limit?: number | undefined
      cursor?: string | undefined
      fields?: Array<string> | undefined
    }
    output: {
      items: Array<TaskComment>
      next_cursor?: string | undefined
      has_more: boolean
      total?: number | undefined
      truncated?: Truncated2 | undefined
    }
  }
  delete_task_comment: {
    kind: 'destructive'
    input: {
      task_id: string
      comment_id: string
    }
    output: DeleteResult
  }
  update_task_comment: {
    kind: 'write'
    input: {
      task_id: string
      comment_id: string
      body_markdown: string
    }
    output: TaskComment
  }
  add_task_attachment: {
    kind: 'write'
    input: {
      task_id: string
      file_id?: string | undefined
      url?: string | undefined
      name?: string | undefined
      content_base64?: string | undefined
      idempotency_key?: string | undefined
    }
    output: {
      id: string
      revision: number
      created_at: string
      updated_at: string
      created_by?: CreatedBy | undefined
      created_via?: "web" | "api" | "mcp" | "automation" | "sync" | "cli" | undefined
      url: string
      deleted_at?: string | undefined
      name: string
      kind: "file" | "link"
      file?: CreatedBy | undefined
      web_url?: string | undefined
      mime_type?: string | undefined
      size_bytes?: number | undefined
      existing?: true | undefined
    }
  }
  remove_task_attachment: {
    kind: 'destructive'
    input: {
      task_id: string
      attachment_id: string
    }
    output: DeleteResult
  }
  set_task_recurrence: {
    kind: 'write'
    input: {
      task_id: string
      rrule?: string | null | undefined
      timezone?: string | undefined
      create_next?: "on_schedule" | "on_completion" | undefined
      ends_on?: string | null | undefined
    }
    output: Task
  }
  create_task_from_template: {
    kind: 'write'
    input: {
      template_id: string
      project_id: string
      assignee_ids?: Array<string> | undefined
      variables?: Record<string, string | number | boolean> | undefined
      start_on?: string | undefined
      idempotency_key?: string | undefined
    }
    output: Subtasks
  }
  create_task_template: {
    kind: 'write'
    input: {
      from_task_id?: string | undefined
      project_id?: string | undefined
      name: string
      outline?: Record<string, unknown> | undefined
      variables?: Array<string> | undefined
      idempotency_key?: string | undefined
    }
    output: TaskTemplate
  }
  list_task_templates: {
    kind: 'read'
    input: {
      project_id?: string | undefined
      query?: string | undefined
      limit?: number | undefined
      cursor?: string | undefined
      fields?: Array<string> | undefined
    }
    output: {
      items: Array<TaskTemplate>
      next_cursor?: string | undefined
      has_more: boolean
      total?: number | undefined
      truncated?: Truncated2 | undefined
    }
  }
  delete_task_template: {
    kind: 'destructive'
    input: {
      template_id: string
      dry_run?: boolean | undefined
    }
    output: DeleteResult
  }
  update_task_template: {
    kind: 'write'
    input: {
      template_id: string
      name?: string | undefined
      outline?: Record<string, unknown> | undefined
      variables?: Array<string> | undefined
      expected_revision?: number | undefined
    }
    output: TaskTemplate
  }
  create_task_from_source: {
    kind: 'write'
    input: {
      source_id: string
      project_id: string
      assignee_ids?: Array<string> | undefined
      label_ids?: Array<string> | undefined
      parent_id?: string | undefined
      sprint_id?: string | undefined
      milestone_id?: string | undefined
      source_type: "email" | "message" | "action_item" | "form_response" | "incident" | "page_comment" | "interaction"
      title?: string | undefined
      status?: string | undefined
      priority?: "urgent" | "high" | "medium" | "low" | "none" | undefined
      due_at?: string | undefined
      estimate_minutes?: number | undefined
      points?: number | undefined
      idempotency_key?: string | undefined
    }
    output: Task
  }
  import_tasks: {
    kind: 'write'
    input: {
      project_id: string
      file_id?: string | undefined
      content?: string | undefined
      format?: "csv" | "jira" | "linear" | "trello" | "todoist" | undefined
      mapping?: Record<string, string | null> | undefined
      statuses?: Record<string, string> | undefined
      people?: Record<string, string | null> | undefined
      source_project?: string | undefined
      date_order?: "dmy" | "mdy" | undefined
      dry_run?: boolean | undefined
      idempotency_key?: string | undefined
    }
    output: {
      format: "csv" | "jira" | "linear" | "trello" | "todoist"
      records: number
      counts: {
        created: number
        skipped: number
      }
      created: Array<ApiCallInList>
      skipped: Array<{
        line: number
        reason: string
      }>
      warnings: Array<string>
      columns?: Array<{
        column: string
        field: unknown
      }> | undefined
      statuses: Array<{
        from: string
        to: string
        by: "mapping" | "name" | "meaning" | "default"
        count: number
      }>
      people: Array<{
        name: string
        to: unknown
        count: number
      }>
      preview?: Array<{
        line: number
        title: string
        status: string
        priority?: string | undefined
        due?: string | undefined
        assignees: Array<string>
        labels: Array<string>
        parent?: string | undefined
        comments: number
        imported_before: boolean
      }> | undefined
      dry_run: boolean
      undo_call_id?: string | undefined
      job?: {
        job_id: string
        url: string
      } | undefined
    }
  }
  export_tasks: {
    kind: 'read'
    input: {
      project_id?: string | undefined
      assignee?: string | undefined
      label_id?: Array<string> | undefined
      sprint_id?: string | undefined
      milestone_id?: string | undefined
      parent_id?: string | undefined
      created_by?: string | undefined
      status?: Array<string> | undefined
      status_category?: Array<"triage" | "backlog" | "todo" | "in_progress" | "done" | "cancelled"> | undefined
      priority?: Array<"urgent" | "high" | "medium" | "low" | "none"> | undefined
      due_before?: string | undefined
      due_after?: string | undefined
      updated_after?: string | undefined
      overdue?: boolean | undefined
      blocked?: boolean | undefined
      has_no_assignee?: boolean | undefined
    }
    output: ExportResult
  }
  create_label: {
    kind: 'write'
    input: {
      name: string
      color?: string | undefined
      description?: string | undefined
      idempotency_key?: string | undefined
    }
    output: Label
  }
  list_labels: {
    kind: 'read'
    input: {
      query?: string | undefined
      item_type?: "task" | "page" | "contact" | "file" | undefined
      limit?: number | undefined
      cursor?: string | undefined
      fields?: Array<string> | undefined
    }
    output: {
      items: Array<Label>
      next_cursor?: string | undefined
      has_more: boolean
      total?: number | undefined
      truncated?: Truncated2 | undefined
    }
  }
  delete_label: {
    kind: 'destructive'
    input: {
      label_id: string
      dry_run?: boolean | undefined
    }
    output: DeleteResult
  }
  update_label: {
    kind: 'write'
    input: {
      label_id: string
      name?: string | undefined
      color?: string | undefined
      description?: string | null | undefined
    }
    output: Label
  }
  create_saved_view: {
    kind: 'write'
    input: {
      project_id?: string | undefined
      name: string
      item_type: "task" | "email" | "contact" | "deal" | "incident" | "page"
      filter: Record<string, unknown>
      sort?: string | undefined
      group_by?: string | undefined
      columns?: Array<string> | undefined
      shared?: boolean | undefined
      idempotency_key?: string | undefined
    }
    output: SavedView
  }
  list_saved_views: {
    kind: 'read'
    input: {
      project_id?: string | undefined
      item_type?: "task" | "email" | "contact" | "deal" | "incident" | "page" | undefined
      shared?: boolean | undefined
      limit?: number | undefined
      cursor?: string | undefined
      fields?: Array<string> | undefined
    }
    output: {
      items: Array<SavedView>
      next_cursor?: string | undefined
      has_more: boolean
      total?: number | undefined
      truncated?: Truncated2 | undefined
    }
  }
  delete_saved_view: {
    kind: 'destructive'
    input: {
      view_id: string
    }
    output: DeleteResult
  }
  update_saved_view: {
    kind: 'write'
    input: {
      view_id: string
      name?: string | undefined
      filter?: Record<string, unknown> | undefined
      sort?: string | null | undefined
      group_by?: string | null | undefined
      columns?: Array<string> | undefined
      shared?: boolean | undefined
    }
    output: SavedView
  }
  run_saved_view: {
    kind: 'read'
    input: {
      view_id: string
      limit?: number | undefined
      cursor?: string | undefined
      fields?: Array<string> | undefined
    }
    output: {
      items: Array<{
        item: ApiCallInList
        fields: Record<string, unknown>
        group?: string | undefined
      }>
      next_cursor?: string | undefined
      has_more: boolean
      total?: number | undefined
      truncated?: Truncated2 | undefined
    }
  }
  archive_channel: {
    kind: 'write'
    input: {
      channel_id: string
      archived?: boolean | undefined
    }
    output: Channel
  }
  create_channel: {
    kind: 'write'
    input: {
      member_ids?: Array<string> | undefined
      project_id?: string | undefined
      name: string
      kind?: "public" | "private" | undefined
      topic?: string | undefined
      purpose?: string | undefined
      idempotency_key?: string | undefined
    }
    output: Channel
  }
  list_channels: {
    kind: 'read'
    input: {
      kind?: Array<"public" | "private" | "direct" | "group"> | undefined
      joined?: boolean | undefined
      query?: string | undefined
      archived?: boolean | undefined
      has_unread?: boolean | undefined
      limit?: number | undefined
      cursor?: string | undefined
      fields?: Array<string> | undefined
    }
    output: {
      items: Array<Channel>
      next_cursor?: string | undefined
      has_more: boolean
      total?: number | undefined
      truncated?: Truncated2 | undefined
    }
  }
  get_channel: {
    kind: 'read'
    input: {
      channel_id: string
    }
    output: Channel
  }
  update_channel: {
    kind: 'write'
    input: {
      channel_id: string
      project_id?: string | null | undefined
      name?: string | undefined
      topic?: string | null | undefined
      purpose?: string | null | undefined
    }
    output: Channel
  }
  add_channel_members: {
    kind: 'write'
    input: {
      channel_id: string
      person_ids: Array<string>
    }
    output: Channel
  }
  join_channel: {
    kind: 'write'
    input: {
      channel_id: string
    }
    output: Channel
  }
  leave_channel: {
    kind: 'destructive'
    input: {
      channel_id: string
    }
    output: DeleteResult
  }
  remove_channel_member: {
    kind: 'destructive'
    input: {
      channel_id: string
      person_id: string
    }
    output: DeleteResult
  }
  delete_message: {
    kind: 'destructive'
    input: {
      message_id: string
    }
    output: DeleteResult
  }
  update_message: {
    kind: 'write'
    input: {
      message_id: string
      body_markdown: string
    }
    output: Message
  }
  list_messages: {
    kind: 'read'
    input: {
      channel_id: string
      from?: string | undefined
      after?: string | undefined
      before?: string | undefined
      pinned?: boolean | undefined
      limit?: number | undefined
      cursor?: string | undefined
      fields?: Array<string> | undefined
    }
    output: {
      items: Array<Message>
      next_cursor?: string | undefined
      has_more: boolean
      total?: number | undefined
      truncated?: Truncated2 | undefined
    }
  }
  send_message: {
    kind: 'write'
    input: {
      channel_id: string
      file_ids?: Array<string> | undefined
      body_markdown: string
      idempotency_key?: string | undefined
    }
    output: Message
  }
  get_message_thread: {
    kind: 'read'
    input: {
      message_id: string
      limit?: number | undefined
      cursor?: string | undefined
    }
    output: {
      root: Message
      replies: Array<Message>
      participants: Array<CreatedBy>
      next_cursor?: string | undefined
      has_more: boolean
    }
  }
  reply_to_message: {
    kind: 'write'
    input: {
      message_id: string
      file_ids?: Array<string> | undefined
      body_markdown: string
      also_to_channel?: boolean | undefined
      idempotency_key?: string | undefined
    }
    output: Message
  }
  search_messages: {
    kind: 'read'
    input: {
      channel_id?: string | undefined
      from?: string | undefined
      mentions?: string | undefined
      query: string
      mode?: "keyword" | "semantic" | "hybrid" | undefined
      has_file?: boolean | undefined
      after?: string | undefined
      before?: string | undefined
      limit?: number | undefined
      cursor?: string | undefined
      fields?: Array<string> | undefined
    }
    output: {
      items: Array<{
        message: Message
        score: number
        snippet: string
        context: {
          before: Array<Before>
          after: Array<Before>
        }
      }>
      next_cursor?: string | undefined
      has_more: boolean
      total?: number | undefined
      truncated?: Truncated2 | undefined
      searched: Searched
    }
  }
  list_unread_messages: {
    kind: 'read'
    input: {
      channel_id?: string | undefined
      only?: "mentions" | "direct" | "all" | undefined
      limit?: number | undefined
      cursor?: string | undefined
      fields?: Array<string> | undefined
    }
    output: {
      items: Array<{
        channel: CreatedBy
        kind: "public" | "private" | "direct" | "group"
        mentions: number
        unread: number
        oldest_unread_at: string
        messages: Array<Message>
      }>
      next_cursor?: string | undefined
      has_more: boolean
      total?: number | undefined
      truncated?: Truncated2 | undefined
    }
  }
  mark_channel_read: {
    kind: 'write'
    input: {
      channel_id: string
      up_to_message_id?: string | undefined
    }
    output: Channel
  }
  send_direct_message: {
    kind: 'write'
    input: {
      person_ids: Array<string>
      file_ids?: Array<string> | undefined
      body_markdown: string
      idempotency_key?: string | undefined
    }
    output: Message
  }
  add_message_reaction: {
    kind: 'write'
    input: {
      message_id: string
      emoji: string
    }
    output: Message
  }
  remove_message_reaction: {
    kind: 'write'
    input: {
      message_id: string
      emoji: string
    }
    output: Message
  }
  pin_message: {
    kind: 'write'
    input: {
      message_id: string
      pinned?: boolean | undefined
    }
    output: Message
  }
  import_channels: {
    kind: 'write'
    input: {
      file_id: string
      channels?: Array<string> | undefined
      people?: Record<string, string | null> | undefined
      dry_run?: boolean | undefined
      idempotency_key?: string | undefined
    }
    output: {
      channels: Array<{
        name: string
        as?: string | undefined
        kind: "public" | "private"
        archived: boolean
        messages: number
        left_out: number
        members: Array<string>
        skipped?: string | undefined
      }>
      messages: number
      people: Array<{
        name: string
        email?: string | undefined
        to: unknown
      }>
      warnings: Array<string>
      dry_run: boolean
      job?: {
        job_id: string
        url: string
      } | undefined
    }
  }
  list_pages: {
    kind: 'read'
    input: {
      parent_id?: string | undefined
      project_id?: string | undefined
      label_id?: Array<string> | undefined
      created_by?: string | undefined
      scope?: "organization" | "own" | "shared" | undefined
      kind?: "page" | "template" | "postmortem" | "runbook" | "meeting_notes" | undefined
      updated_after?: string | undefined
      trashed?: boolean | undefined
      sort?: "title" | "updated_at" | "created_at" | undefined
      limit?: number | undefined
      cursor?: string | undefined
      fields?: Array<string> | undefined
    }
    output: {
      items: Array<PageInList>
      next_cursor?: string | undefined
      has_more: boolean
      total?: number | undefined
      truncated?: Truncated2 | undefined
    }
  }
  create_page: {
    kind: 'write'
    input: {
      parent_id?: string | undefined
      project_id?: string | undefined
      label_ids?: Array<string> | undefined
      title: string
      body_markdown?: string | undefined
      visibility?: "private" | "organization" | undefined
      kind?: "page" | "template" | "runbook" | undefined
      idempotency_key?: string | undefined
    }
    output: Page
  }
  get_page_tree: {
    kind: 'read'
    input: {
      root_id?: string | undefined
      scope?: "organization" | "own" | "shared" | undefined
      depth?: number | undefined
    }
    output: {
      nodes: Array<PageTreeNode>
      cut_at_depth: boolean
      truncated?: Truncated2 | undefined
    }
  }
  search_pages: {
    kind: 'read'
    input: {
      parent_id?: string | undefined
      query: string
      mode?: "keyword" | "semantic" | "hybrid" | undefined
      updated_after?: string | undefined
      limit?: number | undefined
      cursor?: string | undefined
      fields?: Array<string> | undefined
    }
    output: {
      items: Array<{
        page: PageInList
        section?: string | undefined
        score: number
        snippet: string
      }>
      next_cursor?: string | undefined
      has_more: boolean
      total?: number | undefined
      truncated?: Truncated2 | undefined
      searched: Searched
    }
  }
  get_page: {
    kind: 'read'
    input: {
      page_id: string
      section?: string | undefined
      outline_only?: boolean | undefined
      max_chars?: number | undefined
      offset?: number | undefined
    }
    output: Page
  }
  update_page: {
    kind: 'write'
    input: {
      page_id: string
      add_label_ids?: Array<string> | undefined
      remove_label_ids?: Array<string> | undefined
      title?: string | undefined
      body_markdown?: string | undefined
      icon?: string | null | undefined
      visibility?: "private" | "organization" | undefined
      expected_revision?: number | undefined
    }
    output: Page
  }
  delete_page: {
    kind: 'destructive'
    input: {
      page_id: string
      dry_run?: boolean | undefined
    }
    output: DeleteResult
  }
  edit_page_section: {
    kind: 'write'
    input: {
      page_id: string
      new_markdown: string
      section?: string | undefined
      find?: string | undefined
      expected_revision?: number | undefined
      dry_run?: boolean | undefined
      idempotency_key?: string | undefined
    }
    output: EditResult
  }
  append_to_page: {
    kind: 'write'
    input: {
      page_id: string
      body_markdown: string
      position?: "end" | "start" | undefined
      under_heading?: string | undefined
      idempotency_key?: string | undefined
    }
    output: EditResult
  }
  move_page: {
    kind: 'write'
    input: {
      page_id: string
      parent_id?: string | null | undefined
      after_page_id?: string | null | undefined
      dry_run?: boolean | undefined
    }
    output: Page
  }
  list_page_versions: {
    kind: 'read'
    input: {
      page_id: string
      limit?: number | undefined
      cursor?: string | undefined
      fields?: Array<string> | undefined
    }
    output: {
      items: Array<PageVersion>
      next_cursor?: string | undefined
      has_more: boolean
      total?: number | undefined
      truncated?: Truncated2 | undefined
    }
  }
  get_page_version: {
    kind: 'read'
    input: {
      page_id: string
      version_id: string
      diff_to?: string | undefined
    }
    output: PageVersion
  }
  restore_page_version: {
    kind: 'write'
    input: {
      page_id: string
      version_id: string
      idempotency_key?: string | undefined
    }
    output: Page
  }
  share_page: {
    kind: 'write'
    input: {
      page_id: string
      person_id: string
      role: "viewer" | "commenter" | "editor"
      note?: string | undefined
    }
    output: ShareResult
  }
  unshare_page: {
    kind: 'destructive'
    input: {
      page_id: string
      person_id: string
    }
    output: DeleteResult
  }
  publish_page: {
    kind: 'destructive'
    input: {
      page_id: string
      slug?: string | undefined
      expires_at?: string | null | undefined
      include_children?: boolean | undefined
    }
    output: PublishResult
  }
  unpublish_page: {
    kind: 'destructive'
    input: {
      page_id: string
    }
    output: DeleteResult
  }
  list_page_comments: {
    kind: 'read'
    input: {
      page_id: string
      resolved?: boolean | undefined
      limit?: number | undefined
      cursor?: string | undefined
      fields?: Array<string> | undefined
    }
    output: {
      items: Array<PageCommentInList>
      next_cursor?: string | undefined
      has_more: boolean
      total?: number | undefined
      truncated?: Truncated2 | undefined
    }
  }
  add_page_comment: {
    kind: 'write'
    input: {
      page_id: string
      reply_to_comment_id?: string | undefined
      body_markdown: string
      quote?: string | undefined
      idempotency_key?: string | undefined
    }
    output: PageCommentInList
  }
  resolve_page_comment: {
    kind: 'write'
    input: {
      page_id: string
      comment_id: string
      resolved?: boolean | undefined
    }
    output: PageCommentInList
  }
  create_page_from_template: {
    kind: 'write'
    input: {
      page_id: string
      parent_id?: string | undefined
      title?: string | undefined
      variables?: Record<string, string | number | boolean> | undefined
      visibility?: "private" | "organization" | undefined
      idempotency_key?: string | undefined
    }
    output: {
      id: string
      revision: number
      created_at: string
      updated_at: string
      created_by?: CreatedBy | undefined
      created_via?: "web" | "api" | "mcp" | "automation" | "sync" | "cli" | undefined
      url: string
      deleted_at?: string | undefined
      title: string
      icon?: string | undefined
      kind: "page" | "template" | "postmortem" | "runbook" | "meeting_notes"
      parent?: CreatedBy | undefined
      breadcrumb: Array<CreatedBy>
      visibility: "private" | "organization"
      project?: CreatedBy | undefined
      owner: CreatedBy
      labels: Array<CreatedBy>
      my_role: "viewer" | "commenter" | "editor" | "owner"
      shares?: Array<ShareResult> | undefined
      outline?: Array<Outline> | undefined
      body_markdown?: string | undefined
      section?: string | undefined
      offset?: number | undefined
      total_chars?: number | undefined
      next_offset?: number | undefined
      backlinks?: Array<ApiCallInList> | undefined
      publication?: PublishResult | undefined
      readers?: Readers | undefined
      warnings?: Array<string> | undefined
      unresolved_mentions?: Array<string> | undefined
      dry_run?: boolean | undefined
      unfilled: Array<string>
    }
  }
  export_page: {
    kind: 'read'
    input: {
      page_id: string
      format?: "markdown" | "html" | "zip" | undefined
      include_children?: boolean | undefined
    }
    output: {
      format: "markdown" | "html" | "zip"
      inline?: string | undefined
      download_url?: string | undefined
      expires_at?: string | undefined
      item_count: number
      size_bytes: number
    }
  }
  import_pages: {
    kind: 'write'
    input: {
      file_id?: string | undefined
      parent_id?: string | undefined
      content?: string | undefined
      format?: "markdown" | "html" | "zip" | undefined
      visibility?: "private" | "organization" | undefined
      dry_run?: boolean | undefined
      idempotency_key?: string | undefined
    }
    output: {
      created: Array<ApiCallInList>
      updated: Array<ApiCallInList>
      skipped: Array<{
        line_or_path: string
        reason: string
      }>
      warnings: Array<string>
      dry_run: boolean
      undo_call_id?: string | undefined
    }
  }
  list_meetings: {
    kind: 'read'
    input: {
      person_id?: string | undefined
      contact_id?: string | undefined
      project_id?: string | undefined
      after?: string | undefined
      before?: string | undefined
      kind?: Array<"meeting" | "one_on_one" | "standup" | "pulse" | "customer"> | undefined
      has_transcript?: boolean | undefined
      query?: string | undefined
      limit?: number | undefined
      cursor?: string | undefined
      fields?: Array<string> | undefined
    }
    output: {
      items: Array<MeetingInList>
      next_cursor?: string | undefined
      has_more: boolean
      total?: number | undefined
      truncated?: Truncated2 | undefined
    }
  }
  create_meeting: {
    kind: 'write'
    input: {
      event_id?: string | undefined
      project_id?: string | undefined
      title?: string | undefined
      starts_at?: string | undefined
      ends_at?: string | undefined
      participants?: Array<string> | undefined
      agenda?: Array<string> | undefined
      kind?: "meeting" | "one_on_one" | "standup" | "pulse" | "customer" | undefined
      visibility?: "participants" | "project" | "organization" | undefined
      idempotency_key?: string | undefined
    }
    output: Meeting
  }
  search_transcripts: {
    kind: 'read'
    input: {
      meeting_id?: string | undefined
      project_id?: string | undefined
      query: string
      mode?: "keyword" | "semantic" | "hybrid" | undefined
      speaker?: string | undefined
      after?: string | undefined
      before?: string | undefined
      limit?: number | undefined
      cursor?: string | undefined
      fields?: Array<string> | undefined
    }
    output: {
      items: Array<{
        meeting: CreatedBy
        at_second?: number | undefined
        speaker: string
        text: string
        context: {
          before: Array<Line>
          after: Array<Line>
        }
        score: number
        trust: "external"
      }>
      next_cursor?: string | undefined
      has_more: boolean
      total?: number | undefined
      truncated?: Truncated2 | undefined
      searched: Searched
    }
  }
  get_meeting: {
    kind: 'read'
    input: {
      meeting_id: string
    }
    output: Meeting
  }
  update_meeting: {
    kind: 'write'
    input: {
      meeting_id: string
      title?: string | undefined
      agenda?: Array<string> | undefined
      notes_markdown?: string | null | undefined
      participants?: Array<string> | undefined
      status?: "planned" | "live" | "ended" | undefined
      visibility?: "participants" | "project" | "organization" | undefined
      expected_revision?: number | undefined
    }
    output: Meeting
  }
  delete_meeting: {
    kind: 'destructive'
    input: {
      meeting_id: string
      transcript_only?: boolean | undefined
      dry_run?: boolean | undefined
    }
    output: DeleteResult
  }
  import_transcript: {
    kind: 'write'
    input: {
      meeting_id: string
      file_id?: string | undefined
      content?: string | undefined
      format?: "text" | "vtt" | "srt" | "json" | undefined
      speaker_map?: Record<string, string> | undefined
      language?: string | undefined
      idempotency_key?: string | undefined
    }
    output: Transcript
  }
  get_transcript: {
    kind: 'read'
    input: {
      meeting_id: string
      from_second?: number | undefined
      to_second?: number | undefined
      speaker?: string | undefined
      limit?: number | undefined
      cursor?: string | undefined
    }
    output: Transcript
  }
  add_meeting_note: {
    kind: 'write'
    input: {
      meeting_id: string
      body_markdown: string
      at_second?: number | undefined
      idempotency_key?: string | undefined
    }
    output: AddResult3
  }
  record_decision: {
    kind: 'write'
    input: {
      meeting_id?: string | undefined
      project_id?: string | undefined
      decided_by?: Array<string> | undefined
      supersedes_id?: string | undefined
      title: string
      decision_markdown: string
      decided_at?: string | undefined
      alternatives?: Array<string> | undefined
      idempotency_key?: string | undefined
    }
    output: DecisionInList
  }
  list_decisions: {
    kind: 'read'
    input: {
      project_id?: string | undefined
      meeting_id?: string | undefined
      person_id?: string | undefined
      query?: string | undefined
      after?: string | undefined
      include_superseded?: boolean | undefined
      limit?: number | undefined
      cursor?: string | undefined
      fields?: Array<string> | undefined
    }
    output: {
      items: Array<DecisionInList>
      next_cursor?: string | undefined
      has_more: boolean
      total?: number | undefined
      truncated?: Truncated2 | undefined
    }
  }
  add_action_items: {
    kind: 'write'
    input: {
      meeting_id: string
      items: Array<{
        text: string
        owner?: string | undefined
        due_on?: string | undefined
        quote?: string | undefined
        at_second?: number | undefined
      }>
      idempotency_key?: string | undefined
    }
    output: Subtasks
  }
  list_action_items: {
    kind: 'read'
    input: {
      meeting_id?: string | undefined
      project_id?: string | undefined
      owner?: string | undefined
      status?: Array<"open" | "task_created" | "done" | "dropped"> | undefined
      due_before?: string | undefined
      limit?: number | undefined
      cursor?: string | undefined
      fields?: Array<string> | undefined
    }
    output: {
      items: Array<ActionItemInList>
      next_cursor?: string | undefined
      has_more: boolean
      total?: number | undefined
      truncated?: Truncated2 | undefined
    }
  }
  create_tasks_from_action_items: {
    kind: 'write'
    input: {
      action_item_ids: Array<string>
      project_id: string
      dry_run?: boolean | undefined
      idempotency_key?: string | undefined
    }
    output: Subtasks
  }
  get_meeting_brief: {
    kind: 'read'
    input: {
      meeting_id: string
      max_items?: number | undefined
    }
    output: {
      meeting?: {
        id: string
        title: string
        key?: string | undefined
        url?: string | undefined
      } | undefined
      event?: CreatedBy | undefined
      title: string
      starts_at?: string | undefined
      starts_local?: string | undefined
      people: Array<{
        address: To
        title?: string | undefined
        company?: string | undefined
        last_met?: string | undefined
      }>
      previous: Array<Meeting2>
      open_actions: Array<ActionItemInList>
      recent_decisions: Array<DecisionInList>
      threads: Array<ThreadsAwaitingMe>
      tasks: Array<TaskInList>
      deals: Array<Deal>
      pages: Array<CreatedBy>
      facts: Array<FactInList>
      missing_modules: Array<string>
    }
  }
  list_pulses: {
    kind: 'read'
    input: {
      team_id?: string | undefined
      active?: boolean | undefined
      limit?: number | undefined
      cursor?: string | undefined
      fields?: Array<string> | undefined
    }
    output: {
      items: Array<Pulse>
      next_cursor?: string | undefined
      has_more: boolean
      total?: number | undefined
      truncated?: Truncated2 | undefined
    }
  }
  create_pulse: {
    kind: 'write'
    input: {
      team_id: string
      channel_id?: string | undefined
      name: string
      questions: Array<{
        id?: string | undefined
        text: string
        type: "text" | "scale" | "choice" | "yes_no"
        options?: Array<string> | undefined
        min?: number | undefined
        max?: number | undefined
        blocker?: boolean | undefined
      }>
      rrule: string
      timezone?: string | undefined
      mode?: "async" | "meeting" | undefined
      anonymous?: boolean | undefined
      idempotency_key?: string | undefined
    }
    output: Pulse
  }
  update_pulse: {
    kind: 'write'
    input: {
      pulse_id: string
      channel_id?: string | null | undefined
      name?: string | undefined
      questions?: Array<{
        id?: string | undefined
        text: string
        type: "text" | "scale" | "choice" | "yes_no"
        options?: Array<string> | undefined
        min?: number | undefined
        max?: number | undefined
        blocker?: boolean | undefined
      }> | undefined
      rrule?: string | undefined
      timezone?: string | undefined
      active?: boolean | undefined
      expected_revision?: number | undefined
    }
    output: Pulse
  }
  delete_pulse: {
    kind: 'destructive'
    input: {
      pulse_id: string
      dry_run?: boolean | undefined
    }
    output: DeleteResult
  }
  submit_pulse_response: {
    kind: 'write'
    input: {
      pulse_id: string
      answers: Record<string, unknown>
      occurrence_on?: string | undefined
    }
    output: SubmitResult
  }
  get_pulse_report: {
    kind: 'read'
    input: {
      pulse_id: string
      from?: string | undefined
      to?: string | undefined
      limit?: number | undefined
      cursor?: string | undefined
    }
    output: {
      pulse: CreatedBy
      anonymous: boolean
      questions: Array<Question>
      rounds: Array<{
        on: string
        opened_at: string
        closed_at?: string | undefined
        answered: number
        expected: number
        scores: Record<string, {
          answered: number
          average?: number | undefined
          yes_share?: number | undefined
          counts?: Record<string, number> | undefined
        }>
        withheld?: string | undefined
        meeting?: CreatedBy | undefined
      }>
      answers: Array<SubmitResult>
      trends: Record<string, {
        text: string
        type: "text" | "scale" | "choice" | "yes_no"
        points: Array<{
          answered: number
          average?: number | undefined
          yes_share?: number | undefined
          counts?: Record<string, number> | undefined
          on: string
        }>
        change?: number | undefined
      }>
      blockers: Array<{
        on: string
        text: string
        person?: CreatedBy | undefined
        task?: CreatedBy | undefined
        more_tasks?: Array<CreatedBy> | undefined
      }>
      missing: Array<CreatedBy>
      next_cursor?: string | undefined
      has_more: boolean
    }
  }
  create_goal: {
    kind: 'write'
    input: {
      owner_id?: string | undefined
      team_id?: string | undefined
      parent_id?: string | undefined
      project_ids?: Array<string> | undefined
      title: string
      period: string
      level: "organization" | "team" | "personal"
      description_markdown?: string | undefined
      key_results?: Array<{
        title: string
        metric: "number" | "percent" | "currency" | "boolean"
        target_value: number
        start_value?: number | undefined
        unit?: string | undefined
        source?: {
          kind: "manual" | "tasks" | "deals" | "form"
          params?: Record<string, unknown> | undefined
        } | null | undefined
        owner_id?: string | undefined
      }> | undefined
      idempotency_key?: string | undefined
    }
    output: Goal
  }
  list_goals: {
    kind: 'read'
    input: {
      owner_id?: string | undefined
      team_id?: string | undefined
      period?: string | undefined
      level?: "organization" | "team" | "personal" | undefined
      status?: Array<"draft" | "active" | "achieved" | "missed" | "cancelled"> | undefined
      at_risk?: boolean | undefined
      limit?: number | undefined
      cursor?: string | undefined
      fields?: Array<string> | undefined
    }
    output: {
      items: Array<Goal>
      next_cursor?: string | undefined
      has_more: boolean
      total?: number | undefined
      truncated?: Truncated2 | undefined
    }
  }
  delete_goal: {
    kind: 'destructive'
    input: {
      goal_id: string
      dry_run?: boolean | undefined
    }
    output: DeleteResult
  }
  get_goal: {
    kind: 'read'
    input: {
      goal_id: string
    }
    output: Goal
  }
  update_goal: {
    kind: 'write'
    input: {
      goal_id: string
      owner_id?: string | undefined
      parent_id?: string | null | undefined
      project_ids?: Array<string> | undefined
      title?: string | undefined
      description_markdown?: string | null | undefined
      status?: "draft" | "active" | "achieved" | "missed" | "cancelled" | undefined
      expected_revision?: number | undefined
    }
    output: Goal
  }
  create_key_result: {
    kind: 'write'
    input: {
      goal_id: string
      owner_id?: string | undefined
      title: string
      metric: "number" | "percent" | "currency" | "boolean"
      target_value: number
      start_value?: number | undefined
      unit?: string | undefined
      source?: {
        kind: "manual" | "tasks" | "deals" | "form"
        params?: Record<string, unknown> | undefined
      } | null | undefined
      idempotency_key?: string | undefined
    }
    output: KeyResult
  }
  update_key_result: {
    kind: 'write'
    input: {
      key_result_id: string
      owner_id?: string | undefined
      title?: string | undefined
      target_value?: number | undefined
      source?: {
        kind: "manual" | "tasks" | "deals" | "form"
        params?: Record<string, unknown> | undefined
      } | null | undefined
      retired?: boolean | undefined
    }
    output: KeyResult
  }
  record_goal_checkin: {
    kind: 'write'
    input: {
      goal_id: string
      values: Record<string, unknown>
      confidence?: "high" | "medium" | "low" | undefined
      note_markdown?: string | undefined
      idempotency_key?: string | undefined
    }
    output: RecordResult
  }
  list_time_entries: {
    kind: 'read'
    input: {
      person_id?: string | undefined
      project_id?: string | undefined
      task_id?: string | undefined
      from?: string | undefined
      to?: string | undefined
      billable?: boolean | undefined
      running?: boolean | undefined
      limit?: number | undefined
      cursor?: string | undefined
      fields?: Array<string> | undefined
    }
    output: {
      items: Array<{
        id: string
        revision: number
        created_at: string
        updated_at: string
        created_by?: CreatedBy | undefined
        created_via?: "web" | "api" | "mcp" | "automation" | "sync" | "cli" | undefined
        url: string
        deleted_at?: string | undefined
        person: CreatedBy
        task?: CreatedBy | undefined
        project?: Project2 | undefined
        spent_on: string
        duration_minutes: number
        note?: string | undefined
        billable: boolean
        running_since?: string | undefined
      }>
      next_cursor?: string | undefined
      has_more: boolean
      total?: number | undefined
      truncated?: Truncated2 | undefined
    }
  }
  create_time_entry: {
    kind: 'write'
    input: {
      task_id?: string | undefined
      project_id?: string | undefined
      duration_minutes: number
      spent_on: string
      note?: string | undefined
      billable?: boolean | undefined
      idempotency_key?: string | undefined
    }
    output: TimeEntry
  }
  update_time_entry: {
    kind: 'write'
    input: {
      entry_id: string
      task_id?: string | undefined
      project_id?: string | undefined
      duration_minutes?: number | undefined
      spent_on?: string | undefined
      note?: string | null | undefined
      billable?: boolean | undefined
    }
    output: TimeEntry
  }
  delete_time_entry: {
    kind: 'destructive'
    input: {
      entry_id: string
    }
    output: DeleteResult
  }
  export_time_entries: {
    kind: 'read'
    input: {
      person_id?: string | undefined
      project_id?: string | undefined
      task_id?: string | undefined
      from?: string | undefined
      to?: string | undefined
      billable?: boolean | undefined
      running?: boolean | undefined
    }
    output: ExportResult
  }
  start_timer: {
    kind: 'write'
    input: {
      task_id?: string | undefined
      project_id?: string | undefined
      note?: string | undefined
      started_at?: string | undefined
      idempotency_key?: string | undefined
    }
    output: TimeEntry
  }
  stop_timer: {
    kind: 'write'
    input: {
      note?: string | undefined
      stopped_at?: string | undefined
    }
    output: TimeEntry
  }
  get_time_report: {
    kind: 'read'
    input: {
      project_id?: string | undefined
      person_id?: string | undefined
      from: string
      to: string
      group_by: "person" | "project" | "task" | "label" | "day" | "week"
      billable?: boolean | undefined
    }
    output: {
      from: string
      to: string
      group_by: string
      total_minutes: number
      groups: Array<{
        key: string
        label: string
        minutes: number
        billable_minutes: number
        estimate_minutes?: number | undefined
      }>
      truncated?: Truncated | undefined
    }
  }
  list_notifications: {
    kind: 'read'
    input: {
      unread?: boolean | undefined
      kind?: Array<"mention" | "assignment" | "incident" | "invite" | "share" | "comment" | "due" | "automation" | "reminder" | "security" | "digest"> | undefined
      after?: string | undefined
      limit?: number | undefined
      cursor?: string | undefined
      fields?: Array<string> | undefined
    }
    output: {
      items: Array<{
        id: string
        revision: number
        created_at: string
        updated_at: string
        url: string
        kind: "mention" | "assignment" | "incident" | "invite" | "share" | "comment" | "due" | "automation" | "reminder" | "security" | "digest"
        item: ApiCallInList
        actor?: {
          id: string
          title: string
          key?: string | undefined
          url?: string | undefined
        } | undefined
        text: string
        unread: boolean
        snoozed_until?: string | undefined
      }>
      next_cursor?: string | undefined
      has_more: boolean
      total?: number | undefined
      truncated?: Truncated2 | undefined
    }
  }
  mark_notifications_read: {
    kind: 'write'
    input: {
      notification_ids?: Array<string> | undefined
      all?: boolean | undefined
      before?: string | undefined
      snooze_until?: string | undefined
    }
    output: Subtasks
  }
  get_notification_preferences: {
    kind: 'read'
    input: Record<string, never>
    output: NotificationPreferences
  }
  update_notification_preferences: {
    kind: 'write'
    input: {
      events?: Record<string, {
        app?: boolean | undefined
        email?: boolean | undefined
      }> | undefined
      quiet_hours?: {
        from?: string | undefined
        to?: string | undefined
        timezone?: string | undefined
        except_incidents?: boolean | undefined
      } | null | undefined
      digest?: "off" | "daily" | "weekly" | undefined
    }
    output: NotificationPreferences
  }
  cancel_reminder: {
    kind: 'destructive'
    input: {
      reminder_id: string
    }
    output: DeleteResult
  }
  create_reminder: {
    kind: 'write'
    input: {
      item_id?: string | undefined
      remind_at: string
      text?: string | undefined
      rrule?: string | undefined
      timezone?: string | undefined
      idempotency_key?: string | undefined
    }
    output: Reminder
  }
  list_reminders: {
    kind: 'read'
    input: {
      item_id?: string | undefined
      before?: string | undefined
      limit?: number | undefined
      cursor?: string | undefined
      fields?: Array<string> | undefined
    }
    output: {
      items: Array<Reminder>
      next_cursor?: string | undefined
      has_more: boolean
      total?: number | undefined
      truncated?: Truncated2 | undefined
    }
  }
  create_incident: {
    kind: 'write'
    input: {
      service_ids?: Array<string> | undefined
      lead_id?: string | undefined
      runbook_id?: string | undefined
      title: string
      severity: "sev1" | "sev2" | "sev3" | "sev4"
      summary_markdown?: string | undefined
      detected_at?: string | undefined
      restricted?: boolean | undefined
      idempotency_key?: string | undefined
    }
    output: {
      id: string
      revision: number
      created_at: string
      updated_at: string
      created_by?: CreatedBy | undefined
      created_via?: "web" | "api" | "mcp" | "automation" | "sync" | "cli" | undefined
      url: string
      deleted_at?: string | undefined
      key: string
      title: string
      summary_markdown?: string | undefined
      severity: "sev1" | "sev2" | "sev3" | "sev4"
      status: "open" | "acknowledged" | "mitigated" | "resolved" | "closed"
      services: Array<CreatedBy>
      roles: Roles
      channel?: Channel3 | undefined
      detected_at: string
      opened_at: string
      acknowledged_at?: string | undefined
      mitigated_at?: string | undefined
      resolved_at?: string | undefined
      closed_at?: string | undefined
      cause?: string | undefined
      customer_impact?: string | undefined
      resolution?: string | undefined
      restricted: boolean
      runbooks?: Array<Runbook2> | undefined
      follow_up_tasks?: Array<CreatedBy> | undefined
      links?: Array<Record<string, unknown>> | undefined
      status_updates?: Array<StatusUpdate> | undefined
      postmortem?: Postmortem | null | undefined
      timeline?: Array<IncidentTimelineInList> | undefined
      paged?: {
        people: Array<CreatedBy>
        level: number
        reason: string
      } | undefined
    }
  }
  list_incidents: {
    kind: 'read'
    input: {
      service_id?: string | undefined
      lead_id?: string | undefined
      status?: Array<"open" | "acknowledged" | "mitigated" | "resolved" | "closed"> | undefined
      severity?: Array<"sev1" | "sev2" | "sev3" | "sev4"> | undefined
      query?: string | undefined
      opened_after?: string | undefined
      opened_before?: string | undefined
      fields?: Array<string> | undefined
      limit?: number | undefined
      cursor?: string | undefined
    }
    output: {
      items: Array<IncidentInList>
      next_cursor?: string | undefined
      has_more: boolean
      total?: number | undefined
      truncated?: Truncated2 | undefined
    }
  }
  get_incident: {
    kind: 'read'
    input: {
      incident_id: string
      include?: Array<"timeline" | "links" | "updates" | "postmortem" | "tasks"> | undefined
    }
    output: Incident
  }
  update_incident: {
    kind: 'write'
    input: {
      incident_id: string
      service_ids?: Array<string> | undefined
      title?: string | undefined
      summary_markdown?: string | null | undefined
      severity?: "sev1" | "sev2" | "sev3" | "sev4" | undefined
      cause?: string | null | undefined
      customer_impact?: string | null | undefined
      mitigated_at?: string | undefined
      restricted?: boolean | undefined
      reason?: string | undefined
      expected_revision?: number | undefined
    }
    output: Incident
  }
  acknowledge_incident: {
    kind: 'write'
    input: {
      incident_id: string
      note?: string | undefined
    }
    output: Incident
  }
  reopen_incident: {
    kind: 'write'
    input: {
      incident_id: string
      reason: string
    }
    output: Incident
  }
  resolve_incident: {
    kind: 'write'
    input: {
      incident_id: string
      resolution: string
      resolved_at?: string | undefined
    }
    output: Incident
  }
  assign_incident_role: {
    kind: 'write'
    input: {
      incident_id: string
      role: "lead" | "communications" | "scribe"
      person_id?: string | null | undefined
    }
    output: Incident
  }
  escalate_incident: {
    kind: 'destructive'
    input: {
      incident_id: string
      person_id?: string | undefined
      team_id?: string | undefined
      schedule_id?: string | undefined
      reason: string
      idempotency_key?: string | undefined
    }
    output: {
      id: string
      revision: number
      created_at: string
      updated_at: string
      created_by?: CreatedBy | undefined
      created_via?: "web" | "api" | "mcp" | "automation" | "sync" | "cli" | undefined
      url: string
      deleted_at?: string | undefined
      incident: CreatedBy
      level: number
      round: number
      targets: Array<CreatedBy>
      channels: Array<"app" | "email" | "webhook">
      status: "paging" | "acknowledged" | "exhausted" | "cancelled"
      next_at?: string | undefined
      reason?: string | undefined
    }
  }
  add_incident_note: {
    kind: 'write'
    input: {
      incident_id: string
      message_id?: string | undefined
      body_markdown: string
      occurred_at?: string | undefined
      idempotency_key?: string | undefined
    }
    output: IncidentTimelineInList
  }
  list_incident_timeline: {
    kind: 'read'
    input: {
      incident_id: string
      kind?: Array<"note" | "status" | "severity" | "role" | "escalation" | "message" | "update" | "link"> | undefined
      since?: string | undefined
      limit?: number | undefined
      cursor?: string | undefined
      fields?: Array<string> | undefined
    }
    output: {
      items: Array<IncidentTimelineInList>
      next_cursor?: string | undefined
      has_more: boolean
      total?: number | undefined
      truncated?: Truncated2 | undefined
    }
  }
  find_similar_incidents: {
    kind: 'read'
    input: {
      incident_id: string
      limit?: number | undefined
      cursor?: string | undefined
      fields?: Array<string> | undefined
    }
    output: {
      items: Array<{
        incident: IncidentInList
        score: number
        reasons: Array<{
          kind: "meaning" | "service" | "cause" | "label"
          detail: string
        }>
        resolution?: string | undefined
      }>
      next_cursor?: string | undefined
      has_more: boolean
      total?: number | undefined
      truncated?: Truncated2 | undefined
    }
  }
  get_status_page: {
    kind: 'read'
    input: {
      days?: number | undefined
    }
    output: {
      overall: "operational" | "degraded" | "partial_outage" | "major_outage" | "maintenance"
      services: Array<{
        service: CreatedBy
        public: boolean
        state: "operational" | "degraded" | "partial_outage" | "major_outage" | "maintenance"
        uptime_90d: number
        days: Array<{
          date: string
          state: "operational" | "degraded" | "partial_outage" | "major_outage" | "maintenance"
          uptime: number
          outage_minutes: number
        }>
      }>
      open_updates: Array<StatusUpdate>
      planned: Array<StatusUpdate>
      public_url: string
    }
  }
  publish_status_update: {
    kind: 'destructive'
    input: {
      incident_id?: string | undefined
      title: string
      body_markdown: string
      state: "investigating" | "identified" | "monitoring" | "resolved" | "maintenance"
      service_states?: Record<string, "operational" | "degraded" | "partial_outage" | "major_outage" | "maintenance"> | undefined
      starts_at?: string | undefined
      ends_at?: string | undefined
      dry_run?: boolean | undefined
      idempotency_key?: string | undefined
    }
    output: {
      id: string
      revision: number
      created_at: string
      updated_at: string
      created_by?: CreatedBy | undefined
      created_via?: "web" | "api" | "mcp" | "automation" | "sync" | "cli" | undefined
      url: string
      deleted_at?: string | undefined
      title: string
      body_markdown: string
      state: "investigating" | "identified" | "monitoring" | "resolved" | "maintenance"
      incident?: CreatedBy | undefined
      service_states: Record<string, "operational" | "degraded" | "partial_outage" | "major_outage" | "maintenance">
      starts_at?: string | undefined
      ends_at?: string | undefined
      phase?: "planned" | "running" | "resolved" | undefined
      thread_id: string
      published_at: string
      services: Array<{
        service: CreatedBy
        from: "operational" | "degraded" | "partial_outage" | "major_outage" | "maintenance"
        to: "operational" | "degraded" | "partial_outage" | "major_outage" | "maintenance"
      }>
      dry_run: boolean
    }
  }
  create_service: {
    kind: 'write'
    input: {
      team_id?: string | undefined
      schedule_id?: string | undefined
      depends_on_ids?: Array<string> | undefined
      name: string
      description?: string | undefined
      public?: boolean | undefined
      idempotency_key?: string | undefined
    }
    output: Service
  }
  list_services: {
    kind: 'read'
    input: {
      team_id?: string | undefined
      schedule_id?: string | undefined
      query?: string | undefined
      public?: boolean | undefined
      limit?: number | undefined
      cursor?: string | undefined
      fields?: Array<string> | undefined
    }
    output: {
      items: Array<Service>
      next_cursor?: string | undefined
      has_more: boolean
      total?: number | undefined
      truncated?: Truncated2 | undefined
    }
  }
  delete_service: {
    kind: 'destructive'
    input: {
      service_id: string
      dry_run?: boolean | undefined
    }
    output: DeleteResult
  }
  update_service: {
    kind: 'write'
    input: {
      service_id: string
      team_id?: string | null | undefined
      schedule_id?: string | null | undefined
      depends_on_ids?: Array<string> | undefined
      name?: string | undefined
      description?: string | null | undefined
      public?: boolean | undefined
      expected_revision?: number | undefined
    }
    output: Service
  }
  create_postmortem: {
    kind: 'write'
    input: {
      incident_id: string
      template_page_id?: string | undefined
      author_id?: string | undefined
      due_on?: string | undefined
      idempotency_key?: string | undefined
    }
    output: Postmortem
  }
  publish_postmortem: {
    kind: 'write'
    input: {
      incident_id: string
      note?: string | undefined
    }
    output: Postmortem
  }
  create_runbook: {
    kind: 'write'
    input: {
      service_ids?: Array<string> | undefined
      page_id?: string | undefined
      name: string
      steps: Array<{
        title: string
        body_markdown?: string | undefined
        minutes?: number | undefined
      }>
      severity?: Array<"sev1" | "sev2" | "sev3" | "sev4"> | undefined
      idempotency_key?: string | undefined
    }
    output: Runbook
  }
  list_runbooks: {
    kind: 'read'
    input: {
      service_id?: string | undefined
      incident_id?: string | undefined
      query?: string | undefined
      limit?: number | undefined
      cursor?: string | undefined
      fields?: Array<string> | undefined
    }
    output: {
      items: Array<Runbook>
      next_cursor?: string | undefined
      has_more: boolean
      total?: number | undefined
      truncated?: Truncated2 | undefined
    }
  }
  delete_runbook: {
    kind: 'destructive'
    input: {
      runbook_id: string
      dry_run?: boolean | undefined
    }
    output: DeleteResult
  }
  update_runbook: {
    kind: 'write'
    input: {
      runbook_id: string
      service_ids?: Array<string> | undefined
      page_id?: string | null | undefined
      name?: string | undefined
      steps?: Array<{
        title: string
        body_markdown?: string | undefined
        minutes?: number | undefined
      }> | undefined
      severity?: Array<"sev1" | "sev2" | "sev3" | "sev4"> | undefined
      expected_revision?: number | undefined
    }
    output: Runbook
  }
  start_runbook: {
    kind: 'write'
    input: {
      incident_id: string
      runbook_id: string
      assignee_id?: string | undefined
      idempotency_key?: string | undefined
    }
    output: Subtasks
  }
  get_on_call: {
    kind: 'read'
    input: {
      service_id?: string | undefined
      team_id?: string | undefined
      person_id?: string | undefined
      at?: string | undefined
      limit?: number | undefined
      cursor?: string | undefined
      fields?: Array<string> | undefined
    }
    output: {
      items: Array<OnCallItem>
      next_cursor?: string | undefined
      has_more: boolean
      total?: number | undefined
      truncated?: Truncated2 | undefined
    }
  }
  create_on_call_schedule: {
    kind: 'write'
    input: {
      team_id?: string | undefined
      name: string
      timezone: string
      layers: Array<{
        people: Array<string>
        level?: number | undefined
        rotation?: string | undefined
        starts_on?: string | undefined
        handover?: {
          time?: string | undefined
          weekday?: "mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun" | undefined
        } | undefined
        hours?: Record<string, Array<{
          from: string
          to: string
        }>> | undefined
      }>
      escalation_minutes?: number | undefined
      idempotency_key?: string | undefined
    }
    output: OnCallSchedule
  }
  list_on_call_schedules: {
    kind: 'read'
    input: {
      team_id?: string | undefined
      from?: string | undefined
      to?: string | undefined
      limit?: number | undefined
      cursor?: string | undefined
      fields?: Array<string> | undefined
    }
    output: {
      items: Array<OnCallSchedule>
      next_cursor?: string | undefined
      has_more: boolean
      total?: number | undefined
      truncated?: Truncated2 | undefined
    }
  }
  delete_on_call_schedule: {
    kind: 'destructive'
    input: {
      schedule_id: string
      dry_run?: boolean | undefined
    }
    output: DeleteResult
  }
  update_on_call_schedule: {
    kind: 'write'
    input: {
      schedule_id: string
      team_id?: string | null | undefined
      name?: string | undefined
      timezone?: string | undefined
      layers?: Array<{
        people: Array<string>
        level?: number | undefined
        rotation?: string | undefined
        starts_on?: string | undefined
        handover?: {
          time?: string | undefined
          weekday?: "mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun" | undefined
        } | undefined
        hours?: Record<string, Array<{
          from: string
          to: string
        }>> | undefined
      }> | undefined
      escalation_minutes?: number | undefined
      expected_revision?: number | undefined
    }
    output: OnCallSchedule
  }
  create_on_call_override: {
    kind: 'write'
    input: {
      schedule_id: string
      person_id: string
      starts_at: string
      ends_at: string
      reason?: string | undefined
      level?: number | undefined
      idempotency_key?: string | undefined
    }
    output: {
      id?: string | undefined
      schedule: CreatedBy
      level: number
      person: CreatedBy
      starts_at: string
      ends_at: string
      starts_local: string
      ends_local: string
      timezone: string
      is_override: boolean
      covers_for?: CreatedBy | undefined
      reason?: string | undefined
      conflicts: Array<string>
      warnings?: Array<string> | undefined
    }
  }
  delete_on_call_override: {
    kind: 'destructive'
    input: {
      override_id: string
      dry_run?: boolean | undefined
    }
    output: DeleteResult
  }
  get_incident_metrics: {
    kind: 'read'
    input: {
      service_id?: string | undefined
      from: string
      to: string
      group_by?: "service" | "severity" | "team" | "month" | undefined
    }
    output: {
      from: string
      to: string
      count: number
      mtta_minutes: unknown
      mttr_minutes: unknown
      groups: Array<{
        key: string
        label: string
        count: number
        mtta: unknown
        mttr: unknown
      }>
      repeat_causes: Array<{
        cause: string
        incidents: Array<CreatedBy>
      }>
      on_call_load: Array<{
        person: CreatedBy
        pages: number
        night_pages: number
      }>
      open_follow_ups: number
    }
  }
  list_contacts: {
    kind: 'read'
    input: {
      company_id?: string | undefined
      owner_id?: string | undefined
      label_id?: Array<string> | undefined
      last_contacted_before?: string | undefined
      created_after?: string | undefined
      sort?: "name" | "last_contacted_at" | "created_at" | undefined
      fields?: Array<string> | undefined
      limit?: number | undefined
      cursor?: string | undefined
    }
    output: {
      items: Array<ContactInList>
      next_cursor?: string | undefined
      has_more: boolean
      total?: number | undefined
      truncated?: Truncated2 | undefined
    }
  }
  create_contact: {
    kind: 'write'
    input: {
      company_id?: string | null | undefined
      owner_id?: string | undefined
      label_ids?: Array<string> | undefined
      name: string
      emails?: Array<string> | undefined
      phones?: Array<string> | undefined
      title?: string | undefined
      note?: string | undefined
      custom_fields?: Record<string, string | number | boolean | Array<string> | null> | undefined
      idempotency_key?: string | undefined
    }
    output: Contact
  }
  search_contacts: {
    kind: 'read'
    input: {
      query: string
      type?: "contact" | "company" | undefined
      limit?: number | undefined
      cursor?: string | undefined
      fields?: Array<string> | undefined
    }
    output: {
      items: Array<{
        type: "contact" | "company"
        contact?: ContactInList | undefined
        company?: Company | undefined
        score: number
        matched_in: Array<"name" | "email" | "phone" | "domain" | "text">
      }>
      next_cursor?: string | undefined
      has_more: boolean
      total?: number | undefined
      truncated?: Truncated2 | undefined
    }
  }
  get_contact: {
    kind: 'read'
    input: {
      contact_id: string
      include?: Array<"interactions" | "deals" | "tasks" | "meetings"> | undefined
    }
    output: Contact
  }
  update_contact: {
    kind: 'write'
    input: {
      contact_id: string
      company_id?: string | null | undefined
      owner_id?: string | null | undefined
      add_label_ids?: Array<string> | undefined
      remove_label_ids?: Array<string> | undefined
      name?: string | undefined
      emails?: Array<string> | undefined
      phones?: Array<string> | undefined
      title?: string | null | undefined
      note?: string | null | undefined
      custom_fields?: Record<string, string | number | boolean | Array<string> | null> | undefined
      expected_revision?: number | undefined
    }
    output: Contact
  }
  delete_contact: {
    kind: 'destructive'
    input: {
      contact_id: string
      erase?: boolean | undefined
      dry_run?: boolean | undefined
    }
    output: {
      item: ApiCallInList
      also_deleted: Array<{
        type: string
        count: number
      }>
      restorable_until?: string | undefined
      dry_run: boolean
      undo_call_id?: string | undefined
      erased?: Record<string, number> | undefined
      job_id?: string | undefined
      remains?: Array<string> | undefined
    }
  }
  merge_contacts: {
    kind: 'destructive'
    input: {
      contact_id: string
      duplicate_ids: Array<string>
      prefer?: Record<string, string> | undefined
      dry_run?: boolean | undefined
      idempotency_key?: string | undefined
    }
    output: {
      id: string
      revision: number
      created_at: string
      updated_at: string
      created_by?: CreatedBy | undefined
      created_via?: "web" | "api" | "mcp" | "automation" | "sync" | "cli" | undefined
      url: string
      deleted_at?: string | undefined
      name: string
      emails: Array<string>
      phones: Array<string>
      title?: string | undefined
      company?: CreatedBy | undefined
      owner?: CreatedBy | undefined
      labels: Array<CreatedBy>
      note?: string | undefined
      custom_fields: Record<string, string | number | boolean | Array<string>>
      last_contacted_at?: string | undefined
      deals: Array<CreatedBy>
      merged: Array<CreatedBy>
      fields: Array<{
        field: "name" | "title" | "company" | "owner" | "note" | "emails" | "phones" | "labels" | "custom_fields"
        value: unknown
        from?: {
          id: string
          title: string
          key?: string | undefined
          url?: string | undefined
        } | undefined
        lost: Array<{
          contact: CreatedBy
          value: unknown
        }>
      }>
      moved: {
        interactions: number
        deals: number
      }
      dry_run: boolean
    }
  }
  find_duplicate_contacts: {
    kind: 'read'
    input: {
      limit?: number | undefined
      cursor?: string | undefined
      fields?: Array<string> | undefined
    }
    output: {
      items: Array<{
        contacts: Array<ContactInList>
        reason: "same_email" | "same_phone" | "similar_name_and_company"
        confidence: number
        suggested_keep: string
      }>
      next_cursor?: string | undefined
      has_more: boolean
      total?: number | undefined
      truncated?: Truncated2 | undefined
    }
  }
  import_contacts: {
    kind: 'write'
    input: {
      file_id?: string | undefined
      content?: string | undefined
      format?: "csv" | "vcard" | undefined
      mapping?: Record<string, string | null> | undefined
      on_match?: "update" | "skip" | undefined
      dry_run?: boolean | undefined
      idempotency_key?: string | undefined
    }
    output: {
      created: Array<ApiCallInList>
      updated: Array<ApiCallInList>
      skipped: Array<{
        line_or_path: string
        reason: string
      }>
      warnings: Array<string>
      counts: {
        created: number
        updated: number
        unchanged: number
        skipped: number
      }
      records: number
      format: "csv" | "vcard"
      encoding?: string | undefined
      delimiter?: string | undefined
      columns?: Array<{
        column: string
        field: unknown
      }> | undefined
      preview?: Array<{
        line: number
        action: "created" | "updated" | "unchanged" | "skipped"
        name: string
        emails: Array<string>
        phones: Array<string>
        company?: string | undefined
      }> | undefined
      dry_run: boolean
      undo_call_id?: string | undefined
      job?: {
        job_id: string
        url: string
      } | undefined
    }
  }
  export_contacts: {
    kind: 'read'
    input: {
      company_id?: string | undefined
      owner_id?: string | undefined
      label_id?: Array<string> | undefined
      of?: "contacts" | "companies" | undefined
      query?: string | undefined
    }
    output: ExportResult
  }
  create_company: {
    kind: 'write'
    input: {
      owner_id?: string | undefined
      name: string
      domain?: string | undefined
      industry?: string | undefined
      size?: string | undefined
      note?: string | undefined
      custom_fields?: Record<string, string | number | boolean | Array<string> | null> | undefined
      idempotency_key?: string | undefined
    }
    output: Company
  }
  list_companies: {
    kind: 'read'
    input: {
      owner_id?: string | undefined
      label_id?: Array<string> | undefined
      query?: string | undefined
      limit?: number | undefined
      cursor?: string | undefined
      fields?: Array<string> | undefined
    }
    output: {
      items: Array<Company>
      next_cursor?: string | undefined
      has_more: boolean
      total?: number | undefined
      truncated?: Truncated2 | undefined
    }
  }
  delete_company: {
    kind: 'destructive'
    input: {
      company_id: string
      dry_run?: boolean | undefined
    }
    output: DeleteResult
  }
  get_company: {
    kind: 'read'
    input: {
      company_id: string
    }
    output: {
      id: string
      revision: number
      created_at: string
      updated_at: string
      created_by?: CreatedBy | undefined
      created_via?: "web" | "api" | "mcp" | "automation" | "sync" | "cli" | undefined
      url: string
      deleted_at?: string | undefined
      name: string
      domain?: string | undefined
      industry?: string | undefined
      size?: string | undefined
      owner?: CreatedBy | undefined
      contacts: Array<CreatedBy>
      contact_count: number
      open_deal_value: Record<string, number>
      note?: string | undefined
      custom_fields: Record<string, string | number | boolean | Array<string>>
      last_contacted_at?: string | undefined
      existing?: boolean | undefined
      deals: Array<{
        id: string
        title: string
        key?: string | undefined
        url?: string | undefined
        stage: string
        status: "open" | "won" | "lost"
        amount?: number | undefined
        currency: string
      }>
      interactions: Array<InteractionInList>
    }
  }
  update_company: {
    kind: 'write'
    input: {
      company_id: string
      owner_id?: string | null | undefined
      name?: string | undefined
      domain?: string | null | undefined
      industry?: string | null | undefined
      size?: string | null | undefined
      note?: string | null | undefined
      custom_fields?: Record<string, string | number | boolean | Array<string> | null> | undefined
      expected_revision?: number | undefined
    }
    output: Company
  }
  list_interactions: {
    kind: 'read'
    input: {
      contact_id?: string | undefined
      company_id?: string | undefined
      deal_id?: string | undefined
      kind?: Array<"email" | "meeting" | "call" | "note" | "form" | "other"> | undefined
      after?: string | undefined
      before?: string | undefined
      limit?: number | undefined
      cursor?: string | undefined
      fields?: Array<string> | undefined
    }
    output: {
      items: Array<InteractionInList>
      next_cursor?: string | undefined
      has_more: boolean
      total?: number | undefined
      truncated?: Truncated2 | undefined
    }
  }
  log_interaction: {
    kind: 'write'
    input: {
      contact_ids: Array<string>
      deal_id?: string | undefined
      kind: "meeting" | "call" | "note" | "other"
      summary_markdown: string
      occurred_at?: string | undefined
      next_step?: string | undefined
      next_step_due?: string | undefined
      idempotency_key?: string | undefined
    }
    output: {
      id: string
      revision: number
      created_at: string
      updated_at: string
      created_by?: CreatedBy | undefined
      created_via?: "web" | "api" | "mcp" | "automation" | "sync" | "cli" | undefined
      url: string
      deleted_at?: string | undefined
      kind: "email" | "meeting" | "call" | "note" | "form" | "other"
      occurred_at: string
      summary_markdown: string
      trust: "internal" | "external"
      contacts: Array<CreatedBy>
      company?: CreatedBy | undefined
      deal?: CreatedBy | undefined
      person: CreatedBy
      source?: ApiCallInList | undefined
      next_step?: string | undefined
      next_step_due?: string | undefined
      next_step_task?: NextStepTask | undefined
      unresolved_mentions?: Array<string> | undefined
      reminder_at?: string | undefined
    }
  }
  create_deal: {
    kind: 'write'
    input: {
      company_id?: string | undefined
      contact_ids?: Array<string> | undefined
      owner_id?: string | undefined
      name: string
      stage?: string | undefined
      amount?: number | undefined
      currency?: string | undefined
      expected_close_on?: string | undefined
      note?: string | undefined
      idempotency_key?: string | undefined
    }
    output: Deal
  }
  list_deals: {
    kind: 'read'
    input: {
      owner_id?: string | undefined
      company_id?: string | undefined
      stage?: Array<string> | undefined
      status?: Array<"open" | "won" | "lost"> | undefined
      close_before?: string | undefined
      stale_days?: number | undefined
      limit?: number | undefined
      cursor?: string | undefined
      fields?: Array<string> | undefined
    }
    output: {
      items: Array<Deal>
      next_cursor?: string | undefined
      has_more: boolean
      total?: number | undefined
      truncated?: Truncated2 | undefined
    }
  }
  delete_deal: {
    kind: 'destructive'
    input: {
      deal_id: string
      dry_run?: boolean | undefined
    }
    output: DeleteResult
  }
  get_deal: {
    kind: 'read'
    input: {
      deal_id: string
    }
    output: {
      id: string
      revision: number
      created_at: string
      updated_at: string
      created_by?: CreatedBy | undefined
      created_via?: "web" | "api" | "mcp" | "automation" | "sync" | "cli" | undefined
      url: string
      deleted_at?: string | undefined
      name: string
      company?: CreatedBy | undefined
      contacts: Array<CreatedBy>
      stage: string
      status: "open" | "won" | "lost"
      lost_reason?: string | undefined
      amount?: number | undefined
      currency: string
      expected_close_on?: string | undefined
      closed_at?: string | undefined
      owner: CreatedBy
      stage_history: Array<StageHistory>
      stale_days: number
      note?: string | undefined
      interactions?: Array<InteractionInList> | undefined
    }
  }
  update_deal: {
    kind: 'write'
    input: {
      deal_id: string
      owner_id?: string | undefined
      contact_ids?: Array<string> | undefined
      name?: string | undefined
      stage?: string | undefined
      status?: "open" | "won" | "lost" | undefined
      lost_reason?: string | undefined
      amount?: number | null | undefined
      currency?: string | undefined
      expected_close_on?: string | null | undefined
      expected_revision?: number | undefined
    }
    output: Deal
  }
  get_pipeline_summary: {
    kind: 'read'
    input: {
      owner_id?: string | undefined
      from?: string | undefined
      to?: string | undefined
    }
    output: {
      from: string
      to: string
      stages: Array<{
        stage: string
        weight: number
        count: number
        value: Record<string, number>
        weighted: Record<string, number>
      }>
      forecast: Record<string, {
        count: number
        value: Record<string, number>
        weighted: Record<string, number>
      }>
      stalled: Array<Deal>
      stalled_count: number
      won: {
        count: number
        value: Record<string, number>
      }
      lost: {
        count: number
        value: Record<string, number>
      }
      win_rate?: number | undefined
      average_cycle_days?: number | undefined
    }
  }
  create_form: {
    kind: 'write'
    input: {
      title: string
      fields: Array<{
        id?: string | undefined
        label: string
        help?: string | undefined
        type: "short_text" | "long_text" | "number" | "email" | "phone" | "date" | "select" | "multi_select" | "rating" | "nps" | "file" | "yes_no"
        required?: boolean | undefined
        options?: Array<string> | undefined
        min?: number | undefined
        max?: number | undefined
        show_if?: {
          field_id: string
          op: "equals" | "not_equals" | "contains" | "greater" | "less" | "answered"
          value?: string | number | boolean | undefined
        } | null | undefined
      }>
      description_markdown?: string | undefined
      settings?: {
        audience?: "organization" | "public" | undefined
        closes_at?: string | null | undefined
        response_limit?: number | null | undefined
        responses_visible_to?: "owner_only" | "organization" | undefined
        thank_you?: string | null | undefined
        captcha?: boolean | undefined
      } | undefined
      destination?: {
        kind: "none" | "task" | "contact" | "deal" | "incident" | "webhook"
        mapping?: Record<string, unknown> | undefined
      } | undefined
      idempotency_key?: string | undefined
    }
    output: Form
  }
  list_forms: {
    kind: 'read'
    input: {
      created_by?: string | undefined
      status?: Array<"draft" | "published" | "closed"> | undefined
      query?: string | undefined
      limit?: number | undefined
      cursor?: string | undefined
      fields?: Array<string> | undefined
    }
    output: {
      items: Array<Form>
      next_cursor?: string | undefined
      has_more: boolean
      total?: number | undefined
      truncated?: Truncated2 | undefined
    }
  }
  delete_form: {
    kind: 'destructive'
    input: {
      form_id: string
      dry_run?: boolean | undefined
    }
    output: DeleteResult
  }
  get_form: {
    kind: 'read'
    input: {
      form_id: string
    }
    output: Form
  }
  update_form: {
    kind: 'write'
    input: {
      form_id: string
      title?: string | undefined
      description_markdown?: string | null | undefined
      fields?: Array<{
        id?: string | undefined
        label: string
        help?: string | undefined
        type: "short_text" | "long_text" | "number" | "email" | "phone" | "date" | "select" | "multi_select" | "rating" | "nps" | "file" | "yes_no"
        required?: boolean | undefined
        options?: Array<string> | undefined
        min?: number | undefined
        max?: number | undefined
        show_if?: {
          field_id: string
          op: "equals" | "not_equals" | "contains" | "greater" | "less" | "answered"
          value?: string | number | boolean | undefined
        } | null | undefined
      }> | undefined
      settings?: {
        audience?: "organization" | "public" | undefined
        closes_at?: string | null | undefined
        response_limit?: number | null | undefined
        responses_visible_to?: "owner_only" | "organization" | undefined
        thank_you?: string | null | undefined
        captcha?: boolean | undefined
      } | undefined
      destination?: {
        kind: "none" | "task" | "contact" | "deal" | "incident" | "webhook"
        mapping?: Record<string, unknown> | undefined
      } | null | undefined
      expected_revision?: number | undefined
    }
    output: Form
  }
  close_form: {
    kind: 'write'
    input: {
      form_id: string
      message?: string | undefined
    }
    output: Form
  }
  publish_form: {
    kind: 'destructive'
    input: {
      form_id: string
      audience?: "organization" | "public" | undefined
      closes_at?: string | null | undefined
      response_limit?: number | null | undefined
    }
    output: Form
  }
  delete_form_response: {
    kind: 'destructive'
    input: {
      form_id: string
      response_id: string
    }
    output: DeleteResult
  }
  list_form_responses: {
    kind: 'read'
    input: {
      form_id: string
      after?: string | undefined
      before?: string | undefined
      field_filters?: Record<string, unknown> | undefined
      query?: string | undefined
      fields?: Array<string> | undefined
      limit?: number | undefined
      cursor?: string | undefined
    }
    output: {
      items: Array<FormResponseInList>
      next_cursor?: string | undefined
      has_more: boolean
      total?: number | undefined
      truncated?: Truncated2 | undefined
    }
  }
  submit_form_response: {
    kind: 'write'
    input: {
      form_id: string
      answers: Record<string, unknown>
      idempotency_key?: string | undefined
    }
    output: FormResponseInList
  }
  get_form_stats: {
    kind: 'read'
    input: {
      form_id: string
      after?: string | undefined
      before?: string | undefined
    }
    output: {
      form: CreatedBy
      views: number
      started: number
      completed: number
      completion_rate: number
      median_seconds?: number | undefined
      by_field: Array<{
        field_id: string
        label: string
        type: "short_text" | "long_text" | "number" | "email" | "phone" | "date" | "select" | "multi_select" | "rating" | "nps" | "file" | "yes_no"
        answered: number
        skipped: number
        distribution?: Array<{
          value: unknown
          count: number
        }> | undefined
        summary?: {
          mean?: number | undefined
          median?: number | undefined
          min?: unknown | undefined
          max?: unknown | undefined
          sum?: number | undefined
          distinct?: number | undefined
        } | undefined
        nps?: number | undefined
      }>
      nps?: number | undefined
      by_day: Array<{
        date: string
        count: number
      }>
    }
  }
  export_form_responses: {
    kind: 'read'
    input: {
      form_id: string
      format?: "csv" | "json" | undefined
      after?: string | undefined
      before?: string | undefined
    }
    output: {
      format: "csv" | "json"
      inline?: string | undefined
      download_url?: string | undefined
      expires_at?: string | undefined
      item_count: number
      size_bytes: number
    }
  }
  list_automation_catalog: {
    kind: 'read'
    input: {
      kind?: "trigger" | "condition" | "action" | undefined
      query?: string | undefined
      limit?: number | undefined
      cursor?: string | undefined
      fields?: Array<string> | undefined
    }
    output: {
      items: Array<{
        kind: "trigger" | "condition" | "action"
        type: string
        summary: string
        params: Record<string, unknown>
        module: string
        outbound: boolean
      }>
      next_cursor?: string | undefined
      has_more: boolean
      total?: number | undefined
      truncated?: Truncated2 | undefined
    }
  }
  create_automation: {
    kind: 'write'
    input: {
      project_id?: string | undefined
      name: string
      trigger: {
        type: "event" | "schedule" | "webhook" | "manual"
        params?: Record<string, unknown> | undefined
      }
      actions: Array<{
        type: string
        params?: Record<string, unknown> | undefined
        on_error?: "stop" | "continue" | undefined
        id?: string | undefined
      }>
      conditions?: Array<{
        type?: "expression" | undefined
        expression: string
      }> | undefined
      shared?: boolean | undefined
      idempotency_key?: string | undefined
    }
    output: Automation
  }
  list_automations: {
    kind: 'read'
    input: {
      enabled?: boolean | undefined
      trigger?: string | undefined
      query?: string | undefined
      failing?: boolean | undefined
      limit?: number | undefined
      cursor?: string | undefined
      fields?: Array<string> | undefined
    }
    output: {
      items: Array<Automation>
      next_cursor?: string | undefined
      has_more: boolean
      total?: number | undefined
      truncated?: Truncated2 | undefined
    }
  }
  delete_automation: {
    kind: 'destructive'
    input: {
      automation_id: string
    }
    output: DeleteResult
  }
  get_automation: {
    kind: 'read'
    input: {
      automation_id: string
    }
    output: Automation
  }
  update_automation: {
    kind: 'write'
    input: {
      automation_id: string
      name?: string | undefined
      trigger?: {
        type: "event" | "schedule" | "webhook" | "manual"
        params?: Record<string, unknown> | undefined
      } | undefined
      actions?: Array<{
        type: string
        params?: Record<string, unknown> | undefined
        on_error?: "stop" | "continue" | undefined
        id?: string | undefined
      }> | undefined
      conditions?: Array<{
        type?: "expression" | undefined
        expression: string
      }> | undefined
      shared?: boolean | undefined
      expected_revision?: number | undefined
    }
    output: Automation
  }
  disable_automation: {
    kind: 'write'
    input: {
      automation_id: string
      reason?: string | undefined
    }
    output: Automation
  }
  enable_automation: {
    kind: 'destructive'
    input: {
      automation_id: string
    }
    output: Automation
  }
  test_automation: {
    kind: 'read'
    input: {
      automation_id: string
      item_id?: string | undefined
      sample?: Record<string, unknown> | undefined
      replay_days?: number | undefined
    }
    output: {
      would_trigger: boolean
      held_against: string
      conditions: Array<{
        text: string
        held: boolean
        value?: unknown | undefined
        error?: string | undefined
      }>
      actions: Array<{
        path: string
        type: string
        would_do: string
        params?: Record<string, unknown> | undefined
        target?: ApiCallInList | undefined
        outbound: boolean
        problem?: string | undefined
      }>
      replay: Array<{
        event: string
        at: string
        item: ApiCallInList
        would_trigger: boolean
        error?: string | undefined
      }>
      warnings: Array<string>
    }
  }
  get_automation_run: {
    kind: 'read'
    input: {
      run_id: string
    }
    output: AutomationRun
  }
  list_automation_runs: {
    kind: 'read'
    input: {
      automation_id?: string | undefined
      status?: Array<"queued" | "running" | "succeeded" | "failed" | "skipped"> | undefined
      after?: string | undefined
      limit?: number | undefined
      cursor?: string | undefined
      fields?: Array<string> | undefined
    }
    output: {
      items: Array<AutomationRun>
      next_cursor?: string | undefined
      has_more: boolean
      total?: number | undefined
      truncated?: Truncated2 | undefined
    }
  }
  run_automation: {
    kind: 'destructive'
    input: {
      automation_id: string
      item_id?: string | undefined
      input?: Record<string, unknown> | undefined
      idempotency_key?: string | undefined
    }
    output: AutomationRun
  }
  list_email_accounts: {
    kind: 'read'
    input: {
      provider?: "google" | "imap" | undefined
      limit?: number | undefined
      cursor?: string | undefined
      fields?: Array<string> | undefined
    }
    output: {
      items: Array<{
        id: string
        revision: number
        created_at: string
        updated_at: string
        created_by?: CreatedBy | undefined
        created_via?: "web" | "api" | "mcp" | "automation" | "sync" | "cli" | undefined
        url: string
        deleted_at?: string | undefined
        provider: "google" | "imap"
        address: string
        display_name: string
        status: "active" | "syncing" | "degraded" | "reauth_required" | "disabled"
        problem?: string | undefined
        last_sync_at?: string | undefined
        synced_back_to?: string | undefined
        unread: number
        awaiting_me: number
        signature_markdown?: string | undefined
        default: boolean
      }>
      next_cursor?: string | undefined
      has_more: boolean
      total?: number | undefined
      truncated?: Truncated2 | undefined
    }
  }
  list_emails: {
    kind: 'read'
    input: {
      account_id?: string | undefined
      contact_id?: string | undefined
      folder?: string | undefined
      label?: string | undefined
      from?: string | undefined
      to?: string | undefined
      unread?: boolean | undefined
      starred?: boolean | undefined
      snoozed?: boolean | undefined
      has_attachment?: boolean | undefined
      after?: string | undefined
      before?: string | undefined
      fields?: Array<string> | undefined
      limit?: number | undefined
      cursor?: string | undefined
    }
    output: {
      items: Array<EmailInList>
      next_cursor?: string | undefined
      has_more: boolean
      total?: number | undefined
      truncated?: Truncated2 | undefined
    }
  }
  send_email: {
    kind: 'destructive'
    input: {
      account_id?: string | undefined
      attachment_file_ids?: Array<string> | undefined
      template_id?: string | undefined
      to: Array<string>
      subject: string
      body_markdown: string
      cc?: Array<string> | undefined
      bcc?: Array<string> | undefined
      variables?: Record<string, unknown> | undefined
      dry_run?: boolean | undefined
      idempotency_key?: string | undefined
    }
    output: SendResult
  }
  search_emails: {
    kind: 'read'
    input: {
      account_id?: string | undefined
      query: string
      mode?: "keyword" | "semantic" | "hybrid" | undefined
      from?: string | undefined
      to?: string | undefined
      subject?: string | undefined
      folder?: string | undefined
      has_attachment?: boolean | undefined
      after?: string | undefined
      before?: string | undefined
      limit?: number | undefined
      cursor?: string | undefined
      fields?: Array<string> | undefined
    }
    output: {
      items: Array<{
        email: EmailInList
        score: number
        matched_in: Array<"subject" | "body" | "attachment" | "address">
        snippet: string
      }>
      next_cursor?: string | undefined
      has_more: boolean
      total?: number | undefined
      truncated?: Truncated2 | undefined
      searched: Searched
    }
  }
  get_email: {
    kind: 'read'
    input: {
      email_id: string
      format?: "markdown" | "text" | "html" | undefined
      include_quoted?: boolean | undefined
      max_chars?: number | undefined
      offset?: number | undefined
    }
    output: {
      id: string
      revision: number
      created_at: string
      updated_at: string
      created_by?: CreatedBy | undefined
      created_via?: "web" | "api" | "mcp" | "automation" | "sync" | "cli" | undefined
      url: string
      deleted_at?: string | undefined
      account_id: string
      thread_id: string
      message_id_header: string
      from: To
      to: Array<To>
      cc: Array<To>
      bcc?: Array<To> | undefined
      reply_to?: Array<To> | undefined
      subject: string
      date: string
      snippet: string
      content?: Content3 | undefined
      body_state?: "pending" | "ready" | "failed" | "large" | undefined
      headers?: Array<{
        name: string
        value: string
      }> | undefined
      folder: string
      labels: Array<string>
      unread: boolean
      starred: boolean
      attachments: Array<Attachment2>
      contact?: CreatedBy | undefined
      linked_items: Array<ApiCallInList>
      list_unsubscribe: boolean
      authentication: Authentication
      delivery: "received" | "sending" | "sent" | "failed"
      delivery_problem?: string | undefined
      event?: {
        id: string
        title: string
        starts_local: string
        ends_local: string
        timezone: string
        status: "confirmed" | "tentative" | "cancelled"
        my_response?: "needs_action" | "accepted" | "tentative" | "declined" | undefined
      } | undefined
      warnings?: Array<string> | undefined
    }
  }
  list_email_threads: {
    kind: 'read'
    input: {
      account_id?: string | undefined
      contact_id?: string | undefined
      folder?: string | undefined
      label?: string | undefined
      awaiting?: "me" | "them" | undefined
      older_than_days?: number | undefined
      unread?: boolean | undefined
      after?: string | undefined
      before?: string | undefined
      limit?: number | undefined
      cursor?: string | undefined
      fields?: Array<string> | undefined
    }
    output: {
      items: Array<EmailThreadInList>
      next_cursor?: string | undefined
      has_more: boolean
      total?: number | undefined
      truncated?: Truncated2 | undefined
    }
  }
  get_email_thread: {
    kind: 'read'
    input: {
      thread_id: string
      format?: "markdown" | "text" | undefined
      max_chars?: number | undefined
      limit?: number | undefined
      cursor?: string | undefined
    }
    output: {
      id: string
      revision: number
      created_at: string
      updated_at: string
      created_by?: CreatedBy | undefined
      created_via?: "web" | "api" | "mcp" | "automation" | "sync" | "cli" | undefined
      url: string
      deleted_at?: string | undefined
      account_id: string
      subject: string
      participants: Array<To>
      message_count: number
      unread_count: number
      last_message_at: string
      last_email_id?: string | undefined
      last_sender?: To | undefined
      snippet?: string | undefined
      waiting_for?: Array<To> | undefined
      awaiting: "me" | "them" | "none"
      waiting_since?: string | undefined
      snoozed_until?: string | undefined
      snoozed_until_reply?: boolean | undefined
      labels: Array<string>
      messages: Array<EmailInList>
      drafts: Array<CreatedBy>
      linked_items: Array<ApiCallInList>
      truncated?: Truncated | undefined
      next_cursor?: string | undefined
      has_more: boolean
    }
  }
  forward_email: {
    kind: 'destructive'
    input: {
      email_id: string
      to: Array<string>
      cc?: Array<string> | undefined
      note_markdown?: string | undefined
      include_attachments?: boolean | undefined
      dry_run?: boolean | undefined
      idempotency_key?: string | undefined
    }
    output: SendResult
  }
  reply_to_email: {
    kind: 'destructive'
    input: {
      email_id: string
      attachment_file_ids?: Array<string> | undefined
      body_markdown: string
      reply_all?: boolean | undefined
      add_cc?: Array<string> | undefined
      quote?: "none" | "last" | "thread" | undefined
      dry_run?: boolean | undefined
      idempotency_key?: string | undefined
    }
    output: SendResult
  }
  cancel_scheduled_email: {
    kind: 'destructive'
    input: {
      scheduled_id: string
    }
    output: EmailDraft
  }
  list_scheduled_emails: {
    kind: 'read'
    input: {
      account_id?: string | undefined
      before?: string | undefined
      limit?: number | undefined
      cursor?: string | undefined
      fields?: Array<string> | undefined
    }
    output: {
      items: Array<ScheduledEmailInList>
      next_cursor?: string | undefined
      has_more: boolean
      total?: number | undefined
      truncated?: Truncated2 | undefined
    }
  }
  schedule_email: {
    kind: 'write'
    input: {
      draft_id?: string | undefined
      account_id?: string | undefined
      send_at: string
      to?: Array<string> | undefined
      subject?: string | undefined
      body_markdown?: string | undefined
      cc?: Array<string> | undefined
      bcc?: Array<string> | undefined
      cancel_if_replied?: boolean | undefined
      idempotency_key?: string | undefined
    }
    output: ScheduledEmailInList
  }
  create_email_draft: {
    kind: 'write'
    input: {
      account_id?: string | undefined
      reply_to_email_id?: string | undefined
      attachment_file_ids?: Array<string> | undefined
      template_id?: string | undefined
      to?: Array<string> | undefined
      subject?: string | undefined
      body_markdown?: string | undefined
      cc?: Array<string> | undefined
      bcc?: Array<string> | undefined
      reply_all?: boolean | undefined
      quote?: "none" | "last" | "thread" | undefined
      variables?: Record<string, unknown> | undefined
      idempotency_key?: string | undefined
    }
    output: EmailDraft
  }
  list_email_drafts: {
    kind: 'read'
    input: {
      account_id?: string | undefined
      thread_id?: string | undefined
      limit?: number | undefined
      cursor?: string | undefined
      fields?: Array<string> | undefined
    }
    output: {
      items: Array<EmailDraft>
      next_cursor?: string | undefined
      has_more: boolean
      total?: number | undefined
      truncated?: Truncated2 | undefined
    }
  }
  delete_email_draft: {
    kind: 'destructive'
    input: {
      draft_id: string
    }
    output: DeleteResult
  }
  update_email_draft: {
    kind: 'write'
    input: {
      draft_id: string
      attachment_file_ids?: Array<string> | undefined
      to?: Array<string> | undefined
      cc?: Array<string> | undefined
      bcc?: Array<string> | undefined
      subject?: string | undefined
      body_markdown?: string | undefined
      expected_revision?: number | undefined
    }
    output: EmailDraft
  }
  send_email_draft: {
    kind: 'destructive'
    input: {
      draft_id: string
      expected_revision?: number | undefined
      idempotency_key?: string | undefined
    }
    output: SendResult
  }
  archive_emails: {
    kind: 'write'
    input: {
      email_ids?: Array<string> | undefined
      thread_ids?: Array<string> | undefined
      query?: string | undefined
      max_items?: number | undefined
      dry_run?: boolean | undefined
    }
    output: Subtasks
  }
  label_emails: {
    kind: 'write'
    input: {
      email_ids?: Array<string> | undefined
      thread_ids?: Array<string> | undefined
      add?: Array<string> | undefined
      remove?: Array<string> | undefined
      create_missing?: boolean | undefined
    }
    output: Subtasks
  }
  mark_emails_read: {
    kind: 'write'
    input: {
      email_ids?: Array<string> | undefined
      thread_ids?: Array<string> | undefined
      read?: boolean | undefined
    }
    output: Subtasks
  }
  move_emails: {
    kind: 'write'
    input: {
      email_ids?: Array<string> | undefined
      thread_ids?: Array<string> | undefined
      folder: string
    }
    output: Subtasks
  }
  trash_emails: {
    kind: 'destructive'
    input: {
      email_ids?: Array<string> | undefined
      thread_ids?: Array<string> | undefined
      query?: string | undefined
      max_items?: number | undefined
      dry_run?: boolean | undefined
    }
    output: Subtasks
  }
  snooze_email: {
    kind: 'write'
    input: {
      thread_id: string
      until?: string | null | undefined
      until_reply?: boolean | undefined
    }
    output: EmailThreadInList
  }
  create_email_rule: {
    kind: 'write'
    input: {
      account_id?: string | undefined
      name: string
      conditions: {
        all?: Array<{
          field: "from" | "to" | "cc" | "subject" | "body" | "header" | "has_attachment" | "list" | "account" | "size_bytes"
          op: "contains" | "not_contains" | "equals" | "not_equals" | "starts_with" | "ends_with" | "matches_domain" | "is" | "greater_than" | "less_than"
          value: unknown
        }> | undefined
        any?: Array<{
          field: "from" | "to" | "cc" | "subject" | "body" | "header" | "has_attachment" | "list" | "account" | "size_bytes"
          op: "contains" | "not_contains" | "equals" | "not_equals" | "starts_with" | "ends_with" | "matches_domain" | "is" | "greater_than" | "less_than"
          value: unknown
        }> | undefined
      }
      actions: Array<{
        type: "label" | "archive" | "move" | "mark_read" | "star" | "snooze" | "create_task" | "notify"
        params?: Record<string, unknown> | undefined
      }>
      apply_to_existing?: boolean | undefined
      enabled?: boolean | undefined
      idempotency_key?: string | undefined
    }
    output: EmailRule
  }
  list_email_rules: {
    kind: 'read'
    input: {
      account_id?: string | undefined
      enabled?: boolean | undefined
      limit?: number | undefined
      cursor?: string | undefined
      fields?: Array<string> | undefined
    }
    output: {
      items: Array<EmailRule>
      next_cursor?: string | undefined
      has_more: boolean
      total?: number | undefined
      truncated?: Truncated2 | undefined
    }
  }
  delete_email_rule: {
    kind: 'destructive'
    input: {
      rule_id: string
    }
    output: DeleteResult
  }
  update_email_rule: {
    kind: 'write'
    input: {
      rule_id: string
      name?: string | undefined
      conditions?: {
        all?: Array<{
          field: "from" | "to" | "cc" | "subject" | "body" | "header" | "has_attachment" | "list" | "account" | "size_bytes"
          op: "contains" | "not_contains" | "equals" | "not_equals" | "starts_with" | "ends_with" | "matches_domain" | "is" | "greater_than" | "less_than"
          value: unknown
        }> | undefined
        any?: Array<{
          field: "from" | "to" | "cc" | "subject" | "body" | "header" | "has_attachment" | "list" | "account" | "size_bytes"
          op: "contains" | "not_contains" | "equals" | "not_equals" | "starts_with" | "ends_with" | "matches_domain" | "is" | "greater_than" | "less_than"
          value: unknown
        }> | undefined
      } | undefined
      actions?: Array<{
        type: "label" | "archive" | "move" | "mark_read" | "star" | "snooze" | "create_task" | "notify"
        params?: Record<string, unknown> | undefined
      }> | undefined
      position?: number | undefined
      enabled?: boolean | undefined
    }
    output: EmailRule
  }
  preview_email_rule: {
    kind: 'read'
    input: {
      conditions: {
        all?: Array<{
          field: "from" | "to" | "cc" | "subject" | "body" | "header" | "has_attachment" | "list" | "account" | "size_bytes"
          op: "contains" | "not_contains" | "equals" | "not_equals" | "starts_with" | "ends_with" | "matches_domain" | "is" | "greater_than" | "less_than"
          value: unknown
        }> | undefined
        any?: Array<{
          field: "from" | "to" | "cc" | "subject" | "body" | "header" | "has_attachment" | "list" | "account" | "size_bytes"
          op: "contains" | "not_contains" | "equals" | "not_equals" | "starts_with" | "ends_with" | "matches_domain" | "is" | "greater_than" | "less_than"
          value: unknown
        }> | undefined
      }
      actions?: Array<{
        type: "label" | "archive" | "move" | "mark_read" | "star" | "snooze" | "create_task" | "notify"
        params?: Record<string, unknown> | undefined
      }> | undefined
      after?: string | undefined
      limit?: number | undefined
      cursor?: string | undefined
      fields?: Array<string> | undefined
    }
    output: {
      items: Array<EmailInList>
      next_cursor?: string | undefined
      has_more: boolean
      total?: number | undefined
      truncated?: Truncated2 | undefined
    }
  }
  create_email_template: {
    kind: 'write'
    input: {
      name: string
      subject: string
      body_markdown: string
      shared?: boolean | undefined
      idempotency_key?: string | undefined
    }
    output: EmailTemplate
  }
  list_email_templates: {
    kind: 'read'
    input: {
      query?: string | undefined
      limit?: number | undefined
      cursor?: string | undefined
      fields?: Array<string> | undefined
    }
    output: {
      items: Array<EmailTemplate>
      next_cursor?: string | undefined
      has_more: boolean
      total?: number | undefined
      truncated?: Truncated2 | undefined
    }
  }
  delete_email_template: {
    kind: 'destructive'
    input: {
      template_id: string
      dry_run?: boolean | undefined
    }
    output: DeleteResult
  }
  update_email_template: {
    kind: 'write'
    input: {
      template_id: string
      name?: string | undefined
      subject?: string | undefined
      body_markdown?: string | undefined
      shared?: boolean | undefined
      retired?: boolean | undefined
    }
    output: EmailTemplate
  }
  unsubscribe_from_sender: {
    kind: 'destructive'
    input: {
      email_id: string
      archive_existing?: boolean | undefined
    }
    output: Subtasks
  }
  list_email_labels: {
    kind: 'read'
    input: {
      account_id?: string | undefined
      limit?: number | undefined
      cursor?: string | undefined
      fields?: Array<string> | undefined
    }
    output: {
      items: Array<{
        account_id: string
        name: string
        kind: "folder" | "label" | "system"
        total: number
        unread: number
      }>
      next_cursor?: string | undefined
      has_more: boolean
      total?: number | undefined
      truncated?: Truncated2 | undefined
    }
  }
  get_email_attachment: {
    kind: 'read'
    input: {
      attachment_id: string
      format?: "text" | "base64" | undefined
      max_chars?: number | undefined
      offset?: number | undefined
    }
    output: EmailAttachment
  }
  save_email_attachment: {
    kind: 'write'
    input: {
      attachment_id: string
      folder_id?: string | undefined
      name?: string | undefined
      idempotency_key?: string | undefined
    }
    output: File
  }
  list_calendars: {
    kind: 'read'
    input: {
      account_id?: string | undefined
      limit?: number | undefined
      cursor?: string | undefined
      fields?: Array<string> | undefined
    }
    output: {
      items: Array<{
        id: string
        revision: number
        created_at: string
        updated_at: string
        created_by?: CreatedBy | undefined
        created_via?: "web" | "api" | "mcp" | "automation" | "sync" | "cli" | undefined
        url: string
        deleted_at?: string | undefined
        account_id?: string | undefined
        name: string
        timezone: string
        access: "owner" | "writer" | "reader" | "free_busy"
        primary: boolean
        color?: string | undefined
        synced_at?: string | undefined
        unreadable_events?: number | undefined
      }>
      next_cursor?: string | undefined
      has_more: boolean
      total?: number | undefined
      truncated?: Truncated2 | undefined
    }
  }
  list_events: {
    kind: 'read'
    input: {
      calendar_id?: string | undefined
      series_id?: string | undefined
      from: string
      to: string
      query?: string | undefined
      attendee?: string | undefined
      response?: "needs_action" | "accepted" | "tentative" | "declined" | undefined
      timezone?: string | undefined
      limit?: number | undefined
      cursor?: string | undefined
      fields?: Array<string> | undefined
    }
    output: {
      items: Array<Event>
      next_cursor?: string | undefined
      has_more: boolean
      total?: number | undefined
      truncated?: Truncated2 | undefined
    }
  }
  create_event: {
    kind: 'write'
    input: {
      calendar_id?: string | undefined
      title: string
      starts_at: string
      ends_at: string
      timezone?: string | undefined
      all_day?: boolean | undefined
      location?: string | undefined
      description_markdown?: string | undefined
      attendees?: Array<string> | undefined
      rrule?: string | undefined
      kind?: "default" | "focus" | "out_of_office" | undefined
      add_video_link?: boolean | undefined
      reminders_minutes?: Array<number> | undefined
      idempotency_key?: string | undefined
    }
    output: Event
  }
  get_event: {
    kind: 'read'
    input: {
      event_id: string
      timezone?: string | undefined
    }
    output: Event
  }
  update_event: {
    kind: 'write'
    input: {
      event_id: string
      calendar_id?: string | undefined
      scope?: "this" | "following" | "all" | undefined
      title?: string | undefined
      starts_at?: string | undefined
      ends_at?: string | undefined
      timezone?: string | undefined
      location?: string | null | undefined
      description_markdown?: string | null | undefined
      rrule?: string | null | undefined
      reminders_minutes?: Array<number> | undefined
      expected_revision?: number | undefined
    }
    output: Event
  }
  delete_event: {
    kind: 'destructive'
    input: {
      event_id: string
      scope?: "this" | "following" | "all" | undefined
      notify?: boolean | undefined
      message?: string | undefined
      dry_run?: boolean | undefined
    }
    output: DeleteResult
  }
  add_event_attendees: {
    kind: 'write'
    input: {
      event_id: string
      attendees: Array<string>
      optional?: boolean | undefined
      scope?: "this" | "following" | "all" | undefined
    }
    output: Event
  }
  remove_event_attendee: {
    kind: 'destructive'
    input: {
      event_id: string
      email: string
      scope?: "this" | "following" | "all" | undefined
    }
    output: Event
  }
  send_event_invites: {
    kind: 'destructive'
    input: {
      event_id: string
      to?: Array<string> | undefined
      message?: string | undefined
      idempotency_key?: string | undefined
    }
    output: Event
  }
  respond_to_event: {
    kind: 'write'
    input: {
      event_id: string
      response: "accepted" | "tentative" | "declined"
      scope?: "this" | "all" | undefined
      note?: string | undefined
    }
    output: Event
  }
  get_availability: {
    kind: 'read'
    input: {
      people: Array<string>
      from: string
      to: string
      timezone?: string | undefined
    }
    output: {
      from: string
      to: string
      timezone: string
      people: Array<{
        person: To
        busy: Array<{
          start: string
          end: string
          start_local: string
          end_local: string
        }>
        time_off: boolean
        source: "calendar" | "not_shared"
      }>
    }
  }
  find_meeting_time: {
    kind: 'read'
    input: {
      attendees: Array<string>
      duration_minutes: number
      from: string
      to: string
      optional_attendees?: Array<string> | undefined
      working_hours_only?: boolean | undefined
      buffer_minutes?: number | undefined
      timezone?: string | undefined
      limit?: number | undefined
      cursor?: string | undefined
      fields?: Array<string> | undefined
    }
    output: {
      items: Array<{
        starts_at: string
        ends_at: string
        local: string
        local_times: Array<{
          person: To
          local: string
          inside_hours: boolean
        }>
        score: number
        reasons: Array<string>
        missing_optional: Array<string>
      }>
      next_cursor?: string | undefined
      has_more: boolean
      total?: number | undefined
      truncated?: Truncated2 | undefined
    }
  }
  list_event_conflicts: {
    kind: 'read'
    input: {
      from: string
      to: string
      limit?: number | undefined
      cursor?: string | undefined
      fields?: Array<string> | undefined
    }
    output: {
      items: Array<{
        kind: "overlap" | "no_break" | "time_off" | "outside_hours" | "travel"
        events: Array<CreatedBy>
        starts_at: string
        suggestion?: string | undefined
      }>
      next_cursor?: string | undefined
      has_more: boolean
      total?: number | undefined
      truncated?: Truncated2 | undefined
    }
  }
  get_current_time: {
    kind: 'read'
    input: {
      timezone?: string | undefined
      phrase?: string | undefined
    }
    output: {
      utc: string
      local: string
      timezone: string
      weekday: string
      iso_week: number
      iso_year: number
      is_working_day: boolean
      next_working_day?: string | undefined
      resolved?: {
        phrase: string
        reading: string
        from: string
        to: string
        from_local: string
        to_local: string
      } | undefined
    }
  }
  list_drives: {
    kind: 'read'
    input: {
      account_id?: string | undefined
      limit?: number | undefined
      cursor?: string | undefined
      fields?: Array<string> | undefined
    }
    output: {
      items: Array<{
        id: string
        revision: number
        created_at: string
        updated_at: string
        created_by?: CreatedBy | undefined
        created_via?: "web" | "api" | "mcp" | "automation" | "sync" | "cli" | undefined
        url: string
        deleted_at?: string | undefined
        kind: "builtin" | "google" | "google_shared"
        name: string
        account?: string | undefined
        used_bytes: number
        quota_bytes?: number | undefined
        status: "active" | "reauth_required"
        root_folder_id: string
      }>
      next_cursor?: string | undefined
      has_more: boolean
      total?: number | undefined
      truncated?: Truncated2 | undefined
    }
  }
  list_files: {
    kind: 'read'
    input: {
      drive_id?: string | undefined
      folder_id?: string | undefined
      modified_by?: string | undefined
      type?: Array<"folder" | "document" | "spreadsheet" | "presentation" | "pdf" | "image" | "video" | "other"> | undefined
      modified_after?: string | undefined
      starred?: boolean | undefined
      trashed?: boolean | undefined
      sort?: "name" | "modified_at" | "size" | undefined
      limit?: number | undefined
      cursor?: string | undefined
      fields?: Array<string> | undefined
    }
    output: {
      items: Array<FileInList>
      next_cursor?: string | undefined
      has_more: boolean
      total?: number | undefined
      truncated?: Truncated2 | undefined
    }
  }
  upload_file: {
    kind: 'write'
    input: {
      folder_id?: string | undefined
      name: string
      content_text?: string | undefined
      content_base64?: string | undefined
      source_url?: string | undefined
      mime_type?: string | undefined
      on_conflict?: "rename" | "new_version" | "fail" | undefined
      idempotency_key?: string | undefined
    }
    output: File
  }
  search_files: {
    kind: 'read'
    input: {
      drive_id?: string | undefined
      folder_id?: string | undefined
      query: string
      mode?: "keyword" | "semantic" | "hybrid" | undefined
      type?: Array<"folder" | "document" | "spreadsheet" | "presentation" | "pdf" | "image" | "video" | "other"> | undefined
      modified_after?: string | undefined
      limit?: number | undefined
      cursor?: string | undefined
      fields?: Array<string> | undefined
    }
    output: {
      items: Array<{
        file: FileInList
        score: number
        snippet: string
        matched_in: Array<"name" | "text" | "description">
      }>
      next_cursor?: string | undefined
      has_more: boolean
      total?: number | undefined
      truncated?: Truncated2 | undefined
      searched: Searched
    }
  }
  get_file: {
    kind: 'read'
    input: {
      file_id: string
    }
    output: File
  }
  update_file: {
    kind: 'write'
    input: {
      file_id: string
      add_label_ids?: Array<string> | undefined
      remove_label_ids?: Array<string> | undefined
      name?: string | undefined
      description?: string | undefined
      starred?: boolean | undefined
      expected_revision?: number | undefined
    }
    output: File
  }
  trash_file: {
    kind: 'destructive'
    input: {
      file_id: string
      dry_run?: boolean | undefined
    }
    output: DeleteResult
  }
  get_file_content: {
    kind: 'read'
    input: {
      file_id: string
      version_id?: string | undefined
      format?: "text" | "markdown" | "base64" | "link" | undefined
      offset?: number | undefined
      max_chars?: number | undefined
    }
    output: EmailAttachment
  }
  update_file_content: {
    kind: 'write'
    input: {
      file_id: string
      expected_version_id?: string | undefined
      content_text?: string | undefined
      content_base64?: string | undefined
      comment?: string | undefined
      idempotency_key?: string | undefined
    }
    output: FileContent
  }
  create_upload_session: {
    kind: 'write'
    input: {
      folder_id?: string | undefined
      name: string
      size_bytes: number
      mime_type?: string | undefined
      sha256?: string | undefined
      idempotency_key?: string | undefined
    }
    output: {
      id: string
      revision: number
      created_at: string
      updated_at: string
      created_by?: CreatedBy | undefined
      created_via?: "web" | "api" | "mcp" | "automation" | "sync" | "cli" | undefined
      url: string
      deleted_at?: string | undefined
      upload_url?: string | undefined
      method: "PUT"
      headers: Record<string, string>
      expires_at: string
      max_bytes: number
      status: "open" | "completed" | "expired"
      file_id?: string | undefined
    }
  }
  move_file: {
    kind: 'write'
    input: {
      file_id: string
      folder_id: string
      dry_run?: boolean | undefined
    }
    output: File
  }
  copy_file: {
    kind: 'write'
    input: {
      file_id: string
      folder_id?: string | undefined
      name?: string | undefined
      idempotency_key?: string | undefined
    }
    output: File
  }
  create_folder: {
    kind: 'write'
    input: {
      parent_id?: string | undefined
      name: string
      path?: string | undefined
      idempotency_key?: string | undefined
    }
    output: File
  }
  list_file_versions: {
    kind: 'read'
    input: {
      file_id: string
      limit?: number | undefined
      cursor?: string | undefined
      fields?: Array<string> | undefined
    }
    output: {
      items: Array<FileContent>
      next_cursor?: string | undefined
      has_more: boolean
      total?: number | undefined
      truncated?: Truncated2 | undefined
    }
  }
  restore_file_version: {
    kind: 'write'
    input: {
      file_id: string
      version_id: string
      idempotency_key?: string | undefined
    }
    output: FileContent
  }
  share_file: {
    kind: 'write'
    input: {
      file_id: string
      person_id: string
      role: "viewer" | "commenter" | "editor"
      note?: string | undefined
    }
    output: ShareLink
  }
  create_share_link: {
    kind: 'destructive'
    input: {
      file_id: string
      expires_at?: string | undefined
      role?: "viewer" | "commenter" | undefined
      password?: string | undefined
      idempotency_key?: string | undefined
    }
    output: ShareLink
  }
  revoke_share: {
    kind: 'destructive'
    input: {
      share_id: string
    }
    output: DeleteResult
  }
  search_workspace: {
    kind: 'read'
    input: {
      project_id?: string | undefined
      entity_id?: string | undefined
      query: string
      types?: Array<"email" | "task" | "page" | "meeting" | "message" | "file" | "event" | "project" | "goal" | "decision" | "contact" | "company" | "deal" | "interaction" | "incident" | "runbook" | "form_response" | "entity"> | undefined
      person?: string | undefined
      after?: string | undefined
      before?: string | undefined
      graph_depth?: number | undefined
      limit?: number | undefined
      cursor?: string | undefined
      fields?: Array<string> | undefined
    }
    output: {
      items: Array<{
        item: ApiCallInList
        snippet: string
        ranges: Array<[number, number]>
        trust: "internal" | "external"
        score: number
        matched_by: Array<"vector" | "keyword" | "graph">
        why: string
        graph_path?: Array<string> | undefined
        entities: Array<CreatedBy>
        people: Array<string>
        date: string
        project?: CreatedBy | undefined
        place?: {
          type: string
          id: string
          key?: string | undefined
          title: string
          url: string
        } | undefined
      }>
      next_cursor?: string | undefined
      has_more: boolean
      total?: number | undefined
      truncated?: Truncated2 | undefined
      searched: {
        types: Array<"email" | "task" | "page" | "meeting" | "message" | "file" | "event" | "project" | "goal" | "decision" | "contact" | "company" | "deal" | "interaction" | "incident" | "runbook" | "form_response" | "entity">
        sources: Array<string>
        as_of: string
        by: "words" | "words and meaning" | "meaning"
        model?: string | undefined
        pending: number
        note?: string | undefined
      }
    }
  }
  find_related_items: {
    kind: 'read'
    input: {
      item_id?: string | undefined
      text?: string | undefined
      types?: Array<string> | undefined
      limit?: number | undefined
      cursor?: string | undefined
      fields?: Array<string> | undefined
    }
    output: {
      items: Array<{
        item: ApiCallInList
        relation: "linked" | "same_thread" | "same_people" | "same_entity" | "similar_text" | "derived_from"
        score: number
        why: string
      }>
      next_cursor?: string | undefined
      has_more: boolean
      total?: number | undefined
      truncated?: Truncated2 | undefined
    }
  }
  find_experts: {
    kind: 'read'
    input: {
      team_id?: string | undefined
      topic: string
      limit?: number | undefined
      cursor?: string | undefined
      fields?: Array<string> | undefined
    }
    output: {
      items: Array<{
        person: CreatedBy
        score: number
        evidence: Array<{
          item: ApiCallInList
          why: string
        }>
        last_active_on_topic: string
      }>
      next_cursor?: string | undefined
      has_more: boolean
      total?: number | undefined
      truncated?: Truncated2 | undefined
    }
  }
  search_entities: {
    kind: 'read'
    input: {
      query?: string | undefined
      type?: Array<string> | undefined
      updated_after?: string | undefined
      limit?: number | undefined
      cursor?: string | undefined
      fields?: Array<string> | undefined
    }
    output: {
      items: Array<{
        id: string
        revision: number
        created_at: string
        updated_at: string
        created_by?: CreatedBy | undefined
        created_via?: "web" | "api" | "mcp" | "automation" | "sync" | "cli" | undefined
        url: string
        deleted_at?: string | undefined
        name: string
        type: string
        aliases: Array<string>
        description?: string | undefined
        item?: Item | undefined
        counts: Counts2
      }>
      next_cursor?: string | undefined
      has_more: boolean
      total?: number | undefined
      truncated?: Truncated2 | undefined
    }
  }
  create_entity: {
    kind: 'write'
    input: {
      item_id?: string | undefined
      name: string
      type: string
      aliases?: Array<string> | undefined
      description?: string | undefined
      observations?: Array<string> | undefined
      idempotency_key?: string | undefined
    }
    output: Entity
  }
  get_entity: {
    kind: 'read'
    input: {
      entity_id: string
      as_of?: string | undefined
      observation_limit?: number | undefined
    }
    output: Entity
  }
  update_entity: {
    kind: 'write'
    input: {
      entity_id: string
      name?: string | undefined
      type?: string | undefined
      add_aliases?: Array<string> | undefined
      remove_aliases?: Array<string> | undefined
      description?: string | null | undefined
      expected_revision?: number | undefined
    }
    output: Entity
  }
  delete_entity: {
    kind: 'destructive'
    input: {
      entity_id: string
      dry_run?: boolean | undefined
    }
    output: DeleteResult
  }
  merge_entities: {
    kind: 'destructive'
    input: {
      entity_id: string
      duplicate_ids: Array<string>
      dry_run?: boolean | undefined
      idempotency_key?: string | undefined
    }
    output: {
      id: string
      revision: number
      created_at: string
      updated_at: string
      created_by?: CreatedBy | undefined
      created_via?: "web" | "api" | "mcp" | "automation" | "sync" | "cli" | undefined
      url: string
      deleted_at?: string | undefined
      name: string
      type: string
      aliases: Array<string>
      description?: string | undefined
      item?: Item | undefined
      counts: Counts2
      facts: Array<FactInList>
      observations: Array<AddResult4>
      existing?: boolean | undefined
      others?: Array<CreatedBy> | undefined
      merged: Array<CreatedBy>
      moved: {
        facts: number
        relations: number
        observations: number
      }
      joined: {
        facts: number
        relations: number
      }
      dry_run: boolean
    }
  }
  create_relation: {
    kind: 'write'
    input: {
      from_entity_id: string
      to_entity_id: string
      source_item_id?: string | undefined
      type: string
      valid_from?: string | undefined
      confidence?: number | undefined
      note?: string | undefined
    }
    output: {
      id: string
      revision: number
      created_at: string
      updated_at: string
      created_by?: CreatedBy | undefined
      created_via?: "web" | "api" | "mcp" | "automation" | "sync" | "cli" | undefined
      url: string
      deleted_at?: string | undefined
      from: CreatedBy
      type: string
      to: CreatedBy
      valid_from?: string | undefined
      valid_to?: string | undefined
      confidence: number
      source?: ApiCallInList | "hidden" | undefined
      status: "current" | "ended" | "wrong"
      note?: string | undefined
      existing?: boolean | undefined
    }
  }
  delete_relation: {
    kind: 'destructive'
    input: {
      relation_id: string
      as_wrong?: boolean | undefined
      valid_to?: string | undefined
    }
    output: DeleteResult2
  }
  list_facts: {
    kind: 'read'
    input: {
      entity_id?: string | undefined
      query?: string | undefined
      predicate?: string | undefined
      as_of?: string | undefined
      include_invalid?: boolean | undefined
      limit?: number | undefined
      cursor?: string | undefined
      fields?: Array<string> | undefined
    }
    output: {
      items: Array<FactInList>
      next_cursor?: string | undefined
      has_more: boolean
      total?: number | undefined
      truncated?: Truncated2 | undefined
    }
  }
  add_fact: {
    kind: 'write'
    input: {
      entity_id: string
      value_entity_id?: string | undefined
      source_item_id?: string | undefined
      predicate: string
      value: string
      valid_from?: string | undefined
      confidence?: number | undefined
      idempotency_key?: string | undefined
    }
    output: {
      id: string
      revision: number
      created_at: string
      updated_at: string
      created_by?: CreatedBy | undefined
      created_via?: "web" | "api" | "mcp" | "automation" | "sync" | "cli" | undefined
      url: string
      deleted_at?: string | undefined
      entity: CreatedBy
      predicate: string
      value: string
      value_entity?: CreatedBy | undefined
      valid_from: string
      valid_to?: string | undefined
      recorded_at: string
      status: "valid" | "superseded" | "invalidated"
      superseded_by?: string | undefined
      superseded_at?: string | undefined
      reason?: string | undefined
      confidence: number
      source?: ApiCallInList | "hidden" | undefined
      stated_by?: CreatedBy | undefined
      existing?: boolean | undefined
      superseded: Array<string>
      conflicts_with: Array<string>
    }
  }
  invalidate_fact: {
    kind: 'write'
    input: {
      fact_id: string
      valid_to?: string | undefined
      never_true?: boolean | undefined
      reason?: string | undefined
    }
    output: FactInList
  }
  add_observation: {
    kind: 'write'
    input: {
      entity_id: string
      source_item_id?: string | undefined
      body: string
      observed_at?: string | undefined
      idempotency_key?: string | undefined
    }
    output: AddResult4
  }
  delete_observation: {
    kind: 'destructive'
    input: {
      observation_id: string
    }
    output: DeleteResult
  }
  get_entity_neighbors: {
    kind: 'read'
    input: {
      entity_id: string
      depth?: number | undefined
      relation_type?: Array<string> | undefined
      as_of?: string | undefined
      limit?: number | undefined
      cursor?: string | undefined
    }
    output: {
      center: CreatedBy
      nodes: Array<{
        entity?: {
          id: string
          title: string
          key?: string | undefined
          url?: string | undefined
          type: string
        } | undefined
        item?: ApiCallInList | undefined
        depth: number
      }>
      edges: Array<DeleteResult2>
      facts: Array<FactInList>
      bounded: boolean
      next_cursor?: string | undefined
      has_more: boolean
    }
  }
  find_entity_path: {
    kind: 'read'
    input: {
      from_entity_id: string
      to_entity_id: string
      max_depth?: number | undefined
      as_of?: string | undefined
      limit?: number | undefined
      cursor?: string | undefined
      fields?: Array<string> | undefined
    }
    output: {
      items: Array<{
        length: number
        steps: Array<{
          from: CreatedBy
          relation: string
          reversed: boolean
          to: CreatedBy
          valid_now: boolean
        }>
        confidence: number
      }>
      next_cursor?: string | undefined
      has_more: boolean
      total?: number | undefined
      truncated?: Truncated2 | undefined
      complete: boolean
    }
  }
  explain_connection: {
    kind: 'read'
    input: {
      from_id: string
      to_id: string
      max_evidence?: number | undefined
    }
    output: {
      from: ApiCallInList
      to: ApiCallInList
      connected: boolean
      steps: Array<{
        statement: string
        evidence: Array<{
          item: ApiCallInList | "hidden"
          quote?: string | undefined
          date: string
        }>
      }>
      hidden_evidence: boolean
      complete: boolean
    }
  }
  get_entity_timeline: {
    kind: 'read'
    input: {
      entity_id: string
      after?: string | undefined
      before?: string | undefined
      limit?: number | undefined
      cursor?: string | undefined
      fields?: Array<string> | undefined
    }
    output: {
      items: Array<{
        at: string
        kind: "fact" | "relation" | "observation" | "task" | "page" | "meeting" | "email" | "incident" | "deal" | "decision"
        title: string
        item?: {
          type: string
          id: string
          key?: string | undefined
          title: string
          url: string
        } | undefined
        change?: string | undefined
      }>
      next_cursor?: string | undefined
      has_more: boolean
      total?: number | undefined
      truncated?: Truncated2 | undefined
    }
  }
  list_conflicting_facts: {
    kind: 'read'
    input: {
      entity_id?: string | undefined
      limit?: number | undefined
      cursor?: string | undefined
      fields?: Array<string> | undefined
    }
    output: {
      items: Array<{
        facts: Array<FactInList>
        kind: "contradiction" | "stale" | "duplicate"
        newest: string
        suggestion: "invalidate_older" | "ask" | "merge"
      }>
      next_cursor?: string | undefined
      has_more: boolean
      total?: number | undefined
      truncated?: Truncated2 | undefined
    }
  }
  get_knowledge_overview: {
    kind: 'read'
    input: Record<string, never>
    output: {
      entity_types: Array<{
        type: string
        count: number
      }>
      relation_types: Array<{
        type: string
        count: number
      }>
      fact_count: number
      index: Array<{
        source: string
        indexed: number
        pending: number
        last_indexed_at?: string | undefined
        mode: "vector" | "keyword"
      }>
      embedding_model: string
    }
  }
  link_items: {
    kind: 'write'
    input: {
      from_id: string
      to_id: string
      kind?: "relates_to" | "documents" | "caused_by" | "results_in" | "duplicates" | undefined
      note?: string | undefined
    }
    output: {
      id: string
      revision: number
      created_at: string
      updated_at: string
      created_by?: CreatedBy | undefined
      created_via?: "web" | "api" | "mcp" | "automation" | "sync" | "cli" | undefined
      url: string
      deleted_at?: string | undefined
      from: ApiCallInList
      to: ApiCallInList
      kind: "relates_to" | "documents" | "caused_by" | "results_in" | "duplicates"
      note?: string | undefined
    }
  }
  unlink_items: {
    kind: 'destructive'
    input: {
      link_id: string
    }
    output: DeleteResult
  }
  get_digest: {
    kind: 'read'
    input: {
      since?: string | undefined
      until?: string | undefined
      kinds?: Array<"tasks" | "chat" | "mail" | "meetings" | "incidents" | "pages" | "goals" | "approvals"> | undefined
    }
    output: {
      since: string
      until: string
      since_is: "given" | "last_here" | "yesterday"
      sections: Array<{
        kind: "tasks" | "chat" | "mail" | "meetings" | "incidents" | "pages" | "goals" | "approvals"
        counts: Record<string, number>
        items: Array<{
          id: string
          key?: string | undefined
          title: string
          what: Array<string>
          by: Array<string>
          at: string
        }>
        more?: string | undefined
      }>
      quiet: Array<"tasks" | "chat" | "mail" | "meetings" | "incidents" | "pages" | "goals" | "approvals">
      cut: boolean
    }
  }
  list_activity: {
    kind: 'read'
    input: {
      item_id?: string | undefined
      person_id?: string | undefined
      project_id?: string | undefined
      kind?: Array<string> | undefined
      via?: "web" | "api" | "mcp" | "automation" | undefined
      after?: string | undefined
      before?: string | undefined
      limit?: number | undefined
      cursor?: string | undefined
      fields?: Array<string> | undefined
    }
    output: {
      items: Array<{
        id: string
        at: string
        actor: CreatedBy
        via: "web" | "api" | "mcp" | "automation"
        key_name?: string | undefined
        automation?: CreatedBy | undefined
        verb: string
        item: ApiCallInList
        changes: Array<{
          field: string
          from: unknown
          to: unknown
        }>
      }>
      next_cursor?: string | undefined
      has_more: boolean
      total?: number | undefined
      truncated?: Truncated2 | undefined
    }
  }
  list_changes: {
    kind: 'read'
    input: {
      since_cursor?: string | undefined
      since?: string | undefined
      types?: Array<string> | undefined
      limit?: number | undefined
      cursor?: string | undefined
      fields?: Array<string> | undefined
    }
    output: {
      items: Array<{
        seq: string
        at: string
        op: "created" | "updated" | "deleted" | "restored" | "access_gained" | "access_lost"
        item: Item2
        fields: Array<string>
      }>
      next_cursor?: string | undefined
      has_more: boolean
      total?: number | undefined
      truncated?: Truncated2 | undefined
      since_cursor: string
    }
  }
  list_trash: {
    kind: 'read'
    input: {
      deleted_by?: string | undefined
      type?: Array<string> | undefined
      after?: string | undefined
      limit?: number | undefined
      cursor?: string | undefined
      fields?: Array<string> | undefined
    }
    output: {
      items: Array<TrashInList>
      next_cursor?: string | undefined
      has_more: boolean
      total?: number | undefined
      truncated?: Truncated2 | undefined
    }
  }
  restore_item: {
    kind: 'write'
    input: {
      item_id: string
      parent_id?: string | undefined
    }
    output: TrashInList
  }
  get_api_key_usage: {
    kind: 'read'
    input: {
      key_id: string
      from?: string | undefined
      to?: string | undefined
      group_by?: "tool" | "module" | "day" | "status" | undefined
    }
    output: {
      key: ApiKeyInList
      from: string
      to: string
      calls: number
      errors: number
      denied: number
      by_group: Array<{
        key: string
        calls: number
        errors: number
        p95_ms: number
      }>
      rate_limit?: {
        per_minute: number
        remaining: number
        resets_at: string
      } | undefined
      plan: {
        name: string
        calls_today?: number | undefined
        calls_per_day?: number | undefined
        calls_this_month?: number | undefined
        calls_per_month?: number | undefined
        day_ends_at: string
        month_ends_at: string
        warning: boolean
      }
    }
  }
  list_api_keys: {
    kind: 'read'
    input: {
      status?: "active" | "suspended" | "revoked" | "expired" | undefined
      limit?: number | undefined
      cursor?: string | undefined
      fields?: Array<string> | undefined
    }
    output: {
      items: Array<ApiKeyInList>
      next_cursor?: string | undefined
      has_more: boolean
      total?: number | undefined
      truncated?: Truncated2 | undefined
    }
  }
  list_api_calls: {
    kind: 'read'
    input: {
      key_id?: string | undefined
      item_id?: string | undefined
      tool?: string | undefined
      status?: "ok" | "error" | "denied" | undefined
      kind?: "read" | "write" | "destructive" | undefined
      after?: string | undefined
      before?: string | undefined
      limit?: number | undefined
      cursor?: string | undefined
      fields?: Array<string> | undefined
    }
    output: {
      items: Array<{
        id: string
        at: string
        key: CreatedBy
        tool: string
        route: string
        transport: "mcp" | "rest" | "cli" | "web" | "automation"
        kind: "read" | "write" | "destructive"
        arguments: Record<string, unknown>
        status: "ok" | "error" | "denied"
        error_code?: string | undefined
        items: Array<ApiCallInList>
        result_count?: number | undefined
        duration_ms: number
        client?: {
          name: string
          version?: string | undefined
        } | undefined
        ip: string
        idempotency_key?: string | undefined
        undo: "possible" | "done" | "expired" | "not_possible"
        url: string
      }>
      next_cursor?: string | undefined
      has_more: boolean
      total?: number | undefined
      truncated?: Truncated2 | undefined
    }
  }
  undo_api_call: {
    kind: 'write'
    input: {
      call_id: string
      dry_run?: boolean | undefined
    }
    output: {
      call: CreatedBy
      undone: boolean
      already_undone?: true | undefined
      restored: Array<ApiCallInList>
      removed: Array<ApiCallInList>
      refused: Array<{
        item: Item2
        reason: "changed_since" | "sent_outside" | "expired" | "not_reversible"
        message: string
      }>
      dry_run: boolean
    }
  }
  get_approval: {
    kind: 'read'
    input: {
      approval_id: string
    }
    output: Approval
  }
  list_approvals: {
    kind: 'read'
    input: {
      status?: "pending" | "released" | "denied" | "expired" | undefined
      limit?: number | undefined
      cursor?: string | undefined
      fields?: Array<string> | undefined
    }
    output: {
      items: Array<Approval>
      next_cursor?: string | undefined
      has_more: boolean
      total?: number | undefined
      truncated?: Truncated2 | undefined
    }
  }
  create_webhook: {
    kind: 'destructive'
    input: {
      url: string
      events: Array<string>
      name?: string | undefined
      filter?: {
        project_ids?: Array<string> | undefined
        fields?: Array<string> | undefined
        via?: Array<"web" | "api" | "mcp" | "automation" | "sync" | "cli"> | undefined
        by_others?: boolean | undefined
      } | undefined
      idempotency_key?: string | undefined
    }
    output: Webhook
  }
  list_webhooks: {
    kind: 'read'
    input: {
      active?: boolean | undefined
      limit?: number | undefined
      cursor?: string | undefined
      fields?: Array<string> | undefined
    }
    output: {
      items: Array<Webhook>
      next_cursor?: string | undefined
      has_more: boolean
      total?: number | undefined
      truncated?: Truncated2 | undefined
    }
  }
  delete_webhook: {
    kind: 'destructive'
    input: {
      webhook_id: string
    }
    output: DeleteResult
  }
  update_webhook: {
    kind: 'write'
    input: {
      webhook_id: string
      name?: string | undefined
      events?: Array<string> | undefined
      filter?: {
        project_ids?: Array<string> | undefined
        fields?: Array<string> | undefined
        via?: Array<"web" | "api" | "mcp" | "automation" | "sync" | "cli"> | undefined
        by_others?: boolean | undefined
      } | null | undefined
      active?: boolean | undefined
    }
    output: Webhook
  }
  list_webhook_deliveries: {
    kind: 'read'
    input: {
      webhook_id: string
      status?: "pending" | "delivered" | "failed" | undefined
      limit?: number | undefined
      cursor?: string | undefined
      fields?: Array<string> | undefined
    }
    output: {
      items: Array<{
        id: string
        webhook: CreatedBy
        event: string
        status: "pending" | "delivered" | "failed"
        attempts: number
        response_code?: number | undefined
        next_attempt_at?: string | undefined
        payload: Record<string, unknown>
        created_at: string
      }>
      next_cursor?: string | undefined
      has_more: boolean
      total?: number | undefined
      truncated?: Truncated2 | undefined
    }
  }
  get_tool: {
    kind: 'read'
    input: {
      tool_name: string
    }
    output: Tool
  }
  search_tools: {
    kind: 'read'
    input: {
      query?: string | undefined
      module?: string | undefined
      kind?: "read" | "write" | "destructive" | undefined
      limit?: number | undefined
      cursor?: string | undefined
      fields?: Array<string> | undefined
    }
    output: {
      items: Array<Tool>
      next_cursor?: string | undefined
      has_more: boolean
      total?: number | undefined
      truncated?: Truncated2 | undefined
    }
  }
}
