import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import type { Browser, BrowserContext, Page, Route } from 'playwright-core'
import { startServer, type RunningServer } from '../http/server.ts'
import { givePasswords, password } from '../testing/browser.ts'
import { noChromium, openChromium } from '../testing/chromium.ts'
import type { Someone } from '../testing/harness.ts'
import { serveWorkspace, type ServedWorkspace } from '../testing/server.ts'

import { untilTrue, waitLimitMs } from '../testing/limits.ts'
import type { StorePage } from './store-page.ts'

// Tests the store alone in a page at the server's address: what it shows, and what the server has in the end.

declare const store: StorePage

const skip = noChromium
let served: ServedWorkspace
let server: RunningServer
let browser: Browser
let script: string
const contexts: BrowserContext[] = []

before(async () => {
  if (skip) return
  const bundle = await build({
    entryPoints: [fileURLToPath(new URL('store-page.ts', import.meta.url))],
    bundle: true,
    format: 'iife',
    jsx: 'automatic',
    write: false,
    define: { 'process.env.NODE_ENV': '"production"' },
  })
  script = bundle.outputFiles[0]?.text ?? ''
  browser = await openChromium()
})
after(() => browser?.close())

beforeEach(async () => {
  if (skip) return
  served = await serveWorkspace({ settings: { rate_address: 0 } })
  served.clock.at = Date.now()
  server = served.server
  served.app.baseUrl = served.url.replace('127.0.0.1', 'localhost')
  await givePasswords(served, served.ann, served.bob)
  await served.ann.call('create_project', {
    name: 'Engine',
    key: 'ENG',
    member_ids: [served.bob.id],
  })
  for (let i = 1; i <= 6; i++)
    await served.ann.call('create_task', { project_id: 'ENG', title: `Task ${i}` })
})
afterEach(async () => {
  for (const context of contexts.splice(0)) await context.close()
  if (served) {
    await server.close()
    await served.close()
  }
})

/** A browser of a signed-in person. */
async function browserOf(person: Someone): Promise<BrowserContext> {
  const context = await browser.newContext({ bypassCSP: true })
  context.setDefaultTimeout(waitLimitMs)
  contexts.push(context)
  const response = await context.request.post(`${served.app.baseUrl}/web/sign-in`, {
    data: { email: person.actor.email, password },
    headers: { origin: served.app.baseUrl, 'sec-fetch-site': 'same-origin' },
  })
  assert.equal(response.status(), 200, await response.text())
  return context
}

/** A tab with the store and loaded tasks. */
async function openTab(context: BrowserContext, person: Someone): Promise<Page> {
  const page = await context.newPage()
  await page.goto(`${served.app.baseUrl}/web/reach`)
  await page.addScriptTag({ content: script })
  await page.evaluate(
    async (identity) => {
      await store.start(identity)
      await store.load()
    },
    { id: person.id, title: person.actor.display_name },
  )
  return page
}

const tabOf = async (person: Someone) => openTab(await browserOf(person), person)

const complete = (key: string) => {
  const task = store.task(key)!
  return store.write(
    'complete_task',
    { task_id: task.id },
    {
      rows: [{ type: 'task', id: task.id, set: { status: 'Done', status_category: 'done' } }],
      text: `${key}: done`,
    },
  )
}

const rename = ([key, title]: [string, string]) => {
  const task = store.task(key)!
  void store.write(
    'update_task',
    { task_id: task.id, title },
    { rows: [{ type: 'task', id: task.id, set: { title } }], text: `${key} renamed` },
  )
}

/** Waits until a tab shows a task with this title. */
const waitForTitle = (page: Page, key: string, title: string) =>
  page.waitForFunction(([taskKey, text]) => store.task(taskKey!)?.title === text, [key, title])

/** Waits until the tab has sent all its writes. */
const waitUntilSent = (page: Page) => page.waitForFunction(() => store.outboxState().count === 0)

/** Waits until the writes of all tabs are removed from disk: a newly opened tab has not read them yet. */
const waitUntilAllSent = (page: Page) =>
  untilTrue(
    () => page.evaluate(async () => (await store.storedWrites()).length === 0),
    'writes are left',
  )

/** Calls of the web app with one of the operations, in order. */
function calls(operations: readonly string[]): { tool: string; status: string; changed: number }[] {
  const allCalls = served.app.store.raw.read
    .prepare("SELECT tool, status, changed FROM calls WHERE transport = 'web' ORDER BY seq")
    .all() as { tool: string; status: string; changed: number }[]
  return allCalls.filter(({ tool }) => operations.includes(tool))
}

const titlesByKey = async () =>
  Object.fromEntries(
    (await served.ann.call('list_tasks', { project_id: 'ENG' })).items.map((task: any) => [
      task.key,
      task.title,
    ]),
  )

test('changes made while the first tasks are loading are shown once they are loaded', {
  skip,
}, async () => {
  const context = await browserOf(served.ann)
  let lastEventId: string | undefined
  await context.route('**/web/snapshot*', async (route) => {
    const response = await route.fetch()
    await served.bob.call('update_task', { task_id: 'ENG-1', title: 'Renamed meanwhile' })
    await route.fulfill({ response })
  })
  context.on('request', (request) => {
    if (request.url().endsWith('/web/events')) lastEventId ??= request.headers()['last-event-id']
  })
  const page = await openTab(context, served.ann)
  await page.waitForFunction(() => store.task('ENG-1')?.title === 'Renamed meanwhile')
  assert.ok(lastEventId, 'the stream continues from the snapshot')
})

test('a change is shown before the server responds, and applied once however often the response is lost', {
  skip,
}, async () => {
  const page = await tabOf(served.ann)
  let cuts = 3
  const requested = Promise.withResolvers<void>()
  const gate = Promise.withResolvers<void>()
  await page.route('**/web/call/create_task', async (route: Route) => {
    requested.resolve()
    await gate.promise
    if (cuts-- <= 0) return route.continue()
    await route.fetch() // the server executes it, but the response is lost
    return route.abort()
  })
  const writing = page.evaluate(() =>
    store.write(
      'create_task',
      { project_id: 'ENG', title: 'Made here' },
      {
        rows: [{ type: 'task', id: 'new', add: { title: 'Made here', key: 'new' } }],
        text: 'Made here: created',
      },
    ),
  )
  await requested.promise
  assert.equal(await page.evaluate(() => store.task('new')?.title), 'Made here')
  gate.resolve()
  const outcome = await writing
  assert.equal(outcome.state, 'done')
  const visibleKeys = await page.evaluate(() => store.tasks().map((task) => task.key))
  assert.deepEqual(
    visibleKeys.sort(),
    [1, 2, 3, 4, 5, 6, 7].map((i) => `ENG-${i}`),
  )
  const tasks = (await served.ann.call('list_tasks', { project_id: 'ENG' })).items
  assert.equal(tasks.filter((task: any) => task.title === 'Made here').length, 1)
  assert.deepEqual(
    calls(['create_task'])
      .map((call) => call.changed)
      .filter((changed) => changed === 1).length,
    7,
  )
})

test('offline changes are sent once and in order after the tab was closed and the server restarted', {
  skip,
}, async () => {
  const context = await browserOf(served.ann)
  const page = await openTab(context, served.ann)
  const port = Number(new URL(server.url).port)
  await context.setOffline(true)
  for (const i of [3, 1, 5, 2, 4])
    await page.evaluate(rename, [`ENG-${i}`, `Offline ${i}`] as [string, string])
  await page.waitForFunction(() => store.outboxState().isWaiting)
  assert.deepEqual(await page.evaluate(() => store.outboxState()), { count: 5, isWaiting: true })
  assert.equal(await page.evaluate(() => store.task('ENG-4')?.title), 'Offline 4')
  assert.equal((await titlesByKey())['ENG-4'], 'Task 4')
  await page.close()
  await server.close()
  server = await startServer(served.app, { host: '127.0.0.1', port })
  await context.setOffline(false)
  const reopened = await openTab(context, served.ann)
  await waitUntilAllSent(reopened)
  const expected = Object.fromEntries(
    [1, 2, 3, 4, 5].map((i) => [`ENG-${i}`, `Offline ${i}`] as const),
  )
  assert.deepEqual(await titlesByKey(), { ...expected, 'ENG-6': 'Task 6' })
  const changes = served.app.store.raw.read
    .prepare("SELECT item_id FROM changes WHERE fields_json LIKE '%Offline%' ORDER BY seq")
    .pluck()
    .all() as string[]
  const byKey = new Map(
    (await served.ann.call('list_tasks', { project_id: 'ENG' })).items.map((task: any) => [
      task.id,
      task.key,
    ]),
  )
  assert.deepEqual(
    changes.map((id) => byKey.get(id)),
    ['ENG-3', 'ENG-1', 'ENG-5', 'ENG-2', 'ENG-4'],
  )
  assert.equal(await reopened.evaluate(() => store.task('ENG-5')?.title), 'Offline 5')
})

test('pending changes of a closed tab are sent by another open tab', { skip }, async () => {
  const context = await browserOf(served.ann)
  const page = await openTab(context, served.ann)
  await context.setOffline(true)
  for (const i of [2, 1]) await page.evaluate(rename, [`ENG-${i}`, `Left ${i}`] as [string, string])
  await page.waitForFunction(() => store.outboxState().isWaiting)
  // blocks only the requests of the first tab
  await page.route('**/*', (route) => route.abort())
  await context.setOffline(false)
  const secondTab = await openTab(context, served.ann)
  await page.bringToFront()
  assert.equal(await secondTab.evaluate(() => store.outboxState().count), 0)
  assert.equal((await titlesByKey())['ENG-2'], 'Task 2')
  await page.close()
  await waitUntilAllSent(secondTab)
  const { 'ENG-1': first, 'ENG-2': second } = await titlesByKey()
  assert.deepEqual([first, second], ['Left 1', 'Left 2'])
  assert.equal(calls(['update_task']).filter((call) => call.changed > 0).length, 2)
})

/** Creates a task through the store only, with a temporary id. */
const createTask = ([id, input]: [
  string,
  { title: string; project_id?: string; parent_id?: string },
]) =>
  void store.write(
    'create_task',
    { project_id: 'ENG', ...input },
    { rows: [{ type: 'task', id, add: { title: input.title, key: id } }], text: input.title },
  )

test('offline changes to an offline-created task are sent after its creation, even after the tab was closed', {
  skip,
}, async () => {
  const context = await browserOf(served.ann)
  const page = await openTab(context, served.ann)
  await context.setOffline(true)
  await page.evaluate(createTask, ['new-a', { title: 'First' }] as Parameters<typeof createTask>[0])
  await page.evaluate(rename, ['new-a', 'Second'] as [string, string])
  await page.evaluate(createTask, ['new-b', { title: 'Part', parent_id: 'new-a' }] as Parameters<
    typeof createTask
  >[0])
  await page.evaluate(rename, ['new-b', 'Part of it'] as [string, string])
  await page.evaluate(rename, ['new-a', 'Third'] as [string, string])
  await page.evaluate(rename, ['ENG-1', 'Another'] as [string, string])
  await page.waitForFunction(() => store.outboxState().isWaiting)
  assert.equal(await page.evaluate(() => store.task('new-a')?.title), 'Third')
  await page.close()
  await context.setOffline(false)
  const tabs = await Promise.all([openTab(context, served.ann), openTab(context, served.ann)])
  for (const tab of tabs) await waitUntilAllSent(tab)
  const tasks = (await served.ann.call('list_tasks', { project_id: 'ENG' })).items
  const withTitle = (title: string) => tasks.filter((task: any) => task.title === title)
  assert.deepEqual(
    [withTitle('Third').length, withTitle('Part of it').length, withTitle('Another').length],
    [1, 1, 1],
  )
  assert.equal(tasks.length, 8)
  assert.equal(withTitle('Part of it')[0].parent.id, withTitle('Third')[0].id)
  for (const tab of tabs) {
    await tab.waitForFunction(() => store.tasks().some((task) => task.title === 'Part of it'))
    assert.deepEqual(await tab.evaluate(() => store.notices), [])
  }
})

test('changes to a task whose creation is refused are refused with it', {
  skip,
}, async () => {
  const page = await tabOf(served.ann)
  await page.context().setOffline(true)
  const input = { title: 'Nowhere', project_id: 'GONE' }
  await page.evaluate(createTask, ['new-a', input] as Parameters<typeof createTask>[0])
  await page.evaluate(rename, ['new-a', 'Nowhere else'] as [string, string])
  await page.context().setOffline(false)
  await waitUntilSent(page)
  assert.equal(await page.evaluate(() => store.task('new-a')), undefined)
  const notices = await page.evaluate(() => store.notices)
  assert.deepEqual(notices.map((notice) => notice.text).toSorted(), ['Nowhere', 'new-a renamed'])
  for (const notice of notices) assert.match(notice.problem ?? '', /Project not found/)
  assert.deepEqual(
    calls(['create_task', 'update_task']).filter((call) => call.changed === 0).length,
    1,
    'only the creation was sent',
  )
})

test('the tabs of a browser share one stream, and another tab takes it over without losing an event', {
  skip,
}, async () => {
  const context = await browserOf(served.ann)
  const first = await openTab(context, served.ann)
  const second = await openTab(context, served.ann)
  const bobsTab = await tabOf(served.bob)
  for (const page of [first, second, bobsTab])
    await page.waitForFunction(() => store.streamState() === 'live')
  assert.equal(served.app.live.streams, 2)
  await first.evaluate(rename, ['ENG-1', 'By Ann'] as [string, string])
  for (const page of [first, second, bobsTab]) await waitForTitle(page, 'ENG-1', 'By Ann')
  const closing = first.close()
  const ids = (await served.ann.call('list_tasks', { project_id: 'ENG' })).items.map(
    (task: any) => task.id,
  )
  for (let i = 0; i < 200; i++)
    await served.bob.call('update_task', { task_id: ids[i % ids.length], title: `Change ${i}` })
  await served.bob.call('create_task', { project_id: 'ENG', title: 'The last one' })
  await closing
  for (const page of [second, bobsTab]) {
    await page.waitForFunction(() => store.tasks().some((task) => task.title === 'The last one'))
    const expectedTitles = await titlesByKey()
    await page.waitForFunction(
      (expected) => store.tasks().every((task) => expected[task.key] === task.title),
      expectedTitles,
    )
    assert.equal(
      await page.evaluate(() => store.tasks().length),
      Object.keys(expectedTitles).length,
    )
  }
})

test('a refused change is removed from the row, with the server message', {
  skip,
}, async () => {
  const page = await tabOf(served.bob)
  const outcome = await page.evaluate(() =>
    store.write(
      'update_task',
      { task_id: store.task('ENG-1')!.id, status: 'No such status' },
      {
        rows: [{ type: 'task', id: store.task('ENG-1')!.id, set: { status: 'No such status' } }],
        text: 'ENG-1: No such status',
      },
    ),
  )
  assert.equal(outcome.state, 'refused')
  assert.notEqual(await page.evaluate(() => store.task('ENG-1')?.status), 'No such status')
  const [notice] = await page.evaluate(() => store.notices)
  assert.match(notice?.problem ?? '', /No such status/)
  await served.ann.call('remove_project_member', { project_id: 'ENG', person_id: served.bob.id })
  await page.waitForFunction(() => store.tasks().length === 0)
})

test('a late retry does not overwrite a concurrent change by another person', {
  skip,
}, async () => {
  const page = await tabOf(served.ann)
  await page.route('**/web/call/update_task', (route) => route.abort())
  await page.evaluate(rename, ['ENG-1', 'Mine'] as [string, string])
  await page.waitForFunction(() => store.outboxState().isWaiting)
  await served.bob.call('update_task', { task_id: 'ENG-1', title: 'Theirs' })
  await page.clock.install({ time: Date.now() + 10_000 }) // ten seconds after the change
  await page.unroute('**/web/call/update_task')
  await waitUntilSent(page)
  await waitForTitle(page, 'ENG-1', 'Theirs')
  assert.equal((await titlesByKey())['ENG-1'], 'Theirs')
  const notices = await page.evaluate(() => store.notices)
  assert.match(notices.at(-1)?.problem ?? '', /^Bob changed this in the meantime/)
  await page.evaluate(() => store.notices.at(-1)?.actions[0]?.run())
  await waitForTitle(page, 'ENG-1', 'Mine')
  await waitUntilSent(page)
  assert.equal((await titlesByKey())['ENG-1'], 'Mine')
})

test('the last change of a tab is undone and redone', { skip }, async () => {
  const page = await tabOf(served.ann)
  await page.evaluate(complete, 'ENG-2')
  const status = async () =>
    (await served.ann.call('get_task', { task_id: 'ENG-2' })).status_category
  assert.equal(await status(), 'done')
  await page.evaluate(() => store.undoLast())
  assert.notEqual(await status(), 'done')
  await page.waitForFunction(() => store.task('ENG-2')?.status_category !== 'done')
  await page.evaluate(() => store.redoLast())
  assert.equal(await status(), 'done')
  await page.waitForFunction(() => store.task('ENG-2')?.status_category === 'done')
  assert.deepEqual(await page.evaluate(() => store.notices.map((notice) => notice.text)), [
    'ENG-2: done',
    'Undone: ENG-2: done',
    'Done again: ENG-2: done',
  ])
})
