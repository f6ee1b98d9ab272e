import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Catalogue } from '../src/operations/catalogue.ts'
import { itemResources } from '../src/records/resource.ts'
import { modules } from '../src/modules/index.ts'

// Everything that can be created can be read, changed and deleted: each create_<noun> has get_<noun>, list_<nouns>,
// update_<noun> and delete_<noun>, or another operation for it, or a reason.

const catalogue = new Catalogue(modules)
const names = new Set(catalogue.entries.map((entry) => entry.operation.name))

const verbs = ['get', 'list', 'update', 'delete'] as const
type Verb = (typeof verbs)[number]

const inTasks = 'makes tasks: see create_task'
const inPages = 'makes a page: see create_page'

/** Replacements by noun: the name of another operation, or why there is none. */
const others: Record<string, Partial<Record<Verb, string>>> = {
  channel: { delete: 'archive_channel' },
  custom_field: {
    get: 'get_project',
    list: 'get_project',
    delete: 'update_custom_field retires it, so that values in tasks stay readable',
  },
  email_draft: { get: 'list_email_drafts' },
  email_rule: { get: 'list_email_rules' },
  email_template: { get: 'list_email_templates' },
  entity: { list: 'search_entities' },
  folder: {
    get: 'get_file',
    list: 'list_files',
    update: 'update_file',
    delete: 'trash_file',
  },
  incident: { delete: 'what went wrong stays on record; undo_api_call takes back a wrong alarm' },
  key_result: {
    get: 'get_goal',
    list: 'get_goal',
    delete: 'update_key_result retires it, so that its check-ins stay',
  },
  label: { get: 'list_labels' },
  milestone: { get: 'list_milestones' },
  on_call_override: {
    get: 'list_on_call_schedules',
    list: 'list_on_call_schedules',
    update: 'an override is ended and set anew, so that both people are notified',
  },
  on_call_schedule: { get: 'list_on_call_schedules' },
  page_from_template: { get: inPages, list: inPages, update: inPages, delete: inPages },
  postmortem: {
    get: 'get_incident',
    list: 'list_incidents',
    update: 'update_page',
    delete: 'delete_page',
  },
  pulse: { get: 'list_pulses' },
  relation: {
    get: 'get_entity',
    list: 'get_entity',
    update: 'create_relation',
  },
  reminder: {
    get: 'list_reminders',
    update: 'a reminder is cancelled and set anew',
    delete: 'cancel_reminder',
  },
  runbook: { get: 'list_runbooks' },
  saved_view: { get: 'run_saved_view' },
  service: { get: 'list_services' },
  share_link: {
    get: 'get_file',
    list: 'get_file',
    delete: 'revoke_share',
    update: 'a link is revoked and made anew, so that who has the old one loses it',
  },
  sprint: {
    get: 'get_sprint_report',
    delete: 'reports compare sprints; undo_api_call takes back one that nothing was planned for',
  },
  subtasks: { get: inTasks, list: inTasks, update: inTasks, delete: inTasks },
  task_from_source: { get: inTasks, list: inTasks, update: inTasks, delete: inTasks },
  task_from_template: { get: inTasks, list: inTasks, update: inTasks, delete: inTasks },
  task_template: { get: 'list_task_templates' },
  tasks_from_action_items: { get: inTasks, list: inTasks, update: inTasks, delete: inTasks },
  team: { get: 'list_teams' },
  time_entry: { get: 'list_time_entries' },
  time_off: {
    get: 'list_time_off',
    list: 'list_time_off',
    update: 'an absence is cancelled and entered anew',
    delete: 'cancel_time_off',
  },
  upload_session: {
    get: 'its state is at the address that it answers',
    list: 'it lives for the length of one upload',
    update: 'it lives for the length of one upload',
    delete: 'it expires by itself',
  },
  webhook: { get: 'list_webhooks' },
}

/** Kinds with a trash but without delete_<kind>: how they get there. */
const trashedOtherwise: Record<string, string> = {
  file: 'trash_file',
  incident: 'undo_api_call of create_incident',
  interaction: 'undo_api_call of log_interaction',
  time_off: 'cancel_time_off',
}

const nouns = [...names].flatMap((name) => /^create_(.+)$/.exec(name)?.[1] ?? [])

function usual(verb: Verb, noun: string): string {
  if (verb !== 'list') return `${verb}_${noun}`
  return `list_${noun.replace(/y$/, 'ie')}s`
}

test('everything that can be created can be found, changed and ended, or a reason is given', () => {
  const missing = nouns.flatMap((noun) =>
    verbs
      .filter((verb) => !names.has(usual(verb, noun)) && others[noun]?.[verb] === undefined)
      .map((verb) => usual(verb, noun)),
  )
  assert.deepEqual(missing, [])
})

test('every exception is needed, and names an operation or a reason', () => {
  for (const [noun, some] of Object.entries(others)) {
    assert.ok(nouns.includes(noun), `there is no create_${noun}`)
    for (const [verb, stand] of Object.entries(some)) {
      assert.ok(!names.has(usual(verb as Verb, noun)), `${usual(verb as Verb, noun)} exists`)
      assert.ok(names.has(stand) || stand.includes(' '), `${noun}: there is no ${stand}`)
    }
  }
})

test('every trashable kind has its own delete operation, which states until when it can be restored', () => {
  const types = itemResources()
    .filter((itemResource) => itemResource.trashable)
    .map((itemResource) => itemResource.definition.type)
  const wrong = types.flatMap((type) => {
    const entry = catalogue.find(`delete_${type}`)
    if (!entry) return []
    const shape = (entry.schemas.output as unknown as { shape: Record<string, unknown> }).shape
    return 'restorable_until' in shape && 'undo_call_id' in shape ? [] : [type]
  })
  assert.deepEqual(wrong, [])
  const without = types.filter((type) => !names.has(`delete_${type}`))
  assert.deepEqual(without.toSorted(), Object.keys(trashedOtherwise).toSorted())
})
