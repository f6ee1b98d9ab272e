import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { noChromium, openWeb, type Web } from './setup.ts'
import { openFor } from './steps.ts'

const skip = noChromium
let web: Web
before(async () => {
  if (!skip) web = await openWeb(undefined, { limits: false })
})
after(() => web?.close())

const eventOf = (page: Page, title: string) =>
  page.locator('[data-event]').filter({ hasText: title })
const pane = (page: Page) => page.getByRole('complementary', { name: 'The event' })

test('unscheduled tasks are dragged into the week or planned by keyboard, linked with their focus time, and undone together', {
  skip,
}, async () => {
  const { call } = web.carol
  const project = await call('create_project', { name: 'Plan', key: 'PLN' })
  const addTask = (title: string, fields: object) =>
    call('create_task', { project_id: project.id, title, assignee_ids: [web.carol.id], ...fields })
  const offerTask = await addTask('Draft the offer', { due_at: '2026-12-23', estimate_minutes: 90 })
  const numbersTask = await addTask('Check the numbers', {})
  const { visitor, page, press } = await openFor(
    web,
    web.carol,
    '/calendar?view=week&day=2026-12-22',
  )
  await page.setViewportSize({ width: 1440, height: 900 })
  const panel = page.getByRole('complementary', { name: 'Tasks to plan' })
  const entry = (title: string) => panel.getByRole('button', { name: title })
  await entry('Check the numbers').waitFor()
  await visitor.checkPage('calendar-tasks')
  const tuesday = page.getByRole('region', { name: /Tuesday,? 22 December 2026/ })
  await entry('Draft the offer').dragTo(tuesday, { targetPosition: { x: 40, y: 48 * 10 + 4 } })
  await eventOf(page, 'Draft the offer').getByText('10:00 – 11:30').waitFor()
  await entry('Draft the offer').waitFor({ state: 'detached' })
  const [event] = (await call('list_events', { from: '2026-12-22', to: '2026-12-22' })).items
  assert.equal(event.kind, 'focus')
  const linkedIds = async (id: string) => {
    const { items } = await call('find_related_items', { item_id: id, relations: ['linked'] })
    return items.map(({ item }: { item: { id: string } }) => item.id)
  }
  assert.deepEqual(await linkedIds(event.id), [offerTask.id])
  await eventOf(page, 'Draft the offer').click()
  await pane(page)
    .getByRole('link', { name: /Draft the offer/ })
    .waitFor()
  await visitor.checkPage('calendar-tasks-planned')
  await press('z')
  await eventOf(page, 'Draft the offer').waitFor({ state: 'detached' })
  await entry('Draft the offer').waitFor()
  assert.deepEqual(await linkedIds(offerTask.id), [])
  // By keyboard: a key opens the panel, and the time is set in the form.
  await press('s')
  await entry('Draft the offer').and(page.locator(':focus')).waitFor()
  await press('j')
  await entry('Check the numbers').and(page.locator(':focus')).waitFor()
  await press('Enter')
  await page.getByRole('dialog', { name: 'New event' }).waitFor()
  assert.equal(await page.getByLabel('Title').inputValue(), 'Check the numbers')
  await page.getByLabel('Start time').fill('15:00')
  await visitor.checkPage('calendar-tasks-form')
  await press('Control+Enter')
  await eventOf(page, 'Check the numbers').getByText('15:00 – 16:00').waitFor()
  await entry('Check the numbers').waitFor({ state: 'detached' })
  // Or the task is chosen in the form for focus time.
  await press('f')
  await page
    .getByRole('dialog')
    .getByLabel('Task')
    .selectOption({ label: `${offerTask.key} Draft the offer` })
  assert.equal(await page.getByLabel('Title').inputValue(), 'Draft the offer')
  await press('Control+Enter')
  await panel.getByText('Time is planned for all of your open tasks.').waitFor()
  const planned = await linkedIds(numbersTask.id)
  assert.equal(planned.length, 1)
  await press('s', 's')
  await panel.waitFor({ state: 'detached' })
  visitor.assertNoProblems()
})
