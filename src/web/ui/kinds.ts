/** Kinds of items by the first part of their ids. */
const kinds: Readonly<Record<string, string>> = {
  act: 'action_item', apr: 'approval', att: 'attachment', aut: 'automation', cal: 'calendar', chn: 'channel', clg: 'api_call', cmp: 'company', cmt: 'comment', con: 'contact', dea: 'deal',
  dec: 'decision', drf: 'email_draft', drv: 'drive', eat: 'email_attachment', eml: 'email', ent: 'entity', esc: 'escalation', etp: 'email_template', evt: 'event', fct: 'fact',
  fil: 'file', fld: 'custom_field', fre: 'form_response', frm: 'form', fvr: 'file_version', gci: 'goal_checkin', gol: 'goal', ibx: 'inbox', inc: 'incident', int: 'interaction',
  job: 'job', key: 'api_key', kre: 'key_result', lbl: 'label', lnk: 'link', mac: 'email_account', mil: 'milestone', mno: 'meeting_note', msg: 'message', mtg: 'meeting',
  ntf: 'notification', obs: 'observation', ocs: 'on_call_schedule', off: 'time_off', org: 'organization', osh: 'on_call_override', pag: 'page', pcm: 'page_comment', pmo: 'postmortem',
  prj: 'project', psh: 'page_share', pub: 'publication', pul: 'pulse', pup: 'project_update', pur: 'pulse_response', pvr: 'page_version', rbk: 'runbook', rel: 'relation', rmd: 'reminder',
  rul: 'email_rule', run: 'automation_run', sch: 'scheduled_email', shr: 'share', spm: 'sprint_move', spr: 'sprint', srv: 'service', sta: 'status', sup: 'status_update', tea: 'team',
  thr: 'thread', tle: 'timeline_entry', tme: 'time_entry', trn: 'transcript', tsk: 'task', ttp: 'task_template', ups: 'upload_session', usr: 'person', viw: 'saved_view', whk: 'webhook',
}

/** The kind of an item, as its id tells it. */
export function kindOf(id: string): string | undefined {
  return kinds[id.split('_', 1)[0]!]
}

/** Kinds of items that have pages by their own ids, by the first part of their addresses. */
const folders: Readonly<Record<string, string>> = {
  automation: 'automations', calendar: 'calendar', channel: 'channels', company: 'companies', contact: 'contacts', deal: 'deals', decision: 'decisions', email: 'mail', email_draft: 'mail/drafts', entity: 'knowledge',
  event: 'calendar/events', file: 'files', form: 'forms', goal: 'goals', incident: 'incidents', interaction: 'interactions', label: 'labels', meeting: 'meetings', milestone: 'milestones', on_call_schedule: 'on-call',
  page: 'pages', person: 'people', project: 'projects', pulse: 'pulses', runbook: 'runbooks', saved_view: 'views', service: 'services', sprint: 'sprints', task: 'tasks', team: 'teams', thread: 'mail',
}

/** Where an item is shown, for references that say no more than its id. */
export function pathOf(id: string): string | undefined {
  const folder = folders[kindOf(id) ?? '']
  return folder === undefined ? undefined : `/${folder}/${id}`
}
