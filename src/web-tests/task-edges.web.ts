import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { untilTrue } from '../testing/limits.ts'
import { noChromium, openWeb, type Web } from './setup.ts'
import { choose, openFor } from './steps.ts'

// Working on many tasks by keyboard, and edge cases: a permission lost meanwhile, and too many open streams.

const skip = noChromium
let web: Web
before(async () => {
  if (skip) return
  web = await openWeb(undefined, { limits: false })
})
after(() => web?.close())

const rowOf = (page: Page, title: string) => page.getByRole('row').filter({ hasText: title })
const tasksOf = async (project_id: string) => {
  const tasks: { title: string; status: string; priority: string; status_category: string }[] = []
  let cursor: string | undefined
  do {
    const page = await web.ann.call('list_tasks', { project_id, limit: 100, cursor })
    tasks.push(...page.items)
    cursor = page.next_cursor
  } while (cursor !== undefined)
  return tasks
}

test('by keyboard: twenty tasks are triaged and completed one after another, without skipping or repeating any', {
  skip,
}, async () => {
  await web.ann.call('create_project', { name: 'Triage', key: 'TRI' })
  await web.ann.call('bulk_create_tasks', {
    project_id: 'TRI',
    tasks: Array.from({ length: 20 }, (_, n) => ({ title: `Report ${n + 1}`, status: 'Backlog' })),
  })
  const { visitor, page, press } = await openFor(
    web,
    web.ann,
    '/tasks?project=TRI&status=backlog,todo',
  )
  await rowOf(page, 'Report 20').waitFor()
  await press('j')
  for (let i = 0; i < 20; i++) {
    await press('s')
    await choose(page, 'Set status', 'To do')
    await page.getByRole('combobox').waitFor({ state: 'detached' })
    await press('p')
    await choose(page, 'Set priority', i % 2 ? 'high' : 'low')
    await page.getByRole('combobox').waitFor({ state: 'detached' })
    if (i < 19) await press('j')
  }
  const areTriaged = async () =>
    (await tasksOf('TRI')).every((task) => task.status === 'To do' && task.priority !== 'none')
  await untilTrue(areTriaged, 'not all are triaged')
  await visitor.go('/tasks?project=TRI')
  await rowOf(page, 'Report 20').waitFor()
  await press('j')
  for (let i = 0; i < 20; i++) await press('e', 'j')
  await untilTrue(
    async () => (await tasksOf('TRI')).every((task) => task.status_category === 'done'),
    'not all are done',
  )
  visitor.assertNoProblems()
})

test('by keyboard: a change of two hundred tasks is previewed, made by one call, and reverted by one z', {
  skip,
}, async () => {
  await web.ann.call('create_project', { name: 'Hall', key: 'HAL' })
  for (const offset of [0, 100])
    await web.ann.call('bulk_create_tasks', {
      project_id: 'HAL',
      tasks: Array.from({ length: 100 }, (_, n) => ({ title: `Chair ${offset + n + 1}` })),
    })
  const { visitor, page, press } = await openFor(web, web.ann, '/tasks?project=HAL')
  await rowOf(page, 'Chair 1').first().waitFor()
  await press('j', 'Control+a')
  await page.getByRole('toolbar').getByText('200 selected').waitFor()
  await press('p')
  await choose(page, 'Set priority', 'urgent')
  const preview = page.getByRole('dialog', { name: 'Before it changes: priority urgent' })
  await preview.getByRole('button', { name: 'Change 200 tasks' }).press('Enter')
  const urgentCount = async () =>
    (await tasksOf('HAL')).filter((task) => task.priority === 'urgent').length
  await untilTrue(async () => (await urgentCount()) === 200, 'not all were changed')
  await page.getByText('200 tasks: priority urgent').waitFor()
  await press('Escape', 'z')
  await untilTrue(async () => (await urgentCount()) === 0, 'not all were undone')
  visitor.assertNoProblems()
})

test('a change refused due to lost access: the row is restored, the reason is shown, and the focus stays', {
  skip,
}, async () => {
  const { ann, bob } = web
  await ann.call('create_project', { name: 'Lease', key: 'LSE', member_ids: [bob.id] })
  await ann.call('create_task', { project_id: 'LSE', title: 'Sign the lease', priority: 'low' })
  const { page, press } = await openFor(web, bob, '/tasks?project=LSE')
  const row = rowOf(page, 'Sign the lease')
  await row.waitFor()
  await press('j')
  const requested = Promise.withResolvers<void>()
  const gate = Promise.withResolvers<void>()
  await page.route('**/web/call/update_task', async (route) => {
    requested.resolve()
    await gate.promise
    await route.continue()
  })
  await press('p')
  await choose(page, 'Set priority', 'urgent')
  await row.getByRole('button', { name: 'Priority: Urgent' }).waitFor()
  await requested.promise
  await ann.call('archive_project', { project_id: 'LSE' })
  gate.resolve()
  await row.getByRole('button', { name: 'Priority: Low' }).waitFor()
  await page
    .getByText(/archived/)
    .first()
    .waitFor()
  assert.ok(
    await row.evaluate((node) => node.contains(document.activeElement)),
    'the focus is at the row',
  )
})

test('with all streams of a person in use, the app says that live updates are paused, and reloads when one is free', {
  skip,
}, async () => {
  const { ann, bob } = web
  await ann.call('create_project', { name: 'Crowd', key: 'CRW', member_ids: [bob.id] })
  await ann.call('create_task', { project_id: 'CRW', title: 'Move the desks' })
  const visitor = await web.visit(bob)
  const { page } = visitor
  const cookies = await visitor.context.cookies()
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
  const controller = new AbortController()
  const streams: Response[] = [] // keeps them from being garbage-collected, which ends them
  const openStream = async () => {
    const headers = { cookie, accept: 'text/event-stream' }
    const stream = await fetch(`${web.url}/web/events`, { headers, signal: controller.signal })
    streams.push(stream)
    return stream.status
  }
  for (let i = 0; i < 24; i++) assert.equal(await openStream(), 200, `stream ${i + 1}`)
  assert.equal(await openStream(), 429, 'the 25th is refused')
  await visitor.go('/tasks?project=CRW')
  await rowOf(page, 'Move the desks').waitFor()
  await page.getByText('Live updates are paused.').first().waitFor()
  await visitor.checkPage('tasks-updates-paused')
  await ann.call('update_task', { task_id: 'CRW-1', title: 'Move the shelves' })
  await page.evaluate(() => window.dispatchEvent(new Event('focus')))
  await rowOf(page, 'Move the shelves').waitFor()
  assert.equal(await openStream(), 429, 'there is still no room')
  controller.abort()
})
