import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../testing/properties.ts'
import { EventParser, type StreamEvent } from '../web/store/stream/event-source.ts'
import { RecentEvents } from '../web/store/stream/recent-events.ts'
import { RowTable } from '../web/store/rows.ts'
import { ViewIndex } from '../web/store/view.ts'

interface Task {
  id: string
  revision: number
  title: string
  status: string
  people: readonly string[]
}

const task = (id: string, overrides: Partial<Task> = {}): Task => ({
  id,
  revision: 1,
  title: id,
  status: 'todo',
  people: [],
  ...overrides,
})

test('local changes overlay server state in order until they are dropped', () => {
  const rows = new RowTable<Task>()
  rows.put([task('a')])
  rows.apply('first', { type: 'task', id: 'a', set: { status: 'doing' } })
  rows.apply('second', { type: 'task', id: 'a', set: { title: 'A' } })
  rows.put([task('a', { revision: 2, title: 'theirs', status: 'blocked' })])
  assert.deepEqual(rows.get('a'), task('a', { revision: 2, title: 'A', status: 'doing' }))
  rows.drop('first')
  assert.deepEqual(rows.get('a'), task('a', { revision: 2, title: 'A', status: 'blocked' }))
  rows.drop('second')
  assert.equal(rows.get('a')?.title, 'theirs')
  rows.apply('made', { type: 'task', id: 'new', add: { title: 'New' } })
  assert.equal(rows.get('new')?.title, 'New')
  rows.drop('made')
  assert.equal(rows.get('new'), undefined)
  rows.apply('gone', { type: 'task', id: 'a', remove: true })
  assert.equal(rows.get('a'), undefined)
  rows.drop('gone')
  assert.equal(rows.get('a')?.title, 'theirs')
})

test('an outdated response does not restore old values', () => {
  const rows = new RowTable<Task>()
  rows.put([task('a', { revision: 3, title: 'new' })])
  rows.put([task('a', { revision: 2, title: 'old' })])
  assert.equal(rows.get('a')?.title, 'new')
})

test('among responses of the same revision or position, the latest request wins', () => {
  const rows = new RowTable<Task>()
  rows.put([task('a', { status: 'two unread' })], { position: 7, order: 20 })
  rows.put([task('a', { status: 'three unread' })], { position: 7, order: 10 })
  assert.equal(rows.get('a')?.status, 'two unread')
  rows.put([task('a', { status: 'one unread' })], { position: 7, order: 30 })
  assert.equal(rows.get('a')?.status, 'one unread')
  rows.put([task('a', { status: 'an older one' })], { position: 6, order: 40 })
  assert.equal(rows.get('a')?.status, 'one unread', 'the position counts before the request')
  rows.put([task('a', { revision: 2, status: 'none' })], { position: 7, order: 10 })
  assert.equal(
    rows.get('a')?.status,
    'none',
    'a newer revision is newer, whenever it was asked for',
  )
})

test('a deleted row is not restored by an older response, but by a later request or a newer revision', () => {
  const rows = new RowTable<Task>()
  rows.put([task('a'), task('b', { revision: 4 })])
  rows.remove(['a', 'b', 'never here'], { stamp: { position: 9 }, isDeleted: true })
  rows.put([task('a'), task('b', { revision: 4 }), task('never here')], { position: 8, order: 5 })
  rows.put([task('a'), task('b', { revision: 4 })]) // from another tab
  assert.deepEqual([...rows.all()], [])
  rows.put([task('a')], { position: 9, order: 6 })
  rows.put([task('b', { revision: 5 })])
  assert.deepEqual([...rows.all()].map((row) => row.id).sort(), ['a', 'b'])
})

test('a row that only became invisible is restored by any response not requested before', () => {
  const rows = new RowTable<Task>()
  rows.put([task('left'), task('of somebody else')])
  rows.remove(['left'], { stamp: { order: 3 } })
  rows.put([task('left')], { position: 8, order: 2 })
  assert.equal(rows.get('left'), undefined)
  rows.put([task('left')])
  assert.equal(rows.get('left')?.title, 'left')
  rows.remove(['of somebody else'], { isDeleted: true })
  rows.clear()
  rows.put([task('of somebody else')])
  assert.equal(rows.get('of somebody else')?.title, 'of somebody else')
})

test('a row keeps the stream position it reflects until that is unknown', () => {
  const rows = new RowTable<Task>()
  rows.put([task('a')], { position: 12, order: 1 })
  assert.equal(rows.positionOf('a'), 12)
  rows.put([task('a', { revision: 2 })])
  assert.equal(rows.positionOf('a'), undefined)
  rows.put([task('a', { revision: 2 })], { position: 13 })
  rows.clearReadStamps()
  assert.equal(rows.positionOf('a'), undefined)
})

const eventMessage = (id: string) =>
  ({ kind: 'event', id, event: 'task.updated', data: '{}', previous: 0 }) as const

test('recent events are stored once each, and events after a position are available or known to be missing', () => {
  const recent = new RecentEvents()
  recent.reset(10)
  assert.equal(recent.add(eventMessage('ten'), 10), false, 'the snapshot already contains it')
  for (const position of [11, 12, 13]) recent.add(eventMessage(`e${position}`), position)
  assert.equal(recent.add(eventMessage('e12'), 12), false)
  assert.deepEqual(
    recent.eventsAfter(11)?.map(({ id }) => id),
    ['e12', 'e13'],
  )
  assert.deepEqual(recent.eventsAfter(13), [])
  assert.equal(recent.eventsAfter(9), undefined)
  for (let position = 14; position < 3000; position++)
    recent.add(eventMessage(`e${position}`), position)
  assert.equal(recent.eventsAfter(14), undefined)
  const eventsAfter = recent.eventsAfter(2500)
  assert.deepEqual([eventsAfter?.length, eventsAfter?.at(0)?.id], [499, 'e2501'])
})

test('a row listener gets only its changes, and a batch is reported once', () => {
  const rows = new RowTable<Task>()
  const notifications: string[] = []
  rows.listen('a', () => notifications.push('a'))
  rows.listenAll((ids) => notifications.push([...ids].sort().join('+')))
  rows.put([task('a'), task('b')])
  rows.put([task('b', { revision: 2 })])
  rows.batch(() => {
    rows.put([task('a', { revision: 2 })])
    rows.remove(['b'])
  })
  assert.deepEqual(notifications, ['a+b', 'a', 'b', 'a+b', 'a'])
})

const view = {
  filter: (row: Task) => row.status !== 'done',
  compare: (a: Task, b: Task) => a.title.localeCompare(b.title),
  groups: (row: Task) => (row.people.length > 0 ? row.people : 'nobody'),
}

/** Computes the expected view from scratch. */
function expectedState(rows: RowTable<Task>) {
  const sorted = [...rows.all()]
    .filter(view.filter)
    .sort((a, b) => view.compare(a, b) || (a.id < b.id ? -1 : 1))
  const groups: Record<string, string[]> = {}
  for (const row of sorted)
    for (const name of [view.groups(row)].flat()) groups[name] = [...(groups[name] ?? []), row.id]
  return { ids: sorted.map((row) => row.id), groups }
}

test('a maintained view always equals one computed from scratch', () => {
  const change = fc.record({
    id: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'),
    title: fc.constantFrom('one', 'two', 'three', 'four'),
    status: fc.constantFrom('todo', 'doing', 'done'),
    people: fc.subarray(['ann', 'bob', 'carol']),
    how: fc.constantFrom('put', 'remove', 'apply', 'drop'),
  })
  fc.assert(
    fc.property(fc.array(change, { maxLength: 60 }), (changes) => {
      const rows = new RowTable<Task>()
      const index = new ViewIndex<Task>(rows, view)
      const unsubscribe = index.subscribe(() => {})
      for (const [i, { id, how, ...fields }] of changes.entries()) {
        if (how === 'put') rows.put([task(id, { ...fields, revision: i + 1 })])
        else if (how === 'remove') rows.remove([id])
        else if (how === 'apply') rows.apply(`${i % 3}`, { type: 'task', id, set: fields })
        else rows.drop(`${i % 3}`)
        const { ids, groups } = index.state()
        assert.deepEqual({ ids, groups: Object.fromEntries(groups) }, expectedState(rows))
      }
      unsubscribe()
    }),
  )
})

test('a view is the same object while its order does not change', () => {
  const rows = new RowTable<Task>()
  rows.put([task('a'), task('b')])
  const index = new ViewIndex<Task>(rows, view)
  let received = 0
  index.subscribe(() => received++)
  const initialState = index.state()
  rows.put([task('a', { revision: 2, status: 'doing' })])
  assert.equal(index.state(), initialState)
  rows.put([task('c', { status: 'done' })])
  assert.equal(index.state(), initialState)
  rows.put([task('a', { revision: 3, title: 'z' })])
  assert.deepEqual(index.state().ids, ['b', 'a'])
  assert.equal(received, 1)
})

test('in a frozen view rows stay in place and only removed ones disappear', () => {
  const rows = new RowTable<Task>()
  rows.put([task('a'), task('b'), task('c')])
  const index = new ViewIndex<Task>(rows, view)
  index.subscribe(() => {})
  index.freeze(true)
  rows.put([
    task('a', { revision: 2, status: 'done' }),
    task('b', { revision: 2, title: 'z' }),
    task('d'),
  ])
  assert.deepEqual(index.state().ids, ['a', 'b', 'c'])
  rows.remove(['c'])
  assert.deepEqual(index.state().ids, ['a', 'b'])
  index.freeze(false)
  assert.deepEqual(index.state().ids, ['d', 'b'])
})

test('a stream is parsed in chunks of any size', () => {
  const text =
    'retry: 2000\nid: 1\nevent: ready\ndata: {}\n\n: keep-alive\nid: 2\n\nid: 3\nevent: task.updated\ndata: {"a":\ndata: 1}\n\n'
  for (let size = 1; size <= text.length; size += 7) {
    const events: StreamEvent[] = []
    const parser = new EventParser((event) => events.push(event))
    for (let offset = 0; offset < text.length; offset += size)
      parser.push(text.slice(offset, offset + size))
    assert.deepEqual(events, [
      { id: '1', event: 'ready', data: '{}' },
      { id: '2', event: '', data: '' },
      { id: '3', event: 'task.updated', data: '{"a":\n1}' },
    ])
  }
})
