import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { connectDirectly } from '../../src/oauth/testing.ts'
import { isMeantBy } from '../../src/testing/blackbox/arbitraries.ts'
import { idPlaces, least, placed, type JsonPath } from '../../src/testing/blackbox/places.ts'
import {
  inLanes,
  restOf,
  send,
  toolCallOf,
  type RawResponse,
  type Arguments,
  type Door,
} from '../../src/testing/blackbox/requests.ts'
import { serveBlackBox } from '../../src/testing/blackbox/server.ts'
import { surfaceOf, type Offered } from '../../src/testing/blackbox/surface.ts'
import { deafHost, plant, type Things } from '../../src/testing/blackbox/things.ts'
import { daysFrom, quarterOf } from '../../src/testing/days.ts'
import type { RequestableWorkspace } from '../../src/testing/server.ts'

// Guessing ids reveals nothing: wherever an operation accepts an id, that of an invisible item gives the same answer,
// byte for byte, as a nonexistent one. stranger.test.ts tests the core; this tests over the network, like a stranger.

let served: RequestableWorkspace
let offered: Offered[]
let hidden: Things
/** `program`: uses a token of a program that they connected by signing in. */
let guessers: { name: string; door: Door; program: Door; own: Things; sees: readonly string[] }[]

/** Types whose items are visible to the whole organization. */
const ofOrganization = [
  'person',
  'team',
  'label',
  'time_off',
  'on_call_schedule',
  'on_call_override',
  'service',
  'runbook',
  'status_update',
  'company',
  'contact',
  'merged_contact',
  'deal',
  'interaction',
  'form',
  'entity',
  'relation',
  'fact',
  'observation',
  'merged_entity',
]
/** Members of objects without a schema that may contain ids. */
const loose = ['project_id', 'assignee', 'parent_id', 'sprint_id']

before(async () => {
  served = await serveBlackBox()
  const doorOf = async (person: typeof served.ann): Promise<Door> => ({
    url: served.url,
    key: (await served.keyFor(person, { adminGrant: person.actor.role === 'admin' })).key,
  })
  const [ann, carol, eve] = [
    await doorOf(served.ann),
    await doorOf(served.carol),
    await doorOf(served.eve),
  ]
  const programOf = async (person: typeof served.ann): Promise<Door> => ({
    url: served.url,
    key: (await connectDirectly({ ...served, issuer: served.url }, person)).access_token,
  })
  offered = await surfaceOf(ann)
  hidden = await plant(ann, 'hidden', 'HID', served.app.store)
  guessers = [
    {
      name: 'a colleague',
      door: carol,
      program: await programOf(served.carol),
      own: await plant(carol, 'own', 'CAR', served.app.store),
      sees: ofOrganization,
    },
    {
      name: 'a stranger',
      door: eve,
      program: await programOf(served.eve),
      own: await plant(eve, 'own', 'EVE', served.app.store),
      sees: [],
    },
  ]
})
after(() => served.close())

/** A similar id that does not exist. */
function unknownLike(id: string): string {
  if (id.includes('@')) return 'nobody@nowhere.test'
  if (/^[a-z]{3}_/.test(id)) return id.slice(0, 4) + '0'.repeat(id.length - 4)
  return id.includes('-') ? 'NONE-1' : 'NONE'
}

/** Arguments required besides an id before it is looked up, where no schema states them. */
function sense(ownThings: Things, place: JsonPath): Record<string, Arguments> {
  const day = daysFrom(served.clock.now())
  return {
    bulk_update_tasks: place[0] === 'changes' ? { task_ids: [ownThings.task![0]] } : {},
    create_sprint: { starts_on: day(11), ends_on: day(24) },
    create_relation: {
      from_entity_id: ownThings.entity![0],
      type: 'x',
      to_entity_id: ownThings.entity![1],
    },
    find_entity_path: { from_entity_id: ownThings.entity![0], to_entity_id: ownThings.entity![1] },
    merge_entities: {
      entity_id: ownThings.entity![0],
      duplicate_ids: [ownThings.entity![1]],
      dry_run: true,
    },
    link_items: { from_id: ownThings.task![0], to_id: ownThings.task![1] },
    explain_connection: { from_id: ownThings.task![0], to_id: ownThings.task![1] },
    create_webhook: { url: `http://${deafHost}/`, events: ['task.created'] },
    restore_item: { item_id: ownThings.trashed![0] },
    add_action_items: { items: [{ text: 'Order it' }] },
    create_goal: { period: quarterOf(served.clock.now()), level: 'personal' },
    create_reminder: { remind_at: day(45) },
    create_on_call_override: {
      starts_at: `${day(101)}T08:00:00Z`,
      ends_at: `${day(101)}T16:00:00Z`,
    },
    create_on_call_schedule: {
      timezone: 'Europe/Berlin',
      layers: [{ people: ['me'], rotation: 'weekly' }],
    },
    get_incident_metrics: { from: day(-19), to: day(10) },
    publish_status_update: { body_markdown: 'x', state: 'investigating', service_states: {} },
    create_time_entry: { duration_minutes: 5, spent_on: day(-1) },
    create_event: { starts_at: `${day(45)}T09:00:00Z`, ends_at: `${day(45)}T10:00:00Z` },
    list_events: { from: day(11), to: day(41) },
    list_event_conflicts: { from: day(11), to: day(41) },
    get_availability: { people: ['me'], from: day(11), to: day(41) },
    find_meeting_time: { attendees: ['me'], duration_minutes: 30, from: day(11), to: day(41) },
    create_email_rule: {
      conditions: { all: [{ field: 'subject', op: 'contains', value: 'x' }] },
      actions: [{ type: 'star' }],
    },
    schedule_email: {
      send_at: `${day(45)}T09:00:00Z`,
      ...(place[0] === 'draft_id'
        ? {}
        : { to: ['out@outside.example'], subject: 'x', body_markdown: 'x' }),
    },
    get_time_report: { from: day(-19), to: day(10), group_by: 'day' },
  }
}

/** Arguments in which every required id except the one at this place is the caller's own. */
async function around(
  door: Door,
  op: Offered,
  place: JsonPath,
  things: Things,
): Promise<Arguments> {
  const args = { ...least(op), ...sense(things, place)[op.name] }
  const others = idPlaces(op, []).filter(
    (idPlace) =>
      op.required.includes(String(idPlace[0])) &&
      idPlace[0] !== place[0] &&
      !(idPlace[0]! in (sense(things, place)[op.name] ?? {})),
  )
  for (const other of others) {
    for (const id of likelyFirst(things, String(other[0]))) {
      const tried = placed(op, placed(op, args, other, id), place, 'tsk_00000000000000000000000000')
      const { json } = await send(door, restOf(op, tried))
      if (json?.code === 'not_found' && String(json.field).startsWith(String(other[0]))) continue
      Object.assign(args, { [String(other[0])]: tried[String(other[0])] })
      break
    }
  }
  return args
}

/** Own ids, those suggested by an argument name first. */
function likelyFirst(ownThings: Things, name: string): string[] {
  const types = Object.keys(ownThings).sort(
    (a, b) => Number(isMeantBy(name, b)) - Number(isMeantBy(name, a)),
  )
  return types.flatMap((type) => ownThings[type]!)
}

/**
 * An answer without request ids, repeated input ids, and connection headers, since the connection closes after a
 * number of requests.
 */
function received({ status, raw, text }: RawResponse, id: string): string {
  const comparedHeaders = raw.filter(
    ([name]) => !/^(x-request-id|x-call-id|date|connection|keep-alive)$/i.test(name),
  )
  return JSON.stringify([
    status,
    comparedHeaders.map(([name, value]) => [
      name,
      name.toLowerCase() === 'content-length' ? '' : value,
    ]),
    text.replace(/\\?"request_id\\?":\\?"[^"]*"/g, '').replaceAll(id, '<id>'),
  ])
}

test('most operations take ids', () => {
  const places = offered.flatMap((op) => idPlaces(op, loose))
  assert.ok(places.length > 120, `${places.length} places`)
  assert.ok(
    places.some((place) => place.length > 1),
    'inside of objects too',
  )
})

/**
 * Hidden ids to try at a place: those suggested by its name, plus one of some other kinds; one of each kind if it
 * suggests none.
 */
function worthTrying(place: JsonPath, sees: readonly string[], turn: number): string[] {
  const foreign = Object.entries(hidden).filter(([type]) => !sees.includes(type))
  const isMeant = (type: string) => isMeantBy(String(place.findLast((step) => step !== 0)), type)
  if (!foreign.some(([type]) => isMeant(type))) return foreign.flatMap(([, ids]) => ids.slice(0, 1))
  return foreign.flatMap(([type, ids], i) =>
    ids.slice(0, isMeant(type) || (i + turn) % 16 === 0 ? 1 : 0),
  )
}

test('an id of an invisible item is answered like a nonexistent one, in every place of every operation', async () => {
  const before = rowsOf()
  const wrong: string[] = []
  const met = new Map<string, number>()
  const all = guessers.flatMap((guesser) =>
    offered.flatMap((op) => idPlaces(op, loose).map((place) => ({ ...guesser, op, place }))),
  )
  const sample = all.filter(({ name }, i) => name === 'a colleague' || i % 4 === 0)
  await inLanes(
    sample.entries(),
    8,
    async ([turn, { name, door, program, own, sees, op, place }]) => {
      const args = await around(door, op, place, own)
      const ways = [
        [restOf, door],
        [callOf, door],
        [callOf, program],
      ] as const
      const absent = new Map<string, RawResponse>()
      for (const [i, id] of worthTrying(place, sees, turn).entries()) {
        const unknown = unknownLike(id)
        for (const [how, at] of i === 0 ? ways : ways.slice(0, 1)) {
          const ask = (id: string) => send(at, how(op, placed(op, args, place, id)))
          const none = absent.get(how.name + at.key + unknown) ?? (await ask(unknown))
          absent.set(how.name + at.key + unknown, none)
          if (how === restOf && none.status < 300) break // it is no id there, or one that no one looks up: what it answers differs by what it made
          if (how === restOf) met.set(`${op.name} ${place.join('.')}`, none.status)
          const foreign = await ask(id)
          if (received(foreign, id) !== received(none, unknown))
            wrong.push(
              `${name}: ${how.name}${at === program ? ' by a token' : ''} ${op.name}(${place.join('.')} = ${id})\n  ${foreign.text.slice(0, 300)}\n  ${none.text.slice(0, 300)}`,
            )
        }
      }
    },
  )
  assert.deepEqual(wrong, [])
  const silent = offered
    .flatMap((op) => idPlaces(op, []).map((place) => `${op.name} ${place.join('.')}`))
    .filter((place) => met.get(place) !== 404)
  assert.deepEqual(silent.sort(), [])
  assert.equal(rowsOf(), before)
})

function callOf({ name }: Offered, args: Arguments) {
  return toolCallOf(name, args)
}

/** All of ann's data that others could have changed. */
function rowsOf(): string {
  const { read } = served.app.store.raw
  const org = served.ann.actor.org_id
  const project = hidden.project![0]!
  return JSON.stringify([
    read.prepare('SELECT * FROM projects WHERE id = ?').all(project),
    read
      .prepare('SELECT * FROM tasks WHERE project_id = ? ORDER BY id')
      .all(project)
      .map((task) => ({ ...(task as object), overdue_told_at: null })), // the executable notes by itself whom it told
    read.prepare('SELECT * FROM labels WHERE id = ?').all(hidden.label![0]!),
    read.prepare('SELECT * FROM saved_views WHERE id = ?').all(hidden.saved_view![0]!),
    read.prepare('SELECT id, name, revoked_at FROM api_keys WHERE owner_id = ?').all(served.ann.id),
    read
      .prepare('SELECT count(*) FROM teams WHERE org_id = ? AND id = ?')
      .all(org, hidden.team![0]!),
  ])
}
