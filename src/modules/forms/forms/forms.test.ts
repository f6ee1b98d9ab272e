import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { runTicks } from '../../../jobs/scheduler.ts'
import {
  dayLong,
  hour,
  makeWorkspace,
  type Someone,
  type TestWorkspace,
} from '../../../testing/harness.ts'

let workspace: TestWorkspace
let ann: Someone
let bob: Someone
let carol: Someone
let eve: Someone
before(async () => {
  workspace = await makeWorkspace()
  ;({ ann, bob, carol, eve } = workspace)
})
after(() => workspace.close())

const nameField = { label: 'Your name', type: 'short_text', required: true }
const createForm = (more: Record<string, unknown> = {}, who = bob) =>
  who.call('create_form', { title: 'Survey', fields: [nameField], ...more })
const publishForm = async (more: Record<string, unknown> = {}, who = bob) =>
  who.call('publish_form', { form_id: (await createForm(more, who)).id })

test('a form starts as a draft of the organization, with ids derived from the labels', async () => {
  const form = await createForm({
    title: '  Feedback ',
    description_markdown: 'Tell us.',
    fields: [
      nameField,
      { label: 'Your name?', type: 'email' },
      { label: '???', type: 'rating', max: 7 },
      { label: 'Größe (cm)', type: 'number', min: 1, max: 300, help: 'About' },
      { id: 'own', label: 'Own', type: 'select', options: [' a ', 'b'] },
    ],
  })
  assert.deepEqual(
    [form.title, form.status, form.response_count, form.public_url, form.destination],
    ['Feedback', 'draft', 0, undefined, undefined],
  )
  assert.deepEqual(
    form.fields.map((field: { id: string }) => field.id),
    ['your_name', 'your_name_2', 'field', 'grosse_cm', 'own'],
  )
  assert.deepEqual(form.fields[4].options, ['a', 'b'])
  assert.deepEqual(form.settings, {
    audience: 'organization',
    responses_visible_to: 'owner_only',
    captcha: false,
  })
  assert.equal(
    (await carol.call('get_form', { form_id: form.id })).description_markdown,
    'Tell us.',
  )
})

test('refusals of invalid fields contain their position', async () => {
  const refusedField = async (
    field: Record<string, unknown>,
    before: Record<string, unknown>[] = [],
  ) =>
    (
      await bob.refused('create_form', {
        title: 'x',
        fields: [...before, { label: 'x', type: 'short_text', ...field }],
      })
    ).more.field
  assert.equal(await refusedField({ type: 'select' }), 'fields[0].options')
  assert.equal(await refusedField({ type: 'select', options: ['a', ' a'] }), 'fields[0].options')
  assert.equal(await refusedField({ options: ['a'] }), 'fields[0].options')
  assert.equal(await refusedField({ type: 'date', min: 1 }), 'fields[0].min')
  assert.equal(await refusedField({ min: 9, max: 3 }), 'fields[0].min')
  assert.equal(await refusedField({ max: 501 }), 'fields[0].max')
  assert.equal(await refusedField({ type: 'rating', max: 3.5 }), 'fields[0].max')
  assert.equal(await refusedField({ id: 'a' }, [{ id: 'a', label: 'y', type: 'nps' }]), 'fields')
  assert.equal(await refusedField({ id: 'constructor' }), 'fields.0.id')
  assert.equal(await refusedField({ label: ' ' }), 'fields.0.label')
  assert.equal(await refusedField({ type: 'sql' }), 'fields.0.type')
  assert.equal(await refusedField({ pattern: '(a+)+$' }), 'fields.0.pattern')
})

test('a condition needs an earlier field, a suitable operator and a possible value, which rules out cycles', async () => {
  const first = [
    { id: 'a', label: 'A', type: 'select', options: ['x'] },
    { id: 'n', label: 'N', type: 'number' },
    { id: 'f', label: 'F', type: 'file' },
  ]
  const refusedField = async (show_if: Record<string, unknown>) =>
    (
      await bob.refused('create_form', {
        title: 'x',
        fields: [
          ...first,
          { id: 'b', label: 'B', type: 'nps', show_if },
          { id: 'c', label: 'C', type: 'nps' },
        ],
      })
    ).more.field
  assert.equal(await refusedField({ field_id: 'b', op: 'answered' }), 'fields[3].show_if.field_id')
  assert.equal(await refusedField({ field_id: 'c', op: 'answered' }), 'fields[3].show_if.field_id')
  assert.equal(
    await refusedField({ field_id: 'zzz', op: 'answered' }),
    'fields[3].show_if.field_id',
  )
  assert.equal(await refusedField({ field_id: 'f', op: 'answered' }), 'fields[3].show_if.field_id')
  assert.equal(
    await refusedField({ field_id: 'a', op: 'greater', value: 1 }),
    'fields[3].show_if.op',
  )
  assert.equal(
    await refusedField({ field_id: 'a', op: 'equals', value: 'y' }),
    'fields[3].show_if.value',
  )
  assert.equal(await refusedField({ field_id: 'a', op: 'equals' }), 'fields[3].show_if.value')
  assert.equal(
    await refusedField({ field_id: 'n', op: 'greater', value: '5' }),
    'fields[3].show_if.value',
  )
  const fine = await createForm({
    fields: [
      ...first,
      { label: 'B', type: 'nps', show_if: { field_id: 'n', op: 'greater', value: 5 } },
    ],
  })
  assert.deepEqual(fine.fields[3].show_if, { field_id: 'n', op: 'greater', value: 5 })
})

test('answered fields keep their type, removed ones are retired, and a retired id returns only as the same field', async () => {
  const form = await publishForm({
    fields: [
      { id: 'a', label: 'A', type: 'short_text' },
      { id: 'b', label: 'B', type: 'number' },
    ],
  })
  await carol.call('submit_form_response', { form_id: form.id, answers: { a: 'x', b: 5 } })
  const update = (fields: Record<string, unknown>[]) =>
    bob.call('update_form', { form_id: form.id, fields })
  const refused = await bob.refused('update_form', {
    form_id: form.id,
    fields: [{ id: 'a', label: 'A', type: 'rating' }],
  })
  assert.deepEqual([refused.code, refused.more.field], ['conflict', 'fields[0].type'])
  const afterRemoval = await update([
    { id: 'a', label: 'Renamed', type: 'short_text', required: true },
  ])
  assert.deepEqual(
    [
      afterRemoval.fields.length,
      afterRemoval.fields[0].label,
      afterRemoval.retired_fields.map((retiredField: { id: string }) => retiredField.id),
    ],
    [1, 'Renamed', ['b']],
  )
  assert.deepEqual(
    (await bob.call('list_form_responses', { form_id: form.id })).items[0].answers.map(
      (answer: { label: string; value: unknown }) => [answer.label, answer.value],
    ),
    [
      ['Renamed', 'x'],
      ['B', 5],
    ],
  )
  assert.equal(
    (
      await bob.refused('update_form', {
        form_id: form.id,
        fields: [{ id: 'b', label: 'B', type: 'email' }],
      })
    ).code,
    'conflict',
  )
  assert.equal(
    (
      await update([
        { id: 'a', label: 'A', type: 'short_text' },
        { label: 'B', type: 'email' },
      ])
    ).fields[1].id,
    'b_2',
  )
  assert.equal(
    (await update([{ id: 'b', label: 'B again', type: 'number' }])).retired_fields.length,
    2,
  )
  const draft = await createForm({ fields: [{ id: 'a', label: 'A', type: 'short_text' }] })
  assert.deepEqual(
    (
      await bob.call('update_form', {
        form_id: draft.id,
        fields: [{ id: 'a', label: 'A', type: 'nps' }],
      })
    ).retired_fields,
    undefined,
  )
})

test('the creator and administrators can change a form; colleagues can see it, other organizations cannot', async () => {
  const form = await createForm()
  for (const tool of ['update_form', 'delete_form', 'publish_form', 'close_form']) {
    assert.equal((await carol.refused(tool, { form_id: form.id })).code, 'permission_denied', tool)
    assert.equal((await eve.refused(tool, { form_id: form.id })).code, 'not_found', tool)
  }
  assert.equal(
    (await ann.call('update_form', { form_id: form.id, title: 'Better' })).title,
    'Better',
  )
  const key = await workspace.key(ann)
  await assert.rejects(ann.call('update_form', { form_id: form.id, title: 'x' }, { key }), {
    code: 'permission_denied',
  })
  const guest = await workspace.person('Gus', { role: 'guest' })
  assert.equal((await guest.refused('get_form', { form_id: form.id })).code, 'not_found')
  assert.equal(
    (await guest.refused('create_form', { title: 'x', fields: [nameField] })).code,
    'permission_denied',
  )
  await bob.call('publish_form', { form_id: form.id })
  assert.equal(
    (await guest.call('submit_form_response', { form_id: form.id, answers: { your_name: 'Gus' } }))
      .trust,
    'internal',
  )
})

test('publishing, closing and reopening are announced once each', async () => {
  const form = await createForm()
  assert.equal((await bob.refused('close_form', { form_id: form.id })).code, 'conflict')
  assert.equal(
    (await carol.refused('submit_form_response', { form_id: form.id, answers: { your_name: 'x' } }))
      .code,
    'conflict',
  )
  const published = await bob.call('publish_form', { form_id: form.id, audience: 'public' })
  assert.match(published.public_url, /^http:\/\/workspace\.test\/f\/[A-Za-z0-9_-]{22}$/)
  await bob.call('publish_form', { form_id: form.id })
  const closed = await bob.call('close_form', { form_id: form.id, message: 'Thanks, all' })
  assert.deepEqual(
    [closed.status, closed.closed],
    ['closed', { why: 'person', message: 'Thanks, all' }],
  )
  await bob.call('close_form', { form_id: form.id })
  assert.equal(
    (await carol.refused('submit_form_response', { form_id: form.id, answers: { your_name: 'x' } }))
      .code,
    'conflict',
  )
  const reopened = await bob.call('publish_form', { form_id: form.id })
  assert.deepEqual(
    [reopened.status, reopened.public_url, reopened.closed],
    ['published', published.public_url, undefined],
  )
  const { rows } = await eventsOf(form.id)
  assert.deepEqual(
    rows.flat().filter((row) => !/updated|created/.test(row)),
    ['form.published', 'form.closed', 'form.published'],
  )
})

async function eventsOf(id: string): Promise<{ rows: string[][] }> {
  const rows = await workspace.app.store.read
    .selectFrom('changes')
    .select('events_json')
    .where('item_id', '=', id)
    .orderBy('seq')
    .execute()
  return { rows: rows.map((row) => JSON.parse(row.events_json) as string[]) }
}

test('a form closes on time, in the time zone of the person who set it, and notifies its creator', async () => {
  const form = await createForm()
  assert.equal(
    (await bob.refused('publish_form', { form_id: form.id, closes_at: '2026-11-19' })).more.field,
    'closes_at',
  )
  const open = await bob.call('publish_form', { form_id: form.id, closes_at: '2026-11-21' })
  assert.equal(open.settings.closes_at, '2026-11-21T22:59:59.000Z', 'the end of that day in Berlin')
  workspace.clock.pass(2 * dayLong)
  assert.equal(
    (
      await carol.refused('submit_form_response', {
        form_id: form.id,
        answers: { your_name: 'late' },
      })
    ).code,
    'conflict',
  )
  await runTicks(workspace.app)
  await runTicks(workspace.app)
  const closed = await carol.call('get_form', { form_id: form.id })
  assert.deepEqual([closed.status, closed.closed], ['closed', { why: 'time' }])
  assert.deepEqual(
    (await bob.call('list_notifications', { limit: 1 })).items.map(
      (item: { text: string }) => item.text,
    ),
    ['“Survey” closed as scheduled'],
  )
  assert.equal((await bob.refused('publish_form', { form_id: form.id })).more.field, 'closes_at')
  assert.equal(
    (await bob.call('publish_form', { form_id: form.id, closes_at: null })).status,
    'published',
  )
  assert.equal(
    (await eventsOf(form.id)).rows.flat().filter((row) => row === 'form.closed').length,
    1,
  )
})

test('a limit holds exactly under concurrent responses, closes the form, and must be raised before reopening', async () => {
  const form = await publishForm({ settings: { response_limit: 5 } })
  const results = await Promise.allSettled(
    Array.from({ length: 40 }, (_, i) =>
      carol.call('submit_form_response', { form_id: form.id, answers: { your_name: `n${i}` } }),
    ),
  )
  assert.equal(results.filter((item) => item.status === 'fulfilled').length, 5)
  const full = await bob.call('get_form', { form_id: form.id })
  assert.deepEqual([full.response_count, full.status, full.closed], [5, 'closed', { why: 'limit' }])
  assert.equal(
    (await bob.refused('publish_form', { form_id: form.id })).more.field,
    'response_limit',
  )
  assert.equal(
    (await bob.call('publish_form', { form_id: form.id, response_limit: 6 })).status,
    'published',
  )
  assert.equal(
    (await bob.refused('update_form', { form_id: form.id, settings: { response_limit: 3 } })).code,
    'conflict',
  )
})

test('a form is trashed and restored with its responses', async () => {
  const form = await publishForm()
  const response = await carol.call('submit_form_response', {
    form_id: form.id,
    answers: { your_name: 'zebra' },
  })
  const dryRun = await bob.call('delete_form', { form_id: form.id, dry_run: true })
  assert.deepEqual(
    [dryRun.dry_run, dryRun.also_deleted],
    [true, [{ type: 'form_response', count: 1 }]],
  )
  const deletion = await bob.call('delete_form', { form_id: form.id })
  assert.equal((await carol.refused('get_form', { form_id: form.id })).code, 'not_found')
  assert.equal(
    (await bob.refused('delete_form_response', { form_id: form.id, response_id: response.id }))
      .code,
    'not_found',
  )
  await bob.call('undo_api_call', { call_id: deletion.undo_call_id })
  assert.equal(
    (await bob.call('list_form_responses', { form_id: form.id, query: 'zebra' })).items.length,
    1,
  )
  await bob.call('delete_form', { form_id: form.id })
  await bob.call('restore_item', { item_id: form.id })
  assert.equal((await bob.call('get_form', { form_id: form.id })).response_count, 1)
})

test('undo reverts changes to a form', async () => {
  const form = await createForm()
  await bob.call('update_form', {
    form_id: form.id,
    title: 'Other',
    settings: { thank_you: 'Thanks' },
  })
  const { id } = await workspace.app.store.read
    .selectFrom('calls')
    .select('id')
    .where('tool', '=', 'update_form')
    .where('actor_id', '=', bob.id)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  await bob.call('undo_api_call', { call_id: id })
  const undone = await bob.call('get_form', { form_id: form.id })
  assert.deepEqual([undone.title, undone.settings.thank_you], ['Survey', undefined])
})

test('lists are filtered by state, creator and words, and paged', async () => {
  const newcomer = await workspace.person('Lia')
  for (let i = 0; i < 5; i++) {
    workspace.clock.pass(1000)
    await createForm({ title: `Lias ${i === 3 ? 'ÜBER' : 'form'} ${i}` }, newcomer)
  }
  const list = (args: Record<string, unknown>) =>
    carol.call('list_forms', { created_by: newcomer.id, ...args })
  const first = await list({ limit: 2 })
  const second = await list({ limit: 2, cursor: first.next_cursor })
  assert.deepEqual(
    [...first.items, ...second.items].map((item: { title: string }) => item.title),
    ['Lias form 4', 'Lias ÜBER 3', 'Lias form 2', 'Lias form 1'],
  )
  assert.deepEqual((await list({ query: 'über' })).items.length, 1)
  assert.deepEqual(
    [
      (await list({ status: ['published'] })).items.length,
      (await list({ status: ['draft'] })).items.length,
    ],
    [0, 5],
  )
  assert.deepEqual((await eve.call('list_forms')).items, [])
})

test('with a key that holds outbound actions, opening a form to the public waits, also by an update or an undo', async () => {
  const key = await workspace.key(bob, { hold_outbound: true })
  const form = await createForm()
  await assert.rejects(
    bob.call('publish_form', { form_id: form.id, audience: 'public' }, { key }),
    { code: 'approval_required' },
  )
  await bob.call('publish_form', { form_id: form.id, audience: 'organization' }, { key })
  await assert.rejects(
    bob.call('update_form', { form_id: form.id, settings: { audience: 'public' } }, { key }),
    { code: 'approval_required' },
  )
  const currentForm = await bob.call('get_form', { form_id: form.id })
  assert.equal(currentForm.settings.audience, 'organization')
})

test('creators are notified at once after a quiet period, then in batches every fifteen minutes', async () => {
  const creator = await workspace.person('Mia')
  const form = await publishForm({ title: 'Poll' }, creator)
  const texts = async () =>
    (await creator.call('list_notifications', {})).items.map((item: { text: string }) => item.text)
  for (const your_name of ['a', 'b', 'c']) {
    workspace.clock.pass(1000)
    await carol.call('submit_form_response', { form_id: form.id, answers: { your_name } })
  }
  await runTicks(workspace.app)
  assert.deepEqual(await texts(), ['“Poll” has a new response'])
  workspace.clock.pass(hour)
  await runTicks(workspace.app)
  await runTicks(workspace.app)
  assert.deepEqual(await texts(), ['“Poll” has 2 new responses', '“Poll” has a new response'])
})

test('with a key that holds outbound actions, changes to public text wait, and so does closing', async () => {
  const key = await workspace.key(bob, { hold_outbound: true })
  const form = await publishForm({ settings: { audience: 'public' } })
  for (const patch of [
    { title: 'Leak' },
    { description_markdown: 'Leak' },
    { settings: { thank_you: 'Leak' } },
    { fields: [{ ...nameField, label: 'Leak' }] },
  ]) {
    await assert.rejects(bob.call('update_form', { form_id: form.id, ...patch }, { key }), {
      code: 'approval_required',
    })
  }
  await assert.rejects(bob.call('close_form', { form_id: form.id, message: 'Leak' }, { key }), {
    code: 'approval_required',
  })
  await bob.call(
    'update_form',
    { form_id: form.id, settings: { responses_visible_to: 'organization' } },
    { key },
  )
  await assert.rejects(
    bob.call('close_form', { form_id: form.id }, { key }),
    { code: 'approval_required' },
    'closing changes the public page',
  )
  assert.equal(
    (await bob.call('update_form', { form_id: (await publishForm()).id, title: 'Inside' }, { key }))
      .title,
    'Inside',
  )
})
