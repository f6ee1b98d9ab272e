import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { runTicks } from '../../../jobs/scheduler.ts'
import { hour, makeWorkspace, type TestWorkspace } from '../../../testing/harness.ts'

let workspace: TestWorkspace
before(async () => void (workspace = await makeWorkspace()))
after(() => workspace.close())

/** Expectations below were counted by hand. */
const submittedAnswers = [
  {
    kind: 'A',
    tags: ['x', 'y'],
    size: 1,
    rate: 5,
    nps: 10,
    ok: true,
    on: '2026-03-01',
    mail: 'a@x.test',
  },
  {
    kind: 'A',
    tags: ['x'],
    size: 2,
    rate: 3,
    nps: 9,
    ok: true,
    on: '2026-01-01',
    mail: 'b@x.test',
  },
  { kind: 'B', size: 4, rate: 1, nps: 8, ok: false, mail: 'a@x.test' },
  { kind: 'B', size: 10, nps: 6 },
  { nps: 0 },
]

test('counts, distributions, medians, scores and days match manual calculation', async () => {
  const { bob, carol, clock } = workspace
  const fields = [
    { id: 'kind', label: 'Kind', type: 'select', options: ['A', 'B', 'C'] },
    { id: 'tags', label: 'Tags', type: 'multi_select', options: ['x', 'y'] },
    { id: 'size', label: 'Size', type: 'number' },
    { id: 'rate', label: 'Rate', type: 'rating' },
    { id: 'nps', label: 'NPS', type: 'nps' },
    { id: 'ok', label: 'OK', type: 'yes_no' },
    { id: 'on', label: 'On', type: 'date' },
    { id: 'mail', label: 'Mail', type: 'email' },
  ]
  const form = await bob.call('create_form', { title: 'Stats', fields })
  await bob.call('publish_form', { form_id: form.id })
  const empty = await bob.call('get_form_stats', { form_id: form.id })
  assert.deepEqual(
    [
      empty.completed,
      empty.completion_rate,
      empty.nps,
      empty.by_day,
      empty.by_field[0].distribution,
    ],
    [
      0,
      0,
      undefined,
      [],
      [
        { value: 'A', count: 0 },
        { value: 'B', count: 0 },
        { value: 'C', count: 0 },
      ],
    ],
  )
  for (const [i, answers] of submittedAnswers.entries()) {
    if (i === 3) clock.pass(11 * hour) // 23:00 UTC is the next day in Berlin
    await carol.call('submit_form_response', { form_id: form.id, answers })
  }
  const stats = await bob.call('get_form_stats', { form_id: form.id })
  const statsOf = (id: string) =>
    stats.by_field.find((item: { field_id: string }) => item.field_id === id)
  const counts = (id: string) =>
    statsOf(id).distribution.map((item: { count: number }) => item.count)
  assert.deepEqual(
    [stats.views, stats.started, stats.completed, stats.completion_rate, stats.median_seconds],
    [0, 5, 5, 1, undefined],
  )
  assert.deepEqual(stats.by_day, [
    { date: '2026-11-20', count: 3 },
    { date: '2026-11-21', count: 2 },
  ])
  assert.deepEqual(
    [counts('kind'), statsOf('kind').answered, statsOf('kind').skipped],
    [[2, 2, 0], 4, 1],
  )
  assert.deepEqual([counts('tags'), statsOf('tags').answered], [[2, 1], 2])
  assert.deepEqual(statsOf('size').summary, { mean: 4.25, median: 3, min: 1, max: 10, sum: 17 })
  assert.deepEqual(
    [counts('rate'), statsOf('rate').summary],
    [[1, 0, 1, 0, 1], { mean: 3, median: 3, min: 1, max: 5 }],
  )
  assert.deepEqual(
    [stats.nps, statsOf('nps').nps, counts('nps')],
    [0, 0, [1, 0, 0, 0, 0, 0, 1, 0, 1, 1, 1]],
  )
  assert.deepEqual(statsOf('ok').distribution, [
    { value: true, count: 2 },
    { value: false, count: 1 },
  ])
  assert.deepEqual(statsOf('on').summary, { distinct: 2, min: '2026-01-01', max: '2026-03-01' })
  assert.deepEqual(statsOf('mail').summary, { distinct: 2 })
  const first = await bob.call('get_form_stats', { form_id: form.id, before: '2026-11-20' })
  assert.deepEqual(
    [first.completed, first.nps, first.started, first.by_field[2].summary.median],
    [3, 66.7, 3, 2],
  )
  const second = await bob.call('get_form_stats', { form_id: form.id, after: '2026-11-21' })
  assert.deepEqual([second.completed, second.nps, second.by_field[0].skipped], [2, -100, 1])
  const items = (await bob.call('list_form_responses', { form_id: form.id })).items
  assert.deepEqual(
    items.map((item: { score: number }) => item.score),
    [0, 6, 8, 9, 10],
  )
})

test('a key result counts the responses of a form, the mean of a field or its score, while its setter may read them', async () => {
  const { ann, bob, carol, app } = workspace
  const fields = [
    { id: 'rate', label: 'Rate', type: 'rating' },
    { id: 'nps', label: 'NPS', type: 'nps' },
    { id: 'text', label: 'Text', type: 'short_text' },
  ]
  const form = await bob.call('create_form', {
    title: 'Fed',
    fields,
    settings: { responses_visible_to: 'organization' },
  })
  await bob.call('publish_form', { form_id: form.id })
  const source = (params: Record<string, unknown>) => ({
    title: 'kr',
    metric: 'number',
    target_value: 100,
    source: { kind: 'form', params: { form_id: form.id, ...params } },
  })
  const goal = await ann.call('create_goal', {
    title: 'Happy',
    level: 'organization',
    period: '2026-Q4',
    key_results: [
      source({}),
      source({ measure: 'average', field_id: 'rate' }),
      source({ measure: 'nps' }),
    ],
  })
  await ann.call('update_goal', { goal_id: goal.id, status: 'active' })
  const values = async () => {
    await runTicks(app)
    return (await ann.call('get_goal', { goal_id: goal.id })).key_results.map(
      (keyResult: { current_value: number }) => keyResult.current_value,
    )
  }
  assert.deepEqual(await values(), [0, 0, 0])
  const first = await carol.call('submit_form_response', {
    form_id: form.id,
    answers: { rate: 4, nps: 10 },
  })
  await carol.call('submit_form_response', { form_id: form.id, answers: { rate: 1, nps: 7 } })
  assert.deepEqual(await values(), [2, 2.5, 50])
  await bob.call('delete_form_response', { form_id: form.id, response_id: first.id })
  assert.deepEqual(await values(), [1, 1, 0])
  const refused = async (params: Record<string, unknown>, who = carol) =>
    (
      await who.refused('create_goal', {
        title: 'x',
        level: 'personal',
        period: '2026',
        key_results: [source(params)],
      })
    ).more.field
  assert.equal(
    await refused({ measure: 'average', field_id: 'text' }),
    'key_results[0].source.params.field_id',
  )
  assert.equal(
    await refused({ form_id: 'frm_00000000000000000000000000' }),
    'key_results[0].source.params.form_id',
  )
  await bob.call('update_form', {
    form_id: form.id,
    settings: { responses_visible_to: 'owner_only' },
  })
  assert.equal(
    (
      await carol.refused('create_goal', {
        title: 'x',
        level: 'personal',
        period: '2026',
        key_results: [source({})],
      })
    ).code,
    'permission_denied',
  )
})
