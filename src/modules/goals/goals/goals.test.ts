import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeWorkspace, type Someone, type TestWorkspace } from '../../../testing/harness.ts'
import { goalDocument } from '../documents.ts'

let workspace: TestWorkspace
let dave: Someone
let team: any
before(async () => {
  workspace = await makeWorkspace()
  const { ann, bob, carol } = workspace
  dave = await workspace.person('Dave')
  team = await ann.call('create_team', { name: 'Core', lead_id: bob.id, member_ids: [carol.id] })
  await workspace.app.store.write
    .updateTable('users')
    .set({ manager_id: ann.id })
    .where('id', '=', bob.id)
    .execute()
})
after(() => workspace.close())

const period = '2026-Q4'
const organization = { level: 'organization', period }
const personal = { level: 'personal', period }
const lastCallOf = async (who: Someone) => (await who.call('list_api_calls', {})).items[0]

async function withKey(who: Someone) {
  const key = await workspace.key(who)
  return {
    call: (tool: string, args: Record<string, unknown>) =>
      who.call(tool, args, { via: 'api', key }),
    undo: async () => who.call('undo_api_call', { call_id: (await lastCallOf(who)).id }),
  }
}

test('a goal is created with key results and starts as a draft', async () => {
  const { ann, bob } = workspace
  const createdGoal = await ann.call('create_goal', {
    ...organization,
    period: '2026-q4',
    title: ' Grow ',
    description_markdown: 'Why',
    key_results: [
      { title: 'Revenue', metric: 'currency', target_value: 1000, unit: 'eur' },
      { title: 'Bugs', metric: 'number', start_value: 50, target_value: 10, owner_id: bob.id },
    ],
  })
  assert.deepEqual(
    [
      createdGoal.title,
      createdGoal.period,
      createdGoal.status,
      createdGoal.progress,
      createdGoal.owner.title,
      createdGoal.at_risk,
    ],
    ['Grow', '2026-Q4', 'draft', 0, 'Ann', false],
  )
  assert.deepEqual(
    createdGoal.key_results.map((keyResult: any) => [
      keyResult.title,
      keyResult.unit,
      keyResult.current_value,
      keyResult.owner.title,
      keyResult.source.kind,
    ]),
    [
      ['Revenue', 'EUR', 0, 'Ann', 'manual'],
      ['Bugs', undefined, 50, 'Bob', 'manual'],
    ],
  )
  assert.equal(createdGoal.confidence, undefined)
  assert.equal((await bob.call('get_goal', { goal_id: createdGoal.id })).title, 'Grow')
})

test('options that do not fit the level are refused with a reason', async () => {
  const { ann, carol } = workspace
  const refused = async (who: Someone, args: Record<string, unknown>) =>
    (await who.refused('create_goal', { title: 'x', period, ...args })).body()
  assert.match((await refused(ann, { level: 'team' })).message, /requires a team/)
  assert.match(
    (await refused(ann, { level: 'organization', team_id: team.id })).message,
    /cannot have a team/,
  )
  assert.match(
    (await refused(ann, { level: 'personal', owner_id: carol.id })).message,
    /must be the owner of a personal goal/,
  )
  assert.match(
    (await refused(ann, { ...organization, period: '2026-Q5' })).message,
    /2026-Q4 or 2026-11/,
  )
  assert.equal((await refused(dave, { level: 'team', team_id: team.id })).code, 'permission_denied')
  const guest = await workspace.person('Gus', { role: 'guest' })
  assert.equal((await refused(guest, { level: 'organization' })).code, 'permission_denied')
})

test('personal goals belong to their owner and are readable by the owner’s manager', async () => {
  const { ann, bob, carol, eve } = workspace
  const personalGoal = await bob.call('create_goal', { ...personal, title: 'Learn' })
  assert.equal((await ann.call('get_goal', { goal_id: personalGoal.id })).title, 'Learn')
  assert.equal(
    (await ann.refused('update_goal', { goal_id: personalGoal.id, title: 'x' })).code,
    'permission_denied',
  )
  for (const who of [carol, eve]) {
    assert.equal((await who.refused('get_goal', { goal_id: personalGoal.id })).code, 'not_found')
    assert.equal((await who.call('list_goals', { level: 'personal' })).items.length, 0)
  }
  assert.match(
    (await bob.refused('update_goal', { goal_id: personalGoal.id, owner_id: carol.id })).message,
    /owner of a personal goal cannot be changed/,
  )
})

test('a goal can be handed over by people who may delete it, but not taken over', async () => {
  const { bob } = workspace
  const teamGoal = await bob.call('create_goal', {
    level: 'team',
    team_id: team.id,
    period,
    title: 'Wanted',
  })
  const dora = await workspace.person('Dora')
  await workspace.ann.call('add_team_member', { team_id: team.id, person_id: dora.id })
  assert.equal(
    (await dora.call('update_goal', { goal_id: teamGoal.id, title: 'Ours' })).title,
    'Ours',
  )
  assert.match(
    (await dora.refused('update_goal', { goal_id: teamGoal.id, owner_id: dora.id })).message,
    /Only the owner may hand over a goal/,
  )
  assert.equal(
    (await dora.refused('delete_goal', { goal_id: teamGoal.id })).code,
    'permission_denied',
  )
  assert.equal(
    (await bob.call('update_goal', { goal_id: teamGoal.id, owner_id: dora.id })).owner.title,
    'Dora',
  )
  await dora.call('delete_goal', { goal_id: teamGoal.id })
})

test('organization goals are changed by their owner and administrators, team goals by the team', async () => {
  const { ann, bob, carol, eve } = workspace
  const ours = await bob.call('create_goal', { ...organization, title: 'Ours' })
  assert.equal(
    (await carol.refused('update_goal', { goal_id: ours.id, title: 'x' })).code,
    'permission_denied',
  )
  assert.equal(
    (await eve.refused('update_goal', { goal_id: ours.id, title: 'x' })).code,
    'not_found',
  )
  assert.equal(
    (await ann.call('update_goal', { goal_id: ours.id, title: 'Ours, too' })).title,
    'Ours, too',
  )
  const plainKey = await workspace.key(ann)
  await assert.rejects(
    ann.call('update_goal', { goal_id: ours.id, title: 'x' }, { via: 'api', key: plainKey }),
    { code: 'permission_denied' },
  )
  const teams = await bob.call('create_goal', {
    level: 'team',
    team_id: team.id,
    period,
    title: 'Team',
  })
  assert.equal(teams.team.title, 'Core')
  assert.equal(
    (await carol.call('update_goal', { goal_id: teams.id, title: 'Team of ours' })).title,
    'Team of ours',
  )
  assert.equal((await dave.call('get_goal', { goal_id: teams.id })).title, 'Team of ours')
  assert.equal(
    (await dave.refused('update_goal', { goal_id: teams.id, title: 'x' })).code,
    'permission_denied',
  )
  assert.equal(
    (await carol.refused('delete_goal', { goal_id: teams.id })).code,
    'permission_denied',
  )
})

test('a goal moves through its states step by step', async () => {
  const { bob } = workspace
  const { id: goal_id } = await bob.call('create_goal', { ...personal, title: 'States' })
  const to = (status: string) => bob.call('update_goal', { goal_id, status })
  const refusal = await bob.refused('update_goal', { goal_id, status: 'achieved' })
  assert.deepEqual(
    [refusal.code, refusal.more.context],
    ['conflict', { status: 'draft', allowed: ['active'] }],
  )
  for (const closed of ['achieved', 'missed', 'cancelled']) {
    assert.equal((await to('active')).status, 'active')
    assert.equal((await to(closed)).status, closed)
    assert.equal((await bob.refused('update_goal', { goal_id, status: 'draft' })).code, 'conflict')
  }
  const again = await to('cancelled')
  assert.equal(again.revision, (await bob.call('get_goal', { goal_id })).revision)
})

test('an achieved goal without measurements counts as 100 percent', async () => {
  const { bob } = workspace
  const { id: goal_id } = await bob.call('create_goal', { ...personal, title: 'Bare' })
  assert.equal((await bob.call('update_goal', { goal_id, status: 'active' })).progress, 0)
  assert.equal((await bob.call('update_goal', { goal_id, status: 'achieved' })).progress, 100)
})

test('a parent has the same level or a wider one, and no goal is part of itself', async () => {
  const { ann, bob } = workspace
  const top = await ann.call('create_goal', { ...organization, title: 'Top' })
  const below = await bob.call('create_goal', {
    level: 'team',
    team_id: team.id,
    period,
    title: 'Below',
    parent_id: top.id,
  })
  const personalGoal = await bob.call('create_goal', {
    ...personal,
    title: 'Own',
    parent_id: below.id,
  })
  assert.deepEqual(
    [
      below.parent.title,
      (await ann.call('get_goal', { goal_id: top.id })).children.map((child: any) => child.title),
    ],
    ['Top', ['Below']],
  )
  assert.match(
    (await ann.refused('update_goal', { goal_id: top.id, parent_id: below.id })).message,
    /cannot be part of a goal with level team/,
  )
  assert.match(
    (await ann.refused('create_goal', { ...personal, title: 'x', parent_id: personalGoal.id }))
      .message,
    /of the same person/,
  )
  const other = await ann.call('create_goal', {
    ...organization,
    title: 'Other',
    parent_id: top.id,
  })
  assert.match(
    (await ann.refused('update_goal', { goal_id: top.id, parent_id: other.id })).message,
    /part of itself/,
  )
  assert.equal(
    (await ann.refused('update_goal', { goal_id: top.id, parent_id: top.id })).code,
    'conflict',
  )
  await ann.call('delete_goal', { goal_id: other.id })
  assert.equal(
    (await ann.call('create_goal', { ...organization, title: 'Third' })).parent,
    undefined,
  )
  assert.equal(
    await ann
      .call('update_goal', { goal_id: below.id, parent_id: null })
      .catch((error: any) => error.code),
    'permission_denied',
  )
  assert.equal(
    (await bob.call('update_goal', { goal_id: below.id, parent_id: null })).parent,
    undefined,
  )
})

test('restoring a goal from the trash creates no cycle', async () => {
  const { ann } = workspace
  const upper = await ann.call('create_goal', { ...organization, title: 'Upper' })
  const middle = await ann.call('create_goal', {
    ...organization,
    title: 'Middle',
    parent_id: upper.id,
  })
  const lower = await ann.call('create_goal', {
    ...organization,
    title: 'Lower',
    parent_id: middle.id,
  })
  await ann.call('delete_goal', { goal_id: middle.id })
  assert.equal(
    (await ann.refused('update_goal', { goal_id: upper.id, parent_id: lower.id })).code,
    'conflict',
  )
})

test('goals are at most ten deep', async () => {
  const { bob } = workspace
  let parent_id: string | undefined
  for (let i = 0; i < 10; i++)
    parent_id = (
      await bob.call('create_goal', {
        ...personal,
        title: `Deep ${i}`,
        ...(parent_id ? { parent_id } : {}),
      })
    ).id
  assert.match(
    (await bob.refused('create_goal', { ...personal, title: 'Too deep', parent_id })).message,
    /10 levels deep/,
  )
})

test('a goal without key results aggregates the progress of its children, the same for every reader', async () => {
  const { ann, bob, carol } = workspace
  const top = await ann.call('create_goal', { ...organization, title: 'Sum' })
  const half = { metric: 'number', start_value: 10, target_value: 20 }
  const item = await ann.call('create_goal', {
    ...organization,
    title: 'One',
    parent_id: top.id,
    key_results: [{ title: 'a', ...half }],
  })
  const hidden = await bob.call('create_goal', {
    ...personal,
    title: 'Mine',
    parent_id: top.id,
    key_results: [{ title: 'b', ...half }],
  })
  for (const [who, goal, value] of [
    [ann, item, 15],
    [bob, hidden, 20],
  ] as const) {
    await who.call('update_goal', { goal_id: goal.id, status: 'active' })
    await who.call('record_goal_checkin', {
      goal_id: goal.id,
      values: { [goal.key_results[0].id]: value },
    })
  }
  for (const who of [ann, bob, carol])
    assert.equal((await who.call('get_goal', { goal_id: top.id })).progress, 50)
  assert.deepEqual(
    (await carol.call('get_goal', { goal_id: top.id })).children.map((child: any) => child.title),
    ['One'],
  )
  await ann.call('update_goal', { goal_id: item.id, status: 'cancelled' })
  assert.equal((await ann.call('get_goal', { goal_id: top.id })).progress, 0)
})

test('linked projects are shown only to their members, and a project shows its goals', async () => {
  const { ann, bob, carol } = workspace
  const plans = await ann.call('create_project', {
    name: 'Plans',
    key: 'PLANS',
    member_ids: [bob.id],
  })
  const secret = await bob.call('create_project', { name: 'Secret', key: 'SECR' })
  const linkedGoal = await bob.call('create_goal', {
    ...organization,
    title: 'Linked',
    project_ids: [plans.id, 'SECR'],
  })
  const titles = async (who: Someone) =>
    (await who.call('get_goal', { goal_id: linkedGoal.id })).projects.map(
      (project: any) => project.key,
    )
  assert.deepEqual(
    [await titles(bob), await titles(ann), await titles(carol)],
    [['PLANS', 'SECR'], ['PLANS'], []],
  )
  assert.equal(
    (await carol.refused('create_goal', { ...organization, title: 'x', project_ids: ['PLANS'] }))
      .code,
    'not_found',
  )
  await ann.call('update_goal', { goal_id: linkedGoal.id, project_ids: [] })
  assert.deepEqual(await titles(bob), ['SECR'])
  assert.deepEqual(
    (await bob.call('get_project', { project_id: secret.id })).goals.map((goal: any) => goal.title),
    ['Linked'],
  )
  const personalGoal = await bob.call('create_goal', {
    ...personal,
    title: 'For me',
    project_ids: ['PLANS'],
  })
  assert.deepEqual(
    (await bob.call('get_project', { project_id: 'PLANS' })).goals.map((goal: any) => goal.id),
    [personalGoal.id],
  )
  const member = await workspace.person('Mia')
  await ann.call('add_project_member', { project_id: 'PLANS', person_id: member.id })
  assert.deepEqual((await member.call('get_project', { project_id: 'PLANS' })).goals, [])
})

test('goals are filtered by period, level, owner, team and state, and paged', async () => {
  const { carol } = workspace
  const monthlyGoals = []
  for (const month of ['2027-01', '2027-02', '2027-03'])
    monthlyGoals.push(await carol.call('create_goal', { ...personal, period: month, title: month }))
  const titlesFor = async (args: Record<string, unknown>) =>
    (await carol.call('list_goals', { owner_id: 'me', ...args })).items.map(
      (item: any) => item.title,
    )
  assert.deepEqual(await titlesFor({ level: 'personal' }), ['2027-03', '2027-02', '2027-01'])
  assert.deepEqual(await titlesFor({ period: '2027-02' }), ['2027-02'])
  assert.deepEqual(await titlesFor({ team_id: team.id }), [])
  assert.deepEqual(await titlesFor({ status: ['active'] }), [])
  const first = await carol.call('list_goals', { owner_id: 'me', limit: 2 })
  assert.equal(first.has_more, true)
  assert.deepEqual(
    (
      await carol.call('list_goals', { owner_id: 'me', limit: 2, cursor: first.next_cursor })
    ).items.map((item: any) => item.title),
    ['2027-01'],
  )
})

test('a deleted goal takes its key results along, and its children have no parent until it is restored', async () => {
  const { ann } = workspace
  const top = await ann.call('create_goal', {
    ...organization,
    title: 'Gone',
    key_results: [{ title: 'kr', metric: 'number', target_value: 5 }],
  })
  const child = await ann.call('create_goal', {
    ...organization,
    title: 'Child',
    parent_id: top.id,
  })
  const dry = await ann.call('delete_goal', { goal_id: top.id, dry_run: true })
  assert.deepEqual([dry.dry_run, dry.also_deleted], [true, [{ type: 'key_result', count: 1 }]])
  await ann.call('delete_goal', { goal_id: top.id })
  assert.equal((await ann.refused('get_goal', { goal_id: top.id })).code, 'not_found')
  assert.equal(
    (await ann.refused('update_key_result', { key_result_id: top.key_results[0].id, title: 'x' }))
      .code,
    'not_found',
  )
  assert.equal((await ann.call('get_goal', { goal_id: child.id })).parent, undefined)
  assert.deepEqual(
    (await ann.call('list_trash', { type: ['goal'] })).items.find(
      (item: any) => item.item.id === top.id,
    ).parts,
    [{ type: 'key_result', count: 1 }],
  )
  await ann.call('restore_item', { item_id: top.id })
  assert.equal((await ann.call('get_goal', { goal_id: child.id })).parent.title, 'Gone')
  assert.equal((await ann.call('get_goal', { goal_id: top.id })).key_results.length, 1)
})

test('every change of a goal can be undone', async () => {
  const { bob } = workspace
  const { call, undo } = await withKey(bob)
  await bob.call('create_project', { name: 'Undo', key: 'UNDO' })
  const createdGoal = await call('create_goal', {
    ...personal,
    title: 'Undone',
    key_results: [{ title: 'kr', metric: 'number', target_value: 5 }],
  })
  assert.equal((await undo()).undone, true)
  assert.equal((await bob.refused('get_goal', { goal_id: createdGoal.id })).code, 'not_found')
  await bob.call('restore_item', { item_id: createdGoal.id })
  const original = await bob.call('get_goal', { goal_id: createdGoal.id })
  assert.equal(original.key_results.length, 1)
  await call('update_goal', {
    goal_id: createdGoal.id,
    title: 'Changed',
    status: 'active',
    project_ids: ['UNDO'],
  })
  assert.equal((await undo()).undone, true)
  const now = await bob.call('get_goal', { goal_id: createdGoal.id })
  assert.deepEqual([now.title, now.status, now.projects], [original.title, 'draft', []])
  await call('delete_goal', { goal_id: createdGoal.id })
  assert.equal((await undo()).undone, true)
  assert.equal((await bob.call('get_goal', { goal_id: createdGoal.id })).title, 'Undone')
})

test('a new owner is notified, and a stale revision is refused', async () => {
  const { ann, bob } = workspace
  const createdGoal = await ann.call('create_goal', {
    ...organization,
    title: 'Told',
    owner_id: bob.id,
  })
  const received = await workspace.app.store.read
    .selectFrom('notifications')
    .selectAll()
    .where('item_id', '=', createdGoal.id)
    .execute()
  assert.deepEqual(
    received.map((item) => [item.person_id, item.kind, item.text]),
    [[bob.id, 'assignment', 'Ann made you the owner of this goal']],
  )
  assert.equal(
    (
      await ann.refused('update_goal', {
        goal_id: createdGoal.id,
        title: 'x',
        expected_revision: 9,
      })
    ).code,
    'conflict',
  )
})

test('a repeated idempotency key creates one goal', async () => {
  const { bob } = workspace
  const args = { ...personal, title: 'Once' }
  const item = await bob.call('create_goal', args, { idempotencyKey: 'once' })
  assert.equal((await bob.call('create_goal', args, { idempotencyKey: 'once' })).id, item.id)
})

test('assistants read a goal in full and find it by words', async () => {
  const { bob, app } = workspace
  const createdGoal = await bob.call('create_goal', {
    ...personal,
    title: 'Readable',
    description_markdown: '# not a heading of ours',
    key_results: [{ title: 'kr', metric: 'boolean', target_value: 1 }],
  })
  const text = goalDocument.text(await bob.call('get_goal', { goal_id: createdGoal.id }), undefined)
  assert.match(
    text,
    /^# Readable\n\n- Period: 2026-Q4\n[^]*> # not a heading of ours[^]*- kr \(kre_\w+\): not done; Bob/,
  )
  const doc = await app.store.read
    .selectFrom('search_docs')
    .select(['title', 'container'])
    .where('item_id', '=', createdGoal.id)
    .executeTakeFirstOrThrow()
  assert.deepEqual(doc, { title: 'Readable', container: bob.id })
})
