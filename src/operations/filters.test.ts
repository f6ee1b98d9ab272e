import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { z } from 'zod'
import type { Refusal } from '../kernel/refusal.ts'
import { modules } from '../modules/index.ts'
import { project } from '../modules/portfolio/access.ts'
import { task } from '../modules/tasks/access.ts'
import type { Scoped } from '../records/resource.ts'
import { hour, makeWorkspace, type TestWorkspace } from '../testing/harness.ts'
import {
  equals,
  applyFilters,
  filters,
  filterFunction,
  oneOf,
  resolvedInput,
  since,
  until,
} from './filters.ts'
import type { ReadContext } from './context.ts'
import type { Module } from './module.ts'
import { operation } from './operation.ts'

const probed = filters('tasks', {
  project: equals('tasks.project_id', project.see.maybe),
  projects: {
    input: project.see.many.maybe.named('any_project_id'),
    where: (query, ids) => query.where('tasks.project_id', 'in', ids),
  },
  priority: oneOf('tasks.priority', z.array(z.string().max(20)).max(5).optional()),
  starting: {
    input: resolvedInput(z.string().max(50).optional(), (text) => text.trim() || undefined),
    where: (query, text) => query.where('tasks.title', 'like', `${text}%`),
  },
  before: until('tasks.created_at'),
  after: since('tasks.created_at', 'made since then'),
})

async function titles(query: Scoped<'tasks'>): Promise<string[]> {
  const rows = await query.select('tasks.title').orderBy('tasks.title').execute()
  return rows.map((row) => row.title)
}

const output = z.object({ titles: z.array(z.string()) })
const listProbes = operation({
  name: 'list_probes',
  kind: 'read',
  rest: 'GET /api/probes',
  about: 'Tasks by all filters',
  on: probed.on,
  input: probed.input,
  output,
  handle: async (args, ctx) => ({
    titles: await titles(await applyFilters(ctx, task.visibleTo(ctx), probed, args)),
  }),
})

const picked = probed.pick('priority', 'project')
const listProbesByObject = operation({
  name: 'list_probes_by_object',
  kind: 'read',
  rest: 'GET /api/probes-by-object',
  about: 'Tasks by an object of some filters, which is given back',
  input: { filters: picked.object },
  output: output.extend({ again: z.record(z.string(), z.unknown()), is_narrowed: z.boolean() }),
  async handle({ filters: object }, ctx: ReadContext) {
    const args = await picked.resolve(ctx, object, 'filters')
    const narrow = await filterFunction(ctx, picked, args)
    return {
      titles: await titles(narrow?.(task.visibleTo(ctx)) ?? task.visibleTo(ctx)),
      again: picked.toObject(args),
      is_narrowed: narrow !== undefined,
    }
  },
})

const probes: Module = {
  name: 'probes',
  about: 'Lists with filters. Nouns: probe.',
  operations: [listProbes, listProbesByObject],
}

let workspace: TestWorkspace
let engineering: string
before(async () => {
  workspace = await makeWorkspace({ modules: [...modules, probes] })
  const { ann, clock } = workspace
  engineering = (await ann.call('create_project', { name: 'Engineering', key: 'ENG' })).id
  await ann.call('create_project', { name: 'Sales', key: 'SAL' })
  await ann.call('create_task', { project_id: 'ENG', title: 'Build', priority: 'high' })
  await ann.call('create_task', { project_id: 'SAL', title: 'Call', priority: 'low' })
  clock.pass(24 * hour) // Saturday noon in UTC, 13:00 for ann
  await ann.call('create_task', { project_id: 'ENG', title: 'Check', priority: 'low' })
})
after(() => workspace.close())

const listTitles = async (args: Record<string, unknown>): Promise<string[]> =>
  (await workspace.ann.call('list_probes', args)).titles

const refused = (tool: string, args: Record<string, unknown>): Promise<Refusal> =>
  workspace.ann.refused(tool, args)

test('omitted, null and blank filters match everything', async () => {
  const all = ['Build', 'Call', 'Check']
  assert.deepEqual(await listTitles({}), all)
  assert.deepEqual(await listTitles({ priority: null, starting: '  ' }), all)
})

test('a blank, an empty list and a list of blanks are refused with the filter name', async () => {
  for (const [name, value] of [
    ['priority', []],
    ['any_project_id', []],
    ['any_project_id', ['']],
    ['project_id', ''],
    ['before', ''],
  ] as const) {
    const { code, more } = await refused('list_probes', { [name]: value })
    assert.deepEqual([code, more.field?.split('.')[0]], ['invalid_argument', name])
  }
  for (const object of [{ priority: [] }, { project_id: '' }]) {
    const { code } = await refused('list_probes_by_object', { filters: object })
    assert.equal(code, 'invalid_argument')
  }
})

test('an empty fields or include list adds nothing', async () => {
  const { ann } = workspace
  assert.deepEqual((await ann.call('list_labels', { fields: [] })).items, [])
  assert.equal('keys' in (await ann.call('get_me', { include: [] })), false)
})

test('rows are resolved as everywhere, values of one filter are alternatives, and filters are combined', async () => {
  assert.deepEqual(await listTitles({ project_id: 'ENG' }), ['Build', 'Check'])
  assert.deepEqual(await listTitles({ any_project_id: ['ENG', 'Sales'] }), [
    'Build',
    'Call',
    'Check',
  ])
  assert.deepEqual(await listTitles({ priority: ['low'] }), ['Call', 'Check'])
  assert.deepEqual(await listTitles({ priority: ['low', 'high'], project_id: 'ENG' }), [
    'Build',
    'Check',
  ])
  assert.deepEqual(await listTitles({ project_id: 'ENG', priority: ['low'] }), ['Check'])
  assert.deepEqual(await listTitles({ starting: ' C' }), ['Call', 'Check'])
})

test('time bounds are inclusive, and a day spans the local day of the caller', async () => {
  assert.deepEqual(await listTitles({ after: '2026-11-21T12:00:00Z' }), ['Check'])
  assert.deepEqual(await listTitles({ after: '2026-11-21T12:00:00.001Z' }), [])
  assert.deepEqual(await listTitles({ before: '2026-11-20T12:00:00Z' }), ['Build', 'Call'])
  assert.deepEqual(await listTitles({ before: '2026-11-20T13:00:00' }), ['Build', 'Call']) // Berlin
  assert.deepEqual(await listTitles({ before: '2026-11-20T12:59:59' }), [])
  assert.deepEqual(await listTitles({ after: '2026-11-21', before: '2026-11-21' }), ['Check'])
  assert.deepEqual(await listTitles({ after: '2026-11-22' }), [])
})

test('an unreadable value is refused with the argument name', async () => {
  const time = await refused('list_probes', { after: '2026-13-01' })
  assert.deepEqual(
    [time.code, time.more.field, time.message],
    ['invalid_argument', 'after', 'after: is not a calendar date.'],
  )
  const hidden = await refused('list_probes', { project_id: 'NONE' })
  assert.deepEqual([hidden.code, hidden.more.field], ['not_found', 'project_id'])
  const several = await refused('list_probes', { any_project_id: ['ENG', 'NONE'] })
  assert.deepEqual([several.code, several.more.field], ['not_found', 'any_project_id[1]'])
  const kind = await refused('list_probes', { starting: 'x'.repeat(51) })
  assert.deepEqual([kind.code, kind.more.field], ['invalid_argument', 'starting'])
})

test('filter arguments are described and ordered as declared', () => {
  assert.deepEqual(Object.keys(probed.on), ['project', 'projects'])
  assert.deepEqual(Object.keys(probed.input), ['priority', 'starting', 'before', 'after'])
  assert.equal(probed.input.after.description, 'made since then')
  assert.deepEqual(Object.keys(picked.on), ['project'])
  assert.deepEqual(Object.keys(picked.input), ['priority'])
  assert.deepEqual(Object.keys(probed.omit('after', 'projects', 'before').input), [
    'priority',
    'starting',
  ])
})

test('a filter object resolves rows like arguments do, and is rebuilt with their ids', async () => {
  const { ann } = workspace
  const filter = { project_id: 'ENG', priority: ['high'] }
  assert.deepEqual(await ann.call('list_probes_by_object', { filters: filter }), {
    titles: ['Build'],
    again: { project_id: engineering, priority: ['high'] },
    is_narrowed: true,
  })
  const none = await ann.call('list_probes_by_object', { filters: {} })
  assert.deepEqual([none.titles.length, none.is_narrowed], [3, false])
  const absent = await refused('list_probes_by_object', { filters: { project_id: 'NONE' } })
  assert.deepEqual([absent.code, absent.more.field], ['not_found', 'filters.project_id'])
  const unknown = await refused('list_probes_by_object', { filters: { after: '2026-11-20' } })
  assert.equal(unknown.code, 'invalid_argument')
})
