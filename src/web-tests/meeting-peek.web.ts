// Tests that links in a meeting's brief open beside the meeting.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { untilTrue } from '../testing/limits.ts'
import { noChromium, openWeb, type Web } from './setup.ts'
import { choose, dayAhead, openFor } from './steps.ts'

const skip = noChromium
let web: Web
before(async () => {
  if (!skip) web = await openWeb(undefined, { limits: false })
})
after(() => web?.close())

test('by keyboard: brief links open next to the meeting, tasks are edited there, and without space they open as pages', {
  skip,
}, async () => {
  const { ann, bob } = web
  await ann.call('create_project', { name: 'Harvest', key: 'HAR', member_ids: [bob.id] })
  const lastMeeting = await ann.call('create_meeting', {
    title: 'Last harvest',
    starts_at: `${dayAhead(-7)}T10:00`,
    participants: [bob.id],
  })
  await ann.call('add_action_items', {
    meeting_id: lastMeeting.id,
    items: [{ text: 'Order diesel', owner: bob.id }],
  })
  const task = await ann.call('create_task', {
    project_id: 'HAR',
    title: 'Sharpen the blades',
    assignee_ids: [bob.id],
  })
  await ann.call('create_page', {
    title: 'Weather',
    project_id: 'HAR',
    body_markdown: 'Dry **until Friday**.',
  })
  const { id } = await ann.call('create_meeting', {
    title: 'Next harvest',
    starts_at: `${dayAhead(1)}T10:00`,
    participants: [bob.id],
    project_id: 'HAR',
  })
  const { visitor, page, press } = await openFor(web, ann, `/meetings/${id}`)
  const link = (name: string) =>
    page
      .locator('section', { has: page.getByRole('heading', { name: 'Brief' }) })
      .getByRole('link', { name })
  const paneOf = (kind: string) => page.getByRole('complementary', { name: kind, exact: true })

  await link('Weather').press('Enter')
  await paneOf('Page').getByText('until Friday').waitFor()
  assert.equal(await paneOf('Page').getByText('Offset').count(), 0)
  await page.getByRole('heading', { level: 1, name: 'Next harvest' }).waitFor()
  assert.match(page.url(), /\?peek=pag_/)
  await visitor.checkPage('meeting-peek-page')
  await press('Escape')
  await paneOf('Page').waitFor({ state: 'detached' })
  assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Weather')

  await link('Order diesel').press('Enter')
  await paneOf('Action item').getByRole('link', { name: 'Open as a page' }).waitFor()
  await link('Sharpen the blades').press('Enter')
  await paneOf('Task').getByText('Sharpen the blades').waitFor()
  await paneOf('Action item').waitFor({ state: 'detached' })
  await paneOf('Task').getByRole('button', { name: 'To do' }).press('Enter')
  await choose(page, 'Status', 'Done')
  await untilTrue(
    async () => (await ann.call('get_task', { task_id: task.key })).status_category === 'done',
    'the task is not done',
  )
  await visitor.checkPage('meeting-peek-task')

  await page.reload()
  await paneOf('Task').getByText('Sharpen the blades').waitFor()
  await paneOf('Task').getByRole('button', { name: 'Close' }).press('Enter')
  await paneOf('Task').waitFor({ state: 'detached' })
  await page.goBack()
  await page.getByRole('heading', { level: 1, name: 'Next harvest' }).waitFor()

  await page.setViewportSize({ width: 360, height: 740 })
  await link('Weather').press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Weather' }).waitFor()
  assert.match(page.url(), /\/pages\/pag_/)
  visitor.assertNoProblems()
})
