import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { runTick } from '../../../operations/jobs/system.ts'
import { makeWorkspace, type Someone, type TestWorkspace } from '../../../testing/harness.ts'
import { countKeyResults } from './recounts.ts'

let workspace: TestWorkspace
before(async () => {
  workspace = await makeWorkspace()
})
after(() => workspace.close())

/** Runs the work that the server does shortly after each commit. */
async function runCounts(): Promise<void> {
  if (await countKeyResults.due!(workspace.app.store.read))
    while (await runTick(workspace.app, countKeyResults));
}

async function createProject(key: string) {
  const { ann, bob } = workspace
  await ann.call('create_project', { name: `Project ${key}`, key, member_ids: [bob.id] })
  const label = await ann.call('create_label', { name: `${key} label` })
  const milestone = await ann.call('create_milestone', { project_id: key, name: 'M1' })
  const task = async (more: Record<string, unknown> = {}) =>
    (await ann.call('create_task', { project_id: key, title: 'x', ...more })).id as string
  return { key, label: label.id as string, milestone: milestone.id as string, task }
}

async function goalWithSource(
  who: Someone,
  params: Record<string, unknown>,
  more: Record<string, unknown> = {},
): Promise<string> {
  const goal = await who.call('create_goal', {
    title: 'Fed',
    level: 'organization',
    period: '2026-Q4',
    key_results: [
      {
        title: 'kr',
        metric: 'number',
        target_value: 3,
        source: { kind: 'tasks', params },
        ...more,
      },
    ],
  })
  await who.call('update_goal', { goal_id: goal.id, status: 'active' })
  await runCounts()
  return goal.id
}

async function firstKeyResult(id: string, who = workspace.ann): Promise<any> {
  return (await who.call('get_goal', { goal_id: id })).key_results[0]
}

const complete = (id: string) => workspace.ann.call('complete_task', { task_id: id })

test('a key result counts completed work in a project from its creation on', async () => {
  const { ann } = workspace
  const { key, task } = await createProject('CNT')
  const first = await task()
  await complete(first)
  const second = await task()
  const goal = await goalWithSource(ann, { project_id: key })
  assert.deepEqual(
    [
      (await firstKeyResult(goal)).current_value,
      (await firstKeyResult(goal)).source.params.measure,
    ],
    [1, 'tasks'],
  )
  await complete(second)
  assert.equal((await firstKeyResult(goal)).current_value, 1)
  await runCounts()
  assert.equal((await firstKeyResult(goal)).current_value, 2)
  await ann.call('reopen_task', { task_id: second })
  await runCounts()
  assert.equal((await firstKeyResult(goal)).current_value, 1)
  await ann.call('delete_task', { task_id: first })
  await runCounts()
  assert.equal((await firstKeyResult(goal)).current_value, 0)
  await ann.call('restore_item', { item_id: first })
  await runCounts()
  assert.equal((await firstKeyResult(goal)).current_value, 1)
})

test('a key result counts points, a percentage, and tasks with a label or a milestone', async () => {
  const { ann } = workspace
  const { key, label, milestone, task } = await createProject('MSR')
  const points = await goalWithSource(ann, { project_id: key, measure: 'points' })
  const percent = await goalWithSource(
    ann,
    { project_id: key },
    { metric: 'percent', target_value: 100 },
  )
  const labelled = await goalWithSource(ann, { project_id: key, label_id: label })
  const withMilestone = await goalWithSource(ann, { milestone_id: milestone })
  const tasks = [
    await task({ points: 2.5, label_ids: [label] }),
    await task({ points: 1, milestone_id: milestone }),
    await task(),
    await task(),
  ]
  await complete(tasks[0]!)
  await complete(tasks[1]!)
  await ann
    .call('update_task', { task_id: tasks[3], status: 'Cancelled' })
    .catch(() => ann.call('delete_task', { task_id: tasks[3] }))
  await runCounts()
  const values = []
  for (const goal of [points, percent, labelled, withMilestone])
    values.push((await firstKeyResult(goal)).current_value)
  assert.deepEqual(values, [3.5, 66.67, 1, 1])
})

test('a task moved to another project counts there and no longer here', async () => {
  const { ann } = workspace
  const [here, there] = [await createProject('HERE'), await createProject('THERE')]
  const [left, right] = [
    await goalWithSource(ann, { project_id: 'HERE' }),
    await goalWithSource(ann, { project_id: 'THERE' }),
  ]
  const task = await here.task()
  await complete(task)
  await runCounts()
  assert.deepEqual(
    [(await firstKeyResult(left)).current_value, (await firstKeyResult(right)).current_value],
    [1, 0],
  )
  await ann.call('move_task', { task_id: task, project_id: there.key })
  await runCounts()
  assert.deepEqual(
    [(await firstKeyResult(left)).current_value, (await firstKeyResult(right)).current_value],
    [0, 1],
  )
})

test('readers see the value as its setter counts it, but of the source only what they can see themselves', async () => {
  const { ann, carol } = workspace
  const { key, task } = await createProject('SHOW')
  const goal = await goalWithSource(ann, { project_id: key })
  await complete(await task())
  await runCounts()
  const seen = await firstKeyResult(goal, carol)
  assert.deepEqual(
    [seen.current_value, seen.source],
    [1, { kind: 'tasks', params: { measure: 'tasks' } }],
  )
  assert.ok((await firstKeyResult(goal)).source.params.project_id.startsWith('prj_'))
  assert.doesNotMatch(JSON.stringify(await carol.call('list_activity', { item_id: goal })), /prj_/)
  const refusal = await carol.refused('create_goal', {
    title: 'x',
    level: 'personal',
    period: '2026',
    key_results: [
      {
        title: 'x',
        metric: 'number',
        target_value: 3,
        source: { kind: 'tasks', params: { project_id: key } },
      },
    ],
  })
  assert.deepEqual(
    [refusal.code, refusal.more.field],
    ['not_found', 'key_results[0].source.params.project_id'],
  )
})

test('when the setter loses access to the project, the value is kept and marked stale until access returns', async () => {
  const { ann, bob } = workspace
  const { key, task } = await createProject('STALE')
  const goal = await goalWithSource(bob, { project_id: key })
  await complete(await task())
  await runCounts()
  await ann.call('remove_project_member', { project_id: key, person_id: bob.id })
  await complete(await task())
  await runCounts()
  const stale = await firstKeyResult(goal, bob)
  assert.deepEqual([stale.current_value, stale.source.params.project_id], [1, undefined])
  assert.match(stale.stale.reason, /no longer has access/)
  await ann.call('add_project_member', { project_id: key, person_id: bob.id })
  await runCounts()
  assert.deepEqual(
    [(await firstKeyResult(goal)).current_value, (await firstKeyResult(goal)).stale],
    [2, undefined],
  )
})

test('a deactivated setter’s counts stop, and no replacement takes over', async () => {
  const { ann } = workspace
  const { key, task } = await createProject('OFF')
  const zoe = await workspace.person('Zoe')
  await ann.call('add_project_member', { project_id: key, person_id: zoe.id })
  const goal = await goalWithSource(zoe, { project_id: key })
  const setStatus = (status: 'active' | 'deactivated') =>
    workspace.app.store.write
      .updateTable('users')
      .set({ status })
      .where('id', '=', zoe.id)
      .execute()
  await setStatus('deactivated')
  await complete(await task())
  await runCounts()
  assert.deepEqual(
    [(await firstKeyResult(goal)).current_value, (await firstKeyResult(goal)).stale.reason],
    [0, 'The person who set the source is no longer active.'],
  )
  await setStatus('active')
  await runTick(workspace.app, countKeyResults)
  assert.deepEqual(
    [(await firstKeyResult(goal)).current_value, (await firstKeyResult(goal)).stale],
    [1, undefined],
  )
})

test('a trashed label or project makes the value stale; restoring it resumes the count', async () => {
  const { ann } = workspace
  const { key, label, task } = await createProject('TRSH')
  const goal = await goalWithSource(ann, { project_id: key, label_id: label })
  await complete(await task({ label_ids: [label] }))
  await runCounts()
  await ann.call('delete_label', { label_id: label })
  await runCounts()
  assert.ok((await firstKeyResult(goal)).stale)
  await ann.call('restore_item', { item_id: label })
  await runCounts()
  assert.equal((await firstKeyResult(goal)).stale, undefined)
  await ann.call('delete_project', { project_id: key, confirm_key: key })
  await runCounts()
  assert.deepEqual(
    [(await firstKeyResult(goal)).current_value, Boolean((await firstKeyResult(goal)).stale)],
    [1, true],
  )
})

test('a calculated value cannot be entered by hand, but one switched to manual can', async () => {
  const { ann } = workspace
  const { key, task } = await createProject('HAND')
  const goal = await goalWithSource(ann, { project_id: key })
  const { id } = await firstKeyResult(goal)
  assert.match(
    (await ann.refused('record_goal_checkin', { goal_id: goal, values: { [id]: 9 } })).message,
    /calculated from tasks/,
  )
  await complete(await task())
  await runCounts()
  const byHand = await ann.call('update_key_result', { key_result_id: id, source: null })
  assert.deepEqual([byHand.source, byHand.current_value], [{ kind: 'manual', params: {} }, 1])
  assert.equal(
    (await ann.call('record_goal_checkin', { goal_id: goal, values: { [id]: 2 } })).values[id],
    2,
  )
  const back = await ann.call('update_key_result', {
    key_result_id: id,
    source: { kind: 'tasks', params: { project_id: key } },
  })
  assert.equal(back.current_value, 1)
  assert.match(
    (
      await ann.refused('update_key_result', {
        key_result_id: id,
        source: { kind: 'tasks', params: { project_id: key, measure: 'percent' } },
      })
    ).message,
    /cannot be used/,
  )
  assert.match(
    (
      await ann.refused('update_key_result', {
        key_result_id: id,
        source: { kind: 'tasks', params: { project: key } },
      })
    ).body().message,
    /project_id/,
  )
})

test('closed goals keep their values and resume counting once active', async () => {
  const { ann } = workspace
  const { key, task } = await createProject('CLSD')
  const goal = await goalWithSource(ann, { project_id: key })
  await ann.call('update_goal', { goal_id: goal, status: 'missed' })
  await complete(await task())
  await runCounts()
  assert.equal((await firstKeyResult(goal)).current_value, 0)
  await ann.call('update_goal', { goal_id: goal, status: 'active' })
  await runCounts()
  assert.equal((await firstKeyResult(goal)).current_value, 1)
})

test('reaching the target by counting is announced once, and no work remains', async () => {
  const { ann } = workspace
  const { key, task } = await createProject('RCHD')
  const goal = await goalWithSource(ann, { project_id: key })
  for (let i = 0; i < 5; i++) await complete(await task())
  await runCounts()
  const rows = await workspace.app.store.read
    .selectFrom('changes')
    .select('events_json')
    .where('item_id', '=', goal)
    .execute()
  assert.equal(rows.filter((row) => row.events_json.includes('key_result.reached')).length, 1)
  assert.equal(await countKeyResults.due!(workspace.app.store.read), false)
})

test('a count that fails midway keeps neither values nor its position, and the next one repeats it in full', async () => {
  const { ann } = workspace
  const { key, task } = await createProject('FAIL')
  const goal = await goalWithSource(ann, { project_id: key })
  await complete(await task())
  const { store } = workspace.app
  store.raw.write.exec(
    `CREATE TRIGGER broken BEFORE UPDATE ON goal_feeds BEGIN SELECT RAISE(ABORT, 'broken'); END`,
  )
  await assert.rejects(runTick(workspace.app, countKeyResults), /broken/)
  store.raw.write.exec('DROP TRIGGER broken')
  assert.equal((await firstKeyResult(goal)).current_value, 0)
  await runCounts()
  assert.equal((await firstKeyResult(goal)).current_value, 1)
})

test('a key result counts deals, or their value in one currency, within its period', async () => {
  const { ann, bob, clock } = workspace
  const goalCounting = async (kr: Record<string, unknown>, params: Record<string, unknown>) => {
    const goal = await ann.call('create_goal', {
      title: 'Sales',
      level: 'organization',
      period: '2026-Q4',
      key_results: [{ title: 'kr', target_value: 1000, ...kr, source: { kind: 'deals', params } }],
    })
    await ann.call('update_goal', { goal_id: goal.id, status: 'active' })
    return goal.id as string
  }
  const company = await ann.call('create_company', { name: 'Fed' })
  const deal = async (more: Record<string, unknown>) =>
    (await ann.call('create_deal', { name: 'd', ...more })).id as string
  const euros = { metric: 'currency', unit: 'EUR' }
  const goals = [
    await goalCounting(euros, { period: '2026-q4' }),
    await goalCounting({ metric: 'number' }, {}),
    await goalCounting(
      { metric: 'number' },
      { measure: 'value', currency: 'usd', owner_id: 'bob@acme.test' },
    ),
    await goalCounting({ metric: 'number' }, { stage: 'proposal', company_id: company.id }),
    await goalCounting(euros, { status: 'open', period: '2027-01' }),
  ]
  const values = async () => {
    await runCounts()
    const values = []
    for (const goal of goals) values.push((await firstKeyResult(goal)).current_value)
    return values
  }
  const first = await deal({ amount: 0.1, expected_close_on: '2027-01-31' })
  const second = await deal({ amount: 0.2, expected_close_on: '2027-02-01' })
  const third = await deal({
    amount: 500,
    currency: 'USD',
    owner_id: bob.id,
    stage: 'Proposal',
    company_id: company.id,
  })
  assert.deepEqual(await values(), [0, 0, 0, 1, 0.1])
  for (const deal_id of [first, second, third])
    await ann.call('update_deal', { deal_id, status: 'won' })
  assert.deepEqual(await values(), [0.3, 3, 500, 0, 0])
  await ann.call('update_deal', { deal_id: second, status: 'open' })
  clock.at = Date.UTC(2027, 0, 1)
  await ann.call('update_deal', { deal_id: second, status: 'won' })
  assert.deepEqual(await values(), [0.1, 3, 500, 0, 0], 'won in the next year')
  const source = (await firstKeyResult(goals[0]!, bob)).source
  assert.deepEqual(source, {
    kind: 'deals',
    params: { measure: 'value', currency: 'EUR', status: 'won', period: '2026-Q4' },
  })
  const guest = await workspace.person('Gus', { role: 'guest' })
  assert.deepEqual((await firstKeyResult(goals[0]!, guest)).source, { kind: 'deals', params: {} })
})

test('deals can feed only suitable metrics', async () => {
  const { ann } = workspace
  const refused = async (more: Record<string, unknown>, params: Record<string, unknown> = {}) =>
    (
      await ann.refused('create_goal', {
        title: 'x',
        level: 'personal',
        period: '2026',
        key_results: [
          {
            title: 'kr',
            metric: 'number',
            target_value: 5,
            ...more,
            source: { kind: 'deals', params },
          },
        ],
      })
    ).more.field
  assert.equal(await refused({ metric: 'boolean', target_value: 1 }), 'key_results[0].source.kind')
  assert.equal(await refused({}, { measure: 'value' }), 'key_results[0].source.params.currency')
  assert.equal(await refused({}, { currency: 'EUR' }), 'key_results[0].source.params.currency')
  assert.equal(
    await refused({ metric: 'currency', unit: 'EUR' }, { currency: 'USD' }),
    'key_results[0].source.params.currency',
  )
  assert.equal(
    await refused({ metric: 'currency', unit: 'EUR' }, { measure: 'count' }),
    'key_results[0].source.params.measure',
  )
  assert.equal(await refused({}, { stage: 'Nowhere' }), 'key_results[0].source.params.stage')
  assert.equal(await refused({}, { period: 'soon' }), 'key_results[0].source.params.period')
  assert.equal(
    await refused({}, { owner_id: 'eve@other.test' }),
    'key_results[0].source.params.owner_id',
  )
  assert.equal(await refused({}, { project_id: 'x' }), 'key_results[0].source.params')
  const goal = await ann.call('create_goal', {
    title: 'x',
    level: 'personal',
    period: '2026',
    key_results: [{ title: 'kr', metric: 'number', target_value: 5, source: { kind: 'deals' } }],
  })
  await ann.call('update_goal', { goal_id: goal.id, status: 'active' })
  assert.match(
    (
      await ann.refused('record_goal_checkin', {
        goal_id: goal.id,
        values: { [goal.key_results[0].id]: 3 },
      })
    ).message,
    /calculated from deals/,
  )
  const changed = await ann.call('update_key_result', {
    key_result_id: goal.key_results[0].id,
    source: { kind: 'deals', params: { status: 'lost' } },
  })
  assert.deepEqual(changed.source.params, { measure: 'count', status: 'lost' })
})
