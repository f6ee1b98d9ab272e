import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { untilTrue } from '../testing/limits.ts'
import { noChromium, openWeb, type Web } from './setup.ts'
import { openFor } from './steps.ts'

const skip = noChromium
let web: Web
before(async () => {
  if (skip) return
  web = await openWeb(undefined, { limits: false })
  await web.ann.call('create_project', { name: 'Shop', key: 'SHP', member_ids: [web.bob.id] })
})
after(() => web?.close())

const hoursFromNow = (hours: number) => new Date(web.clock.now() + hours * 3_600_000).toISOString()
const daysFromNow = (days: number) => hoursFromNow(24 * days).slice(0, 10)
const createTask = (title: string, fields: object = {}) =>
  web.ann.call('create_task', {
    project_id: 'SHP',
    title,
    assignee_ids: [web.bob.id],
    ...fields,
  })

test('by keyboard: the day shows events and due tasks, a task is completed in place, and the timer is stopped', {
  skip,
}, async () => {
  const late = await createTask('Pay the rent', { due_at: daysFromNow(-2) })
  await createTask('Water the plants', { status: 'In progress' })
  await createTask('For another day', { due_at: daysFromNow(9) })
  const { id: calendar_id } = (await web.bob.call('list_calendars')).items[0]
  await web.bob.call('create_event', {
    calendar_id,
    title: 'Tasting',
    starts_at: hoursFromNow(-0.1),
    ends_at: hoursFromNow(0.4),
  })
  await web.bob.call('start_timer', { task_id: late.id })
  const { visitor, page, press } = await openFor(web, web.bob, '/')
  await page.getByRole('heading', { name: 'Hello, Bob' }).waitFor()
  const tasks = page.getByRole('region', { name: 'My tasks' })
  await tasks.getByText('Overdue').waitFor()
  await tasks.getByText('Water the plants').waitFor()
  assert.equal(await tasks.getByText('For another day').count(), 0)
  const agenda = page.getByRole('region', { name: 'Agenda' })
  await agenda.getByText('Tasting').waitFor()
  await visitor.checkPage('my-day')
  const waitForFocus = (title: string) =>
    page
      .waitForFunction((text) => document.activeElement?.textContent?.includes(text), title)
      .then(() => true)
  for (let n = 0; n < 10; n++) {
    await press('j')
    const text = await page.evaluate(() => document.activeElement?.textContent ?? '')
    if (text.includes('Pay the rent')) break
  }
  await waitForFocus('Pay the rent')
  await press('e')
  await untilTrue(
    async () => (await web.bob.call('get_task', { task_id: late.id })).status_category === 'done',
    'it was not done',
  )
  await press('z')
  await untilTrue(
    async () => (await web.bob.call('get_task', { task_id: late.id })).status_category !== 'done',
    'it was not undone',
  )
  await press('Alt+t')
  await page.getByRole('button', { name: 'Stop' }).waitFor({ state: 'detached' })
  await createTask('Call the bank', { due_at: daysFromNow(-1) })
  await tasks.getByText('Call the bank').waitFor() // without a reload
  visitor.assertNoProblems()
})

test('assistant changes since the last visit are listed by assistant and undone there', {
  skip,
}, async () => {
  const { key } = await web.keyFor(web.carol, { name: 'Night shift' })
  await web.ann.call('add_project_member', { project_id: 'SHP', person_id: web.carol.id })
  const task = await web.ann.call('create_task', { project_id: 'SHP', title: 'Count the stock' })
  const patchTask = (body: object) => web.ask('PATCH', `/api/tasks/${task.id}`, { key, body })
  assert.equal((await patchTask({ priority: 'high' })).status, 200)
  const visitor = await web.visit(web.carol)
  const { page } = visitor
  await visitor.go('/')
  const since = page.getByRole('region', { name: 'Since you were here' })
  await since.getByText('1 assistant, 1 change.').waitFor()
  await since.getByText('Night shift').waitFor()
  assert.equal((await patchTask({ title: 'Count all of the stock' })).status, 200)
  await since.getByText('1 assistant, 2 changes.').waitFor() // live
  await visitor.checkPage('my-day-since')
  await since.getByRole('button', { name: /^Undo/ }).first().click()
  await page.getByRole('dialog').getByRole('button', { name: 'Undo' }).click()
  await untilTrue(
    async () =>
      (await web.carol.call('get_task', { task_id: task.id })).title === 'Count the stock',
    'it was not undone',
  )
  visitor.assertNoProblems()
})

test('a day without events says so, and shows the free time', { skip }, async () => {
  const visitor = await web.visit(web.eve)
  await visitor.go('/')
  await visitor.page.getByText('Nothing is due, and nothing is in progress.').waitFor()
  await visitor.page.getByText('Nothing on today').waitFor()
  await visitor.checkPage('my-day-empty')
  visitor.assertNoProblems()
})

test('by keyboard: a reminder is set from any page, shown in the day, cancelled and restored', {
  skip,
}, async () => {
  const { visitor, page, press } = await openFor(web, web.carol, '/projects')
  await press('Alt+r')
  const dialog = page.getByRole('dialog', { name: 'Remind me' })
  await dialog.getByRole('textbox', { name: 'Of what' }).fill('Renew the domain')
  await dialog.getByLabel('When').fill('2031-03-03T09:30')
  await dialog.getByLabel('Repeats').selectOption('Every month')
  await dialog.getByRole('button', { name: 'Remind me' }).focus()
  await press('Enter')
  const list = page.getByRole('region', { name: 'Reminders' })
  await list.getByText('Renew the domain').waitFor()
  await list.getByText('Every month').waitFor()
  const pending = async () => (await web.carol.call('list_reminders', {})).items
  const [reminder] = await pending()
  assert.deepEqual([reminder.text, reminder.rrule], ['Renew the domain', 'FREQ=MONTHLY'])
  assert.equal(await dialog.count(), 0)
  await visitor.checkPage('my-day-reminders')
  await list.getByRole('button', { name: 'Cancel the reminder “Renew the domain”' }).focus()
  await press('Enter')
  await list.getByText('No reminders.').waitFor()
  assert.deepEqual(await pending(), [])
  await press('z')
  await list.getByText('Renew the domain').waitFor()
  assert.equal((await pending()).length, 1)
  visitor.assertNoProblems()
})
