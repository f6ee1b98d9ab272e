import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from '../testing/properties.ts'
import { makeWorkspace, minute, type TestWorkspace } from '../testing/harness.ts'
import { instantOf, wallOf } from '../web/pages/calendar/data/wall.ts'
import type { TaskRow } from '../web/pages/tasks/data/rows.ts'
import { emptyFilter, parseFilter, type TaskFilter } from '../web/pages/tasks/filter/filter.ts'
import { createFilterPredicate } from '../web/pages/tasks/filter/matches.ts'
import { toStoredFilter, storedFilterParams } from '../web/pages/tasks/views/kept-filter.ts'
import { isShowable } from '../web/pages/tasks/views/showable.ts'

// Tests that the app's filter of its own rows matches the result of list_tasks for the arguments that a saved view
// stores.

let workspace: TestWorkspace
let labels: string[] = []
const zone = 'America/New_York'
/** Sunday; clocks went back in the night; 23:30 for the reader and Monday in UTC. */
const start = Date.parse('2027-11-08T04:30:00Z')

before(async () => {
  workspace = await makeWorkspace()
  const { ann, bob, clock } = workspace
  await ann.call('update_my_profile', { timezone: zone })
  Object.assign(ann.actor, { timezone: zone })
  for (const [name, key] of [
    ['Plant', 'PLT'],
    ['Office', 'OFF'],
  ])
    await ann.call('create_project', { name, key, member_ids: [bob.id] })
  labels = await Promise.all(
    ['Bug', 'Rush', 'Wait'].map(async (name) => (await ann.call('create_label', { name })).id),
  )
  const day = (count: number) => new Date(start + count * 1440 * minute).toISOString()
  clock.pass(start - 30 * 1440 * minute - clock.now())
  for (let i = 0; i < 120; i++) {
    const offset = ((i * 37) % 61) - 30
    clock.pass(6 * 60 * minute)
    const due = { 0: day(offset).slice(0, 10), 1: day(offset + i / 97), 2: undefined }[i % 3]
    await (i % 2 ? ann : bob).call('create_task', {
      project_id: i % 7 ? 'PLT' : 'OFF',
      title: `Task ${i}`,
      ...(due !== undefined && { due_at: due }),
      status: i % 5 ? 'To do' : 'Done',
      priority: (['high', 'low', 'none'] as const)[i % 3],
      label_ids: labels.filter((_, index) => (i >> index) % 3 === 1),
      assignee_ids: [[], [ann.id], [bob.id], [ann.id, bob.id]][i % 4],
    })
  }
  clock.pass(start - clock.now())
})
after(() => workspace.close())

const listRows = async (args: Record<string, unknown>) => {
  const rows: TaskRow[] = []
  let cursor: string | undefined
  do {
    const page = await workspace.ann.call('list_tasks', { ...args, limit: 100, cursor })
    rows.push(...page.items)
    cursor = page.next_cursor
  } while (cursor !== undefined)
  return rows
}

const readerAt = (now: number) => ({
  personId: workspace.ann.id,
  now,
  today: wallOf(now, zone).slice(0, 10),
  startOf: (day: string) => instantOf(`${day}T00:00`, zone),
})

const count = fc.integer({ min: 1, max: 40 })
const due = fc.oneof(
  fc.constantFrom('overdue', 'none', 'today', 'tomorrow', 'yesterday'),
  fc
    .tuple(fc.constantFrom('this', 'next', 'last'), fc.constantFrom('week', 'month'))
    .map((words) => words.join('_')),
  fc
    .tuple(fc.constantFrom('next', 'last'), count)
    .map(([direction, days]) => `${direction}_${days}_days`),
)
const since = fc.oneof(
  fc.constantFrom('today', 'this_week', 'this_month'),
  fc.tuple(count, fc.constantFrom('hours', 'days')).map(([n, unit]) => `last_${n}_${unit}`),
)
const upToThree = (values: fc.Arbitrary<string>) => fc.uniqueArray(values, { maxLength: 3 })

const filters = (): fc.Arbitrary<TaskFilter> =>
  fc
    .record({
      due: upToThree(due),
      updated: fc.array(since, { maxLength: 1 }),
      label: fc.oneof(
        upToThree(fc.constantFrom(...labels)),
        fc.constantFrom(['none'], [labels[0] ?? '', 'none']),
      ),
      priority: upToThree(fc.constantFrom('high', 'low')),
      assignee: fc.constantFrom<string[]>(
        [],
        ['me'],
        ['none'],
        [workspace.bob.id],
        ['me', workspace.bob.id],
        ['me', 'none'],
      ),
      project: fc.constantFrom<string[]>([], [], ['PLT'], ['PLT', 'OFF']),
      not: fc.subarray(['label', 'priority', 'assignee', 'project', 'due']),
    })
    .map((fields) => ({ ...emptyFilter, ...fields }) as TaskFilter)

/** True if the filter combines values of a field with `none`, which no argument can express. */
const isSomeOrNone = (filter: TaskFilter) =>
  (['assignee', 'label'] as const).some(
    (field) =>
      filter[field].length > 1 && filter[field].includes('none') && !filter.not.includes(field),
  )

test('any filter of periods, labels, people and projects matches list_tasks in the app, at any hour', async () => {
  const rows = await listRows({})
  await fc.assert(
    fc.asyncProperty(filters(), fc.nat(50 * 60), async (filter, minutes) => {
      workspace.clock.at = start + minutes * minute
      const viewFilter = toStoredFilter(filter, () => undefined)
      if (!viewFilter)
        return assert.ok(
          isSomeOrNone(filter),
          'no arguments, although they could express the filter',
        )
      const keysListed = (await listRows(viewFilter)).map((row) => row.key).toSorted()
      const visibleRows = rows.filter(
        createFilterPredicate(filter, readerAt(workspace.clock.now())),
      )
      assert.deepEqual(visibleRows.map((row) => row.key).toSorted(), keysListed)
      if (
        [filter.assignee, filter.priority, filter.project].every((values) => values.length === 0)
      ) {
        const { total } = await workspace.ann.call('count_tasks', {
          ...viewFilter,
          group_by: 'status',
        })
        assert.equal(total, keysListed.length)
      }
      assert.ok(isShowable(viewFilter))
      const parsedFilter = parseFilter(
        Object.fromEntries(
          Object.entries(storedFilterParams(viewFilter)).filter(([, value]) => value !== undefined),
        ),
      )
      assert.deepEqual(
        toStoredFilter(parsedFilter, () => undefined),
        viewFilter,
        'the filter is the same after a round trip through its address',
      )
    }),
    { numRuns: 100 },
  )
})

test('filters that the app cannot evaluate identically are not shown as if it could', () => {
  for (const filter of [
    {},
    { label_id: ['lbl_1'], due: ['overdue'] },
    { assignees_not: ['me'], has_no_assignee: false },
    { changed_by_key: 'any', updated_after: 'today' },
    { custom: [{ field: 'Area', is: ['Pump'] }] },
  ])
    assert.equal(isShowable(filter), true, JSON.stringify(filter))
  for (const filter of [
    { sprint_id: 'current' },
    { label_id: ['lbl_1', 'lbl_2'] },
    { label_id: ['Bug'] },
    { labels_not: ['lbl_1'], has_no_label: true },
    { label_id: ['lbl_1'], has_no_label: false },
    { updated_after: '2026-11-20T10:00:00Z' },
    { due: ['today'], overdue: true },
    { assignee: 'bob@acme.test' },
    { updated_after: '2026-11-20' },
    { changed_by_key: 'me', updated_after: 'today' },
    { changed_by_key: 'any' },
    { custom: [{ field: 'Cost', above: 5 }] },
    { status: ['To do'] },
  ])
    assert.equal(isShowable(filter), false, JSON.stringify(filter))
})
