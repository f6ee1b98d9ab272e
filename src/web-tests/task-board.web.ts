import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import type { Browser, Frame } from 'playwright-core'
import { buildApps } from '../testing/apps.ts'
import { noChromium, openChromium } from '../testing/chromium.ts'
import { serveWorkspace, type ServedWorkspace } from '../testing/server.ts'
import { AppHost, connectClient } from './app-host.ts'

let served: ServedWorkspace
let browser: Browser
let host: AppHost
before(async () => {
  if (noChromium) return
  await buildApps()
  served = await serveWorkspace()
  browser = await openChromium()
  await served.ann.call('create_project', { name: 'Website', key: 'WEB' })
  await served.ann.call('add_project_member', { project_id: 'WEB', person_id: served.bob.id })
})
after(async () => {
  await browser?.close()
  await served?.close()
})
beforeEach(async () => {
  if (!noChromium) host = await AppHost.open(browser, served)
})
afterEach(async () => {
  await host?.close()
})

const skip = noChromium

async function makeTask(title: string, fields: Record<string, unknown> = {}): Promise<string> {
  const task = await served.ann.call('create_task', { project_id: 'WEB', title, ...fields })
  return task.key
}

const statusOf = async (key: string) =>
  (await served.ann.call('get_task', { task_id: key })).status as string

const statusField = (frame: Frame, key: string) => frame.getByLabel(`Status of ${key}`)
const column = (frame: Frame, name: string) =>
  frame.locator('.column').filter({ has: frame.getByRole('heading', { name }) })

/** Waits until the project statuses are loaded, and tasks can be moved. */
async function openBoard(args: Record<string, unknown> = { project_id: 'WEB' }): Promise<Frame> {
  const { frame } = await host.show('list_tasks', args)
  await frame.getByRole('heading', { name: 'In review' }).waitFor()
  return frame
}

test('a task is moved by its field or by dragging, and the model is informed', {
  skip,
}, async () => {
  const key = await makeTask('Order laptops')
  const frame = await openBoard()
  await column(frame, 'To do').getByText('Order laptops').waitFor()
  await statusField(frame, key).selectOption('In progress')
  await column(frame, 'In progress').getByText('Order laptops').waitFor()
  await frame.getByText(`Moved ${key} to In progress.`).waitFor({ state: 'attached' })
  assert.equal(await statusOf(key), 'In progress')
  await host.waitForNote('context', new RegExp(`the person did this: Moved ${key} to In progress`))
  const card = column(frame, 'In progress').locator('.card').filter({ hasText: key })
  await card.dragTo(column(frame, 'Done'))
  await column(frame, 'Done').getByText('Order laptops').waitFor()
  await frame.getByText(`Moved ${key} to Done.`).waitFor({ state: 'attached' })
  assert.equal(await statusOf(key), 'Done')
  assert.deepEqual(host.takeCalls(), ['get_project', 'update_task', 'update_task'])
  assert.deepEqual(host.problems, [])
})

test('a task is opened, edited and saved by keyboard only; Escape leads back', {
  skip,
}, async () => {
  const key = await makeTask('Write notes', { description_markdown: 'Two *pages*' })
  const frame = await openBoard()
  const title = frame.getByRole('button', { name: 'Write notes' })
  await title.focus()
  await host.page.keyboard.press('Enter')
  await frame.getByText('Two *pages*').waitFor()
  await host.page.keyboard.press('Escape')
  await frame.getByLabel(`Edit ${key}`).waitFor({ state: 'detached' })
  assert.equal(await title.evaluate((element) => element === document.activeElement), true)
  await host.page.keyboard.press('Enter')
  await frame.getByLabel(`Edit ${key}`).waitFor()
  await host.page.keyboard.press('ControlOrMeta+A')
  await host.page.keyboard.type('Write the notes')
  await frame.getByLabel('Priority').selectOption('High')
  await frame.getByLabel('Due').fill('2030-01-15')
  await frame.getByLabel('Title').focus()
  await host.page.keyboard.press('Enter')
  await frame.getByRole('button', { name: 'Write the notes' }).waitFor()
  const task = await served.ann.call('get_task', { task_id: key })
  assert.deepEqual(
    [task.title, task.priority, task.due_on],
    ['Write the notes', 'high', '2030-01-15'],
  )
})

test('a refusal is explained, and the task is back in place', { skip }, async () => {
  const key = await makeTask('Contested')
  const frame = await openBoard()
  await frame.getByRole('button', { name: 'Contested' }).click()
  await frame.getByLabel('Title').fill('Mine')
  await served.ann.call('update_task', { task_id: key, title: 'Theirs' })
  await frame.getByRole('button', { name: 'Save' }).click()
  await frame
    .getByRole('alert')
    .getByText(/changed/)
    .waitFor()
  assert.equal((await served.ann.call('get_task', { task_id: key })).title, 'Theirs')
  await frame.getByRole('button', { name: 'Cancel' }).click()
  await served.ann.call('delete_task', { task_id: key })
  await statusField(frame, key).selectOption('Done')
  await frame
    .getByRole('alert')
    .getByText(/not found|trash/)
    .waitFor()
  await column(frame, 'To do').getByText(key).waitFor()
})

test('a read-only connection shows the board, and says that it cannot change anything', {
  skip,
}, async (t) => {
  const key = await makeTask('Read only')
  const { key: bearer } = await served.keyFor(served.ann, { readOnly: true })
  const readOnlyHost = await AppHost.open(browser, served, bearer)
  t.after(() => readOnlyHost.close())
  const { frame } = await readOnlyHost.show('list_tasks', { project_id: 'WEB' })
  await frame.getByRole('heading', { name: 'In review' }).waitFor()
  await statusField(frame, key).selectOption('Done')
  await frame
    .getByRole('alert')
    .getByText(/only reads|read-only|may only read/i)
    .waitFor()
  assert.equal(await statusOf(key), 'To do')
})

test('a task invisible to the person is on no board, and cannot be reached from one', {
  skip,
}, async (t) => {
  const key = await makeTask('Confidential plan')
  const { key: bearer } = await served.keyFor(served.carol)
  const otherHost = await AppHost.open(browser, served, bearer)
  t.after(() => otherHost.close())
  const { frame } = await otherHost.show('list_tasks', {})
  await frame.getByText('No tasks match.').waitFor()
  assert.doesNotMatch(await frame.content(), /Confidential/)
  const response = await otherHost.client.callTool({
    name: 'update_task',
    arguments: { task_id: key, status: 'Done' },
  })
  assert.match(JSON.stringify(response.content), /Task not found, or you have no access/)
})

test('a host that forwards no calls shows a read-only board', { skip }, async () => {
  await makeTask('Only shown')
  const { frame } = await host.show('list_tasks', { project_id: 'WEB' }, { capabilities: {} })
  await frame.getByText('This host only shows the board.').waitFor()
  await frame.getByText('Only shown').waitFor()
  assert.equal(await frame.locator('select, button').count(), 0)
  assert.deepEqual(host.takeCalls(), [])
})

test('a client without views gets the same response in full as text', { skip }, async (t) => {
  const client = await connectClient(served, served.bearer, { rendersApps: false })
  t.after(() => client.close())
  const args = { project_id: 'WEB', limit: 5 }
  const [plainResult, viewResult] = await Promise.all(
    [client, host.client].map((mcpClient) =>
      mcpClient.callTool({ name: 'list_tasks', arguments: args }),
    ),
  )
  assert.deepEqual(plainResult!.content, viewResult!.content)
  assert.deepEqual(plainResult!.structuredContent, viewResult!.structuredContent)
  const [text] = plainResult!.content as { text: string }[]
  assert.deepEqual(JSON.parse(text!.text), plainResult!.structuredContent)
})

test('user content is rendered as text, whatever it contains', { skip }, async () => {
  const hostile = '</script><img src="https://evil.example/x" onerror="alert(1)">'
  await makeTask(hostile, { description_markdown: `${hostile} [link](https://evil.example)` })
  const frame = await openBoard()
  await frame.getByRole('button', { name: hostile }).click()
  await frame.getByLabel('Description').waitFor()
  assert.equal(await frame.locator('img, a').count(), 0)
  assert.deepEqual(host.problems, [])
})

test('a view has no network access, even in a host without a content security policy', {
  skip,
}, async () => {
  let reached = 0
  const canary = createServer((_, response) => {
    reached++
    response.setHeader('access-control-allow-origin', '*').end('x')
  })
  await new Promise<void>((resolve) => canary.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(canary.address() as AddressInfo).port}/`
  const frame = await openBoard()
  const outcome = await frame.evaluate(async (target) => {
    const violated: string[] = []
    document.addEventListener('securitypolicyviolation', (event) => {
      violated.push(event.effectiveDirective)
    })
    const failed = await fetch(target).then(
      () => 'fetched',
      () => 'failed',
    )
    for (const [tag, attribute] of [
      ['img', 'src'],
      ['script', 'src'],
      ['iframe', 'src'],
      ['link', 'href'],
      ['video', 'src'],
    ] as const) {
      const element = document.createElement(tag)
      if (tag === 'link') element.setAttribute('rel', 'stylesheet')
      element.setAttribute(attribute, `${target}${tag}`)
      document.body.append(element)
    }
    const inline = document.createElement('script')
    inline.textContent = 'globalThis.ran = true'
    document.body.append(inline)
    new EventSource(`${target}events`)
    navigator.sendBeacon(`${target}beacon`, 'x')
    await new Promise((resolve) => setTimeout(resolve, 300))
    return { failed, ran: 'ran' in globalThis, violated: [...new Set(violated)].sort() }
  }, url)
  canary.close()
  assert.equal(reached, 0)
  assert.equal(outcome.failed, 'failed')
  assert.equal(outcome.ran, false)
  assert.deepEqual(outcome.violated, [
    'connect-src',
    'frame-src',
    'img-src',
    'media-src',
    'script-src-elem',
    'style-src-elem',
  ])
})

test('the board adopts the colors of its host, and is usable and accessible at every width', {
  skip,
}, async () => {
  await makeTask('Fix the login page on small telephones', {
    priority: 'urgent',
    due_at: '2020-11-10',
    assignee_ids: [served.ann.id, served.bob.id],
  })
  await makeTask('Publish', { priority: 'high', description_markdown: 'On Monday.\n\nNot before.' })
  const frame = await openBoard()
  await host.checkView(frame, 'task-board')
  await frame.getByRole('button', { name: 'Publish' }).click()
  await frame.getByLabel('Description').waitFor()
  await host.checkView(frame, 'task-board-open')
  await host.page.evaluate(() =>
    window.changeContext({
      theme: 'dark',
      styles: { variables: { '--color-background-primary': 'rgb(1, 2, 3)' } as never },
    }),
  )
  await frame.waitForFunction(
    () => getComputedStyle(document.documentElement).backgroundColor === 'rgb(1, 2, 3)',
  )
  assert.deepEqual(await host.page.evaluate(() => window.endView()), {})
})

test('more tasks are loaded page by page, and a refresh shows changes', {
  skip,
}, async () => {
  for (let i = 0; i < 3; i++) await makeTask(`Page ${i}`)
  const frame = await openBoard({ project_id: 'WEB', limit: 2, sort: 'created_at' })
  assert.equal(await frame.locator('.card').count(), 2)
  await frame.getByRole('button', { name: 'Load more' }).click()
  await frame.locator('.card').nth(3).waitFor()
  const key = await makeTask('Newest of all')
  await frame.getByRole('button', { name: 'Refresh' }).click()
  await frame.getByText('Newest of all').waitFor()
  assert.equal(await statusField(frame, key).inputValue(), 'To do')
})
