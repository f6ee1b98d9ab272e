import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  dayLong,
  makeWorkspace,
  type Someone,
  type TestWorkspace,
} from '../../../testing/harness.ts'

// Periods move with the day and use the reader's time zone; tested with a reader in Berlin and one in Los Angeles, across
// daylight saving changes.

let workspace: TestWorkspace
let ann: Someone
let bob: Someone
const labels: Record<string, string> = {}

before(async () => {
  workspace = await makeWorkspace()
  ;({ ann, bob } = workspace) // Bob's zone is Europe/Berlin
  await ann.call('update_my_profile', { timezone: 'America/Los_Angeles' })
  Object.assign(ann.actor, { timezone: 'America/Los_Angeles' })
  await ann.call('create_project', { name: 'Days', key: 'DAY', member_ids: ['bob@acme.test'] })
  for (const name of ['Bug', 'Rush', 'Wait'])
    labels[name] = (await ann.call('create_label', { name })).id
})
after(() => workspace.close())

/** Moves the clock forward to a moment. */
const advanceTo = (moment: string) => {
  const ahead = Date.parse(moment) - workspace.clock.now()
  assert.ok(ahead >= 0, 'the clock only moves forward')
  workspace.clock.pass(ahead)
}

const add = (title: string, more: Record<string, unknown>, who = bob) =>
  who.call('create_task', { project_id: 'DAY', title, ...more })

async function titles(args: Record<string, unknown>, who = bob): Promise<string> {
  const page = await who.call('list_tasks', { sort: 'title', project_id: 'DAY', ...args })
  const { sort: _, ...filter } = args
  const counted = { group_by: 'project', project_id: 'DAY', ...filter }
  const { total } = await who.call('count_tasks', counted)
  assert.equal(total, page.items.length, `count_tasks agrees for ${JSON.stringify(args)}`)
  return page.items.map((task: { title: string }) => task.title).join('')
}

test('due date periods move with the current date, also in a saved view', async () => {
  for (const [title, due_at] of [
    ['a', '2026-11-19'],
    ['b', '2026-11-20'],
    ['c', '2026-11-22'], // the Sunday of this week
    ['d', '2026-11-23'],
    ['e', '2026-12-04'],
    ['f', '2026-12-05'],
  ] as const)
    await add(title, { due_at })
  await add('g', {})
  await add('h', { due_at: '2026-11-18', status: 'Done' })
  const cases: [Record<string, unknown>, string][] = [
    [{ due: ['overdue'] }, 'a'],
    [{ due: ['today'] }, 'b'],
    [{ due: ['this_week'] }, 'abch'],
    [{ due: ['next_week'] }, 'd'],
    [{ due: ['next_14_days'] }, 'bcde'],
    [{ due: ['last_1_days'] }, 'ab'],
    [{ due: ['this_month'] }, 'abcdh'],
    [{ due: ['next_month'] }, 'ef'],
    [{ due: ['none'] }, 'g'],
    [{ due: ['overdue', 'none', 'tomorrow'] }, 'ag'],
    [{ due_not: ['this_week'] }, 'defg'],
    [{ due_not: ['overdue', 'none', 'tomorrow'] }, 'bcdefh'],
    [{ due: ['this_week'], due_not: ['overdue', 'today'] }, 'ch'],
  ]
  for (const [args, expected] of cases)
    assert.equal(await titles(args), expected, JSON.stringify(args))
  for (const sort of ['due_at', 'updated_at'])
    assert.deepEqual(
      [...(await titles({ due: ['next_14_days', 'none'], sort }))].toSorted().join(''),
      'bcdeg',
    )
  for (const [due_not, expected] of [
    [['this_week'], 'defg'],
    [['today', 'none'], 'hacdef'],
  ] as const)
    assert.equal(
      (await bob.call('list_tasks', { project_id: 'DAY', due_not, sort: 'due_at' })).items
        .map((task: { title: string }) => task.title)
        .join(''),
      expected,
    )
  const view = await bob.call('create_saved_view', {
    name: 'Soon',
    item_type: 'task',
    filter: { project_id: 'DAY', due: ['next_week', 'overdue'] },
    sort: 'due_at',
  })
  assert.deepEqual(view.filter.due, ['next_week', 'overdue'], 'it keeps the words')
  const viewTitles = async () =>
    (await bob.call('run_saved_view', { view_id: view.id })).items
      .map(({ item }: { item: { title: string } }) => item.title)
      .join('')
  assert.equal(await viewTitles(), 'ad')
  advanceTo('2026-11-27T12:00:00Z')
  assert.equal(await viewTitles(), 'abcdef', 'a week later it means another week')
})

test('a day follows the time zone of the reader, also across clock changes', async () => {
  advanceTo('2027-03-28T09:00:00Z') // Sunday: clocks went forward in Berlin; 2:00 in Los Angeles
  for (const [title, due_at] of [
    ['p', '2027-03-28T00:30:00+01:00'],
    ['q', '2027-03-28T23:30:00+02:00'],
    ['r', '2027-03-29T00:30:00+02:00'], // Monday in Berlin, Sunday in Los Angeles
    ['s', '2027-03-29T06:30:00Z'], // 8:30 on Monday, 23:30 on Sunday
    ['t', '2027-03-29T07:30:00Z'], // 9:30 on Monday, 0:30 on Monday
    ['u', '2027-03-28'],
  ] as const)
    await add(title, { due_at })
  assert.equal(await titles({ due: ['today'] }), 'pqu')
  assert.equal(await titles({ due: ['today'] }, ann), 'qrsu')
  assert.equal(await titles({ due: ['tomorrow'] }), 'rst')
  assert.equal(await titles({ due: ['next_week'] }, ann), 't')
  assert.equal(await titles({ due: ['overdue'] }), 'abcdefp')
})

test('changes since a period start at the beginning of the reader’s day, or the given number of hours ago', async () => {
  advanceTo('2027-03-28T09:30:00Z')
  await add('v', {})
  advanceTo('2027-03-28T21:59:00Z')
  await add('w', {})
  advanceTo('2027-03-28T22:30:00Z') // 0:30 on Monday in Berlin, 15:30 on Sunday in Los Angeles
  await add('x', {})
  assert.equal(await titles({ updated_after: 'today' }), 'x')
  assert.equal(await titles({ updated_after: 'this_week' }), 'x')
  assert.equal(await titles({ updated_after: 'today' }, ann), 'pqrstuvwx')
  assert.equal(await titles({ updated_after: 'last_1_hour' }), 'wx')
  assert.equal(await titles({ updated_after: 'last_1_days' }), 'pqrstuvwx')
  assert.equal(await titles({ updated_after: 'this_month' }), 'pqrstuvwx')
  advanceTo('2027-04-04T12:00:00Z')
  assert.equal(await titles({ updated_after: 'last_7_days' }), 'pqrstuvwx')
  workspace.clock.pass(dayLong)
  assert.equal(await titles({ updated_after: 'last_7_days' }), 'x')
})

test('filters by any of several labels, none of them, or no label at all', async () => {
  await ann.call('create_project', { name: 'Labels', key: 'LAB', member_ids: ['bob@acme.test'] })
  const label = (title: string, ...names: string[]) =>
    add(title, { project_id: 'LAB', label_ids: names.map((name) => labels[name]) })
  await label('a', 'Bug')
  await label('b', 'Bug', 'Rush')
  await label('c', 'Wait')
  await label('d')
  const cases: [Record<string, unknown>, string][] = [
    [{ labels_any: ['bug', 'Wait'] }, 'abc'],
    [{ labels_any: [labels.Rush] }, 'b'],
    [{ label_id: ['Bug'], labels_any: ['Rush', 'Wait'] }, 'b'],
    [{ labels_not: ['Rush', 'Wait'] }, 'ad'],
    [{ labels_any: ['Bug'], labels_not: ['Rush'] }, 'a'],
    [{ has_no_label: true }, 'd'],
    [{ has_no_label: false }, 'abc'],
  ]
  for (const [args, expected] of cases)
    assert.equal(await titles({ project_id: 'LAB', ...args }), expected, JSON.stringify(args))
  await ann.call('delete_label', { label_id: labels.Wait })
  assert.equal(await titles({ project_id: 'LAB', has_no_label: true }), 'cd', 'it is in the trash')
  const { matched } = await bob.call('bulk_update_tasks', {
    filter: { project_id: 'LAB', labels_any: ['Bug'] },
    changes: { priority: 'low' },
    dry_run: true,
  })
  assert.equal(matched, 2)
})

test('an invalid period is refused with the valid ones', async () => {
  for (const [args, field] of [
    [{ due: ['soon'] }, 'due.0'],
    [{ due: [] }, 'due'],
    [{ due_not: [] }, 'due_not'],
    [{ due: ['next_0_days'] }, 'due.0'],
    [{ due: ['today', 'next_1000_days'] }, 'due.1'],
    [{ due: ['today\n'] }, 'due.0'],
    [{ updated_after: 'tomorrow' }, 'updated_after'],
    [{ updated_after: '2026-02-30' }, 'updated_after'],
    [{ due: Array(11).fill('today') }, 'due'],
  ] as const) {
    const refused = await bob.refused('list_tasks', args)
    assert.equal(refused.code, 'invalid_argument')
    assert.equal(refused.more.field, field, JSON.stringify(args))
  }
  const { message } = (await bob.refused('list_tasks', { due: ['soon'] })).body()
  assert.match(message, /overdue.*this_week.*next_14_days/)
  assert.equal((await bob.refused('list_tasks', { labels_any: ['Nothing'] })).code, 'not_found')
})
