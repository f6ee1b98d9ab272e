import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { parse } from 'csv-parse/sync'
import { runTicks } from '../../../jobs/scheduler.ts'
import { hour, makeWorkspace, type Someone, type TestWorkspace } from '../../../testing/harness.ts'

let workspace: TestWorkspace
let bob: Someone
let carol: Someone
before(async () => {
  workspace = await makeWorkspace()
  ;({ bob, carol } = workspace)
})
after(() => workspace.close())

const rate = { id: 'rate', label: 'How good was it?', type: 'rating' }
const place = { id: 'place', label: 'Where?', type: 'select', options: ['Shop', 'Online'] }
const note = { id: 'note', label: 'Anything else?', type: 'short_text' }

async function publishForm(fields: readonly object[]): Promise<string> {
  const { id } = await bob.call('create_form', { title: 'Feedback', fields })
  await bob.call('publish_form', { form_id: id })
  return id
}

const updateFields = (form_id: string, fields: readonly object[]) =>
  bob.call('update_form', { form_id, fields })
const submit = (form_id: string, answers: object) =>
  carol.call('submit_form_response', { form_id, answers })

/** The answers of a response, as the list of them shows it. */
async function answersOf(form_id: string, { id }: { id: string }) {
  const { items } = await bob.call('list_form_responses', { form_id })
  return items.find((item: { id: string }) => item.id === id).answers
}

const versions = async (form_id: string): Promise<number[]> =>
  (
    await workspace.app.store.read
      .selectFrom('form_versions')
      .select('version')
      .where('form_id', '=', form_id as never)
      .orderBy('version')
      .execute()
  ).map(({ version }) => version)

test('a response shows the original question, options and scale if they have changed', async () => {
  const form = await publishForm([rate, place, note])
  const old = await submit(form, { rate: 4, place: 'Shop', note: 'No' })
  assert.ok(old.answers.every((item: object) => !('asked' in item)))
  await updateFields(form, [
    { ...rate, label: 'How bad was it?', max: 10, help: '10 is the worst' },
    { ...place, options: ['Store', 'Online'] },
    note,
  ])
  assert.deepEqual(await answersOf(form, old), [
    {
      field_id: 'rate',
      label: 'How bad was it?',
      value: 4,
      asked: { label: 'How good was it?', max: 5 },
    },
    {
      field_id: 'place',
      label: 'Where?',
      value: 'Shop',
      asked: { label: 'Where?', options: ['Shop', 'Online'] },
    },
    { field_id: 'note', label: 'Anything else?', value: 'No' },
  ])
  const newResponse = await submit(form, { rate: 4, place: 'Store' })
  assert.ok((await answersOf(form, newResponse)).every((item: object) => !('asked' in item)))
  await updateFields(form, [rate, place, note])
  assert.ok((await answersOf(form, old)).every((item: object) => !('asked' in item)))
  assert.deepEqual((await answersOf(form, newResponse))[0].asked, {
    label: 'How bad was it?',
    help: '10 is the worst',
    max: 10,
  })
  await submit(form, { rate: 1 })
  assert.deepEqual(await versions(form), [1, 2], 'the same wording is stored as one version')
})

test('unanswered wordings are not stored', async () => {
  const form = await publishForm([note])
  await updateFields(form, [{ ...note, label: 'Second' }])
  assert.deepEqual(await versions(form), [])
  const first = await submit(form, { note: 'x' })
  await updateFields(form, [{ ...note, label: 'Third' }])
  await updateFields(form, [{ ...note, label: 'Fourth' }])
  assert.deepEqual(await versions(form), [1])
  assert.equal((await answersOf(form, first))[0].asked.label, 'Second')
})

test('a removed field keeps its answers and wording, even if its id is reused or an undo removed it', async () => {
  const form = await publishForm([place])
  await updateFields(form, [place, note])
  const old = await submit(form, { place: 'Shop', note: 'Hello' })
  await updateFields(form, [place])
  const answersShown = async () =>
    (await answersOf(form, old)).map(
      (item: { field_id: string; label: string; asked?: { label: string } }) => [
        item.field_id,
        item.label,
        item.asked?.label,
      ],
    )
  assert.deepEqual(await answersShown(), [
    ['place', 'Where?', undefined],
    ['note', 'Anything else?', undefined],
  ])
  await updateFields(form, [place, { ...note, label: 'Your name' }])
  assert.deepEqual((await answersShown())[1], ['note', 'Your name', 'Anything else?'])

  const other = await publishForm([place])
  await updateFields(other, [place, note])
  const { id: call_id } = await workspace.app.store.read
    .selectFrom('calls')
    .select('id')
    .where('tool', '=', 'update_form')
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  const answered = await submit(other, { place: 'Online', note: 'Stays' })
  assert.equal((await bob.call('undo_api_call', { call_id })).undone, true)
  assert.deepEqual(
    (await bob.call('get_form', { form_id: other })).fields.map((field: any) => field.id),
    ['place'],
  )
  assert.deepEqual((await answersOf(other, answered))[1], {
    field_id: 'note',
    label: 'Anything else?',
    value: 'Stays',
  })
  const { inline } = await bob.call('export_form_responses', { form_id: other })
  const [row]: any[] = parse(inline, { columns: true })
  assert.deepEqual([row['Where?'], row['Anything else?']], ['Online', 'Stays'])
})

test('statistics and filters include removed fields, and count answers to other wordings', async () => {
  const form = await publishForm([rate, place, note])
  await submit(form, { rate: 4, place: 'Shop', note: 'Cold' })
  await updateFields(form, [
    { ...rate, max: 10 },
    { ...place, options: ['Store', 'Online'] },
  ])
  await submit(form, { rate: 9, place: 'Store' })
  const { by_field } = await bob.call('get_form_stats', { form_id: form })
  assert.deepEqual(
    by_field.map((item: { field_id: string; answered: number; asked_otherwise?: number }) => [
      item.field_id,
      item.answered,
      item.asked_otherwise,
    ]),
    [
      ['rate', 2, 1],
      ['place', 2, 1],
      ['note', 1, undefined],
    ],
  )
  assert.deepEqual(by_field[1].distribution, [
    { value: 'Store', count: 1 },
    { value: 'Online', count: 0 },
    { value: 'Shop', count: 1 },
  ])
  const matchCount = async (form_id: string, field_filters: object) =>
    (await bob.call('list_form_responses', { form_id, field_filters })).items.length
  assert.equal(await matchCount(form, { place: 'Shop' }), 1)
  assert.equal(await matchCount(form, { note: { contains: 'cold' } }), 1)

  const other = await publishForm([place])
  await updateFields(other, [place, note])
  const { id: call_id } = await workspace.app.store.read
    .selectFrom('calls')
    .select('id')
    .where('tool', '=', 'update_form')
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  await submit(other, { place: 'Online', note: 'Stays' })
  await bob.call('undo_api_call', { call_id })
  const stats = await bob.call('get_form_stats', { form_id: other })
  assert.deepEqual([stats.by_field[1]?.field_id, stats.by_field[1]?.answered], ['note', 1])
  assert.equal(await matchCount(other, { note: { contains: 'stays' } }), 1)
})

test('an export has a column per field, and in JSON the original question', async () => {
  const form = await publishForm([place, note])
  await submit(form, { place: 'Shop', note: 'Hello' })
  await updateFields(form, [{ ...place, label: 'Which shop?' }])
  const { inline } = await bob.call('export_form_responses', { form_id: form })
  const [row]: any[] = parse(inline, { columns: true })
  assert.deepEqual([row['Which shop?'], row['Anything else?']], ['Shop', 'Hello'])
  const json = await bob.call('export_form_responses', { form_id: form, format: 'json' })
  assert.deepEqual(
    JSON.parse(json.inline)[0].answers.map((item: { asked?: object }) => item.asked),
    [{ label: 'Where?' }, undefined],
  )
})

test('a task created from an old response has the original question', async () => {
  await bob.call('create_project', { name: 'Versions', key: 'VER' })
  const form = await publishForm([note])
  const old = await submit(form, { note: 'Nothing' })
  await updateFields(form, [{ ...note, label: 'What is missing?' }])
  const task = await bob.call('create_task_from_source', {
    source_type: 'form_response',
    source_id: old.id,
    project_id: 'VER',
  })
  assert.equal(task.description_markdown, '**Anything else?**\n\nNothing')
})

test('the versions of a form are erased when it is erased from the trash', async () => {
  const form = await publishForm([note])
  await submit(form, { note: 'x' })
  await bob.call('delete_form', { form_id: form })
  assert.deepEqual(await versions(form), [1])
  workspace.clock.pass(31 * 24 * hour)
  await runTicks(workspace.app)
  assert.deepEqual(await versions(form), [])
})
