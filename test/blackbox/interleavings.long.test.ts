import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import fc from '../../src/testing/properties.ts'
import type { App } from '../../src/operations/app.ts'
import { call } from '../../src/operations/call/index.ts'
import { Refusal } from '../../src/kernel/refusal.ts'
import { openApp } from '../../src/start.ts'
import { dayLong, makeWorkspace, type TestWorkspace } from '../../src/testing/harness.ts'

// Concurrent retries, crashes between them, reused keys: in every order, an idempotency key creates one item. The
// writer and the database are real; a crash closes their connections at any turn of the event loop.

const runs = Number(process.env.BLACKBOX_INTERLEAVINGS ?? 250)

type Step =
  | { do: 'send'; key: number; variant: number }
  | { do: 'turns'; count: number }
  | { do: 'settle' }
  | { do: 'crash' }
  | { do: 'day' }

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('send' as const),
      key: fc.integer({ min: 0, max: 1 }),
      variant: fc.oneof(
        { weight: 4, arbitrary: fc.constant(0) },
        { weight: 1, arbitrary: fc.constant(1) },
      ),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('turns' as const),
      count: fc.integer({ min: 1, max: 4 }),
    }),
  },
  { weight: 2, arbitrary: fc.constant({ do: 'settle' as const }) },
  { weight: 1, arbitrary: fc.constant({ do: 'crash' as const }) },
  { weight: 1, arbitrary: fc.constant({ do: 'day' as const }) },
)

let workspace: TestWorkspace
let app: App
let crashes = 0

before(async () => {
  workspace = await makeWorkspace()
  await workspace.ann.call('create_project', { name: 'Interleaved', key: 'INT' })
  app = await open()
})
after(async () => {
  await app.store.close()
  await workspace.close()
})

/** Opens the workspace with new connections. */
function open(): Promise<App> {
  return openApp({
    settings: workspace.app.settings,
    clock: workspace.clock,
    modules: workspace.app.catalogue.modules,
    log: quiet,
    role: 'command',
  })
}

interface Reply {
  key: string
  variant: number
  id?: string
  refused?: string
}

/** One call, as a client that may never receive the answer. */
async function sendTask(key: string, variant: number): Promise<Reply> {
  try {
    const request = {
      tool: 'create_task',
      args: { project_id: 'INT', title: `${key} ${variant}` },
      transport: 'rest' as const,
      requestId: randomUUID(),
      route: 'test',
      ip: '127.0.0.1',
      idempotencyKey: key,
    }
    const { value } = await call(app, workspace.ann.actor, request)
    return { key, variant, id: (value as { id: string }).id }
  } catch (error) {
    if (error instanceof Refusal) return { key, variant, refused: error.code }
    throw error
  }
}

/** Closes the connections, whatever is in progress, and opens the database again like another process. */
async function crash(): Promise<void> {
  crashes++
  for (const db of [app.store.raw.read, app.store.raw.write]) db.close()
  app = await open()
}

const quiet = { info() {}, warn() {}, error() {} } // a crash is what is tested here

const turn = () => new Promise<void>((go) => setImmediate(go))

/** All tasks of a key, and the calls that report creating one. */
function stored(key: string): { ids: string[]; changed: number } {
  const { read } = app.store.raw
  const ids = read
    .prepare("SELECT id FROM tasks WHERE title IN (? || ' 0', ? || ' 1')")
    .pluck()
    .all(key, key) as string[]
  return {
    ids,
    changed: read
      .prepare(
        "SELECT count(*) FROM calls WHERE tool = 'create_task' AND idempotency_key = ? AND changed = 1",
      )
      .pluck()
      .get(key) as number,
  }
}

/** Runs the steps; returns the answers received on each day. */
async function play(steps: readonly Step[], keys: readonly string[]): Promise<void> {
  let earlier = new Set<string>()
  let today: Promise<Reply>[] = []
  const nightfall = async (next: boolean) => {
    const received = await Promise.all(today)
    for (const key of keys)
      check(
        key,
        received.filter((item) => item.key === key),
        stored(key),
        earlier,
      )
    if (next) earlier = new Set(keys.flatMap((key) => stored(key).ids))
    today = next ? [] : today
  }
  for (const item of steps) {
    if (item.do === 'send') today.push(sendTask(keys[item.key]!, item.variant))
    else if (item.do === 'turns') for (let i = 0; i < item.count; i++) await turn()
    else if (item.do === 'settle') await Promise.all(today)
    else if (item.do === 'crash') await crash()
    else {
      await nightfall(true)
      workspace.clock.pass(dayLong + 1)
    }
  }
  await Promise.all(today)
  for (const key of keys) today.push(sendTask(key, 0)) // the person who heard nothing tries once more
  await nightfall(false)
}

function check(
  key: string,
  received: readonly Reply[],
  { ids, changed }: { ids: string[]; changed: number },
  earlier: ReadonlySet<string>,
): void {
  const createdIds = ids.filter((id) => !earlier.has(id))
  const about = JSON.stringify({ received, made: createdIds })
  assert.ok(createdIds.length <= 1, `made more than one: ${about}`)
  for (const { id, refused } of received) {
    if (id !== undefined) assert.deepEqual(createdIds, [id], `was told of another one: ${about}`)
    else assert.match(refused!, /^(idempotency_conflict|internal|unavailable)$/, about)
  }
  assert.equal(
    changed,
    ids.length,
    `the call log tells of ${changed} things, there are ${ids.length}`,
  )
  assert.ok(
    new Set(received.filter((item) => item.id).map((item) => item.variant)).size <= 1,
    `two sets of arguments got one answer: ${about}`,
  )
}

test(`in ${runs} interleavings of retries, crashes and reuse a key creates one item`, async () => {
  let keys = 0
  const property = fc.asyncProperty(
    fc.array(step, { minLength: 3, maxLength: 14 }),
    async (steps) => play(steps, [`key ${keys++}`, `key ${keys++}`]),
  )
  await fc.assert(property, {
    numRuns: runs,
    ...(process.env.BLACKBOX_SEED ? { seed: Number(process.env.BLACKBOX_SEED) } : {}),
  })
  assert.ok(crashes > runs / 4, `${crashes} crashes`)
})
