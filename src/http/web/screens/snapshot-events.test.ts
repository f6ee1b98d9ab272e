import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from '../../../testing/properties.ts'
import { Browser, givePasswords } from '../../../testing/browser.ts'
import { EventReader } from '../../../testing/events.ts'
import { serveWorkspace, type ServedWorkspace } from '../../../testing/server.ts'

let served: ServedWorkspace
let ann: Browser
before(async () => {
  served = await serveWorkspace({ settings: { rate_address: 0 } })
  await givePasswords(served, served.ann)
  ann = await new Browser(served).signIn('ann@acme.test')
  const members = { member_ids: [served.bob.id, served.carol.id] }
  await served.ann.call('create_project', { name: 'Engine', key: 'ENG', ...members })
  for (let i = 1; i <= 40; i++)
    await served.ann.call('create_task', { project_id: 'ENG', title: `Task ${i}` })
})
after(() => served.close())

const write = fc.record({
  how: fc.constantFrom('title', 'priority', 'assign', 'complete', 'comment', 'create', 'delete'),
  who: fc.constantFrom('ann', 'bob', 'carol'),
  task: fc.integer({ min: 1, max: 40 }),
  text: fc.string({ minLength: 1, maxLength: 20, unit: 'grapheme-ascii' }),
})
type Write = typeof write extends fc.Arbitrary<infer W> ? W : never

/** Makes a change; a refusal because the task is in the trash by then is acceptable. */
async function makeChange({ how, who, task, text }: Write): Promise<void> {
  const person = served[who]
  const task_id = `ENG-${task}`
  const title = `x${text}`
  const calls: Record<Write['how'], [string, Record<string, unknown>]> = {
    title: ['update_task', { task_id, title }],
    priority: ['update_task', { task_id, priority: 'high' }],
    assign: ['assign_task', { task_id, assignee_ids: [person.id] }],
    complete: ['complete_task', { task_id }],
    comment: ['add_task_comment', { task_id, body_markdown: title }],
    create: ['create_task', { project_id: 'ENG', title }],
    delete: ['delete_task', { task_id }],
  }
  await person.call(...calls[how]).catch((error: { code?: string }) => {
    assert.equal(error.code, 'not_found')
  })
}

const cookiesOf = () => [...ann.cookies].map(([name, value]) => `${name}=${value}`).join('; ')

/** Task ids in events after a cursor, up to the task with this title. */
async function changedAfter(cursor: string, last: string): Promise<Set<string>> {
  const query = `types=task&since_cursor=${encodeURIComponent(cursor)}`
  const reader = new EventReader(
    await fetch(`${served.url}/web/events?${query}`, {
      headers: { accept: 'text/event-stream', cookie: cookiesOf() },
    }),
  )
  const ids = new Set<string>()
  for (let isLast = false; !isLast; ) {
    const { item } = await reader.message()
    if (item) ids.add(item.id)
    isLast = item?.title === last
  }
  await reader.cancel()
  return ids
}

async function listTasks(): Promise<Map<string, object>> {
  const rows = new Map<string, object>()
  for (let cursor: string | undefined; ; ) {
    const page = await served.ann.call('list_tasks', {
      project_id: 'ENG',
      limit: 100,
      ...(cursor === undefined ? {} : { cursor }),
    })
    for (const row of page.items) rows.set(row.id, row)
    if (!page.has_more) return rows
    cursor = page.next_cursor
  }
}

test('a snapshot plus subsequent events matches list_tasks under concurrent writes', async () => {
  let run = 0
  await fc.assert(
    fc.asyncProperty(fc.array(write, { minLength: 40, maxLength: 80 }), async (writes) => {
      const writing = Promise.all(writes.map(makeChange))
      const { text } = await ann.get('/web/snapshot?type=task&project_id=ENG')
      await writing
      const last = `the last of run ${++run}`
      await served.ann.call('create_task', { project_id: 'ENG', title: last })
      const [head, ...lines] = text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
      const rows = new Map<string, object>()
      for (const line of lines.slice(0, -1)) {
        const { last_change: _, ...row } = Object.fromEntries(
          head.columns
            .map((name: string, i: number) => [name, line[i]])
            .filter(([, value]: [string, unknown]) => value !== null),
        )
        rows.set(row.id, row)
      }
      const ids = [...(await changedAfter(head.since_cursor, last))]
      const { json } = await ann.post('/web/rows', { type: 'task', ids })
      for (const { last_change: _, ...row } of json.rows) rows.set(row.id, row)
      for (const id of json.gone) rows.delete(id)
      assert.deepEqual(new Map([...rows].sort()), new Map([...(await listTasks())].sort()))
    }),
    { numRuns: 5, endOnFailure: true },
  )
})
