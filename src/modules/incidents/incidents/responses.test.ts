import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  hour,
  makeWorkspace,
  minute,
  type Someone,
  type TestWorkspace,
} from '../../../testing/harness.ts'
import { statuses, transitions } from './states.ts'

let workspace: TestWorkspace
before(async () => {
  workspace = await makeWorkspace()
})
after(() => workspace.close())

const declare = (more: Record<string, unknown> = {}) =>
  workspace.bob.call('create_incident', { title: 'Trouble', severity: 'sev2', ...more })
const statusChanges = async (incident_id: string) =>
  (await workspace.ann.call('list_incident_timeline', { incident_id, kind: ['status'] })).items.map(
    (item: any) => [item.from, item.to],
  )
const events = (id: string) =>
  (
    workspace.app.store.raw.read
      .prepare('SELECT events_json FROM changes WHERE item_id = ? ORDER BY seq')
      .pluck()
      .all(id) as string[]
  )
    .flatMap((row) => JSON.parse(row) as string[])
    .filter((name) => !/\.(created|updated|escalated)$/.test(name))
const lastCallId = () =>
  workspace.app.store.raw.read
    .prepare(
      "SELECT id FROM calls WHERE tool <> 'undo_api_call' AND status = 'ok' AND kind <> 'read' ORDER BY rowid DESC LIMIT 1",
    )
    .pluck()
    .get() as string

/** Calls that reach each state from the preceding one, in the order of states. */
const transitionCalls: Record<string, (who: Someone, incident_id: string) => Promise<any>> = {
  acknowledged: (who, incident_id) => who.call('acknowledge_incident', { incident_id }),
  mitigated: (who, incident_id) =>
    who.call('update_incident', {
      incident_id,
      mitigated_at: new Date(workspace.clock.now()).toISOString(),
    }),
  resolved: (who, incident_id) =>
    who.call('resolve_incident', { incident_id, resolution: 'Restarted.' }),
  closed: async (_, incident_id) =>
    workspace.app.store.raw.write
      .prepare("UPDATE incidents SET status = 'closed', closed_at = resolved_at WHERE id = ?")
      .run(incident_id),
  open: (who, incident_id) => who.call('reopen_incident', { incident_id, reason: 'It came back.' }),
}

async function incidentInState(state: string): Promise<string> {
  const { id } = await declare()
  for (const step of statuses.slice(1, statuses.indexOf(state as never) + 1))
    await transitionCalls[step]!(workspace.carol, id)
  assert.equal((await workspace.ann.call('get_incident', { incident_id: id })).status, state)
  return id
}

test('each state allows exactly the transitions of the state machine, and a refusal names the state and the alternatives', async () => {
  const { ann } = workspace
  for (const from of statuses) {
    for (const to of ['acknowledged', 'mitigated', 'resolved', 'open'] as const) {
      const id = await incidentInState(from)
      const step = transitionCalls[to]!
      if (transitions[from].includes(to)) {
        workspace.clock.pass(minute)
        assert.equal((await step(ann, id)).status, to, `${from} → ${to}`)
        assert.deepEqual((await statusChanges(id)).at(-1), [from, to])
      } else if (from === to && (to === 'acknowledged' || to === 'resolved')) {
        assert.equal((await step(ann, id)).status, to) // called again
      } else if (to === 'mitigated' && from !== 'open') {
        assert.equal((await ann.call('get_incident', { incident_id: id })).status, from) // the call corrects the time, see below
      } else {
        const refusal = await step(ann, id).then(
          () => assert.fail(`${from} → ${to} went through`),
          (error) => error,
        )
        assert.equal(refusal.code, 'conflict', `${from} → ${to}`)
        assert.match(refusal.message, new RegExp(`INC-\\d+ is ${from}: it can be`))
        assert.deepEqual(refusal.more.context, {
          incident_status: from,
          possible: transitions[from],
        })
      }
    }
  }
})

test('acknowledging takes the lead if there is none, joins the channel and notifies the declarer', async () => {
  const { bob, carol, clock } = workspace
  const { id, key, channel } = await declare()
  clock.pass(5 * minute)
  const now = await carol.call('acknowledge_incident', { incident_id: key, note: 'On it.' })
  assert.deepEqual(
    [now.roles.lead.title, now.acknowledged_at],
    ['Carol', new Date(clock.now()).toISOString()],
  )
  assert.equal((await carol.call('get_channel', { channel_id: channel.id })).joined, true)
  assert.equal(
    (await bob.call('list_messages', { channel_id: channel.id })).items[0].content.text,
    `I am taking ${key}. On it.`,
  )
  assert.ok(
    (await bob.call('list_notifications')).items.some(
      (item: any) =>
        item.kind === 'incident' &&
        item.item.id === id &&
        item.text === `Carol acknowledged ${key}`,
    ),
  )
  const again = await bob.call('acknowledge_incident', { incident_id: key })
  assert.deepEqual([again.revision, again.roles.lead.title], [now.revision, 'Carol'])
  assert.deepEqual(events(id), ['incident.opened', 'incident.acknowledged'])
})

test('an assigned lead stays lead when someone else acknowledges', async () => {
  const { carol, ann } = workspace
  const { key } = await declare({ lead_id: ann.id })
  assert.equal(
    (await carol.call('acknowledge_incident', { incident_id: key })).roles.lead.title,
    'Ann',
  )
})

test('the mitigation time is between detection and now, and can be corrected', async () => {
  const { carol, clock } = workspace
  const { key } = await declare({ detected_at: new Date(clock.now() - hour).toISOString() })
  const at = (milliseconds: number) => new Date(clock.now() + milliseconds).toISOString()
  assert.match(
    (await carol.refused('update_incident', { incident_id: key, mitigated_at: at(-minute) }))
      .message,
    /is open: it can be acknowledged/,
  )
  await carol.call('acknowledge_incident', { incident_id: key })
  assert.match(
    (await carol.refused('update_incident', { incident_id: key, mitigated_at: at(minute) }))
      .message,
    /in the future/,
  )
  assert.match(
    (await carol.refused('update_incident', { incident_id: key, mitigated_at: at(-2 * hour) }))
      .message,
    /before INC-\d+ was detected/,
  )
  const now = await carol.call('update_incident', {
    incident_id: key,
    mitigated_at: at(-minute),
    reason: 'Rolled back.',
  })
  assert.deepEqual([now.status, now.mitigated_at], ['mitigated', at(-minute)])
  const corrected = await carol.call('update_incident', {
    incident_id: key,
    mitigated_at: at(-2 * minute),
  })
  assert.deepEqual([corrected.status, corrected.mitigated_at], ['mitigated', at(-2 * minute)])
  assert.match(
    (
      await carol.refused('resolve_incident', {
        incident_id: key,
        resolution: 'x',
        resolved_at: at(-3 * minute),
      })
    ).message,
    /before INC-\d+ was mitigated/,
  )
})

test('the resolution time is neither before detection nor in the future, and repeating the call changes nothing', async () => {
  const { carol, clock } = workspace
  const { id, key } = await declare({ detected_at: new Date(clock.now() - hour).toISOString() })
  clock.pass(2 * minute)
  const at = (milliseconds: number) => new Date(clock.now() + milliseconds).toISOString()
  assert.match(
    (
      await carol.refused('resolve_incident', {
        incident_id: key,
        resolution: 'x',
        resolved_at: at(-2 * hour),
      })
    ).message,
    /before INC-\d+ was detected/,
  )
  assert.match(
    (
      await carol.refused('resolve_incident', {
        incident_id: key,
        resolution: 'x',
        resolved_at: at(1),
      })
    ).message,
    /in the future/,
  )
  assert.equal(
    (await carol.refused('resolve_incident', { incident_id: key, resolution: '  ' })).code,
    'invalid_argument',
  )
  const resolveArgs = { incident_id: key, resolution: 'Restarted.', resolved_at: at(-minute) }
  const now = await carol.call('resolve_incident', resolveArgs)
  assert.deepEqual(
    [now.status, now.resolved_at, now.resolution],
    ['resolved', at(-minute), 'Restarted.'],
  )
  assert.equal((await carol.call('resolve_incident', resolveArgs)).revision, now.revision)
  assert.match(
    (await carol.refused('resolve_incident', { ...resolveArgs, resolution: 'Something else.' }))
      .message,
    /is resolved: it can be closed .*, or reopened/,
  )
  assert.deepEqual(await statusChanges(id), [
    [undefined, 'open'],
    ['open', 'resolved'],
  ])
  assert.deepEqual(events(id), ['incident.opened', 'incident.resolved'])
})

test('reopening clears the previous times, and the next resolution must be later', async () => {
  const { carol, clock } = workspace
  const { id, key } = await declare()
  await carol.call('acknowledge_incident', { incident_id: key })
  await carol.call('resolve_incident', { incident_id: key, resolution: 'Done' })
  clock.pass(hour)
  const now = await carol.call('reopen_incident', { incident_id: key, reason: 'Again' })
  assert.deepEqual(
    [now.status, now.acknowledged_at, now.resolved_at, now.resolution],
    ['open', undefined, undefined, 'Done'],
  )
  assert.equal(
    (await carol.call('reopen_incident', { incident_id: key, reason: 'Again' })).revision,
    now.revision,
  )
  assert.equal(
    (await carol.refused('reopen_incident', { incident_id: key, reason: 'Other' })).code,
    'conflict',
  )
  assert.match(
    (
      await carol.refused('resolve_incident', {
        incident_id: key,
        resolution: 'x',
        resolved_at: new Date(clock.now() - minute).toISOString(),
      })
    ).message,
    /before INC-\d+ was reopened/,
  )
  assert.deepEqual(events(id).at(-1), 'incident.reopened')
})

test('only the lead or an administrator can reopen a closed incident, along with its channel', async () => {
  const { ann, bob, carol } = workspace
  const id = await incidentInState('closed')
  assert.match(
    (await bob.refused('reopen_incident', { incident_id: id, reason: 'x' })).message,
    /only its lead or an administrator/,
  )
  assert.equal(
    (await carol.call('reopen_incident', { incident_id: id, reason: 'x' })).status,
    'open',
  )
  assert.equal(
    (
      await ann.call('reopen_incident', {
        incident_id: await incidentInState('closed'),
        reason: 'x',
      })
    ).status,
    'open',
  )
})

test('closing archives the channel, and reopening unarchives it', async () => {
  const { carol } = workspace
  const { id, key, channel } = await declare({ lead_id: carol.id })
  await carol.call('resolve_incident', { incident_id: key, resolution: 'Done' })
  await carol.call('create_postmortem', { incident_id: key })
  await carol.call('publish_postmortem', { incident_id: key })
  const closed = await carol.call('get_incident', { incident_id: key })
  assert.deepEqual(
    [
      closed.status,
      typeof closed.closed_at,
      (await carol.call('get_channel', { channel_id: channel.id })).archived,
    ],
    ['closed', 'string', true],
  )
  assert.deepEqual((await statusChanges(id)).at(-1), ['resolved', 'closed'])
  await carol.call('reopen_incident', { incident_id: key, reason: 'Not done' })
  assert.equal((await carol.call('get_channel', { channel_id: channel.id })).archived, false)
})

test('undoing an acknowledgement or a resolution restores the previous state and removes its entry', async () => {
  const { carol } = workspace
  const { id, key } = await declare()
  await carol.call('acknowledge_incident', { incident_id: key })
  assert.equal((await carol.call('undo_api_call', { call_id: lastCallId() })).undone, true)
  const open = await carol.call('get_incident', { incident_id: key })
  assert.deepEqual([open.status, open.acknowledged_at, open.roles.lead], ['open', undefined, null])
  await carol.call('resolve_incident', { incident_id: key, resolution: 'Gone' })
  assert.equal((await carol.call('undo_api_call', { call_id: lastCallId() })).undone, true)
  assert.deepEqual(await statusChanges(id), [[undefined, 'open']])
})

test('roles are assigned, transferred and cleared, each with an entry and a notification', async () => {
  const { ann, bob, carol } = workspace
  const { id, key } = await declare()
  const give = (person_id: string | null, role = 'communications') =>
    ann.call('assign_incident_role', { incident_id: key, role, person_id })
  assert.equal((await give(carol.id)).roles.communications.title, 'Carol')
  const revision = (await give('me')).revision
  assert.equal((await give('me')).revision, revision)
  assert.equal((await give(null)).roles.communications, null)
  const entries = (await bob.call('list_incident_timeline', { incident_id: key, kind: ['role'] }))
    .items
  assert.deepEqual(
    entries.map((entry: any) => [entry.from, entry.to]),
    [
      [undefined, 'Carol'],
      ['Carol', 'Ann'],
      ['Ann', undefined],
    ],
  )
  assert.ok(
    (await carol.call('list_notifications')).items.some(
      (item: any) => item.kind === 'assignment' && item.item.id === id,
    ),
  )
  assert.equal(
    (
      await ann.refused('assign_incident_role', {
        incident_id: key,
        role: 'boss',
        person_id: carol.id,
      })
    ).code,
    'invalid_argument',
  )
  assert.equal(
    (await ann.refused('assign_incident_role', { incident_id: key, role: 'lead' })).more.field,
    'person_id',
  )
  assert.equal(
    (
      await ann.refused('assign_incident_role', {
        incident_id: key,
        role: 'lead',
        person_id: workspace.eve.id,
      })
    ).code,
    'not_found',
  )
})
