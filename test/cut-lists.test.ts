import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Refusal } from '../src/kernel/refusal.ts'
import type { Entry } from '../src/operations/entry.ts'
import { plantHidden, plantOpen } from '../src/testing/fixtures/organization.ts'
import type { Ids } from '../src/testing/fixtures/fixture.ts'
import { typeOf, waysToRead } from '../src/testing/least-calls.ts'
import { hour, makeWorkspace, type TestWorkspace } from '../src/testing/harness.ts'

// An incomplete answer says so, and how to continue. Covers the whole catalogue: every list is read with a limit of one
// item less than it has.

let workspace: TestWorkspace
let planted: Ids

before(async () => {
  workspace = await makeWorkspace()
  const { ann } = workspace
  const open = await plantOpen(ann, 'open')
  planted = {
    ...open,
    ...(await plantHidden(workspace, ann, { word: 'word', key: 'WORD', label: open.label![0]! })),
  }
})
after(() => workspace.close())

/** The answer of a read; undefined if it is refused. */
async function read(entry: Entry, args: Record<string, unknown>): Promise<any> {
  return workspace.ann.call(entry.operation.name, args).catch((error: unknown) => {
    if (error instanceof Refusal) return undefined
    throw error
  })
}

test('a list that is one item short reports it, and its cursor leads to that item', async () => {
  const wrong: string[] = []
  const checked = new Set<string>()
  for (const entry of workspace.app.catalogue.routes) {
    const { kind, name } = entry.operation
    const properties = (entry.schemas.inputJson.properties ?? {}) as Record<string, unknown>
    if (kind !== 'read' || !properties.limit || changesByReading.has(name)) continue
    if (entry.schemas.params.some((param) => typeOf(param) && !planted[typeOf(param)!])) continue
    for (const args of waysToRead(entry, planted, ['word'])) {
      const whole = await read(entry, { ...args, limit: 100 })
      const count = whole?.items?.length ?? 0
      if (count < 2 || whole.has_more) continue
      const short = await read(entry, { ...args, limit: count - 1 })
      const rest = short?.next_cursor
        ? await read(entry, { ...args, limit: count - 1, cursor: short.next_cursor })
        : undefined
      const isRight =
        short?.items.length === count - 1 &&
        short.has_more === true &&
        rest?.items.length === 1 &&
        rest.has_more === false
      if (!isRight) wrong.push(`${name} ${JSON.stringify(args)}`)
      checked.add(name)
    }
  }
  assert.deepEqual(wrong, [])
  assert.ok(
    checked.size > 40,
    `only ${checked.size} lists had two items: ${[...checked].join(' ')}`,
  )
})

/** Reads whose answers include the calls of this test. */
const changesByReading = new Set(['list_api_calls', 'list_api_keys'])

test('every truncated section of a digest names the tool that lists the rest', async () => {
  const { ann, bob, clock } = workspace
  clock.pass(5 * hour)
  const { id } = await bob.call('create_project', { name: 'New', key: 'NEW', member_ids: [ann.id] })
  for (let i = 0; i < 4; i++) {
    await bob.call('create_task', { project_id: id, title: `Task ${i}`, assignee_ids: [ann.id] })
    await bob.call('create_meeting', {
      title: `Meeting ${i}`,
      participants: [ann.id],
      starts_at: '2026-11-23T10:00',
    })
    await bob.call('send_direct_message', { person_ids: [ann.id], body_markdown: `Hello ${i}` })
  }
  clock.pass(hour)
  const since = new Date(clock.now() - 2 * hour).toISOString()
  const { sections } = await ann.call('get_digest', { since })
  const parts = new Map<string, any>(sections.map((section: any) => [section.kind, section]))
  for (const [kind, tool] of [
    ['tasks', 'list_tasks'],
    ['meetings', 'list_meetings'],
  ] as const) {
    assert.deepEqual([parts.get(kind)?.items.length, parts.get(kind)?.more], [3, tool], kind)
  }
  assert.equal(parts.get('chat').more, undefined, 'one conversation is all there is')
})

test('a meeting brief names the sections with more than max_items', async () => {
  const { ann, bob } = workspace
  const meet = (title: string, day: number) =>
    ann.call('create_meeting', {
      title,
      participants: [bob.id],
      starts_at: `2026-11-${day}T10:00`,
      ends_at: `2026-11-${day}T11:00`,
    })
  for (let i = 0; i < 3; i++) {
    const met = await meet(`Before ${i}`, 16 + i)
    await ann.call('add_action_items', { meeting_id: met.id, items: [{ text: `Do ${i}` }] })
  }
  const next = await meet('Next', 24)
  const brief = await ann.call('get_meeting_brief', { meeting_id: next.id, max_items: 2 })
  assert.deepEqual([brief.previous.length, brief.open_actions.length], [2, 2])
  assert.match(brief.truncated.reason, /previous, open_actions/)
  assert.match(brief.truncated.how_to_continue, /max_items.*list_action_items for open_actions/)
  const whole = await ann.call('get_meeting_brief', { meeting_id: next.id, max_items: 50 })
  assert.equal(whole.truncated, undefined)
})

test('a contact, a company and a deal name their truncated parts', async () => {
  const { ann } = workspace
  const company = await ann.call('create_company', { name: 'Nordlicht' })
  const contact = await ann.call('create_contact', {
    name: 'Nora',
    emails: ['nora@nordlicht.test'],
    company_id: company.id,
  })
  const deal = await ann.call('create_deal', {
    name: 'Site',
    company_id: company.id,
    contact_ids: [contact.id],
  })
  const log = (i: number) =>
    ann.call('log_interaction', {
      kind: 'call',
      contact_ids: [contact.id],
      deal_id: deal.id,
      summary_markdown: `Call ${i}`,
    })
  const truncated = async () => [
    (await ann.call('get_contact', { contact_id: contact.id, include: ['interactions'] }))
      .truncated,
    (await ann.call('get_company', { company_id: company.id })).truncated,
    (await ann.call('get_deal', { deal_id: deal.id })).truncated,
  ]
  for (let i = 0; i < 20; i++) await log(i)
  assert.deepEqual(await truncated(), [undefined, undefined, undefined])
  for (let i = 20; i < 26; i++) await log(i)
  for (const [i, cut] of (await truncated()).entries())
    assert.match(cut?.how_to_continue ?? '', /list_interactions for interactions/, String(i))
})

test('a goal reports earlier check-ins and more child goals, and how to read them', async () => {
  const { ann } = workspace
  const create = (title: string, more: object = {}) =>
    ann.call('create_goal', { title, period: '2026', level: 'personal', ...more })
  const parent = await create('Whole year')
  const other = await create('Another')
  await ann.call('update_goal', { goal_id: parent.id, status: 'active' })
  for (let i = 0; i < 51; i++) {
    await ann.call('record_goal_checkin', {
      goal_id: parent.id,
      values: {},
      confidence: 'high',
      note_markdown: `Note ${i}`,
    })
    await create(`Part ${i}`, { parent_id: parent.id })
  }
  const read = (more: object = {}) => ann.call('get_goal', { goal_id: parent.id, ...more })
  const first = await read()
  assert.deepEqual([first.checkins.length, first.children.length], [50, 51])
  const rest = await read({ checkins_cursor: first.checkins_cursor })
  assert.deepEqual(
    rest.checkins.map((item: any) => item.note_markdown),
    ['Note 0'],
  )
  assert.equal(rest.checkins_cursor, undefined)
  assert.equal((await ann.call('get_goal', { goal_id: other.id })).checkins_cursor, undefined)
  const { items } = await ann.call('list_goals', { period: '2026', limit: 100 })
  const listed = items.find((item: any) => item.id === parent.id)
  assert.equal(listed?.children.length, 50)
  assert.match(listed.truncated.how_to_continue, /list_goals with parent_id gol_\w+ for children/)
  const below = await ann.call('list_goals', { parent_id: parent.id, limit: 100 })
  assert.equal(below.items.length, 51)
})

test('an incident with a timeline, metrics and stalled deals name what they omit', async () => {
  const { ann, clock } = workspace
  const incident = await ann.call('create_incident', { title: 'Long one', severity: 'sev3' })
  const timeline = () =>
    ann.call('get_incident', { incident_id: incident.id, include: ['timeline'] })
  const { timeline: begun } = await timeline()
  const add = (i: number) =>
    ann.call('add_incident_note', {
      incident_id: incident.id,
      body_markdown: `Entry ${i}`,
    })
  for (let i = begun.length; i < 100; i++) await add(i)
  assert.equal((await timeline()).truncated, undefined)
  await add(100)
  const { timeline: entries, truncated } = await timeline()
  assert.equal(entries.length, 100)
  assert.match(truncated.how_to_continue, /list_incident_timeline for timeline/)

  const links = () => ann.call('get_incident', { incident_id: incident.id, include: ['links'] })
  const linkCompany = async (i: number) => {
    const { id } = await ann.call('create_company', { name: `Linked ${i}` })
    await ann.call('link_items', { from_id: incident.id, to_id: id, kind: 'relates_to' })
  }
  for (let i = 0; i < 50; i++) await linkCompany(i)
  assert.deepEqual([(await links()).links.length, (await links()).truncated], [50, undefined])
  await linkCompany(50)
  const { links: linked, truncated: more } = await links()
  assert.equal(linked.length, 50)
  assert.match(more.how_to_continue, /find_related_items with relations \["linked"\] for links/)

  const metrics = () =>
    ann.call('get_incident_metrics', { from: '2026-01-01', to: '2030-01-01', group_by: 'month' })
  const declare = async (cause: string, times: number) => {
    for (let i = 0; i < times; i++) {
      const { id } = await ann.call('create_incident', { title: 'Again', severity: 'sev3' })
      await ann.call('update_incident', { incident_id: id, cause, reason: 'Found.' })
    }
  }
  await declare('Same cable', 100)
  assert.equal((await metrics()).truncated, undefined)
  await declare('Same cable', 1)
  assert.match((await metrics()).truncated.how_to_continue, /shorter period.*list_incidents/)

  const stalled = () => ann.call('get_pipeline_summary', { owner_id: ann.id })
  const wait = () => clock.pass(31 * 24 * hour)
  wait()
  for (let i = (await stalled()).stalled_count; i < 25; i++)
    await ann.call('create_deal', { name: `Deal ${i}` })
  wait()
  assert.equal((await stalled()).truncated, undefined)
  await ann.call('create_deal', { name: 'One more' })
  wait()
  assert.match((await stalled()).truncated.how_to_continue, /list_deals with stale_days 30/)
})

test('a project summary names its truncated lists', async () => {
  const { ann } = workspace
  const { id } = await ann.call('create_project', { name: 'Many', key: 'MANY' })
  const summary = () => ann.call('get_project_summary', { project_id: id })
  const add = (name: string) => ann.call('create_milestone', { project_id: id, name })
  for (let i = 0; i < 50; i++) await add(`Milestone ${i}`)
  assert.equal((await summary()).truncated, undefined)
  await add('Last')
  const { milestones, truncated } = await summary()
  assert.equal(milestones.length, 50)
  assert.match(truncated.how_to_continue, /list_milestones for milestones/)
})
