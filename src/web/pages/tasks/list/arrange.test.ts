import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TaskRow } from '../data/rows.ts'
import { arrange } from './arrange.ts'
import { viewSearchParams, parseView } from './view.ts'

const context = {
  personId: 'usr_mia',
  now: Date.parse('2026-11-25T12:00:00Z'),
  today: '2026-11-25', // a Wednesday
  startOf: (day: string) => Date.parse(`${day}T00:00:00Z`),
}

let taskCount = 0
function row(overrides: Partial<TaskRow>): TaskRow {
  taskCount++
  return {
    id: `tsk_${taskCount}`,
    key: `WEB-${taskCount}`,
    title: `Task ${taskCount}`,
    url: '',
    revision: 1,
    created_at: '2026-11-01T00:00:00.000Z',
    updated_at: '2026-11-01T00:00:00.000Z',
    project: { id: 'prj_web', key: 'WEB', title: 'Website' },
    status: 'To do',
    status_category: 'todo',
    priority: 'none',
    assignees: [],
    labels: [],
    blocked: false,
    blocked_by: [],
    blocks: [],
    custom_fields: {},
    time_spent_minutes: 0,
    subtask_counts: { total: 0, done: 0 },
    comment_count: 0,
    position: 'a0',
    watching: false,
    ...overrides,
  }
}

const shape = (rows: TaskRow[], search: Record<string, string>) =>
  arrange(rows, parseView(search), context).map(({ key, ids }) => [key, ...ids])

test('tasks in progress come first in a list, and done ones are hidden unless requested', () => {
  const todo = row({})
  const doing = row({ status: 'In progress', status_category: 'in_progress' })
  const done = row({ status: 'Done', status_category: 'done' })
  assert.deepEqual(shape([todo, done, doing], {}), [
    ['in_progress:In progress', doing.id],
    ['todo:To do', todo.id],
  ])
  assert.equal(shape([todo, done, doing], { closed: 'true' }).length, 3)
  assert.deepEqual(shape([todo, done], { status: 'done' }), [['done:Done', done.id]])
})

test('on a board work flows from left to right, an empty status has a column, and recently completed tasks stay', () => {
  const doing = row({ status: 'In progress', status_category: 'in_progress' })
  const recentlyDone = row({
    status: 'Done',
    status_category: 'done',
    updated_at: '2026-11-20T00:00:00.000Z',
  })
  const doneEarlier = row({ status: 'Done', status_category: 'done' })
  const statuses = [
    { name: 'Backlog', category: 'backlog' as const },
    { name: 'Done', category: 'done' as const },
  ]
  const groups = arrange(
    [doing, doneEarlier, recentlyDone],
    parseView({ layout: 'board' }),
    context,
    statuses,
  )
  assert.deepEqual(
    groups.map(({ name, ids }) => [name, ...ids]),
    [['Backlog'], ['In progress', doing.id], ['Done', recentlyDone.id]],
  )
})

test('a task with two assignees is in both groups, and unassigned comes last', () => {
  const [tom, mia] = [
    { id: 'usr_tom', title: 'Tom' },
    { id: 'usr_mia', title: 'Mia' },
  ]
  const both = row({ assignees: [tom, mia] })
  const unassigned = row({})
  assert.deepEqual(shape([unassigned, both], { group: 'assignee' }), [
    ['usr_mia', both.id],
    ['usr_tom', both.id],
    ['none', unassigned.id],
  ])
  assert.deepEqual(shape([unassigned, both], { group: 'none', assignee: 'me' }), [['all', both.id]])
  assert.deepEqual(shape([unassigned, both], { group: 'none', assignee: 'none' }), [
    ['all', unassigned.id],
  ])
})

test('days are local to the person, a week ends on Sunday, and overdue tasks are due this week, too', () => {
  const [late, today, sunday, monday] = [
    '2026-11-24',
    '2026-11-25',
    '2026-11-29',
    '2026-11-30',
  ].map((due_on) => row({ due_on }))
  const rows = [monday, sunday, today, late].filter((item) => item !== undefined)
  assert.deepEqual(shape(rows, { group: 'due', sort: 'due' }), [
    ['overdue', late?.id],
    ['today', today?.id],
    ['week', sunday?.id],
    ['later', monday?.id],
  ])
  assert.deepEqual(shape(rows, { group: 'none', sort: 'due', due: 'this_week' }), [
    ['all', late?.id, today?.id, sunday?.id],
  ])
  assert.deepEqual(
    parseView({ due: 'week' }).filter.due,
    ['overdue', 'this_week'],
    'former name of the period',
  )
  assert.deepEqual(parseView({ due: 'soon,next_3_days', updated: 'once' }).filter.due, [
    'next_3_days',
  ])
})

test('a URL holds the whole view, and invalid parts fall back to defaults', () => {
  const search = {
    assignee: 'me,none',
    priority: 'high',
    group: 'due',
    layout: 'board',
    sort: 'title',
  }
  assert.deepEqual(viewSearchParams(parseView(search)), search)
  assert.deepEqual(viewSearchParams(parseView({ group: 'colour', layout: '7', sort: 'x' })), {})
})
