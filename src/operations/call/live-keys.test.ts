import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { z } from 'zod'
import { issueKey, revokeKey } from '../../keys/issue.ts'
import { mintKey } from '../../keys/format.ts'
import { examplesOf } from '../../modules/system/examples.ts'
import { makeWorkspace, type TestWorkspace } from '../../testing/harness.ts'
import type { Entry } from '../entry.ts'

let workspace: TestWorkspace
let key: string
let id: string
before(async () => {
  workspace = await makeWorkspace()
  const issued = await issueKey(workspace.app.store, workspace.clock, {
    owner: workspace.ann.id,
    name: 'laptop',
    via: 'cli',
  })
  key = issued.key
  id = issued.id
  await workspace.ann.call('create_project', { name: 'Engine room', key: 'ENG' })
})
after(() => workspace.close())

/** Puts a key into each text argument of the operations. */
const places = (text: string): [string, Record<string, unknown>, string][] => [
  ['create_task', { project_id: 'ENG', title: text }, 'title'],
  [
    'create_task',
    { project_id: 'ENG', title: 'x', description_markdown: `before\n${text} after` },
    'description_markdown',
  ],
  [
    'bulk_create_tasks',
    {
      project_id: 'ENG',
      tasks: [{ title: 'x' }, { title: 'y', description_markdown: `x${text}x` }],
    },
    'tasks.1.description_markdown',
  ],
  ['create_saved_view', { name: 'x', item_type: 'task', filter: { [text]: 1 } }, 'filter'],
  [
    'create_webhook',
    { url: `https://93.184.216.34/?key=${text}`, events: ['task.created'] },
    'url',
  ],
  ['update_my_profile', { title: text }, 'title'],
]

test('a working key is refused in any content from any writer, is not stored, and is never echoed', async () => {
  const { ann, eve, app } = workspace
  const count = () =>
    app.store.raw.read
      .prepare('SELECT (SELECT count(*) FROM tasks) + (SELECT count(*) FROM changes)')
      .pluck()
      .get()
  const before = count()
  for (const [tool, args, field] of places(key)) {
    const refused = await ann.refused(tool, args)
    assert.deepEqual(
      [refused.code, refused.status, refused.more.field],
      ['live_key_in_content', 400, field],
      tool,
    )
    assert.ok(
      !JSON.stringify(refused.body()).includes(key) && refused.message.includes(key.slice(0, 12)),
    )
  }
  const task = await ann.call('create_task', { project_id: 'ENG', title: 'x' })
  const file = {
    task_id: task.id,
    name: 'notes.txt',
    content_base64: Buffer.from(`my key: ${key}\n`).toString('base64'),
  }
  assert.equal((await ann.refused('add_task_attachment', file)).more.field, 'content_base64')
  await ann.call('delete_task', { task_id: task.id })
  await eve.call('create_project', { name: 'Other', key: 'OTH' })
  assert.equal(
    (await eve.refused('create_task', { project_id: 'OTH', title: key })).code,
    'live_key_in_content',
    'of another organization, too',
  )
  assert.ok(Number(count()) > Number(before))
  const logged = app.store.raw.read
    .prepare("SELECT count(*) FROM calls WHERE error_code = 'live_key_in_content'")
    .pluck()
    .get()
  assert.equal(logged, places(key).length + 2)
  assert.equal(
    app.store.raw.read
      .prepare('SELECT count(*) FROM calls WHERE details_json LIKE ?')
      .pluck()
      .get(`%${key}%`),
    0,
  )
})

/** The minimal arguments of an operation; their ids refer to nothing. */
function least(entry: Entry): Record<string, unknown> {
  const [example] = examplesOf(entry)
  assert.ok(example, `no example of ${entry.operation.name}`)
  return example.arguments
}

test('no text argument of any writing operation accepts a working key', async () => {
  const { ann, app } = workspace
  let attempts = 0
  for (const entry of app.catalogue.routes.filter((route) => route.operation.kind !== 'read')) {
    for (const [name, type] of Object.entries(entry.schemas.input.shape)) {
      const value = [key, [key], { a: key }].find(
        (item) => (type as z.ZodType).safeParse(item).success,
      )
      if (value === undefined) continue
      attempts++
      const refused = await ann.refused(entry.operation.name, { ...least(entry), [name]: value })
      assert.equal(
        refused.code,
        'live_key_in_content',
        `${entry.operation.name}.${name}: ${refused.message}`,
      )
    }
  }
  assert.ok(attempts > 120, `${attempts} places`)
})

test('reads accept a key, so that a leaked one can be searched for', async () => {
  assert.deepEqual((await workspace.ann.call('search_tasks', { query: key })).items, [])
})

test('text that only resembles a key, or a revoked key, can be written', async () => {
  const { ann, app, dataDir, clock } = workspace
  for (const text of [
    mintKey().key,
    `${key.slice(0, -1)}${key.endsWith('a') ? 'b' : 'a'}`,
    'svc_',
    `svc_${'a'.repeat(61)}`,
  ])
    await ann.call('create_task', { project_id: 'ENG', title: text })
  await revokeKey(app.store, clock, dataDir, { key: id as never, via: 'cli' })
  assert.equal((await ann.call('create_task', { project_id: 'ENG', title: key })).title, key)
})
