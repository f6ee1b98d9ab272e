import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { readWithoutLogging } from '../src/operations/call/index.ts'
import type { ReadContext } from '../src/operations/context.ts'
import { presentItems } from '../src/operations/listing/presenters.ts'
import { allResources, type ItemTable, type Row } from '../src/records/resource.ts'
import { makeWorkspace, type Someone, type TestWorkspace } from '../src/testing/harness.ts'
import { plantEverything } from '../tools/permissions.ts'

// One item of every type, read by get_item and as entries of its list.

let workspace: TestWorkspace
let mara: Someone
/** Ids visible to Mara, by type. */
let ids: Map<string, string[]>

before(async () => {
  workspace = await makeWorkspace()
  mara = await workspace.person('Mara')
  await plantEverything(workspace, mara)
  ids = await reading(mara, async (ctx) => {
    const seen = new Map<string, string[]>()
    for (const resource of allResources()) {
      const rows = await resource.visibleTo(ctx).selectAll(resource.table).execute()
      if (rows.length > 0) seen.set(resource.definition.type, rows.map(idOf))
    }
    return seen
  })
})
after(() => workspace.close())

const idOf = (row: object) => String(Reflect.get(row, 'id'))

function reading<T>(who: Someone, work: (ctx: ReadContext) => Promise<T>): Promise<T> {
  const request = {
    tool: 'test',
    args: undefined,
    transport: 'rest' as const,
    requestId: 'test',
    route: 'test',
    ip: '',
  }
  return readWithoutLogging(workspace.app, who.actor, request, work)
}

test('every kind with a page in the web app has a presenter', () => {
  const row = new Proxy({} as Row<ItemTable>, { get: (_, name) => `<${String(name)}>` })
  const withPage = allResources().filter(({ definition }) =>
    /\/<(id|key)>$/.test(definition.path?.(row) ?? '/<id>'),
  )
  assert.ok(withPage.length > 40)
  assert.deepEqual(
    withPage
      .map(({ definition }) => definition.type)
      .filter((type) => !workspace.app.catalogue.presenters.has(type)),
    [],
  )
})

test('the operations of a presenter are reads in the catalogue', () => {
  for (const { operation, reader } of workspace.app.catalogue.presenters.values())
    for (const name of [operation, reader])
      assert.equal(workspace.app.catalogue.requireEntry(name).operation.kind, 'read', name)
})

test('get_item returns every kind of item by id, with the fields of its kind', async () => {
  assert.ok(ids.size > 60, `${ids.size} kinds`)
  for (const [type, [id]] of ids) {
    const answer = await mara.call('get_item', { item_id: id })
    assert.deepEqual([answer.type, answer.id], [type, id])
    const presenter = workspace.app.catalogue.presenters.get(type)
    if (presenter) assert.equal(idOf(answer.item.thread ?? answer.item), id, type)
    else assert.ok(answer.part_of === undefined || answer.read_with !== 'list_activity', type)
  }
})

test('a key, an address and a name resolve to the same item; its fields are those of its read operation', async () => {
  const task = await mara.call('create_task', { project_id: 'PLANT', title: 'Zebra crossing' })
  const first = await mara.call('get_item', { item_id: task.key })
  assert.equal(first.type, 'task')
  assert.equal(first.read_with, 'get_task')
  assert.deepEqual(first.item, await mara.call('get_task', { task_id: task.id }))
  assert.deepEqual(await mara.call('get_item', { item_id: first.url }), first)
  const label = await mara.call('create_label', { name: 'Zebra' })
  const byName = await mara.call('get_item', { item_id: 'Zebra' })
  const { items } = await mara.call('list_labels', { query: 'Zebra' })
  assert.deepEqual([byName.id, byName.read_with, byName.item], [label.id, 'list_labels', items[0]])
})

test('a part names its parent item', async () => {
  const part = await mara.call('get_item', { item_id: ids.get('attachment')![0] })
  assert.equal(part.part_of.type, 'task')
  assert.equal(part.read_with, 'get_task')
  assert.equal(part.item, undefined)
})

test('for people who cannot see it an item looks like an unknown id', async () => {
  const { eve } = workspace
  for (const [type, [id]] of ids) {
    const refusal = await eve.refused('get_item', { item_id: id })
    const nothing = await eve.refused('get_item', {
      item_id: `${id!.slice(0, 4)}${'0'.repeat(26)}`,
    })
    assert.deepEqual(refusal.body(), nothing.body(), type)
  }
})

test('a key limited to some modules reads only what their operations return', async () => {
  const key = await workspace.key(mara, { toolsets: ['knowledge', 'tasks'] })
  const by = (item_id: string) => mara.call('get_item', { item_id }, { key })
  assert.equal((await by(ids.get('task')![0]!)).type, 'task')
  await assert.rejects(by(ids.get('page')![0]!), /is for knowledge, tasks only; get_page belongs/)
  await assert.rejects(
    by(ids.get('label')![0]!),
    /is for knowledge, tasks only; list_labels belongs/,
  )
})

test('entries are returned by id, as in the list, without invisible ones', async () => {
  const taskIds = [...ids.get('task')!, 'tsk_00000000000000000000000000']
  const entries = await reading(mara, (ctx) => presentItems(ctx, 'task', taskIds))
  assert.deepEqual([...entries.keys()], ids.get('task'))
  const { items } = await mara.call('list_tasks', { project_id: 'PLANT', limit: 100 })
  for (const item of items.filter((task: { id: string }) => entries.has(task.id)))
    assert.deepEqual(entries.get(item.id), item)
  for (const [type, some] of ids)
    if (workspace.app.catalogue.presenters.has(type)) {
      const entries = await reading(mara, (ctx) => presentItems(ctx, type, some))
      assert.ok(entries.size > 0, type)
      const ofStranger = await reading(workspace.eve, (ctx) => presentItems(ctx, type, some))
      assert.equal(ofStranger.size, 0, type)
    }
  await assert.rejects(
    reading(mara, (ctx) => presentItems(ctx, 'attachment', [])),
    /no list of items of the type attachment/,
  )
})

test('occurrences of a series are entries with separate ids', async () => {
  const series = await mara.call('create_event', {
    title: 'Daily',
    starts_at: '2026-11-23T09:00',
    ends_at: '2026-11-23T09:15',
    rrule: 'FREQ=DAILY;COUNT=3',
  })
  const { items } = await mara.call('list_events', { from: '2026-11-24', to: '2026-11-24' })
  const second = items.find((item: { title: string }) => item.title === 'Daily')
  const missing = `${series.id}_20300101T080000Z`
  const entries = await reading(mara, (ctx) => presentItems(ctx, 'event', [second.id, missing]))
  assert.deepEqual([...entries], [[second.id, second]])
  const answer = await mara.call('get_item', { item_id: second.id })
  assert.equal(answer.id, second.id)
  assert.equal(answer.item.starts_at, second.starts_at)
})
