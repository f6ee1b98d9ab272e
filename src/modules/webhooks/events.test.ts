import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { FilterableEvent } from '../../events/filter.ts'
import { Catalogue } from '../../operations/catalogue.ts'
import { modules } from '../index.ts'
import { delayAfter, retryAfter } from './attempts.ts'
import { checkEvents, eventsFor, knownEvents } from './events.ts'

const catalogue = new Catalogue(modules)
const folder = new URL('..', import.meta.url)

test('every event emitted by a module is declared, and every declared one is emitted', () => {
  const texts = globSync('**/*.ts', { cwd: folder })
    .filter((file) => !file.endsWith('.test.ts'))
    .map((file) => readFileSync(new URL(file, folder), 'utf8'))
  const emittedEvents = texts.flatMap((text) =>
    [...text.matchAll(/\.?event(?:\(\s*|: )(?:'([a-z_]+\.[a-z_]+)'|`([a-z_]+)\.\$)/g)].map(
      ([, whole, type]) => whole ?? `${type}.`,
    ),
  )
  assert.ok(emittedEvents.length > 10)
  const available = knownEvents(catalogue)
  assert.deepEqual(
    emittedEvents.filter(
      (name) =>
        !(name.endsWith('.')
          ? available.some((item) => item.startsWith(name))
          : available.includes(name)),
    ),
    [],
  )
  const declared = modules.flatMap((module) => module.events ?? [])
  assert.deepEqual(
    declared.filter(
      (name) =>
        !emittedEvents.some(
          (item) => item === name || (item.endsWith('.') && name.startsWith(item)),
        ),
    ),
    [],
  )
  assert.ok(!available.some((name) => name.startsWith('webhook.')))
})

test('unknown event names are refused with similar ones', () => {
  checkEvents(catalogue, ['task.completed', 'task.*', 'project.created'])
  assert.throws(() => checkEvents(catalogue, ['task.complete']), /unknown event "task\.complete"/)
  for (const unknown of ['webhook.created', 'webhook.*', 'task.x', 'nothing.*'])
    assert.throws(() => checkEvents(catalogue, [unknown]), /unknown event/, unknown)
})

const change: FilterableEvent = {
  op: 'updated',
  events: ['task.updated', 'task.completed'],
  item_id: 'tsk_1',
  project_id: 'prj_1',
  actor_id: 'usr_bob',
  via: 'mcp',
  fields: ['status', 'due_at'],
}

test('a change is sent to subscribers of its events whose filter matches', () => {
  assert.deepEqual(eventsFor(['task.completed'], undefined, 'usr_ann', change), ['task.completed'])
  assert.deepEqual(eventsFor(['task.*'], undefined, 'usr_ann', change), [
    'task.updated',
    'task.completed',
  ])
  assert.deepEqual(eventsFor(['task.created', 'project.*'], undefined, 'usr_ann', change), [])
  const passes = (filter: object, overrides: Partial<FilterableEvent> = {}) =>
    eventsFor(['task.*'], filter, 'usr_ann', { ...change, ...overrides }).length > 0
  assert.deepEqual(
    [
      passes({ project_ids: ['prj_1'] }),
      passes({ project_ids: ['prj_2'] }),
      passes({ project_ids: ['prj_2'] }, { item_id: 'prj_2', project_id: null }),
    ],
    [true, false, true],
  )
  assert.deepEqual(
    [
      passes({ fields: ['status'] }),
      passes({ fields: ['title'] }),
      passes({ fields: ['title'] }, { op: 'created' }),
    ],
    [true, false, true],
  )
  assert.deepEqual([passes({ via: ['mcp', 'api'] }), passes({ via: ['web'] })], [true, false])
  assert.deepEqual(
    [
      passes({ by_others: true }),
      passes({ by_others: true }, { actor_id: 'usr_ann' }),
      passes({ by_others: false }, { actor_id: 'usr_ann' }),
    ],
    [true, false, true],
  )
})

test('eight attempts take about three days, and Retry-After is honored up to a day', () => {
  const total = (random: number) =>
    [1, 2, 3, 4, 5, 6, 7].reduce(
      (sum, attempt) => sum + delayAfter(attempt, undefined, () => random),
      0,
    ) / 3600_000
  assert.ok(total(0.5) > 70 && total(0.5) < 76, `${total(0.5)} hours`)
  assert.ok(total(0) < total(1))
  assert.equal(
    delayAfter(1, 120, () => 0.5),
    120_000,
  )
  assert.equal(
    delayAfter(1, 10_000_000, () => 0.5),
    86_400_000,
  )
  assert.deepEqual(
    [
      retryAfter('7', 0),
      retryAfter('Thu, 01 Jan 1970 00:00:09 GMT', 0),
      retryAfter('soon', 0),
      retryAfter(undefined, 0),
    ],
    [7, 9, undefined, undefined],
  )
})
