import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { runTick } from '../../../operations/jobs/system.ts'
import { dayLong, makeWorkspace, type TestWorkspace } from '../../../testing/harness.ts'
import { watchGoals } from './risks.ts'

let workspace: TestWorkspace
before(async () => {
  workspace = await makeWorkspace()
})
after(() => workspace.close())

const number = { metric: 'number', target_value: 10 }

async function activeGoal(
  title: string,
  key_results: Record<string, unknown>[] = [{ title: 'kr', ...number }],
  period = '2027',
): Promise<{ id: string; results: string[] }> {
  const createdGoal = await workspace.ann.call('create_goal', {
    title,
    level: 'organization',
    period,
    key_results,
  })
  await workspace.ann.call('update_goal', { goal_id: createdGoal.id, status: 'active' })
  return {
    id: createdGoal.id,
    results: createdGoal.key_results.map((keyResult: any) => keyResult.id),
  }
}

async function eventsOf(id: string): Promise<string[]> {
  const rows = await workspace.app.store.read
    .selectFrom('changes')
    .select('events_json')
    .where('item_id', '=', id)
    .orderBy('seq')
    .execute()
  return rows
    .flatMap((row) => JSON.parse(row.events_json) as string[])
    .filter((name) => !/^goal\.(created|updated)$/.test(name))
}

async function notificationsOf(id: string): Promise<string[]> {
  const rows = await workspace.app.store.read
    .selectFrom('notifications')
    .innerJoin('users', 'users.id', 'person_id')
    .select(['display_name', 'kind', 'text'])
    .where('item_id', '=', id)
    .orderBy('notifications.id')
    .execute()
  return rows.map((row) => `${row.display_name} ${row.kind}: ${row.text}`)
}

test('a check-in sets values, confidence and progress, and is stored', async () => {
  const { ann, bob } = workspace
  const goal = await activeGoal('Values', [
    { title: 'a', ...number },
    { title: 'b', metric: 'boolean', target_value: 1 },
    { title: 'c', metric: 'percent', start_value: 80, target_value: 20 },
  ])
  const [a, b, c] = goal.results as [string, string, string]
  const recorded = await ann.call('record_goal_checkin', {
    goal_id: goal.id,
    values: { [a]: 5, [b]: true, [c]: 50 },
    confidence: 'high',
    note_markdown: 'well, @Bob',
  })
  assert.deepEqual(
    [recorded.values, recorded.confidence, recorded.author.title],
    [{ [a]: 5, [b]: 1, [c]: 50 }, 'high', 'Ann'],
  )
  const now = await bob.call('get_goal', { goal_id: goal.id })
  assert.deepEqual(
    now.key_results.map((keyResult: any) => keyResult.progress),
    [50, 100, 50],
  )
  assert.deepEqual(
    [now.progress, now.confidence, now.checkins[0].note_markdown],
    [66.7, 'high', 'well, @Bob'],
  )
  assert.deepEqual(await eventsOf(goal.id), ['key_result.reached', 'goal.checked_in'])
  assert.deepEqual(await notificationsOf(goal.id), [
    'Bob mention: Ann mentioned you in a check-in of this goal',
  ])
  assert.equal(
    (await ann.call('record_goal_checkin', { goal_id: goal.id, values: { [a]: 6 } })).confidence,
    'high',
  )
  assert.deepEqual(
    (await ann.call('get_goal', { goal_id: goal.id })).checkins.map(
      (checkin: any) => checkin.values[a],
    ),
    [6, 5],
  )
  assert.deepEqual(
    (await ann.call('list_goals', { period: '2027' })).items.find(
      (item: any) => item.id === goal.id,
    ).checkins.length,
    1,
  )
})

test('invalid values are refused, each with a reason', async () => {
  const { ann } = workspace
  const goal = await activeGoal('Refusals', [
    { title: 'a', ...number },
    { title: 'b', metric: 'boolean', target_value: 1 },
    { title: 'c', ...number },
  ])
  const other = await activeGoal('Other')
  const [a, b, c] = goal.results as [string, string, string]
  await ann.call('update_key_result', { key_result_id: c, retired: true })
  const refused = async (values: Record<string, unknown>) =>
    (await ann.refused('record_goal_checkin', { goal_id: goal.id, values })).body()
  assert.match((await refused({ [a]: 'many' })).message, /is numeric/)
  assert.match((await refused({ [b]: 2 })).message, /true or false/)
  assert.match((await refused({ [c]: 2 })).message, /retired/)
  assert.equal((await refused({ [other.results[0]!]: 2 })).code, 'not_found')
  assert.match((await refused({})).message, /check-in is empty/)
  assert.match((await refused({ [a]: 1e300 })).message, /1e15/)
})

test('drafts and closed goals refuse check-ins with a remedy', async () => {
  const { ann } = workspace
  const draft = await ann.call('create_goal', { title: 'Draft', level: 'personal', period: '2027' })
  const refusal = await ann.refused('record_goal_checkin', {
    goal_id: draft.id,
    values: {},
    confidence: 'high',
  })
  assert.deepEqual([refusal.code, refusal.more.next?.arguments.status], ['conflict', 'active'])
  const goal = await activeGoal('Closed')
  await ann.call('update_goal', { goal_id: goal.id, status: 'missed' })
  assert.match(
    (await ann.refused('record_goal_checkin', { goal_id: goal.id, values: {}, confidence: 'high' }))
      .message,
    /closed: it is missed/,
  )
  assert.equal(
    (await ann.refused('create_key_result', { goal_id: goal.id, title: 'x', ...number })).code,
    'conflict',
  )
  assert.equal(
    (await ann.refused('update_key_result', { key_result_id: goal.results[0], title: 'x' })).code,
    'conflict',
  )
})

test('owners of key results can record only their own', async () => {
  const { bob, carol, eve } = workspace
  const goal = await activeGoal('Owned', [
    { title: 'a', ...number, owner_id: bob.id },
    { title: 'b', ...number },
  ])
  const [a, b] = goal.results as [string, string]
  assert.equal(
    (await bob.call('record_goal_checkin', { goal_id: goal.id, values: { [a]: 3 } })).author.title,
    'Bob',
  )
  assert.equal(
    (await bob.refused('record_goal_checkin', { goal_id: goal.id, values: { [a]: 3, [b]: 3 } }))
      .code,
    'permission_denied',
  )
  assert.equal(
    (await bob.refused('record_goal_checkin', { goal_id: goal.id, values: {}, confidence: 'low' }))
      .code,
    'permission_denied',
  )
  assert.equal(
    (await carol.refused('record_goal_checkin', { goal_id: goal.id, values: { [a]: 3 } })).code,
    'permission_denied',
  )
  assert.equal(
    (await eve.refused('record_goal_checkin', { goal_id: goal.id, values: { [a]: 3 } })).code,
    'not_found',
  )
})

test('reaching a target raises one event per crossing', async () => {
  const { ann, bob } = workspace
  const goal = await activeGoal('Crossing', [
    { title: 'less', metric: 'number', start_value: 100, target_value: 10, owner_id: bob.id },
  ])
  const recordValue = (value: number) =>
    ann.call('record_goal_checkin', { goal_id: goal.id, values: { [goal.results[0]!]: value } })
  for (const value of [50, 10, 5, 40, 9]) await recordValue(value)
  assert.equal((await eventsOf(goal.id)).filter((name) => name === 'key_result.reached').length, 2)
  assert.equal(
    (await notificationsOf(goal.id)).filter(
      (text) => text === 'Bob comment: A key result of this goal was reached',
    ).length,
    2,
  )
})

test('undoing a check-in restores the values and removes it', async () => {
  const { ann } = workspace
  const goal = await activeGoal('Undo')
  const key = await workspace.key(ann)
  const record = (value: number) =>
    ann.call(
      'record_goal_checkin',
      { goal_id: goal.id, values: { [goal.results[0]!]: value }, confidence: 'low' },
      { via: 'api', key },
    )
  const undo = async () =>
    ann.call('undo_api_call', { call_id: (await ann.call('list_api_calls', {})).items[0].id })
  await record(4)
  assert.deepEqual(
    [
      (await undo()).undone,
      (await ann.call('get_goal', { goal_id: goal.id })).checkins.length,
      (await ann.call('get_goal', { goal_id: goal.id })).progress,
    ],
    [true, 0, 0],
  )
  await record(4)
  await ann.call('record_goal_checkin', { goal_id: goal.id, values: { [goal.results[0]!]: 6 } })
  const call = (await ann.call('list_api_calls', {})).items[0].id
  const late = await ann.call('undo_api_call', { call_id: call })
  assert.deepEqual([late.undone, late.refused[0].reason], [false, 'changed_since'])
})

test('key results are added, changed, retired and reactivated', async () => {
  const { ann, bob, carol, eve } = workspace
  const goal = await activeGoal('Results', [])
  const add = (args: Record<string, unknown>) =>
    ann.call('create_key_result', { goal_id: goal.id, title: 'kr', ...args })
  const keyResult = await add({ ...number, start_value: 2, owner_id: bob.id, unit: 'customers' })
  assert.deepEqual(
    [
      keyResult.goal.title,
      keyResult.current_value,
      keyResult.owner.title,
      keyResult.unit,
      keyResult.progress,
    ],
    ['Results', 2, 'Bob', 'customers', 0],
  )
  await add({ metric: 'boolean', target_value: 1 })
  await ann.call('record_goal_checkin', { goal_id: goal.id, values: { [keyResult.id]: 6 } })
  assert.equal((await ann.call('get_goal', { goal_id: goal.id })).progress, 25)
  assert.equal(
    (
      await ann.call('update_key_result', {
        key_result_id: keyResult.id,
        target_value: 6,
        title: 'Six',
      })
    ).progress,
    100,
  )
  assert.equal(
    (await ann.call('update_key_result', { key_result_id: keyResult.id, retired: true })).retired,
    true,
  )
  assert.equal((await ann.call('get_goal', { goal_id: goal.id })).progress, 0)
  assert.equal(
    (
      await ann.call('update_key_result', {
        key_result_id: keyResult.id,
        retired: false,
        owner_id: carol.id,
      })
    ).owner.title,
    'Carol',
  )
  assert.equal(
    (await carol.refused('update_key_result', { key_result_id: keyResult.id, title: 'x' })).code,
    'permission_denied',
  )
  assert.equal(
    (await eve.refused('update_key_result', { key_result_id: keyResult.id, title: 'x' })).code,
    'not_found',
  )
  const key = await workspace.key(ann)
  await ann.call(
    'update_key_result',
    { key_result_id: keyResult.id, target_value: 60 },
    { via: 'api', key },
  )
  const call = (await ann.call('list_api_calls', {})).items[0].id
  assert.equal((await ann.call('undo_api_call', { call_id: call })).undone, true)
  assert.equal((await ann.call('get_goal', { goal_id: goal.id })).key_results[0].target_value, 6)
})

test('an unmeasurable key result is refused with a reason', async () => {
  const { ann } = workspace
  const goal = await activeGoal('Measures', [])
  const refused = async (args: Record<string, unknown>) =>
    (await ann.refused('create_key_result', { goal_id: goal.id, title: 'x', ...args })).message
  assert.match(
    await refused({ metric: 'number', target_value: 0 }),
    /start_value and target_value are both 0/,
  )
  assert.match(await refused({ metric: 'boolean', target_value: 2 }), /from 0 to 1/)
  assert.match(
    await refused({ metric: 'currency', target_value: 2, unit: 'euros' }),
    /not a currency/,
  )
  assert.match(await refused({ metric: 'percent', target_value: 2, unit: 'EUR' }), /omit it/)
  assert.match(
    await refused({ metric: 'percent', target_value: 5, source: { kind: 'deals' } }),
    /metric percent/,
  )
  assert.match(
    await refused({ metric: 'number', target_value: 5, source: { kind: 'tasks' } }),
    /a project is required/,
  )
  assert.match(
    (
      await ann.refused('create_goal', {
        title: 'x',
        level: 'personal',
        period: '2027',
        key_results: [{ title: 'x', metric: 'number', target_value: 0 }],
      })
    ).message,
    /key_results\[0\]\.target_value/,
  )
})

test('a goal becomes at risk by low confidence or by time, which is announced once', async () => {
  const { ann, clock } = workspace
  const slow = await activeGoal('Slow', [{ title: 'kr', ...number }], '2026-11')
  const doubted = await activeGoal('Doubted')
  const fine = await activeGoal('Fine')
  const drain = async () => {
    while (await runTick(workspace.app, watchGoals));
  }
  await ann.call('record_goal_checkin', { goal_id: doubted.id, values: {}, confidence: 'low' })
  await ann.call('record_goal_checkin', { goal_id: slow.id, values: { [slow.results[0]!]: 6 } })
  await drain()
  const titlesAtRisk = async (at_risk: boolean) =>
    (await ann.call('list_goals', { at_risk, limit: 100 })).items.map((item: any) => item.title)
  assert.deepEqual(
    (await titlesAtRisk(true)).filter((title: string) =>
      ['Slow', 'Doubted', 'Fine'].includes(title),
    ),
    ['Doubted'],
  )
  assert.ok(
    (await titlesAtRisk(false)).includes('Fine') && (await titlesAtRisk(false)).includes('Slow'),
  )
  clock.pass(8 * dayLong)
  await drain()
  await drain()
  assert.ok((await titlesAtRisk(true)).includes('Slow'))
  for (const { id } of [slow, doubted])
    assert.equal((await eventsOf(id)).filter((name) => name === 'goal.at_risk').length, 1)
  assert.equal((await eventsOf(fine.id)).length, 0)
  assert.ok((await notificationsOf(slow.id)).includes('Ann due: This goal is at risk'))
  await ann.call('record_goal_checkin', { goal_id: slow.id, values: { [slow.results[0]!]: 10 } })
  assert.ok(!(await titlesAtRisk(true)).includes('Slow'))
  await ann.call('record_goal_checkin', { goal_id: slow.id, values: { [slow.results[0]!]: 1 } })
  assert.equal((await eventsOf(slow.id)).filter((name) => name === 'goal.at_risk').length, 2)
})
