import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  minute,
  makeWorkspace,
  type Someone,
  type TestWorkspace,
} from '../../../testing/harness.ts'

let workspace: TestWorkspace
before(async () => {
  workspace = await makeWorkspace()
  await workspace.ann.call('create_project', {
    name: 'Decided',
    key: 'DEC',
    member_ids: [workspace.bob.id],
  })
})
after(() => workspace.close())

const record = (title: string, fields: object = {}, who: Someone = workspace.ann) =>
  who.call('record_decision', { title, decision_markdown: `${title} because`, ...fields })
const titles = async (args: Record<string, unknown> = {}, who: Someone = workspace.ann) =>
  (await who.call('list_decisions', args)).items.map((item: any) => item.title)
const undoLast = async (tool: string, who: Someone = workspace.ann) =>
  who.call('undo_api_call', {
    call_id: workspace.app.store.raw.read
      .prepare("SELECT id FROM calls WHERE tool = ? AND status = 'ok' ORDER BY seq DESC LIMIT 1")
      .pluck()
      .get(tool),
  })

test('a decision has a reason, rejected options and deciders, who are notified', async () => {
  const { ann, bob } = workspace
  const decision = await record('SQLite', {
    decided_by: ['bob@acme.test', 'me'],
    decided_at: '2026-11-19',
    alternatives: ['PostgreSQL', 'files'],
  })
  assert.deepEqual(
    [decision.title, decision.decision_markdown, decision.status, decision.decided_at],
    ['SQLite', 'SQLite because', 'accepted', '2026-11-18T23:00:00.000Z'],
  )
  assert.deepEqual(
    [decision.decided_by.map((item: any) => item.title), decision.alternatives],
    [
      ['Bob', 'Ann'],
      ['PostgreSQL', 'files'],
    ],
  )
  const received = workspace.app.store.raw.read
    .prepare('SELECT text FROM notifications WHERE person_id = ? AND item_id = ?')
    .pluck()
    .all(bob.id, decision.id)
  assert.deepEqual(received, ['Ann recorded a decision of yours'])
  assert.ok(
    workspace.app.store.raw.read
      .prepare("SELECT 1 FROM changes WHERE item_id = ? AND events_json LIKE '%decision.recorded%'")
      .get(decision.id),
  )
  assert.equal(
    (
      await ann.refused('record_decision', {
        title: 'x',
        decision_markdown: 'y',
        decided_by: [workspace.eve.id],
      })
    ).code,
    'not_found',
  )
  assert.equal(
    (await ann.refused('record_decision', { title: 'x', decision_markdown: '' })).code,
    'invalid_argument',
  )
})

test('a decision is visible to its project, else its meeting, else the whole organization', async () => {
  const { ann, bob, carol, eve } = workspace
  const { id: meeting_id } = await ann.call('create_meeting', {
    title: 'Deciding',
    participants: [carol.id],
  })
  await record('Of all')
  await record('Of project', { project_id: 'DEC', meeting_id })
  await record('Of meeting', { meeting_id })
  const seen = async (who: Someone) => (await titles({ query: 'Of' }, who)).sort()
  assert.deepEqual(await seen(ann), ['Of all', 'Of meeting', 'Of project'])
  assert.deepEqual(await seen(bob), ['Of all', 'Of project'])
  assert.deepEqual(await seen(carol), ['Of all', 'Of meeting'])
  assert.deepEqual(await seen(eve), [])
  const [projectDecision] = (await bob.call('list_decisions', { query: 'Of project' })).items
  assert.deepEqual([projectDecision.meeting, projectDecision.project.key], [undefined, 'DEC'])
  assert.deepEqual(
    (await carol.call('get_meeting', { meeting_id })).decisions.map(
      (decision: any) => decision.title,
    ),
    ['Of meeting'],
  )
  assert.equal(
    (await bob.refused('record_decision', { title: 'x', decision_markdown: 'y', meeting_id })).code,
    'not_found',
  )
  assert.equal(
    (
      await carol.refused('record_decision', {
        title: 'x',
        decision_markdown: 'y',
        project_id: 'DEC',
      })
    ).code,
    'not_found',
  )
})

test('a decision is superseded once, by people who may change it; the chain is shown in both directions as far as it is visible', async () => {
  const { ann, bob, carol } = workspace
  const item = await record('First')
  const successor = await record('Second', { supersedes_id: item.id, project_id: 'DEC' })
  assert.equal(successor.supersedes.title, 'First')
  const [forAnn] = (await ann.call('list_decisions', { query: 'First', include_superseded: true }))
    .items
  assert.deepEqual([forAnn.status, forAnn.superseded_by.title], ['superseded', 'Second'])
  assert.deepEqual(await titles({ query: 'First' }), [])
  const [forCarol] = (
    await carol.call('list_decisions', { query: 'First', include_superseded: true })
  ).items
  assert.deepEqual([forCarol.status, forCarol.superseded_by], ['superseded', undefined])
  const refused = await bob.refused('record_decision', {
    title: 'x',
    decision_markdown: 'y',
    supersedes_id: item.id,
  })
  assert.deepEqual(
    [refused.code, refused.more.field, refused.more.context],
    ['conflict', 'supersedes_id', { superseded_by: { id: successor.id, title: 'Second' } }],
  )
  assert.equal(
    (
      await carol.refused('record_decision', {
        title: 'x',
        decision_markdown: 'y',
        supersedes_id: item.id,
      })
    ).more.context,
    undefined,
  )
  assert.equal(
    (
      await carol.refused('record_decision', {
        title: 'x',
        decision_markdown: 'y',
        supersedes_id: successor.id,
      })
    ).code,
    'not_found',
  )
  const { id: meeting_id } = await ann.call('create_meeting', {
    title: 'Open one',
    visibility: 'organization',
  })
  const meetingDecision = await record('Of a meeting', { meeting_id })
  assert.equal(
    (
      await bob.refused('record_decision', {
        title: 'x',
        decision_markdown: 'y',
        supersedes_id: meetingDecision.id,
      })
    ).code,
    'permission_denied',
  )
})

test('undo removes a decision and reinstates the previous one; redo brings it back as it was', async () => {
  const { ann } = workspace
  const item = await record('Undo one')
  const successor = await record('Undo two', { supersedes_id: item.id, decided_by: ['me'] })
  assert.equal((await undoLast('record_decision')).undone, true)
  assert.deepEqual(await titles({ query: 'Undo' }), ['Undo one'])
  assert.equal((await undoLast('undo_api_call')).undone, true)
  const [again] = (await ann.call('list_decisions', { query: 'Undo' })).items
  assert.deepEqual(
    [again.id, again.decided_by.length, again.supersedes.id],
    [successor.id, 1, item.id],
  )
})

test('the list is filtered by project, meeting, person, time and words, latest first, and paginated', async () => {
  const { ann, bob } = workspace
  const { id: meeting_id } = await ann.call('create_meeting', { title: 'For lists' })
  await record('Lima', { decided_at: '2027-02-01', project_id: 'DEC' })
  await record('Lisbon', { decided_at: '2027-02-02', decided_by: [bob.id] })
  await record('London', {
    decided_at: '2027-02-03',
    meeting_id,
    alternatives: ['a rejected aardvark'],
  })
  const titlesFor = (args: object) => titles({ after: '2027-02-01', ...args })
  assert.deepEqual(await titlesFor({}), ['London', 'Lisbon', 'Lima'])
  assert.deepEqual(await titlesFor({ after: '2027-02-02' }), ['London', 'Lisbon'])
  assert.deepEqual(await titlesFor({ project_id: 'DEC' }), ['Lima'])
  assert.deepEqual(await titlesFor({ meeting_id }), ['London'])
  assert.deepEqual(await titlesFor({ person_id: bob.id }), ['Lisbon'])
  assert.deepEqual(await titlesFor({ query: 'aardvarks' }), ['London'])
  assert.deepEqual(await titlesFor({ query: 'Li' }), ['Lisbon', 'Lima'])
  const first = await ann.call('list_decisions', { after: '2027-02-01', limit: 2 })
  assert.deepEqual(await titlesFor({ limit: 2, cursor: first.next_cursor }), ['Lima'])
})

test('a decision of an erased meeting is visible only to its author', async () => {
  const { ann, bob, carol, clock } = workspace
  const { id: meeting_id } = await ann.call('create_meeting', {
    title: 'Erased',
    participants: [carol.id],
  })
  await record('Left over', { meeting_id }, carol)
  await ann.call('delete_meeting', { meeting_id })
  assert.deepEqual(await titles({ query: 'Left over' }, carol), [])
  clock.pass(40 * 24 * 60 * minute)
  const { purgeTrash } = await import('../../../jobs/trash.ts')
  while (await purgeTrash(workspace.app));
  assert.deepEqual(
    [
      await titles({ query: 'Left over' }, carol),
      await titles({ query: 'Left over' }, bob),
      await titles({ query: 'Left over' }),
    ],
    [['Left over'], [], []],
  )
})

test('the same idempotency key returns the same decision; a different request with it is refused', async () => {
  const { ann } = workspace
  const args = { title: 'Once', decision_markdown: 'x' }
  const item = await ann.call('record_decision', args, { idempotencyKey: 'dec-1' })
  assert.equal((await ann.call('record_decision', args, { idempotencyKey: 'dec-1' })).id, item.id)
  await assert.rejects(
    ann.call('record_decision', { ...args, title: 'Twice' }, { idempotencyKey: 'dec-1' }),
    /other arguments/,
  )
})

test("a decision of a meeting gets the meeting's date and project, and has no more readers than the meeting", async () => {
  const { ann, bob, carol } = workspace
  const past = await ann.call('create_meeting', {
    title: 'Held before',
    project_id: 'DEC',
    participants: [carol.id],
    starts_at: '2026-11-17T10:00',
    ends_at: '2026-11-17T11:00',
  })
  const decision = await record('Of that day', { meeting_id: past.id })
  assert.deepEqual([decision.decided_at, decision.project.key], ['2026-11-17T09:00:00.000Z', 'DEC'])
  assert.ok((await titles({ project_id: 'DEC' })).includes('Of that day'))
  assert.ok(!(await titles({}, bob)).includes('Of that day'), 'a member who did not take part')
  assert.ok((await titles({}, carol)).includes('Of that day'), 'a participant who is not a member')
  const ahead = await ann.call('create_meeting', {
    title: 'Still ahead',
    starts_at: '2027-12-17T10:00',
  })
  const early = await record('Before the meeting', { meeting_id: ahead.id })
  assert.equal(early.decided_at, early.created_at)
  const dated = await record('Said otherwise', { meeting_id: past.id, decided_at: '2026-11-18' })
  assert.equal(dated.decided_at, '2026-11-17T23:00:00.000Z')
})
