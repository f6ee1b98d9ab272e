import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Entry } from '../src/operations/entry.ts'
import { readWithoutLogging } from '../src/operations/call/index.ts'
import type { FeedEvent } from '../src/operations/event-feed.ts'
import { connectDirectly } from '../src/oauth/testing.ts'
import { encodeCursor } from '../src/records/paging.ts'
import { Refusal } from '../src/kernel/refusal.ts'
import { makeWorkspace, type Someone, type TestWorkspace } from '../src/testing/harness.ts'
import { planters } from '../src/testing/fixtures/index.ts'
import {
  awayOf,
  followAll,
  plantHidden,
  plantOpen,
  plantOpened,
} from '../src/testing/fixtures/organization.ts'
import { isMany, leastArguments, typeOf, waysToRead } from '../src/testing/least-calls.ts'
import type { Ids } from '../src/testing/fixtures/fixture.ts'

// Invisible items look exactly like nonexistent ones, over the whole catalogue: carol, a colleague outside ann's
// projects, a program connected by another colleague, and eve, the administrator of another organization, name ann's
// rows in every id argument, and read everything there is. Ann's hidden texts contain one word, those visible to her
// organization another.

const hiddenWord = 'zuyxhidden'
const openWord = 'zuyxopen'

let workspace: TestWorkspace
let strangers: { who: Someone; own: Ids }[]
let open: Ids
let hidden: Ids
/** Answers that each stranger got before ann had anything to hide. */
let earlier: Map<Someone, Map<string, unknown>>

/** Types whose rows are visible to the whole organization. */
const ofOrganization = new Set(['person', 'team', 'label', 'time_off'])

before(async () => {
  workspace = await makeWorkspace()
  const { ann, carol, eve } = workspace
  open = await plantOpen(ann, openWord, hiddenWord)
  for (const type of Object.keys(open)) ofOrganization.add(type)
  const dora = await workspace.person('Dora')
  strangers = [
    { who: carol, own: await colleagueOwns(carol, 'own', 'CARO') },
    { who: await throughConnection(dora), own: await colleagueOwns(dora, 'doras', 'DORA') },
    {
      who: eve,
      own: {
        ...(await plantHidden(workspace, eve, { word: 'own', key: 'EVES' })),
        ...(await plantOpen(eve, 'own')),
      },
    },
  ]
  await followAll(workspace)
  earlier = new Map()
  for (const stranger of strangers)
    earlier.set(stranger.who, await readAll(stranger.who, stranger.own))
  hidden = await plantHidden(workspace, ann, {
    word: hiddenWord,
    key: 'SECRET',
    label: open.label![0],
  })
  hidden.person = [ann.id, ann.actor.email]
})
after(() => workspace.close())

async function colleagueOwns(who: Someone, word: string, key: string): Promise<Ids> {
  const team = await workspace.ann.call('create_team', { name: `Team ${key}`, lead_id: who.id })
  return {
    ...(await plantOpened(who, word)),
    ...(await plantHidden(workspace, who, { word, key })),
    label: [open.label![0]!],
    team: [team.id],
    person: [who.id],
    time_off: [await awayOf(who, word)],
  }
}

/** A person's program, connected by signing in: with an access token, over MCP. */
async function throughConnection(person: Someone): Promise<Someone> {
  const { app } = workspace
  const issuer = 'http://workspace.test'
  const { access_token } = await connectDirectly({ ...workspace, issuer }, person)
  const actor = await app.keys.authenticate(`Bearer ${access_token}`, 'mcp', {
    ip: '127.0.0.1',
    url: `${issuer}/mcp`,
  })
  return {
    ...person,
    actor: { ...actor, display_name: `${actor.display_name}, by a token` },
    call: (tool, args, more) => person.call(tool, args, { ...more, via: 'mcp', key: actor.key }),
  }
}

/** Returns the answer or the refusal that a person gets. */
async function outcome(
  who: Someone,
  entry: Entry,
  args: Record<string, unknown>,
): Promise<{ value?: unknown; refusal?: Refusal }> {
  try {
    return { value: await who.call(entry.operation.name, args) }
  } catch (error) {
    if (error instanceof Refusal) return { refusal: error }
    throw error
  }
}

function textOf({ value, refusal }: { value?: unknown; refusal?: Refusal }): string {
  return JSON.stringify(refusal ? refusal.body() : value)
}

/** Reads that show a program its own calls. */
const showsOwnCalls = new Set(['list_api_calls', 'list_api_keys'])

/** Everything readable with only own rows as arguments, in all variants: groups, words, includes. */
async function readAll(who: Someone, ownIds: Ids): Promise<Map<string, unknown>> {
  const answers = new Map<string, unknown>()
  const isColleague = who !== workspace.ann && who !== workspace.eve
  for (const entry of workspace.app.catalogue.routes.filter(
    ({ operation: { kind, name } }) =>
      kind === 'read' && !(who.actor.key && showsOwnCalls.has(name)),
  )) {
    for (const args of waysToRead(
      entry,
      {
        ...ownIds,
        person: [...ownIds.person!, ...(isColleague ? open.person! : [])],
      },
      [hiddenWord, `${hiddenWord} task`, 'SECRET'],
    )) {
      answers.set(
        `${entry.operation.name} ${JSON.stringify(args)}`,
        steady((await outcome(who, entry, args)).value),
      )
    }
  }
  return answers
}

/** Pages of all changes visible to a person, oldest first. */
async function allChanges(person: Someone): Promise<unknown[]> {
  const pages: unknown[] = []
  let cursor: string | undefined
  do {
    const page = await person.call('list_changes', cursor === undefined ? {} : { cursor })
    pages.push(page.items)
    cursor = page.next_cursor ?? undefined
  } while (cursor !== undefined)
  return pages
}

/**
 * Answers without log positions, which advance with each write, and with rounded scores, which depend on the average
 * text length.
 */
function steady(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value ?? null, (name, item: unknown) => {
      if (['since_cursor', 'next_cursor', 'seq'].includes(name)) return undefined
      return name === 'score' && typeof item === 'number' ? Number(item.toFixed(1)) : item
    }),
  )
}

/** All rows visible only to ann. */
function hiddenRows(): string {
  const { read } = workspace.app.store.raw
  const projects = [...hidden.project!, ...hidden.trashed!].map((id) => `'${id}'`).join(', ')
  const tasks = `SELECT id FROM tasks WHERE project_id IN (${projects})`
  const below: Record<string, string> = {
    projects: `id IN (${projects})`,
    files: `id = '${hidden.file![0]}'`,
    saved_views: `id = '${hidden.saved_view![0]}'`,
    api_keys: `id = '${hidden.api_key![0]}'`,
    undone_calls: `call_id = '${hidden.api_call![0]}'`,
  }
  below.webhooks = `id = '${hidden.webhook![0]}'`
  below.webhook_deliveries = `webhook_id = '${hidden.webhook![0]}'`
  for (const table of [
    'project_members',
    'statuses',
    'custom_fields',
    'sprints',
    'milestones',
    'project_updates',
    'tasks',
    'task_templates',
  ])
    below[table] = `project_id IN (${projects})`
  for (const table of [
    'task_people',
    'task_dependencies',
    'task_comments',
    'task_attachments',
    'task_labels',
  ])
    below[table] = `task_id IN (${tasks})`
  for (const planter of planters) Object.assign(below, planter.rows?.(hidden))
  return JSON.stringify(
    Object.entries(below).map(([table, where]) => [
      table,
      read.prepare(`SELECT * FROM ${table} WHERE ${where}`).all(),
    ]),
    null,
    1,
  )
}

test('there is something to hide: ann finds it through many operations', async () => {
  const { ann } = workspace
  const read = await readAll(ann, { ...hidden, ...open })
  read.set('list_changes to the end', await allChanges(ann))
  const showing = new Set(
    [...read]
      .filter(([, value]) => JSON.stringify(value).includes(hiddenWord))
      .map(([call]) => call.split(' ')[0]),
  )
  const silent = workspace.app.catalogue.routes
    .filter((route) => route.operation.kind === 'read' && !showing.has(route.operation.name))
    .map((route) => route.operation.name)
  assert.deepEqual(silent.sort(), silentReads)
})

/** Reads that show no text of ann's items to any caller. */
const silentReads = [
  'download_contact_export',
  'download_deal_export',
  'download_event_export',
  'download_export',
  'download_form_export',
  'download_incident_export',
  'download_meeting_export',
  'download_task_export',
  'download_time_export',
  'export_calendar',
  'export_contacts',
  'export_deals',
  'fetch_file',
  'find_duplicate_contacts',
  'find_entity_path',
  'find_meeting_time',
  'get_availability',
  'get_company',
  'get_contact',
  'get_current_time',
  'get_deal',
  'get_entity',
  'get_entity_neighbors',
  'get_entity_timeline',
  'get_form',
  'get_form_stats',
  'get_incident_metrics',
  'get_knowledge_overview',
  'get_notification_preferences',
  'get_on_call',
  'get_organization',
  'get_person',
  'get_pipeline_summary',
  'get_status_page',
  'get_tool',
  'list_automation_catalog',
  'list_calendars',
  'list_companies',
  'list_conflicting_facts',
  'list_contacts',
  'list_deals',
  'list_drives',
  'list_facts',
  'list_forms',
  'list_interactions',
  'list_labels',
  'list_on_call_schedules',
  'list_people',
  'list_runbooks',
  'list_services',
  'list_teams',
  'list_unread_messages',
  'search_contacts',
  'search_entities',
  'search_tools',
]

test('private items of ann change nothing that others read: no list, no search, no count, no aggregate', async () => {
  for (const { who, own } of strangers) {
    for (const [call, value] of await readAll(who, own)) {
      const text = JSON.stringify(value)
      const at = Math.max(
        text.indexOf(hiddenWord),
        who === workspace.eve ? text.indexOf('zuyx') : -1,
      )
      assert.equal(
        at,
        -1,
        `${who.actor.display_name}: ${call} shows ${text.slice(Math.max(0, at - 80), at + 40)}`,
      )
      assert.deepEqual(value, earlier.get(who)!.get(call), `${who.actor.display_name}: ${call}`)
    }
  }
})

test('following the events from the beginning reveals nothing that ann hides', async () => {
  const feed = workspace.app.catalogue.feed!
  const received = (who: Someone) => {
    const request = {
      tool: 'follow_events',
      args: undefined,
      transport: 'rest' as const,
      requestId: 'test',
      route: 'test',
      ip: '',
    }
    return readWithoutLogging(workspace.app, who.actor, request, async (ctx) => {
      const { start, next } = await feed.follow(ctx, { since_cursor: encodeCursor(['changes', 0]) })
      const events: FeedEvent[] = []
      for (let place = start, more = true; more; ) {
        const page = await next(ctx, place)
        events.push(...page.events)
        ;({ place, more } = page)
      }
      return events
    })
  }
  const ofAnn = await received(workspace.ann)
  assert.ok(
    ofAnn.length > 60 && JSON.stringify(ofAnn).includes(hiddenWord),
    `${ofAnn.length} events`,
  )
  for (const { who } of strangers) {
    const text = JSON.stringify(await received(who))
    assert.ok(text.length > 1000 && !text.includes(hiddenWord), who.actor.display_name)
    if (who === workspace.eve) assert.ok(!text.includes('zuyx'))
    for (const id of Object.entries(hidden)
      .filter(([type]) => !ofOrganization.has(type))
      .flatMap(([, ids]) => ids))
      assert.ok(!text.includes(`"${id}"`), `${who.actor.display_name} is received of ${id}`)
  }
})

test('rows of ann are answered like rows that do not exist, in every argument of every operation', async () => {
  const before = hiddenRows()
  const wrong: string[] = []
  let requestCount = 0
  for (const { who, own } of strangers) {
    const types = Object.keys(hidden).filter(
      (type) => who === workspace.eve || !ofOrganization.has(type),
    )
    const foreignIds = (type: string | undefined): string[] => {
      if (type === undefined) return types.flatMap((each) => hidden[each]!)
      if (!types.includes(type) && !(who === workspace.eve && open[type])) return []
      return [...(hidden[type] ?? []), ...(open[type] ?? [])]
    }
    for (const entry of workspace.app.catalogue.routes) {
      for (const param of entry.schemas.params) {
        const type = typeOf(param)
        for (const id of foreignIds(type)) {
          const args = { ...leastArguments(entry, own), [param.wire]: isMany(param) ? [id] : id }
          const got = await outcome(who, entry, args)
          requestCount++
          const right =
            got.refusal?.code === 'not_found' &&
            got.refusal.more.field?.startsWith(param.wire) &&
            !textOf(got).includes('zuyx')
          if (!right)
            wrong.push(
              `${who.actor.display_name}: ${entry.operation.name}(${param.wire} = ${id}) ${textOf(got).slice(0, 200)}`,
            )
        }
      }
    }
  }
  assert.deepEqual(wrong, [])
  assert.ok(requestCount > 300, `asked ${requestCount} times`)
  assert.equal(hiddenRows(), before)
})

/** Ids inside objects and lists, which are not in `on`. */
function nestedCalls(ownIds: Ids): [string, Record<string, unknown>, string][] {
  const typesByArgument: Record<string, string> = {
    sprint_id: 'sprint',
    milestone_id: 'milestone',
    parent_id: 'task',
    project_id: 'project',
    assignee_ids: 'person',
    label_ids: 'label',
    add_label_ids: 'label',
    assignee: 'person',
    created_by: 'person',
    label_id: 'label',
  }
  const value = (name: string, id: string) => (/s$|^label_id$/.test(name) ? [id] : id)
  const calls: [string, Record<string, unknown>, string][] = []
  for (const [name, type] of Object.entries(typesByArgument)) {
    for (const id of [...(hidden[type] ?? []), ...(open[type] ?? [])]) {
      const reference = { [name]: value(name, id) }
      if (/^(sprint|milestone|parent)_id$|^(assignee|label)_ids$/.test(name))
        calls.push([
          'bulk_create_tasks',
          { project_id: ownIds.project![0], tasks: [{ title: 'x', ...reference }] },
          type,
        ])
      if (/^(sprint|milestone)_id$|^(assignee|label)_ids$/.test(name))
        calls.push([
          'create_subtasks',
          { task_id: ownIds.task![0], subtasks: [{ title: 'x', ...reference }] },
          type,
        ])
      if (/^(sprint|milestone|parent)_id$|^(assignee|add_label)_ids$/.test(name))
        calls.push(['bulk_update_tasks', { task_ids: [ownIds.task![0]], changes: reference }, type])
      if (!name.endsWith('_ids'))
        calls.push(['bulk_update_tasks', { filter: reference, changes: { priority: 'low' } }, type])
      if (name === 'project_id')
        calls.push(
          [
            'create_webhook',
            { url: 'https://93.184.216.34/', events: ['task.*'], filter: { project_ids: [id] } },
            type,
          ],
          [
            'update_webhook',
            { webhook_id: ownIds.webhook![0], filter: { project_ids: [id] } },
            type,
          ],
        )
      if (!name.endsWith('_ids'))
        calls.push(['create_saved_view', { name: 'x', item_type: 'task', filter: reference }, type])
    }
  }
  for (const planter of planters) calls.push(...(planter.inside?.(ownIds, hidden) ?? []))
  return calls
}

test('nor do they exist inside lists and filters', async () => {
  const before = hiddenRows()
  const wrong: string[] = []
  for (const { who, own } of strangers) {
    for (const [tool, args, type] of nestedCalls(own)) {
      const got = await outcome(who, workspace.app.catalogue.requireEntry(tool), args)
      const { failed = [], skipped = [] } = (got.value ?? {}) as {
        failed?: { code: string }[]
        skipped?: unknown[]
      }
      const absent =
        got.refusal?.code === 'not_found' ||
        failed.some((item) => item.code === 'not_found') ||
        (failed.length > 0 && failed.every((item) => item.code === 'invalid_argument')) ||
        got.refusal?.code === 'invalid_argument' ||
        skipped.length > 0
      const secret = who === workspace.eve || !ofOrganization.has(type)
      if (
        (secret && !absent) ||
        textOf(got).includes(hiddenWord) ||
        (secret && textOf(got).includes('zuyx'))
      )
        wrong.push(
          `${who.actor.display_name}: ${tool} ${JSON.stringify(args)} ${textOf(got).slice(0, 200)}`,
        )
    }
  }
  assert.deepEqual(wrong, [])
  assert.equal(hiddenRows(), before)
})
